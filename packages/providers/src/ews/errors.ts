/**
 * Maps answers of an Exchange server to errors of the API. Exchange's response codes, such as `ErrorItemNotFound`
 * (https://learn.microsoft.com/exchange/client-developer/web-service-reference/responsecode), become the reasons of
 * our errors.
 */
import type { ErrorCode } from '@waypost/contract'
import { ApiError, type ErrorDetails } from '@waypost/platform/api-error'
import { XmlError } from '@waypost/platform/xml/xml'
import type { Refusal } from '../shared/refusal.ts'
import { boundedWait } from '../shared/retry.ts'
import { httpError, isWebPage } from './http-errors.ts'

/** An error of the API that is due to a response code. */
export class EwsError extends ApiError {
  readonly responseCode: string

  constructor(responseCode: string, code: ErrorCode, message: string | undefined, details: ErrorDetails) {
    super(code, message, details)
    this.responseCode = responseCode
  }
}

/** The response code of an error; '' if it has none. */
export const responseCodeOf = (error: unknown): string => (error instanceof EwsError ? error.responseCode : '')

/** Whether an error has one of these response codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean => codes.includes(responseCodeOf(error))

/** The content of a fault or response message. */
export interface SaidError {
  responseCode: string
  message: string
  backOffMs?: number | undefined
}

/** The wait of Exchange's own clients, if it names no time. */
const pauseSeconds = 60

