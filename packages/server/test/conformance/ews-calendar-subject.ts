/** Calendars, events and rooms of Exchange accounts, for the conformance suite. */
import type { ExchangeSimulator } from '../../../simulators/src/index.ts'
import { createExchangeGrant, exchangePassword, openExchange, openExchangeService } from '../peers/exchange.ts'
import { accountOf, type Call } from './accounts.ts'
import type { RoomSubject } from './rooms.ts'
import type { OpenSubject, Subject } from './subject.ts'

const domain = 'exchange.example'
const email = `ada@${domain}`
let simulator: ExchangeSimulator

async function open(): Promise<OpenSubject> {
  await using resources = new AsyncDisposableStack()
  const peer = resources.use(await openExchange())
  simulator = peer.simulator
  const service = resources.use(await openExchangeService(simulator))
  simulator.addAccount({ email, name: 'Ada', password: exchangePassword })
  const { key } = await service.createApplication('Conformance')
  const { id: grantId } = await createExchangeGrant(service, { email, key })
  const call: Call = (method, path, options) => service.call(method, path, { key, ...options })
  const { id: calendarId } = await accountOf(call, { grantId, email }).createCalendar({ name: 'Conformance' })
  const opened = resources.move()
  return { call, grantId, email, calendarId, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

export const ewsCalendar: Subject = {
  name: 'accounts at Exchange',
  // Exchange stores only the name of a calendar, and does not allow an occurrence to pass its neighbors.
  lacks: ['points-in-time', 'calendar-fields', 'calendar-colours', 'moving-past-neighbours'],
  open,
}

export const ewsRooms: RoomSubject = {
  name: 'an organization with an Exchange',
  lacks: ['details'],
  async open() {
    const opened = await open()
    const lists = ['Berlin', 'London'].map((name) => ({ name, email: `${name.toLowerCase()}.rooms@${domain}` }))
    for (const list of lists) simulator.addRoomList(list)
    return {
      ...opened,
      addRoom({ name }) {
        const address = `${name.toLowerCase()}.room@${domain}`
        simulator.addRoom({ email: address, name, list: lists[name.length % 2]?.email ?? '' })
        return address
      },
    }
  },
}
