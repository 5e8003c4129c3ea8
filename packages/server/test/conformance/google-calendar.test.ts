/** Calendars and events of Google accounts, with the suites of every provider. */
import { createGoogleGrant, openGoogle, openGoogleService } from '../peers/google.ts'
import type { Call } from './accounts.ts'
import { describeCalendars } from './calendars.ts'
import { describeEvents } from './events.ts'
import type { Subject } from './subject.ts'

const subject: Subject = {
  name: 'accounts at Google',
  lacks: ['points-in-time'],
  async open() {
    const peer = await openGoogle()
    const { simulator } = peer
    const service = await openGoogleService(simulator)
    const email = 'ada@example.com'
    const account = simulator.addAccount({ email, name: 'Ada', timezone: 'UTC' })
    const { key } = await service.createApplication('Conformance')
    const { id: grantId } = await createGoogleGrant(service, simulator, { email, key })
    const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
    const { id: calendarId } = account.calendar.addCalendar({ summary: 'Work' })
    return {
      call,
      grantId,
      email,
      calendarId,
      async [Symbol.asyncDispose]() {
        await service[Symbol.asyncDispose]()
        await peer[Symbol.asyncDispose]()
      },
    }
  },
}

describeCalendars(subject)
describeEvents(subject)
