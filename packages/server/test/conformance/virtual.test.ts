/** Virtual accounts, through the suites that every provider passes. */
import { engines } from '../harness.ts'
import { describeCalendars } from './calendars.ts'
import { describeEvents } from './events.ts'
import { openOffice } from './office.ts'

for (const engine of engines) {
  const subject = {
    name: `virtual accounts on ${engine}`,
    async open() {
      const office = await openOffice({ engine })
      const { grantId, email, calendarId } = await office.newDesk()
      return {
        call: office.call,
        grantId,
        email,
        calendarId,
        [Symbol.asyncDispose]: () => office[Symbol.asyncDispose](),
      }
    },
  }
  describeCalendars(subject)
  describeEvents(subject)
}
