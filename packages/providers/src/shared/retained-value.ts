/** A value that a session retains for its account between requests, and drops with it (`SessionIo.retained`). */
export class RetainedValue<T> implements AsyncDisposable {
  value: T | undefined

  async [Symbol.asyncDispose](): Promise<void> {
    this.value = undefined
  }
}
