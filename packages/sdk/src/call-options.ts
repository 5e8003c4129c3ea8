/** What every call takes. */
export interface CallOptions {
  /** Ends the call, its waits included; the call then throws the signal's reason. */
  signal?: AbortSignal | undefined
}

/** What every call takes that changes something. */
export interface WriteOptions extends CallOptions {
  /** Calls with the same key and payload do their work once in 24 hours; made for you unless given. */
  idempotencyKey?: string | undefined
}
