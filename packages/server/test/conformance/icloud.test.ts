/** Mail of iCloud accounts, with the mail suites that depend on the vendor. */
import { type IcloudServers, icloudFolders, icloudMailEnv, startIcloudMailAlone } from '../peers/icloud-mail.ts'
import { imapSubject, type MailKind } from './imap-subject.ts'
import { describeMailOfVendor } from './mail.ts'
import { sharedMail } from './shared-subject.ts'

const kind: MailKind<IcloudServers> = {
  provider: 'icloud',
  env: icloudMailEnv,
  settings: (_server, { user, password }) => ({ username: user, password }),
}
const layout = { separator: '/', prefix: '', folderNames: icloudFolders, kind } as const
const icloud = sharedMail(imapSubject('iCloud', startIcloudMailAlone, layout))
describeMailOfVendor(icloud)
