/** Mail accounts at the simulated Google, with the suites of every mail provider. */
import { describeApprovedDrafts } from './approved-drafts.ts'
import { describeDrafts } from './drafts.ts'
import { googleSubject } from './google-subject.ts'
import { describeLimits } from './limits.ts'
import { describeMail } from './mail.ts'
import { sharedMail } from './shared-subject.ts'
import { describeUploads } from './uploads.ts'

const google = sharedMail(googleSubject)
describeMail(google)
describeDrafts(google)
describeApprovedDrafts(google)
describeUploads(google)
describeLimits({
  name: 'google',
  async open() {
    const open = await google.open()
    const account = await open.newAccount()
    return {
      account,
      call: open.call,
      arrive: () => account.deliver({ subject: 'Hello' }),
      [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
    }
  },
})
