/** Mail accounts at the simulated Microsoft, through the suites that every provider of mail passes. */
import { describeDrafts } from './drafts.ts'
import { describeLimits } from './limits.ts'
import { describeMail } from './mail.ts'
import { microsoftSubject } from './microsoft-subject.ts'
import { sharedMail } from './shared-subject.ts'

const microsoft = sharedMail(microsoftSubject)
describeMail(microsoft)
describeDrafts(microsoft)
describeLimits({
  name: 'microsoft',
  async open() {
    const open = await microsoft.open()
    const account = await open.newAccount()
    return {
      account,
      call: open.call,
      arrive: () => account.deliver({ subject: 'Hello' }),
      [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
    }
  },
})
