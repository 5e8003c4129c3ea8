import type { Grant } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import type { DavServers } from '../dav/session.ts'
import type { Accounts } from '../imap/account.ts'
import { type MailAndDavSession, withDav } from '../imap/dav-session.ts'
import { openSession } from '../imap/session.ts'
import type { Io, SessionIo } from '../io.ts'
import { vendorOf } from '../mail/vendors.ts'
import { mailServersOf } from '../server-urls.ts'

/** The calendar and contact servers know an account by the address of the Apple Account. */
export const davServersOf = (
  settings: Record<string, unknown>,
  credentials: Record<string, unknown>,
  { providerServers }: Pick<Io, 'providerServers'>,
): DavServers => ({
  caldavUrl: providerServers.caldav ?? 'https://caldav.icloud.com/',
  carddavUrl: providerServers.carddav ?? 'https://contacts.icloud.com/',
  auth: { user: String(settings.username), password: String(credentials.password) },
  // Each account is on one of many hosts.
  davHosts: ['icloud.com'],
})

export function open(grant: Grant, io: SessionIo): MailAndDavSession {
  const mail = openSession(grant, io, async () => accountsOf(grant.settings, io.credentials(), io))
  return withDav(mail, () => davServersOf(grant.settings, io.credentials(), io))
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const isAddress = (value: string): boolean => /^[^\s@]+@[^\s@]+$/.test(value)
const localPart = (address: string): string => address.slice(0, address.lastIndexOf('@'))
const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** The address of the mailbox: the user name, unless another one is set. */
export function addressOf(settings: Record<string, unknown>): string {
  const address = text(settings.email) ?? text(settings.username) ?? ''
  if (isAddress(address)) return address
  const field = text(settings.email) === undefined ? 'settings.username' : 'settings.email'
  throw invalidField(field, 'must be an email address, such as name@icloud.com')
}

/** Whether the address is in one of Apple's domains. */
const isOfApple = (address: string): boolean => vendorOf('icloud')?.domains?.includes(domainOf(address)) === true

/** The known addresses of the account, Apple's own first: the servers know the account by that one. */
function addressesOf(settings: Record<string, unknown>): string[] {
  const named = [text(settings.username) ?? '', addressOf(settings)].filter(isAddress)
  const known = [...new Set(named)]
  return [...known.filter(isOfApple), ...known.filter((address) => !isOfApple(address))]
}

/**
 * The names to try at IMAP, in this order: Apple documents the part before the @, and the whole address if that
 * fails.
 */
export const imapUsersOf = (settings: Record<string, unknown>): string[] =>
  addressesOf(settings).flatMap((address) => (isOfApple(address) ? [localPart(address), address] : [address]))

/** The mail servers of an account; SMTP needs the whole address. */
export function accountsOf(
  settings: Record<string, unknown>,
  credentials: Record<string, unknown>,
  io: Pick<Io, 'providerServers'>,
): Accounts {
  const servers = mailServersOf('icloud', io)
  const password = text(credentials.password) ?? ''
  const [address = ''] = addressesOf(settings)
  const imapUser = text(settings.imap_username) ?? address
  return {
    imap: { ...servers.imap, auth: { user: imapUser, password } },
    smtp: { ...servers.smtp, auth: { user: address, password } },
    sentCopies: 'perhaps',
  }
}
