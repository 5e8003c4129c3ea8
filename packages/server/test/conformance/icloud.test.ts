/** iCloud accounts, through the suites that every provider of mail passes. */
import { icloudFolders, icloudMailEnv, startIcloudMail } from '../peers/icloud-mail.ts'
import { describeDrafts } from './drafts.ts'
import { imapSubject, type MailKind } from './imap-subject.ts'
import { describeLimits } from './limits.ts'
import { describeMail } from './mail.ts'
import { sharedMail } from './shared-subject.ts'

const kind: MailKind = {
  provider: 'icloud',
  env: icloudMailEnv,
  settings: (_server, { user, password }) => ({ username: user, password }),
}
const layout = { separator: '/', prefix: '', folderNames: icloudFolders, kind } as const
const icloud = sharedMail(imapSubject('iCloud', startIcloudMail, layout))
describeMail(icloud)
describeDrafts(icloud)
describeLimits({
  name: 'icloud',
  async open() {
    const open = await icloud.open()
    const account = await open.newAccount()
    return {
      account,
      call: open.call,
      arrive: () => account.deliver({ subject: 'Hello' }),
      [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
    }
  },
})
