/** Mail accounts at the simulated Microsoft, with the suites of every mail provider. */

import { at, span } from './accounts.ts'
import { describeApprovedDrafts } from './approved-drafts.ts'
import { describeDrafts } from './drafts.ts'
import { describeLimits } from './limits.ts'
import { describeMail } from './mail.ts'
import { microsoftSubject } from './microsoft-subject.ts'
import { sharedMail } from './shared-subject.ts'
import { describeUploads } from './uploads.ts'

const microsoft = sharedMail(microsoftSubject)
describeMail(microsoft)
describeDrafts(microsoft)
describeApprovedDrafts(microsoft)
describeUploads(microsoft)
describeLimits({
  name: 'microsoft',
  async open() {
    const open = await microsoft.open()
    const account = await open.newAccount()
    return {
      account,
      call: open.call,
      arrive: () => account.deliver({ subject: 'Hello' }),
      // An organizer cannot answer.
      async invite() {
        const organizer = await open.newAccount()
        const asked = { title: 'Invitation', when: span('2026-06-02T09:00'), participants: [{ email: account.email }] }
        await organizer.create('primary', asked)
        const window = { start: at('2026-06-01T00:00'), end: at('2026-06-04T00:00'), title: 'Invitation' }
        const [{ id }] = await account.listAll('primary', window)
        return id
      },
      [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
    }
  },
})
