/** The mail of iCloud accounts, through the suites that every provider of mail passes. */
import { type IcloudServers, icloudFolders, icloudMailEnv, startIcloudMailAlone } from '../peers/icloud-mail.ts'
import { describeDrafts } from './drafts.ts'
import { imapSubject, type MailKind } from './imap-subject.ts'
import { describeMail } from './mail.ts'
import { sharedMail } from './shared-subject.ts'

const kind: MailKind<IcloudServers> = {
  provider: 'icloud',
  env: icloudMailEnv,
  settings: (_server, { user, password }) => ({ username: user, password }),
}
const layout = { separator: '/', prefix: '', folderNames: icloudFolders, kind } as const
const icloud = sharedMail(imapSubject('iCloud', startIcloudMailAlone, layout))
describeMail(icloud)
describeDrafts(icloud)
