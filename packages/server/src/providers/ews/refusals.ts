/** Why an account could not be connected, in words that name the setting to mend. Nothing is kept of it then. */
import { ApiError, invalidField } from '../../lib/api-error.ts'
import { EgressError, type EgressReason } from '../../lib/egress-error.ts'
import { providerStatus } from '../shared/refusal.ts'
import type { Ended, Noted } from './autodiscover/plan.ts'
import { hasCode } from './errors.ts'
import { inCloud, type Login } from './login.ts'

type Setting = 'ews_username' | 'ews_password' | 'ews_host' | 'ews_port' | 'email' | 'ews_impersonation'

interface Complaint {
  setting: Setting
  reason: string
  words: string
  cause?: unknown
}

/** The account was not let in. */
function denied({ setting, reason, words, cause }: Complaint): ApiError {
  const field = `settings.${setting}`
  return new ApiError('authentication_failed', `${field}: ${words}`, { fields: { reason, field }, cause })
}

/** What was named will not do, whoever signs in there. */
function unusable({ setting, reason, words, cause }: Complaint): ApiError {
  const field = `settings.${setting}`
  const { validationErrors = {} } = invalidField(field, words).details
  return new ApiError('invalid_request', `${field}: ${words}`, { validationErrors, fields: { reason, field }, cause })
}

/** Failures on the way to a server that somebody else than the server is to mend. */
const networkReasons: Partial<Record<EgressReason, { setting: Setting; reason: string }>> = {
  refused_url: { setting: 'ews_host', reason: 'host_failed' },
  refused_address: { setting: 'ews_host', reason: 'address_failed' },
  refused_port: { setting: 'ews_port', reason: 'port_failed' },
  dns_failed: { setting: 'ews_host', reason: 'host_failed' },
  connect_failed: { setting: 'ews_host', reason: 'connect_failed' },
  tls_failed: { setting: 'ews_host', reason: 'tls_failed' },
}

/** What kept us from a server; undefined where the server itself said something. */
export function networkReason(error: unknown): EgressError | undefined {
  if (error instanceof EgressError) return error
  return error instanceof ApiError && error.cause instanceof EgressError ? error.cause : undefined
}

/** Whether an error says that a server cannot be reached at all, so that another may be tried. */
export const isUnreached = (error: unknown): boolean => networkReason(error) !== undefined

/** The error for a server that could not be used; others pass through. */
export function refusalOf(error: unknown, { isImpersonated }: Login): unknown {
  if (!(error instanceof ApiError)) return error
  const cause = error
  const network = networkReason(error)
  const known = network && networkReasons[network.reason]
  if (known) return unusable({ ...known, words: network.message, cause })
  if (hasCode(error, 'ErrorNonExistentMailbox', 'ErrorMissingEmailAddress', 'ErrorNonPrimarySmtpAddress')) {
    const words = isImpersonated
      ? 'must be the primary address of a mailbox at this Exchange server'
      : 'the user has no mailbox at this Exchange server'
    return denied({ setting: isImpersonated ? 'email' : 'ews_username', reason: 'mailbox_failed', words, cause })
  }
  if (hasCode(error, 'ErrorImpersonateUserDenied', 'ErrorImpersonationDenied', 'ErrorImpersonationRequired')) {
    const words = 'the user lacks the role ApplicationImpersonation over this mailbox'
    return denied({ setting: 'ews_impersonation', reason: 'impersonation_failed', words, cause })
  }
  if (error.code === 'grant_invalid' || providerStatus(error) === 401) return wrongPassword(cause)
  return error
}

export const wrongPassword = (cause?: unknown): ApiError =>
  denied({
    setting: 'ews_password',
    reason: 'credentials_failed',
    words:
      'Exchange did not accept the user name and the password. Many servers know users by DOMAIN\\name, and not by their address',
    cause,
  })

/** The error for a search that found no server. */
export function notFound(ended: Exclude<Ended, { kind: 'found' }>): ApiError {
  if (ended.kind === 'denied') return wrongPassword()
  if (ended.kind === 'cloud') return inCloud('settings.email')
  const { domain, noted } = ended
  const words = `the Exchange server of ${domain} was not found by Autodiscover${becauseOf(noted)}: give its name`
  return unusable({ setting: 'ews_host', reason: 'autodiscover_failed', words })
}

function becauseOf({ foreign, certificate, busy, unknown }: Noted): string {
  if (foreign !== undefined) {
    return `. The domain names ${foreign}, which is not its own, and not over a protected connection, so nothing was sent there; if that is right`
  }
  if (certificate !== undefined) return `: ${certificate} has no valid certificate for its name`
  if (busy !== undefined) return `: ${busy} is too busy`
  if (unknown !== undefined) return `: ${unknown} cannot tell where the mailbox is`
  return ''
}
