/**
 * A credential with an end, such as an access token: fetched at the first use, shared by everybody who waits for it, and
 * renewed shortly before its end. While a renewal fails, the former one serves until it ends.
 */
import type { Clock } from '@waypost/platform/clock'

export interface Expiring<T> {
  readonly value: T
  /** Milliseconds. */
  readonly expiresAt: number
}

/** Renewal begins this long before the end, or after four fifths of a short life. */
const marginMs = 300_000

export class Renewed<T> {
  readonly #clock: Clock
  readonly #request: () => Promise<Expiring<T>>
  #held: (Expiring<T> & { renewAt: number }) | undefined
  #renewing: Promise<T> | undefined

  constructor(request: () => Promise<Expiring<T>>, clock: Clock) {
    this.#request = request
    this.#clock = clock
  }

  async get(): Promise<T> {
    const held = this.#held
    const now = this.#clock.now()
    if (held && now < held.renewAt) return held.value
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined
    })
    if (!held || now >= held.expiresAt) return this.#renewing
    return this.#renewing.catch(() => held.value)
  }

  /** The service refused this value although it has not ended: the next use fetches another. */
  drop(value: T): void {
    if (this.#held?.value === value) this.#held = undefined
  }

  async #renew(): Promise<T> {
    const started = this.#clock.now()
    const { value, expiresAt } = await this.#request()
    this.#held = { value, expiresAt, renewAt: Math.max(expiresAt - marginMs, started + (expiresAt - started) * 0.8) }
    return value
  }
}
