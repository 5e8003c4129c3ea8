/** IMAP accounts on an unmodified dovecot, with the suites of every mail provider. */
import { startDovecot } from '../peers/dovecot.ts'
import { describeApprovedDrafts } from './approved-drafts.ts'
import { describeDrafts } from './drafts.ts'
import { imapSubject } from './imap-subject.ts'
import { describeLimits } from './limits.ts'
import { describeLookAlikes } from './look-alikes.ts'
import { describeMail } from './mail.ts'
import { describeMessages } from './messages.ts'
import { sharedMail } from './shared-subject.ts'
import { describeUploads } from './uploads.ts'

const usual = { separator: '/', prefix: '' } as const
const dovecot = sharedMail(imapSubject('dovecot', startDovecot, usual))
describeMail(dovecot)
describeDrafts(dovecot)
describeApprovedDrafts(dovecot)
describeUploads(dovecot)
describeLookAlikes(dovecot)
describeMessages(
  imapSubject('a dovecot that allows one connection', () => startDovecot({ connectionsPerUser: 1 }), usual),
)
describeLimits({
  name: 'imap',
  async open() {
    const open = await dovecot.open()
    const account = await open.newAccount()
    return {
      account,
      call: open.call,
      arrive: () => account.deliver({ subject: 'Hello' }),
      [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
    }
  },
})
