/** All limits of the contract: requests, pages and names. */
export const limits = {
  /** Maximum size of a JSON request body in bytes. */
  bodyBytes: 1_048_576,
  /** Maximum size of a JSON body that can contain base64 files, in bytes. */
  messageBodyBytes: 8_388_608,
  /** Maximum size of all decoded files in such a body, in bytes. */
  messageFileBytes: 3_145_728,
  /** Maximum size of a multipart body in bytes. */
  multipartBytes: 26_214_400,
  /** Maximum number of parts in a multipart body. */
  multipartParts: 200,
  /** Maximum size of an uploaded file in bytes. */
  uploadBytes: 157_286_400,
  uploadMinutes: 60,
  /** Maximum number of uploads per application that have not expired, and of their bytes. */
  uploads: 100,
  uploadBytesPerApplication: 2_147_483_648,
  /** Time after which a request fails with 504, in milliseconds. */
  deadlineMs: 90_000,
  idempotencyKeyLength: 256,
  idempotencyHours: 24,
  pageMax: 200,
  sandboxGrants: 5,
  /** Maximum page size of threads, because each needs several provider calls. */
  threadPageMax: 50,
  /** Maximum number of addresses in one filter of messages or threads. */
  filterAddresses: 25,
  /** Maximum number of messages that one call cleans. */
  cleanMessages: 20,
  /** Maximum number of workspaces per application besides the default one; the list has no pages. */
  workspaces: 5000,
  /** Maximum number of grants in each list of an assignment to a workspace. */
  workspaceAssignments: 500,
  metadataPairs: 50,
  metadataKeyLength: 40,
  metadataValueLength: 500,
  /** Maximum number of values in each list of a contact. */
  contactValues: 100,
  /** Maximum length of a base64 picture in characters. */
  contactPictureLength: 786_432,
  /** Maximum number of addresses in `to`, `cc` and `bcc` together, and in `reply_to`. */
  recipients: 100,
  subjectLength: 998,
  customHeaders: 100,
  customHeaderLength: 4096,
  /** Minimum and maximum distance of `send_at` from now. */
  scheduleSecondsMin: 60,
  scheduleDaysMax: 30,
  /** A scheduled message can be stopped until this long before its time. */
  scheduleStopSeconds: 10,
  /** A schedule can be read for this long after its time. */
  scheduleKeptHours: 72,
  trackingLabelLength: 2048,
  /** Maximum number of group events in one import. */
  groupEventImports: 20,
  /** Maximum number of group events of a configuration; a series counts once. */
  groupEvents: 1000,
  /** Maximum number of signatures per grant. */
  signatures: 10,
  signatureBytes: 102_400,
  /** Maximum number of templates per application, and per grant. */
  templates: 1000,
  templateBytes: 1_000_000,
  /** Maximum number of scheduler configurations per grant. */
  schedulerConfigurations: 500,
  /** Maximum number of workflows per application, and per grant. */
  workflows: 100,
  workflowDelayMinutes: 43_200,
  /** Maximum size of a rendered subject or body in bytes. */
  renderedBytes: 4_194_304,
  stateLength: 256,
  /** Length of the administrator's password in characters. */
  passwordLengthMin: 8,
  passwordLength: 1024,
  /** Maximum number of applications assigned to one person. */
  personApplications: 1000,
  /** Maximum number of service accounts of an installation. */
  serviceAccounts: 100,
  /** Maximum length of a public key in PEM format, in characters. */
  publicKeyLength: 2048,
  /** Maximum size of the body of a signed request in bytes: it is read before the signature is checked. */
  signedBodyBytes: 65_536,
  /** Validity of an invitation link. */
  invitationDays: 7,
  webhooks: 50,
  /** Maximum number of channels of each transport per application. */
  channels: 5,
  webhookUrlBytes: 2048,
  /** Time that a webhook receiver has to respond, in milliseconds. */
  webhookAnswerMs: 10_000,
  /** Time for which the previous secret still signs after a rotation. */
  webhookSecretOverlapHours: 24,
  /** Number up to which a dry run of a replay counts notifications. */
  replayCounted: 10_000,
  /** Number up to which the backlog of a destination counts deliveries of each state. */
  backlogCounted: 10_000,
  /** Number up to which the health of a destination counts attempts of each outcome per time step. */
  attemptsCounted: 100_000,
  /** Age in seconds after which the signed time of a delivery counts as old. */
  signatureToleranceSeconds: 300,
  /** Time in which a person can decide about an action. */
  approvalHours: 72,
  /** Actions of one credential that wait for approval, and the megabytes of one, and of all of an application. */
  approvalsPending: 100,
  approvalMegabytes: 25,
  approvalMegabytesPending: 200,
  /** Characters of a text that a person must be able to read before the decision. */
  approvalTextLength: 500_000,
  /** Maximum wait time of a stream request. */
  streamWaitSeconds: 30,
  /** Live streams of one credential, and of one application, at one node. */
  liveStreams: 20,
  liveStreamsPerApplication: 1000,
} as const

/** Requests per fixed window by group; `per` names the owner of the budget. */
export const rates = {
  application: { limit: 50, windowSeconds: 1, per: 'application' },
  grant: { limit: 200, windowSeconds: 1, per: 'grant' },
  multipart: { limit: 10, windowSeconds: 1, per: 'grant' },
  testEvent: { limit: 5, windowSeconds: 60, per: 'application' },
  detect: { limit: 20, windowSeconds: 60, per: 'application' },
  guest: { limit: 120, windowSeconds: 60, per: 'address' },
  guestPage: { limit: 600, windowSeconds: 60, per: 'configuration' },
  guestBooking: { limit: 10, windowSeconds: 60, per: 'address' },
  mcp: { limit: 300, windowSeconds: 60, per: 'credential' },
  serviceAccount: { limit: 300, windowSeconds: 60, per: 'credential' },
} as const
