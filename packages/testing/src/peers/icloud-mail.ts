/**
 * Servers that behave like iCloud's mail servers: a dovecot with the capabilities and folders of Apple's servers, and a
 * Radicale with the same users. `icloud.ts` has calendars and contacts.
 */
import { startHomes } from './dav-homes.ts'
import { sharedDovecot } from './dovecot.ts'
import type { MailServer } from './mail-server.ts'
import { type Radicale, sharedRadicale } from './radicale.ts'

/** The capabilities after the login, as other people have reported them: no MOVE, no SPECIAL-USE, no NOTIFY. */
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

/** The same with empty homes, for tests of mail alone. */
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

/** The settings with which a service uses these servers as Apple's. */
export const icloudMailEnv = ({ host, imapsPort, smtpPort, davUrl }: IcloudServers): Record<string, string> => ({
  WAYPOST_ICLOUD_IMAP_URL: `imaps://${host}:${imapsPort}`,
  WAYPOST_ICLOUD_SMTP_URL: `smtp://${host}:${smtpPort}`,
  WAYPOST_ICLOUD_CALDAV_URL: davUrl,
  WAYPOST_ICLOUD_CARDDAV_URL: davUrl,
})
