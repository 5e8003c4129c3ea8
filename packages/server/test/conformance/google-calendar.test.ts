/** Calendars and events of accounts at Google, through the suites that every provider passes. */
import { createGoogleGrant, openGoogle, openGoogleHouse } from '../peers/google.ts'
import { describeCalendars } from './calendars.ts'
import { describeEvents } from './events.ts'
import type { Call } from './office.ts'
import type { Subject } from './subject.ts'

const subject: Subject = {
  name: 'accounts at Google',
  lacks: ['points-in-time'],
  async open() {
    const peer = await openGoogle()
    const { simulator } = peer
    const house = await openGoogleHouse(simulator)
    const email = 'ada@example.com'
    const account = simulator.addAccount({ email, name: 'Ada', timezone: 'UTC' })
    const { key } = await house.createApplication('Conformance')
    const { id: grantId } = await createGoogleGrant(house, simulator, { email, key })
    const call: Call = (method, path, options) => house.call(method, path, { key, ...options })
    const { id: calendarId } = account.calendar.addCalendar({ summary: 'Work' })
    return {
      call,
      grantId,
      email,
      calendarId,
      async [Symbol.asyncDispose]() {
        await house[Symbol.asyncDispose]()
        await peer[Symbol.asyncDispose]()
      },
    }
  },
}

describeCalendars(subject)
describeEvents(subject)
