import type { Grant } from '@waypost/contract'
import type { DavServers } from '../dav/session.ts'
import { type MailAndDavSession, withDav } from '../imap/dav-session.ts'
import { openSession } from '../imap/session.ts'
import type { Io, SessionIo } from '../io.ts'
import { accountsOf } from './account.ts'

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
