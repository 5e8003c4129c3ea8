/**
 * The provider calls of one request. The request creates the count, its sessions carry it in their `Io`, and
 * `shared/exchange.ts` adds to it. So no request sees the calls of another one. Calls are HTTP requests; each call in
 * a batch is one, and so is each repetition. Requests for access tokens are not included: one serves many requests.
 */
export class CallCount {
  #calls: number | undefined
  #quotaUnits: number | undefined
  #isComplete = true

  /** A session can make calls from now on: without any, the count is zero. */
  begin(): void {
    this.#calls ??= 0
  }

  /** Adds calls, and their quota units where the provider publishes them. A negative number takes calls back. */
  add(calls: number, quotaUnits?: number): void {
    this.#calls = (this.#calls ?? 0) + calls
    if (quotaUnits !== undefined) this.#quotaUnits = (this.#quotaUnits ?? 0) + quotaUnits
  }

  /** Part of the work is done by a protocol without countable calls, such as IMAP. */
  leaveOut(): void {
    this.#isComplete = false
  }

  /** The number of calls; undefined if it is unknown, or no session was opened. */
  get calls(): number | undefined {
    return this.#isComplete ? this.#calls : undefined
  }

  /** Quota units of Gmail; undefined without a call that costs them. */
  get quotaUnits(): number | undefined {
    return this.#quotaUnits
  }
}
