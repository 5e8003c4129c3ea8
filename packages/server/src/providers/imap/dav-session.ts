/** The session of a mailbox that has calendars, contacts or both at servers of DAV. */
import type { Grant } from '@waypost/contract'
import { type Dav, type DavServers, type DavSession, openDav } from '../dav/session.ts'
import type { SessionIo } from '../io.ts'
import { davServersOf, davUrlOf } from './dav-settings.ts'
import { open as openMail, type Session } from './session.ts'

export type MailAndDavSession = Session & DavSession

/** Adds calendars and contacts to the session of a mailbox; its credentials are opened at the first use. */
export function withDav(session: Session, serversOf: () => DavServers): MailAndDavSession {
  let opened: Dav | undefined
  return Object.defineProperty({ ...session } as MailAndDavSession, 'dav', {
    enumerable: true,
    get: () => (opened ??= openDav(session.io, serversOf())),
  })
}

export function open(grant: Grant, io: SessionIo): MailAndDavSession {
  const { settings } = grant
  const session = withDav(openMail(grant, io), () => {
    const imapHost = typeof settings.imap_host === 'string' ? settings.imap_host : ''
    const { known: _, ...servers } = davServersOf({ settings, credentials: io.credentials(), imapHost })
    return { ...servers, caldavUrl: davUrlOf(settings, 'caldav'), carddavUrl: davUrlOf(settings, 'carddav') }
  })
  return readingItip(session)
}

/** The same, with what comes by mail about events read where the server of the calendars does not: who schedules does. */
export const readingItip = (session: MailAndDavSession): MailAndDavSession =>
  Object.assign(session, { readsItip: async () => (await session.dav.calendars?.home())?.schedules === false })
