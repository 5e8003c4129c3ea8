/** Virtual accounts, through the suites that every provider passes. */
import { engines } from '../harness.ts'
import { openAccounts } from './accounts.ts'
import { describeCalendars } from './calendars.ts'
import { describeEvents } from './events.ts'

for (const engine of engines) {
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
