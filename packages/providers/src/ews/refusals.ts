/** Why an account could not be connected, with the setting to fix. Nothing is stored then. */
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { EgressError, type EgressReason } from '@waypost/platform/egress/error'
import { providerReason, providerStatus } from '../shared/refusal.ts'
import type { Ended, SearchNotes } from './autodiscover/plan.ts'
import { hasCode, responseCodeOf } from './errors.ts'
import { inCloud, type Login } from './login.ts'

type Setting = 'ews_username' | 'ews_password' | 'ews_host' | 'ews_port' | 'email' | 'ews_impersonation'

interface Complaint {
  setting: Setting
  reason: string
  words: string
  cause?: unknown
}

/** The account was refused. */
function denied({ setting, reason, words, cause }: Complaint): ApiError {
  const field = `settings.${setting}`
  return new ApiError('authentication_failed', `${field}: ${words}`, { fields: { reason, field }, cause })
}

/** The named server cannot be used, by any account. */
function unusable({ setting, reason, words, cause }: Complaint): ApiError {
  const field = `settings.${setting}`
  const { validationErrors = {} } = invalidField(field, words).details
  return new ApiError('invalid_request', `${field}: ${words}`, { validationErrors, fields: { reason, field }, cause })
}

/** Failures of the connection that the operator or the user has to fix. */
const networkReasons: Partial<Record<EgressReason, { setting: Setting; reason: string }>> = {
  refused_url: { setting: 'ews_host', reason: 'host_failed' },
  refused_address: { setting: 'ews_host', reason: 'address_failed' },
  refused_port: { setting: 'ews_port', reason: 'port_failed' },
  dns_failed: { setting: 'ews_host', reason: 'host_failed' },
  connect_failed: { setting: 'ews_host', reason: 'connect_failed' },
  tls_failed: { setting: 'ews_host', reason: 'tls_failed' },
}

/** The failure of the connection; undefined if the server itself answered. */
export function networkReason(error: unknown): EgressError | undefined {
  if (error instanceof EgressError) return error
  return error instanceof ApiError && error.cause instanceof EgressError ? error.cause : undefined
}

/** Whether a server cannot be reached at all, so that another one may be tried. */
export const isUnreached = (error: unknown): boolean => networkReason(error) !== undefined

/** Refusals by HTTP (`http-errors.ts`) and by response codes, by the reasons of their errors. */
const saidReasons: Readonly<Record<string, Omit<Complaint, 'cause' | 'words'> & { words?: string; isDenial?: true }>> =
  {
    account_locked: {
      setting: 'ews_username',
      reason: 'account_locked',
      words: 'Exchange says that the account is locked, such as after wrong passwords: wait, or have it unlocked',
      isDenial: true,
    },
    account_disabled: {
      setting: 'ews_username',
      reason: 'account_disabled',
      words: 'the account is disabled: its administrator must enable it',
      isDenial: true,
    },
    password_expired: {
      setting: 'ews_password',
      reason: 'password_expired',
      words: 'the password has expired: change it first, such as at Outlook on the web',
      isDenial: true,
    },
    password_change_required: {
      setting: 'ews_password',
      reason: 'password_expired',
      words: 'the password must be changed: change it first, such as at Outlook on the web',
      isDenial: true,
    },
    forbidden: { setting: 'ews_username', reason: 'access_failed', isDenial: true },
    no_sign_in: { setting: 'ews_host', reason: 'method_failed' },
    ntlm_failed: { setting: 'ews_host', reason: 'method_failed' },
    no_web_services: { setting: 'ews_host', reason: 'service_failed' },
    not_exchange: { setting: 'ews_host', reason: 'service_failed' },
    web_page: { setting: 'ews_host', reason: 'service_failed' },
    malformed_answer: { setting: 'ews_host', reason: 'service_failed' },
  }

/** The same reasons for response codes. */
const reasonOfCode: Readonly<Record<string, string>> = {
  ErrorAccountDisabled: 'account_disabled',
  ErrorPasswordExpired: 'password_expired',
  ErrorPasswordChangeRequired: 'password_change_required',
}

