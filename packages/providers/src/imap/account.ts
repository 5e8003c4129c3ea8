/** The servers, user and credentials of an account, from the settings of its grant. */
import { invalidField } from '@waypost/platform/api-error'
import type { Account, Auth, Security } from '../mail/server-account.ts'
import { hostsOf, type SentCopies } from '../mail/vendors.ts'

export interface Accounts {
  imap: Account
  /** The SMTP server, if the settings name one. */
  smtp?: Account | undefined
  /** Whether the server or Waypost files sent messages; derived from the SMTP host if absent. */
  sentCopies?: SentCopies | undefined
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const securityOf = (value: unknown): Security | undefined =>
  value === 'tls' || value === 'starttls' || value === 'none' ? value : undefined

/** The address of an account: the user name, unless another one is set. */
export function addressOf(settings: Record<string, unknown>): string {
  const address = text(settings.email) ?? text(settings.imap_username) ?? ''
  if (/^[^\s@]+@[^\s@]+$/.test(address)) return address
  throw invalidField('settings.email', 'is required if imap_username is not an email address')
}

/** The servers and the user in settings and credentials. */
export function accountsOf(settings: Record<string, unknown>, credentials: Record<string, unknown>): Accounts {
  const user = text(settings.imap_username) ?? ''
  const domain = addressOf(settings).split('@').at(-1)?.toLowerCase() ?? ''
  const known = hostsOf(domain)
  const host = text(settings.imap_host) ?? known?.imap
  if (!host) throw invalidField('settings.imap_host', `is required: the servers of ${domain} are not known`)
  const password = text(credentials.imap_password) ?? ''
  const token = text(credentials.imap_access_token)
  const imap: Account = {
    host,
    port: number(settings.imap_port) ?? 993,
    security: securityOf(settings.imap_security),
    auth: token === undefined ? { user, password } : withToken(user, token),
  }
  const smtpHost = text(settings.smtp_host) ?? (settings.imap_host === undefined ? known?.smtp : undefined)
  if (!smtpHost) {
    const stray = ['smtp_port', 'smtp_username'].find((name) => settings[name] !== undefined)
    if (stray) throw invalidField('settings.smtp_host', `is required with ${stray}`)
    return { imap }
  }
  const smtpUser = text(settings.smtp_username) ?? user
  const smtpPassword = text(credentials.smtp_password)
  const smtp: Account = {
    host: smtpHost,
    port: number(settings.smtp_port) ?? known?.smtpPort ?? 587,
    security: securityOf(settings.smtp_security),
    auth:
      token === undefined || smtpPassword !== undefined
        ? { user: smtpUser, password: smtpPassword ?? password }
        : withToken(smtpUser, token),
  }
  return { imap, smtp }
}

/** A token supplied by the application; Waypost cannot renew it. */
const withToken = (user: string, token: string): Auth => ({ user, accessToken: async () => token })
