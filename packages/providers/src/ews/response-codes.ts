/** The meanings of EWS response codes for API clients; all other codes mean that Exchange refused. */
import type { ErrorCode } from '@waypost/contract'

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
