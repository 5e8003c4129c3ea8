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
  /** The largest page of threads: each costs a provider several calls. */
  threadPageMax: 50,
  /** Addresses in one filter of messages or threads. */
  filterAddresses: 25,
  /** Messages that one call cleans. */
  cleanMessages: 20,
  metadataPairs: 50,
  metadataKeyLength: 40,
  metadataValueLength: 500,
  stateLength: 256,
  webhooks: 50,
  webhookUrlBytes: 2048,
  /** Milliseconds that a listener has for an answer. */
  webhookAnswerMs: 10_000,
  /** How long the secret before a rotation goes on signing. */
  webhookSecretOverlapHours: 24,
  /** How long a reader of the stream of notifications may wait for something. */
  streamWaitSeconds: 30,
} as const

/** Requests per window, by group. Fixed windows; `per` says whose budget it is. */
export const rates = {
  application: { limit: 50, windowSeconds: 1, per: 'application' },
  grant: { limit: 200, windowSeconds: 1, per: 'grant' },
  testEvent: { limit: 5, windowSeconds: 60, per: 'application' },
  detect: { limit: 20, windowSeconds: 60, per: 'application' },
} as const
