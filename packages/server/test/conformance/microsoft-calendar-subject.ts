/** Calendars, events and rooms of Microsoft accounts, for the conformance suite. */
import type { MicrosoftSimulator } from '../../../simulators/src/index.ts'
import { createMicrosoftGrant, openMicrosoft, openMicrosoftService } from '../peers/microsoft.ts'
import type { Call } from './accounts.ts'
import type { RoomSubject } from './rooms.ts'
import type { OpenSubject, Subject } from './subject.ts'

const domain = 'contoso.example'
const email = `ada@${domain}`
let simulator: MicrosoftSimulator

async function open(): Promise<OpenSubject> {
  await using resources = new AsyncDisposableStack()
  const peer = resources.use(await openMicrosoft())
  simulator = peer.simulator
  const service = resources.use(await openMicrosoftService(simulator))
  const account = simulator.addAccount({ email, name: 'Ada' })
  const { key } = await service.createApplication('Conformance')
  const { id: grantId } = await createMicrosoftGrant(service, simulator, { email, key })
  const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
  const { id: calendarId } = account.calendar.addCalendar('Conformance')
  const opened = resources.move()
  return { call, grantId, email, calendarId, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

export const microsoftCalendar: Subject = {
  name: 'accounts at Microsoft',
  // Graph writes only the name of a calendar, and Exchange does not allow an occurrence to pass its neighbors.
  lacks: ['points-in-time', 'calendar-fields', 'calendar-colours', 'moving-past-neighbours'],
  open,
}

export const microsoftRooms: RoomSubject = {
  name: 'an organization at Microsoft',
  lacks: ['sections'],
  async open() {
    const opened = await open()
    return {
      ...opened,
      addRoom({ name, capacity, building, floor }) {
        const address = `${name.toLowerCase()}.room@${domain}`
        const number = Number(floor)
        simulator.addRoom({
          email: address,
          name,
          ...(capacity === undefined ? {} : { capacity }),
          ...(building ? { building } : {}),
          ...(floor ? { floorLabel: floor } : {}),
          ...(Number.isInteger(number) && floor ? { floorNumber: number } : {}),
        })
        return address
      },
    }
  },
}
