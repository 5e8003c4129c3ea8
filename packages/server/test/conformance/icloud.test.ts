/** iCloud accounts, through the suites that every provider of mail passes. */
import { type IcloudMail, icloudFolders, icloudMailEnv, startIcloudMail } from '../peers/icloud-mail.ts'
import { expectStatus } from './accounts.ts'
import { describeDrafts } from './drafts.ts'
import { imapSubject, type MailKind } from './imap-subject.ts'
import { describeLimits } from './limits.ts'
import { describeMail } from './mail.ts'
import { sharedMail } from './shared-subject.ts'

const kind: MailKind<IcloudMail> = {
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
    const [calendar] = expectStatus(await account.get('/calendars'), 200).body.data
    return {
      calendarId: calendar.id,
      account,
      call: open.call,
      arrive: () => account.deliver({ subject: 'Hello' }),
      [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
    }
  },
})