const isTooOld = (error: ApiError): boolean =>
  hasCode(
    error,
    'ErrorInvalidServerVersion',
    'ErrorIncorrectSchemaVersion',
    'ErrorInvalidSchemaVersionForMailboxVersion',
    'ErrorInvalidRequestServerVersion',
  )

/** Whether an error means that the server has no web service of Exchange at this URL. */
export const isElsewhere = (error: unknown): boolean =>
  ['no_web_services', 'not_exchange', 'web_page'].includes(providerReason(error))

/** The error for a server that could not be used; other errors pass through. */
export function refusalOf(error: unknown, login: Login): unknown {
  if (!(error instanceof ApiError)) return error
  return networkRefusal(error) ?? mailboxRefusal(error, login) ?? saidRefusal(error) ?? error
}

function networkRefusal(cause: ApiError): ApiError | undefined {
  const network = networkReason(cause)
  if (!network) return undefined
  const known = networkReasons[network.reason]
  if (known) return unusable({ ...known, words: network.message, cause })
  if (network.reason !== 'timeout') return undefined
  const field = 'settings.ews_host'
  const details = { fields: { reason: 'timeout_failed', field }, cause }
  return new ApiError('provider_unavailable', `${field}: ${network.message}`, details)
}

function mailboxRefusal(cause: ApiError, { isImpersonated }: Login): ApiError | undefined {
  if (hasCode(cause, 'ErrorNonExistentMailbox', 'ErrorMissingEmailAddress', 'ErrorNonPrimarySmtpAddress')) {
    const words = isImpersonated
      ? 'must be the primary address of a mailbox at this Exchange server'
      : 'the user has no mailbox at this Exchange server'
    return denied({ setting: isImpersonated ? 'email' : 'ews_username', reason: 'mailbox_failed', words, cause })
  }
  if (!hasCode(cause, 'ErrorImpersonateUserDenied', 'ErrorImpersonationDenied', 'ErrorImpersonationRequired')) {
    return undefined
  }
  const words = 'the user lacks the role ApplicationImpersonation over this mailbox'
  return denied({ setting: 'ews_impersonation', reason: 'impersonation_failed', words, cause })
}

function saidRefusal(cause: ApiError): ApiError | undefined {
  if (cause.details.fields?.reason !== undefined) return undefined
  if (isTooOld(cause)) return unusable({ setting: 'ews_host', reason: 'version_failed', words: cause.message, cause })
  const known = saidReasons[reasonOfCode[responseCodeOf(cause)] ?? providerReason(cause)]
  if (known) return (known.isDenial ? denied : unusable)({ words: cause.message, ...known, cause })
  return cause.code === 'grant_invalid' || providerStatus(cause) === 401 ? wrongPassword(cause) : undefined
}

const wrongPassword = (cause: unknown): ApiError =>
  denied({
    setting: 'ews_password',
    reason: 'credentials_failed',
    words:
      'Exchange did not accept the user name and the password. Many servers know users by DOMAIN\\name, and not by their address',
    cause,
  })

/** The error for a discovery that found no server. */
export function notFound(ended: Exclude<Ended, { kind: 'found' }>): ApiError {
  if (ended.kind === 'denied') return saidRefusal(ended.refusal) ?? wrongPassword(ended.refusal)
  if (ended.kind === 'cloud') return inCloud('settings.email')
  const { domain, noted } = ended
  const words = `the Exchange server of ${domain} was not found by Autodiscover${becauseOf(noted)}: give its name`
  return unusable({ setting: 'ews_host', reason: 'autodiscover_failed', words })
}

function becauseOf({ foreign, certificate, busy, unknown }: SearchNotes): string {
  if (foreign !== undefined) {
    return `. The domain names ${foreign}, which is not its own, and not over a protected connection, so nothing was sent there; if that is right`
  }
  if (certificate !== undefined) return `: ${certificate} has no valid certificate for its name`
  if (busy !== undefined) return `: ${busy} is too busy`
  if (unknown !== undefined) return `: ${unknown} cannot tell where the mailbox is`
  return ''
}
