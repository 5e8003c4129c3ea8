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
  // An organizer has nothing to answer, a main calendar stays, and an event that is deleted is there no more for the rest.
  without: ['events.rsvp', 'calendars.delete', 'events.delete'],
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
