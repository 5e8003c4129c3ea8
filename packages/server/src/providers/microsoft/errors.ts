/**
 * From what Graph answered to the errors of the API. Its refusals are `{"error":{"code","message","innerError"}}`
 * (https://learn.microsoft.com/graph/errors); the code is the reason of our errors.
 */
import { ApiError } from '../../lib/api-error.ts'
import {
  objectIn,
  providerReason,
  providerStatus,
  type Refusal,
  recordOf,
  refusalError,
  type Said,
} from '../shared/refusal.ts'
import { retryAfterSeconds } from '../shared/retry.ts'

/** Seconds to wait where Graph does not say how long. */
const pauseSeconds = 10

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function readError(status: number, body: Uint8Array): Said {
  const error = recordOf(objectIn(body).error)
  return { status, reason: text(error.code), message: text(error.message).slice(0, 500) }
}

/** Accounts that Exchange Online keeps no mailbox of: their tokens are good, and nothing is gained by another sign-in. */
const withoutMailbox = new Set([
  'MailboxNotEnabledForRESTAPI',
  'MailboxNotSupportedForRESTAPI',
  'OrganizationFromTenantGuidNotFound',
  'ErrorNonExistentMailbox',
])
/** What Graph names where the token lacks a permission. */
const denied = new Set([
  'ErrorAccessDenied',
  'Authorization_RequestDenied',
  'accessDenied',
  'AccessDenied',
  'Forbidden',
])

/** The error of the API for a call that Graph refused. `scopes` are those that would do, where their lack is the reason. */
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

/** Ids that Graph never gave away, or that are of another mailbox. */
const badIds = new Set([
  'ErrorInvalidIdMalformed',
  'ErrorInvalidIdEmpty',
  'ErrorInvalidId',
  'ErrorInvalidMailboxItemId',
])

/** Whether an error says that there is no such object. */
export const isMissing = (error: unknown): boolean =>
  providerStatus(error) === 404 || (providerStatus(error) === 400 && badIds.has(providerReason(error)))

/** Where a list cannot be gone on with: its token has expired, or is of another list. */
const badPlaces = /skip ?token|page ?token|sync ?state/i

/** Whether an error says that the place in a list is not known any more. */
export const isExpiredPage = (error: unknown): boolean =>
  providerStatus(error) === 410 ||
  (providerStatus(error) === 400 &&
    error instanceof ApiError &&
    badPlaces.test(`${providerReason(error)} ${error.message}`))

/** Whether Graph has forgotten what changed since a delta link: all must be read anew. */
export const needsResync = (error: unknown): boolean =>
  providerStatus(error) === 410 || /^(syncStateNotFound|syncStateInvalid|resyncRequired)$/i.test(providerReason(error))
