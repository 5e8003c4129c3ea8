/** Calendars, events and rooms of Google accounts, for the conformance suite. */
import { createGoogleGrant, openGoogle, openGoogleService } from '../peers/google.ts'
import type { Call } from './accounts.ts'
import type { RoomSubject } from './rooms.ts'
import type { Subject } from './subject.ts'

export const googleCalendar: Subject = {
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

export const domain = 'example.com'
const email = `ada@${domain}`

/** A Google Workspace with an account. */
export async function openRooms() {
  await using resources = new AsyncDisposableStack()
  const { simulator } = resources.use(await openGoogle())
  const service = resources.use(await openGoogleService(simulator))
  simulator.addAccount({ email, name: 'Ada' })
  const { key } = await service.createApplication('Rooms')
  const { id: grantId } = await createGoogleGrant(service, simulator, { email, key })
  const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
  const open = resources.move()
  return { simulator, service, key, call, grantId, email, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

export const googleRooms: RoomSubject = {
  name: 'a Google Workspace',
  async open() {
    const open = await openRooms()
    return {
      ...open,
      addRoom({ name, capacity, building, floor, section }) {
        const seed = {
          domain,
          name,
          ...(capacity === undefined ? {} : { capacity }),
          ...(building ? { building: { id: `id of ${building}`, name: building } } : {}),
          ...(floor ? { floorName: floor } : {}),
          ...(section ? { floorSection: section } : {}),
        }
        return open.simulator.addRoom(seed).email
      },
    }
  },
}
