/**
 * Maps Graph's errors to errors of the API. Graph answers `{"error":{"code","message","innerError"}}`
 * (https://learn.microsoft.com/graph/errors); the code becomes the reason of our error.
 */
import { ApiError } from '@waypost/platform/api-error'
import {
  objectIn,
  providerReason,
  providerStatus,
  type Refusal,
  type RefusalDetail,
  recordOf,
  refusalError,
} from '../shared/refusal.ts'
import { retryAfterSeconds } from '../shared/retry.ts'

/** Seconds to wait if Graph does not name a time. */
const pauseSeconds = 10

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function readError(status: number, body: Uint8Array): RefusalDetail {
  const error = recordOf(objectIn(body).error)
  return { status, reason: text(error.code), message: text(error.message).slice(0, 500) }
}

/** Accounts without a mailbox in Exchange Online: their tokens are valid, and another sign-in does not help. */
const withoutMailbox = new Set([
  'MailboxNotEnabledForRESTAPI',
  'MailboxNotSupportedForRESTAPI',
  'OrganizationFromTenantGuidNotFound',
  'ErrorNonExistentMailbox',
])
/** Codes for a token that lacks a permission. */
const denied = new Set([
  'ErrorAccessDenied',
  'Authorization_RequestDenied',
  'accessDenied',
  'AccessDenied',
  'Forbidden',
])

/**
 * The error of the API for a call that Graph refused. `scopes` are the sufficient ones, if a missing scope is the
 * reason.
 */
export function refused(answer: Refusal, scopes?: readonly string[]): ApiError {
  const said = readError(answer.status, answer.body)
  const { status, reason } = said
  if (withoutMailbox.has(reason)) {
    const words = 'the account has no mailbox at Microsoft 365 or Outlook.com that Graph can reach'
    return new ApiError('provider_refused', words, { providerError: { ...said } })
  }
  const named = retryAfterSeconds(answer.header)
  if (status === 412)
    return new ApiError('conflict', `Microsoft refused: ${said.message}`, { providerError: { ...said } })
  return refusalError('Microsoft', said, {
    rateLimit: status === 429 ? { named, pauseSeconds } : undefined,
    lacksScope: status === 403 && scopes !== undefined && denied.has(reason),
    retryAfter: named,
    ...(scopes ? { scopes } : {}),
  })
}

/** Codes for ids that Graph never issued, or that belong to another mailbox. */
const badIds = new Set([
  'ErrorInvalidIdMalformed',
  'ErrorInvalidIdEmpty',
  'ErrorInvalidId',
  'ErrorInvalidMailboxItemId',
])

/** Whether an error means that there is no such object. */
export const isMissing = (error: unknown): boolean =>
  providerStatus(error) === 404 || (providerStatus(error) === 400 && badIds.has(providerReason(error)))

/** Messages for a list that cannot be continued: its token has expired or belongs to another list. */
const badPlaces = /skip ?token|page ?token|sync ?state/i

/** Whether an error means that the position in a list has expired. */
export const isExpiredPage = (error: unknown): boolean =>
  providerStatus(error) === 410 ||
  (providerStatus(error) === 400 &&
    error instanceof ApiError &&
    badPlaces.test(`${providerReason(error)} ${error.message}`))

/** Whether Graph has forgotten a delta link, so that everything must be read again. */
export const needsResync = (error: unknown): boolean =>
  providerStatus(error) === 410 || /^(syncStateNotFound|syncStateInvalid|resyncRequired)$/i.test(providerReason(error))
