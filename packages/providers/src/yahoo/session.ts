/** Mailboxes at Yahoo: IMAP and SMTP with an access token or an app password. */
import type { Grant } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Accounts } from '../imap/account.ts'
import { type MailAndDavSession, readingItip, withDav } from '../imap/dav-session.ts'
import { davUrlOf } from '../imap/dav-settings.ts'
import { openSession, type Session } from '../imap/session.ts'
import type { Io, SessionIo } from '../io.ts'
import type { Auth } from '../mail/server-account.ts'
import { vendors } from '../mail/vendors.ts'
import { mailServersOf } from '../server-urls.ts'

export function accountsAt(auth: Auth, io: Pick<Io, 'providerUrl' | 'providerServers'>): Accounts {
  // Tokens of another sign-in server are not sent to Yahoo.
  if ('accessToken' in auth && io.providerUrl !== undefined && io.providerServers.imap === undefined) {
    throw new ApiError(
      'provider_unavailable',
      'WAYPOST_YAHOO_URL only replaces the sign-in: set WAYPOST_YAHOO_IMAP_URL and WAYPOST_YAHOO_SMTP_URL for mail',
    )
  }
  const { imap, smtp } = mailServersOf('yahoo', io)
  return { imap: { ...imap, auth }, smtp: { ...smtp, auth } }
}

const authOf = (grant: Grant, io: SessionIo): Auth =>
  isByPassword(grant)
    ? { user: String(grant.settings.username), password: String(io.credentials().password ?? '') }
    : { user: grant.email ?? '', accessToken: (signal, refused) => io.accessToken(refused, signal) }

/** Whether the grant uses an app password; all others use tokens. */
export const isByPassword = ({ settings }: Pick<Grant, 'settings'>): boolean => typeof settings.username === 'string'

export const open = (grant: Grant, io: SessionIo): Session =>
  openSession(grant, io, async () => accountsAt(authOf(grant, io), io), vendors.yahoo?.imap)

/** The same with calendars, contacts or both on Yahoo's DAV servers, which only accept app passwords. */
export function openWithDav(grant: Grant, io: SessionIo): MailAndDavSession {
  const [caldavUrl, carddavUrl] = [davUrlOf(grant.settings, 'caldav'), davUrlOf(grant.settings, 'carddav')]
  const mail = open(grant, io)
  const servers = { caldavUrl, carddavUrl, davHosts: ['yahoo.com'] }
  return readingItip(withDav(mail, () => ({ ...servers, auth: authOf(grant, io) })))
}
