/** The session of a mailbox with calendars, contacts or both on DAV servers. */
import type { Grant } from '@waypost/contract'
import { type Dav, type DavServers, type DavSession, openDav } from '../dav/session.ts'
import type { SessionIo } from '../io.ts'
import { davServersOf, davUrlOf } from './dav-settings.ts'
import { open as openMail, type Session } from './session.ts'

export type MailAndDavSession = Session & DavSession

/** Adds calendars and contacts to the session of a mailbox. Credentials are decrypted at the first use. */
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

/** A session that reads calendar objects in mail, unless the calendar server processes them itself. */
export const readingItip = (session: MailAndDavSession): MailAndDavSession =>
  Object.assign(session, { readsItip: async () => (await session.dav.calendars?.home())?.schedules === false })
