/** The figures of the contract, in one place: limits of requests, pages and names. */
export const limits = {
  /** Bytes of a JSON request body. */
  bodyBytes: 1_048_576,
  /** Milliseconds until a request is answered 504. */
  deadlineMs: 90_000,
  idempotencyKeyLength: 256,
  idempotencyHours: 24,
  pageMax: 200,
  sandboxGrants: 5,
  metadataPairs: 50,
  metadataKeyLength: 40,
  metadataValueLength: 500,
  stateLength: 256,
} as const

/** Requests per window, by group. Fixed windows; `per` says whose budget it is. */
export const rates = {
  application: { limit: 50, windowSeconds: 1, per: 'application' },
  grant: { limit: 200, windowSeconds: 1, per: 'grant' },
  detect: { limit: 20, windowSeconds: 60, per: 'application' },
} as const
