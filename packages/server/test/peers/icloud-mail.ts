/** Servers that are to us what iCloud's are: a dovecot that can what Apple's mail servers say they can, with their folders. */
import { startDovecot } from './dovecot.ts'
import type { MailServer } from './mail-server.ts'

/** After the login, as others have seen it: no MOVE, no SPECIAL-USE, no NOTIFY. */
const capability =
  'IMAP4rev1 SASL-IR LITERAL+ ID ENABLE IDLE CHILDREN NAMESPACE UNSELECT UIDPLUS CONDSTORE QRESYNC ESEARCH SORT LIST-STATUS'

export const icloudFolders = { sent: 'Sent Messages', trash: 'Deleted Messages' }

export const startIcloudMail = (): Promise<MailServer> =>
  startDovecot({
    name: 'iCloud',
    capability,
    without: ['SPECIAL-USE'],
    folderNames: { Sent: icloudFolders.sent, Trash: icloudFolders.trash },
  })

/** What a service is told, so that it takes these for Apple's. */
export const icloudMailEnv = ({ host, imapsPort, smtpPort }: MailServer): Record<string, string> => ({
  WAYPOST_ICLOUD_IMAP_URL: `imaps://${host}:${imapsPort}`,
  WAYPOST_ICLOUD_SMTP_URL: `smtp://${host}:${smtpPort}`,
})
