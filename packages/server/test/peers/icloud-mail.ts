/**
 * Servers that are to us what iCloud's are, for what is about mail: a dovecot that can what Apple's mail servers say they
 * can, with their folders, and a Radicale that knows the same users. `icloud.ts` has what is about calendars and contacts.
 */
import { startHomes } from './dav-homes.ts'
import { sharedDovecot } from './dovecot.ts'
import type { MailServer } from './mail-server.ts'
import { type Radicale, sharedRadicale } from './radicale.ts'

/** After the login, as others have seen it: no MOVE, no SPECIAL-USE, no NOTIFY. */
const capability =
  'IMAP4rev1 SASL-IR LITERAL+ ID ENABLE IDLE CHILDREN NAMESPACE UNSELECT UIDPLUS CONDSTORE QRESYNC ESEARCH SORT LIST-STATUS'

export const icloudFolders = { sent: 'Sent Messages', trash: 'Deleted Messages' }

export interface IcloudServers extends MailServer {
  davUrl: string
}

export interface IcloudMail extends IcloudServers {
  dav: Radicale
}

const startMail = (): Promise<MailServer> =>
  sharedDovecot({
    name: 'iCloud',
    capability,
    without: ['SPECIAL-USE'],
    folderNames: { Sent: icloudFolders.sent, Trash: icloudFolders.trash },
  })

/** The same, with homes that nothing is in: for what is about mail alone. */
export async function startIcloudMailAlone(): Promise<IcloudServers> {
  await using resources = new AsyncDisposableStack()
  const mail = resources.use(await startMail())
  const homes = resources.use(await startHomes())
  const open = resources.move()
  return { ...mail, davUrl: homes.url, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

export async function startIcloudMail(): Promise<IcloudMail> {
  await using resources = new AsyncDisposableStack()
  const mail = resources.use(await startMail())
  const dav = resources.use(await sharedRadicale())
  const open = resources.move()
  return {
    ...mail,
    dav,
    davUrl: dav.davUrl,
    async addUser(name) {
      const mailbox = await mail.addUser(name)
      await dav.addDavUser(mailbox.user.split('@')[0], mailbox.password)
      return mailbox
    },
    async changePassword(user, password) {
      await dav.changeDavPassword(user, password)
      await mail.changePassword(user, password)
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** What a service is told, so that it takes these for Apple's. */
export const icloudMailEnv = ({ host, imapsPort, smtpPort, davUrl }: IcloudServers): Record<string, string> => ({
  WAYPOST_ICLOUD_IMAP_URL: `imaps://${host}:${imapsPort}`,
  WAYPOST_ICLOUD_SMTP_URL: `smtp://${host}:${smtpPort}`,
  WAYPOST_ICLOUD_CALDAV_URL: davUrl,
  WAYPOST_ICLOUD_CARDDAV_URL: davUrl,
})
