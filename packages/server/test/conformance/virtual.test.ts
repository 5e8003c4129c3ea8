/** Virtual accounts, with the suites of every provider. */
import { enginesFor } from '../harness.ts'
import { openAccounts } from './accounts.ts'
import { describeCalendars } from './calendars.ts'
import { describeEvents } from './events.ts'
import { describeLimits } from './limits.ts'

for (const engine of enginesFor(import.meta.url)) {
  const subject = {
    name: `virtual accounts on ${engine}`,
    async open() {
      const accounts = await openAccounts({ engine })
      const { grantId, email, calendarId } = await accounts.newCalendarAccount()
      return {
        call: accounts.call,
        grantId,
        email,
        calendarId,
        [Symbol.asyncDispose]: () => accounts[Symbol.asyncDispose](),
      }
    },
  }
  describeCalendars(subject)
  describeEvents(subject)
}

describeLimits({
  name: 'virtual-calendar',
  // Nobody invites the account, and it cannot answer its own events.
  without: ['events.rsvp'],
  async open() {
    const accounts = await openAccounts()
    return {
      account: await accounts.newAccount(),
      call: accounts.call,
      [Symbol.asyncDispose]: () => accounts[Symbol.asyncDispose](),
    }
  },
})
