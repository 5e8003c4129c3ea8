/** Mail accounts at the simulated Exchange, with the suites of every mail provider. */
import { at, span } from './accounts.ts'
import { describeApprovedDrafts } from './approved-drafts.ts'
import { describeDrafts } from './drafts.ts'
import { ewsSubject } from './ews-subject.ts'
import { describeLimits } from './limits.ts'
import { describeMail } from './mail.ts'
import { folderIds } from './mail-subject.ts'
import { sharedMail } from './shared-subject.ts'
import { describeUploads } from './uploads.ts'

const exchange = sharedMail(ewsSubject)
describeMail(exchange)
describeDrafts(exchange)
describeApprovedDrafts(exchange)
describeUploads(exchange)
describeLimits({
  name: 'ews',
  async open() {
    const open = await exchange.open()
    const account = await open.newAccount()
    return {
      account,
      call: open.call,
      inbox: (await folderIds(account)).inbox,
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
