/** The figures of the contract, in one place: limits of requests, pages and names. */
export const limits = {
  /** Bytes of a JSON request body. */
  bodyBytes: 1_048_576,
  /** Bytes of a JSON body that may carry files in base64. */
  messageBodyBytes: 8_388_608,
  /** Bytes of all files in such a body, once they are decoded. */
  messageFileBytes: 3_145_728,
  /** Bytes of a multipart body, everything in it counted. */
  multipartBytes: 26_214_400,
  /** Parts of a multipart body. */
  multipartParts: 200,
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
  /** Values in one of the lists of a contact. */
  contactValues: 100,
  /** Characters of a picture in base64. */
  contactPictureLength: 786_432,
  /** Addresses of a message: in `to`, `cc` and `bcc` together, and in `reply_to`. */
  recipients: 100,
  subjectLength: 998,
  customHeaders: 100,
  customHeaderLength: 4096,
  /** How far ahead `send_at` must be, and may be. */
  scheduleSecondsMin: 60,
  scheduleDaysMax: 30,
  /** How long before its time a scheduled message can be stopped. */
  scheduleStopSeconds: 10,
  /** How long a schedule is told of after its time. */
  scheduleKeptHours: 72,
  trackingLabelLength: 2048,
  /** Signatures of one grant. */
  signatures: 10,
  signatureBytes: 102_400,
  /** Templates of an application, and of one grant. */
  templates: 1000,
  templateBytes: 1_000_000,
  /** Bytes that a rendered subject or body may have. */
  renderedBytes: 4_194_304,
  stateLength: 256,
  /** Characters of the administrator's password. */
  passwordLengthMin: 8,
  passwordLength: 1024,
  /** Applications that one person may be given the right on. */
  personApplications: 1000,
  /** How long the link of an invitation is good. */
  invitationDays: 7,
  webhooks: 50,
  webhookUrlBytes: 2048,
  /** Milliseconds that a listener has for an answer. */
  webhookAnswerMs: 10_000,
  /** How long the secret before a rotation goes on signing. */
  webhookSecretOverlapHours: 24,
  /** Up to how many notifications a dry run of a replay counts. */
  replayCounted: 10_000,
  /** Up to how many deliveries of a state the backlog of a destination counts. */
  backlogCounted: 10_000,
  /** Up to how many attempts of an outcome the health of a destination counts in one step of time. */
  attemptsCounted: 100_000,
  /** Seconds after which the signed time of a delivery counts as old. */
  signatureToleranceSeconds: 300,
  /** How long a reader of the stream of notifications may wait for something. */
  streamWaitSeconds: 30,
} as const

/** Requests per window, by group. Fixed windows; `per` says whose budget it is. */
export const rates = {
  application: { limit: 50, windowSeconds: 1, per: 'application' },
  grant: { limit: 200, windowSeconds: 1, per: 'grant' },
  multipart: { limit: 10, windowSeconds: 1, per: 'grant' },
  testEvent: { limit: 5, windowSeconds: 60, per: 'application' },
  detect: { limit: 20, windowSeconds: 60, per: 'application' },
} as const
