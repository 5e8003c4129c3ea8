/* Made from the contract by `npm run generate`; do not edit. */

/** Figures that the client goes by. */
export const limits = {
  deadlineMs: 90000,
  streamWaitSeconds: 30,
} as const

/** Type and status of the errors that may pass. */
export const temporaryErrors: readonly string[] = ['rate_limit_error 429', 'api.upload_quota_reached 429', 'api.approvals_pending 429', 'api.concurrent_idempotent_request 409', 'provider_error 504', 'provider_error 503', 'api.internal_error 500', 'api.service_unavailable 503']