/** The error for a response code, in a fault or in a response message. */
export function responseError({ responseCode, message, backOffMs }: SaidError, status = 200): EwsError {
  const { code, words } = meaningOf(responseCode)
  const said = message.slice(0, 500)
  const reported = backOffMs === undefined ? undefined : boundedWait(backOffMs / 1000)
  // A busy server that names no time also gets a pause.
  const named = reported ?? (responseCode === 'ErrorServerBusy' ? pauseSeconds : undefined)
  const providerError = {
    status,
    reason: responseCode,
    message: said,
    ...(named === undefined ? {} : { retry_after: named }),
  }
  const plain = code === 'provider_refused' && said !== '' ? `Exchange refused: ${said}` : undefined
  const retryAfter = code === 'provider_rate_limited' ? (named ?? pauseSeconds) : named
  return new EwsError(responseCode, code, words ?? plain, {
    providerError,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}

/** Whether an error means that there is no such item or folder, or none that the account may see. */
export const isMissing = (error: unknown): boolean => error instanceof EwsError && error.code === 'not_found'

/** The error for an unreadable answer. */
export function malformedAnswer(error: XmlError, answer: Refusal): ApiError {
  if (answer.status >= 300 || isWebPage(answer)) return httpError(answer)
  return new ApiError('provider_unavailable', 'Exchange answered with something that cannot be read; try again', {
    providerError: { reason: 'malformed_answer', message: error.message },
    cause: error,
  })
}

/** The error for an answer with too few or too many response messages. */
export const unevenAnswer = (answers: number, things: number): ApiError =>
  new ApiError('provider_unavailable', 'Exchange answered with something that cannot be read; try again', {
    providerError: { reason: 'malformed_answer', message: `${answers} response messages to ${things} questions` },
    cause: new XmlError('the answer is uneven'),
  })

export interface Meaning {
  code: ErrorCode
  /** Replaces the server's message. */
  words?: string
}

const again = 'Exchange cannot answer now; try again'
const moving = 'the mailbox is being moved or its server is being changed; try again'
const elsewhere = 'it was changed elsewhere in the meantime; read it again, then change it'

/** By meaning, with its codes. */
const table: readonly (Meaning & { names: string })[] = [
  {
    code: 'not_found',
    names: `ErrorItemNotFound ErrorFolderNotFound ErrorParentFolderNotFound ErrorToFolderNotFound ErrorInvalidId
      ErrorInvalidIdMalformed ErrorInvalidIdEmpty ErrorInvalidIdMalformedEwsLegacyIdFormat ErrorInvalidIdMonikerTooLong
      ErrorInvalidIdNotAnItemAttachmentId ErrorInvalidIdReturnedByResolveNames ErrorInvalidIdStoreObjectIdTooLong
      ErrorInvalidIdTooManyAttachmentLevels ErrorInvalidIdXml ErrorInvalidFolderId ErrorInvalidAttachmentId
      ErrorAttachmentNotFound ErrorCannotGetAttachment ErrorNameResolutionNoResults ErrorMailRecipientNotFound
      ErrorCalendarOccurrenceIsDeletedFromRecurrence ErrorCalendarOccurrenceIndexIsOutOfRecurrenceRange
      ErrorCalendarCannotUseIdForOccurrenceId ErrorCalendarCannotUseIdForRecurringMasterId`,
  },
  { code: 'conflict', words: elsewhere, names: 'ErrorIrresolvableConflict ErrorStaleObject' },
  { code: 'conflict', words: 'there is a folder of that name already', names: 'ErrorFolderExists' },
  {
    code: 'grant_invalid',
    words: 'the account is disabled at its Exchange server; its administrator must enable it',
    names: 'ErrorAccountDisabled',
  },
  {
    code: 'grant_invalid',
    words: 'the password of the account has expired; the user must change it at Exchange, then authenticate again',
    names: 'ErrorPasswordExpired ErrorPasswordChangeRequired',
  },
  {
    code: 'provider_rate_limited',
    names: `ErrorServerBusy ErrorExceededConnectionCount ErrorExceededSubscriptionCount ErrorExceededFindCountLimit
      ErrorTooManyContactsConnected`,
  },
  {
    code: 'provider_unavailable',
    words: moving,
    names: `ErrorMailboxMoveInProgress ErrorMailboxFailover ErrorMailboxStoreUnavailable ErrorMailboxHoldNotFound
      ErrorNoRespondingCASInDestinationSite ErrorProxyCallFailed ErrorProxyRequestProcessingFailed
      ErrorProxyServiceDiscoveryFailed ErrorServiceDiscoveryFailed`,
  },
  {
    code: 'provider_unavailable',
    words: again,
    names: `ErrorInternalServerTransientError ErrorInternalServerError ErrorADUnavailable ErrorADOperation
      ErrorADSessionFilter ErrorConnectionFailed ErrorTimeoutExpired ErrorBatchProcessingStopped
      ErrorTooManyObjectsOpened ErrorInsufficientResources ErrorNotEnoughMemory ErrorClientDisconnected
      ErrorMailboxLogonFailed ErrorReadEventsFailed ErrorReadEventsFailed ErrorFreeBusyGenerationFailed
      ErrorCASHTTPError ErrorUnifiedMessagingServerNotFound`,
  },
  {
    code: 'provider_refused',
    words: 'the mailbox is full: something must be deleted from it',
    names: 'ErrorQuotaExceeded',
  },
  {
    code: 'provider_refused',
    words: 'it is larger than Exchange takes',
    names: 'ErrorMessageSizeExceeded ErrorDataSizeLimitExceeded ErrorAttachmentSizeLimitExceeded',
  },
  {
    code: 'provider_refused',
    words: 'Exchange does not let the account do this: it lacks the right',
    names: 'ErrorAccessDenied ErrorCreateItemAccessDenied ErrorInsufficientPermissions',
  },
  {
    code: 'provider_refused',
    words: 'Exchange does not let the account send in the name of that address',
    names: 'ErrorSendAsDenied',
  },
  {
    code: 'provider_refused',
    words: 'Exchange does not let the account into that mailbox: it lacks the role ApplicationImpersonation',
    names: 'ErrorImpersonateUserDenied ErrorImpersonationDenied ErrorImpersonationRequired',
  },
  {
    code: 'provider_refused',
    words: 'there is no mailbox of that address at this Exchange server',
    names: 'ErrorNonExistentMailbox ErrorMissingEmailAddress ErrorInvalidSmtpAddress ErrorNonPrimarySmtpAddress',
  },
  {
    code: 'provider_refused',
    words: 'the Exchange server is too old: it must be Exchange 2010 with Service Pack 1 or newer',
    names: `ErrorInvalidServerVersion ErrorIncorrectSchemaVersion ErrorInvalidSchemaVersionForMailboxVersion
      ErrorInvalidRequestServerVersion`,
  },
]

const meanings: ReadonlyMap<string, Meaning> = new Map(
  table.flatMap(({ names, ...meaning }) => names.split(/\s+/).map((name) => [name, meaning] as const)),
)

export const meaningOf = (responseCode: string): Meaning => meanings.get(responseCode) ?? { code: 'provider_refused' }
