/** How to reach an account: servers, user and credentials, from the settings of its grant. */
import type { Grant } from '@waypost/contract'
import { invalidField } from '../../lib/api-error.ts'

/** `tls` from the first byte, `starttls` after the greeting, or `none`: on this very machine only. */
export type Security = 'tls' | 'starttls' | 'none'

export interface Account {
  host: string
  port: number
  /** Absent where it is to be found out. */
  security?: Security | undefined
  user: string
  password?: string | undefined
  accessToken?: string | undefined
}

export interface Accounts {
  imap: Account
  /** Where the account sends, if the settings say. */
  smtp?: Account | undefined
}

export interface Hosts {
  imap: string
  smtp: string
  smtpPort?: number
}

/** Where the mail of well-known domains is; others name their servers. */
const hostsByDomain: Record<string, Hosts> = {
  'aol.com': { imap: 'imap.aol.com', smtp: 'smtp.aol.com', smtpPort: 465 },
  'verizon.net': { imap: 'imap.aol.com', smtp: 'smtp.verizon.net', smtpPort: 465 },
  'yahoo.com': { imap: 'imap.mail.yahoo.com', smtp: 'smtp.mail.yahoo.com', smtpPort: 465 },
  'icloud.com': { imap: 'imap.mail.me.com', smtp: 'smtp.mail.me.com' },
  'me.com': { imap: 'imap.mail.me.com', smtp: 'smtp.mail.me.com' },
  'mac.com': { imap: 'imap.mail.me.com', smtp: 'smtp.mail.me.com' },
  'gmail.com': { imap: 'imap.gmail.com', smtp: 'smtp.gmail.com' },
  'outlook.com': { imap: 'outlook.office365.com', smtp: 'smtp.office365.com' },
  'hotmail.com': { imap: 'outlook.office365.com', smtp: 'smtp.office365.com' },
  'gmx.com': { imap: 'imap.gmx.com', smtp: 'mail.gmx.com' },
  'gmx.de': { imap: 'imap.gmx.net', smtp: 'mail.gmx.net' },
  'gmx.net': { imap: 'imap.gmx.net', smtp: 'mail.gmx.net' },
  'web.de': { imap: 'imap.web.de', smtp: 'smtp.web.de' },
  'mail.ru': { imap: 'imap.mail.ru', smtp: 'smtp.mail.ru', smtpPort: 465 },
  'yandex.com': { imap: 'imap.yandex.com', smtp: 'smtp.yandex.com', smtpPort: 465 },
  'yandex.ru': { imap: 'imap.yandex.ru', smtp: 'smtp.yandex.ru', smtpPort: 465 },
  'zoho.com': { imap: 'imap.zoho.com', smtp: 'smtp.zoho.com', smtpPort: 465 },
  'fastmail.com': { imap: 'imap.fastmail.com', smtp: 'smtp.fastmail.com', smtpPort: 465 },
  'fastmail.fm': { imap: 'imap.fastmail.com', smtp: 'smtp.fastmail.com', smtpPort: 465 },
  'qq.com': { imap: 'imap.qq.com', smtp: 'smtp.qq.com', smtpPort: 465 },
  '163.com': { imap: 'imap.163.com', smtp: 'smtp.163.com', smtpPort: 465 },
  '126.com': { imap: 'imap.126.com', smtp: 'smtp.126.com', smtpPort: 465 },
  't-online.de': { imap: 'secureimap.t-online.de', smtp: 'securesmtp.t-online.de', smtpPort: 465 },
  'orange.fr': { imap: 'imap.orange.fr', smtp: 'smtp.orange.fr', smtpPort: 465 },
  'free.fr': { imap: 'imap.free.fr', smtp: 'smtp.free.fr', smtpPort: 465 },
  'comcast.net': { imap: 'imap.comcast.net', smtp: 'smtp.comcast.net' },
  'att.net': { imap: 'imap.mail.att.net', smtp: 'smtp.mail.att.net', smtpPort: 465 },
}

/** Where the mail of a well-known domain is. */
export const hostsOf = (domain: string): Hosts | undefined =>
  Object.hasOwn(hostsByDomain, domain) ? hostsByDomain[domain] : undefined

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const securityOf = (value: unknown): Security | undefined =>
  value === 'tls' || value === 'starttls' || value === 'none' ? value : undefined

/** The address of an account: the user name, unless another one is given. */
export function addressOf(settings: Record<string, unknown>): string {
  const address = text(settings.email) ?? text(settings.imap_username) ?? ''
  if (/^[^\s@]+@[^\s@]+$/.test(address)) return address
  throw invalidField('settings.email', 'is required where imap_username is not an e-mail address')
}

/** The servers and the user that settings and credentials name. */
export function accountsOf(settings: Record<string, unknown>, credentials: Record<string, unknown>): Accounts {
  const user = text(settings.imap_username) ?? ''
  const domain = addressOf(settings).split('@').at(-1)?.toLowerCase() ?? ''
  const known = hostsOf(domain)
  const host = text(settings.imap_host) ?? known?.imap
  if (!host) throw invalidField('settings.imap_host', `is required: the servers of ${domain} are not known`)
  const password = text(credentials.imap_password)
  const accessToken = text(credentials.imap_access_token)
  const imap: Account = {
    host,
    port: number(settings.imap_port) ?? 993,
    security: securityOf(settings.imap_security),
    user,
    password,
    accessToken,
  }
  const smtpHost = text(settings.smtp_host) ?? (settings.imap_host === undefined ? known?.smtp : undefined)
  if (!smtpHost) {
    const stray = ['smtp_port', 'smtp_username'].find((name) => settings[name] !== undefined)
    if (stray) throw invalidField('settings.smtp_host', `is required where ${stray} is given`)
    return { imap }
  }
  const ownUser = text(settings.smtp_username)
  const smtp: Account = {
    host: smtpHost,
    port: number(settings.smtp_port) ?? known?.smtpPort ?? 587,
    security: securityOf(settings.smtp_security),
    user: ownUser ?? user,
    password: text(credentials.smtp_password) ?? password,
    accessToken: credentials.smtp_password === undefined ? accessToken : undefined,
  }
  return { imap, smtp }
}

/** The servers of a grant, with its credentials. */
export const accountsOfGrant = (grant: Grant, credentials: Record<string, unknown>): Accounts =>
  accountsOf(grant.settings, credentials)

/** What a TLS connection is first tried as: the well-known ports say it themselves. */
export const securityByPort: Record<number, Security> = {
  993: 'tls',
  465: 'tls',
  143: 'starttls',
  587: 'starttls',
  25: 'starttls',
  2525: 'starttls',
}
