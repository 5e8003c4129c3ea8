/** Virtual accounts. */
import { enginesFor } from '@waypost/testing/engines'
import { openAccounts } from './accounts.ts'
import { describeProvider } from './describe-provider.ts'

await describeProvider(() => ({
  adapter: 'virtual-calendar',
  calendar: enginesFor(import.meta.url).map((engine) => ({
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
  })),
  // Nobody invites the account, and it cannot answer its own events.
  limits: { without: ['events.rsvp'] },
}))
