/** Seats in group events: one guest gets the last seat, and no guest is lost from the event in the calendar. */

import { newKey } from '@waypost/platform/ids'
import { claimParticipants, getGroupEvent } from '@waypost/store/tables/scheduling/group-events'
import { engines } from '@waypost/testing/engines'
import { isCheck } from '@waypost/testing/level'
import { migratedDatabase } from '@waypost/testing/peers/database-url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ChosenEvent,
  inspectEvent,
  leaveSeat,
  settleSeat,
  takeSeat,
} from '../../../src/booking/group-events/seats.ts'
import { findGroupSlots } from '../../../src/booking/page-slots.ts'
import { beat } from '../../../src/node.ts'
import { openService, type TestService } from '../../harness.ts'
import { addEvent, bookSeat, chosenOf, type Group, guestsOf, hour, openGroup } from './group-setup.ts'

describe('on several nodes', () => {
  const store = new AsyncDisposableStack()
  let nodes: TestService[]
  let group: Group
  beforeAll(async () => {
    // `npm test` has no store that nodes share.
    const shared = isCheck ? { databaseUrl: store.use(await migratedDatabase()).url } : {}
    const key = newKey()
    const open = () => openService({ ...shared, env: { WAYPOST_SECRET_KEY: key } })
    nodes = isCheck ? [await open(), await open()] : [await open()]
    for (const { services } of nodes) await beat(services)
    group = await openGroup(node(0))
  })
  afterAll(async () => {
    for (const each of nodes) await each[Symbol.asyncDispose]()
    await store.disposeAsync()
  })
  const node = (index: number): TestService => nodes[index % nodes.length] as TestService

  test('30 concurrent guests get exactly 10 seats, and the calendar has exactly these guests', async () => {
    const made = await addEvent(node(0), group, { capacity: 10 })
    const chosen = chosenOf(made)
    const tried = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) => bookSeat(node(n), group, { chosen, email: `guest-${n}@people.test` })),
    )
    const won = tried.flatMap(({ status }, n) => (status === 'fulfilled' ? [`guest-${n}@people.test`] : []))
    const reasons = tried.flatMap((each) => (each.status === 'rejected' ? [String(each.reason.code)] : []))
    expect(won).toHaveLength(10)
    expect(new Set(reasons)).toEqual(new Set(['timeslot_not_available']))
    expect(await guestsOf(node(1), group, chosen)).toEqual(won.sort())
    const slots = await findGroupSlots(node(1).services.scheduling, group, { start: 0, end: chosen.startTime + 1 })
    expect(slots.filter(({ event_id }) => event_id === chosen.eventId)).toEqual([])
  })

  test('occurrences of one series are counted separately', async () => {
    const start = chosenOf(await addEvent(node(0), group, { capacity: 2, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }))
    const window = { start: 0, end: start.startTime + 3 * 24 * hour }
    const slots = async () =>
      (await findGroupSlots(node(1).services.scheduling, group, window)).filter(
        ({ master_id }) => master_id === start.eventId,
      )
    const offered = await slots()
    expect(offered.map(({ capacity }) => capacity)).toEqual([2, 2, 2])
    const [first, second] = offered.map((slot) => ({
      calendarId: slot.calendar_id ?? '',
      eventId: slot.event_id ?? '',
      masterId: slot.master_id,
      startTime: slot.start_time,
      endTime: slot.end_time,
    })) as [ChosenEvent, ChosenEvent]
    await Promise.all([
      bookSeat(node(0), group, { chosen: first, email: 'one@people.test' }),
      bookSeat(node(1), group, { chosen: first, email: 'two@people.test' }),
      bookSeat(node(0), group, { chosen: second, email: 'three@people.test' }),
    ])
    expect((await slots()).map(({ capacity }) => capacity)).toEqual([1, 2])
    expect(await guestsOf(node(0), group, first)).toEqual(['one@people.test', 'two@people.test'])
    await expect(bookSeat(node(1), group, { chosen: first, email: 'late@people.test' })).rejects.toThrow(/full/)
  })
})

describe.each(engines)('a seat on %s', (engine) => {
  let service: TestService
  let group: Group
  beforeAll(async () => {
    service = await openService({ engine })
    await beat(service.services)
    group = await openGroup(service)
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test('is available again once the calendar no longer has its guest', async () => {
    const chosen = chosenOf(await addEvent(service, group, { capacity: 1 }))
    const { bookingId, at, settling } = await bookSeat(service, group, { chosen, email: 'ada@people.test' })
    await expect(bookSeat(service, group, { chosen, email: 'bob@people.test' })).rejects.toThrow(/full/)
    await leaveSeat(service.services.storage.database, at, bookingId)
    await expect(bookSeat(service, group, { chosen, email: 'bob@people.test' })).rejects.toThrow(/full/)
    await settleSeat(service.services.scheduling, settling)
    await settleSeat(service.services.scheduling, settling)
    expect(await guestsOf(service, group, chosen)).toEqual([])
    expect((await getGroupEvent(service.services.storage.database, at))?.booked).toBe(0)
    await bookSeat(service, group, { chosen, email: 'bob@people.test' })
    expect(await guestsOf(service, group, chosen)).toEqual(['bob@people.test'])
  })

  test('is settled by the next request if the process that claimed the event died', async () => {
    const { services } = service
    const chosen = chosenOf(await addEvent(service, group))
    const open = await inspectEvent(services.scheduling, group, chosen)
    const people = [{ email: 'ada@people.test' }]
    const claim = {
      by: 'dead-node claim',
      until: services.storage.clock.now() + 120_000,
      now: services.storage.clock.now(),
    }
    // The process took the seat and the claim, and ended before the guest was in the calendar.
    await services.storage.database.transaction((tx) =>
      takeSeat(tx, services.storage, open, { bookingId: 'b1', people, others: 0 }),
    )
    await claimParticipants(services.storage.database, open.at, claim)
    await bookSeat(service, group, { chosen, email: 'bob@people.test' })
    expect(await guestsOf(service, group, chosen)).toEqual(['ada@people.test', 'bob@people.test'])
  })

  test('is refused in an event that moved, is a series, starts too soon, or was deleted', async () => {
    const { services } = service
    const chosen = chosenOf(await addEvent(service, group))
    const poll = (changes: Partial<ChosenEvent>) => inspectEvent(services.scheduling, group, { ...chosen, ...changes })
    await expect(poll({ startTime: chosen.startTime - hour })).rejects.toThrow(/moved/)
    await expect(poll({ eventId: 'nothing' })).rejects.toThrow(/no longer exists/)
    await expect(poll({ masterId: 'other' })).rejects.toThrow(/series/)
    const series = chosenOf(await addEvent(service, group, { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }))
    await expect(inspectEvent(services.scheduling, group, series)).rejects.toThrow(/occurrences/)
    const soon = Math.floor(services.storage.clock.now() / 1000) + 600
    await expect(
      inspectEvent(services.scheduling, group, chosenOf(await addEvent(service, group, { start: soon }))),
    ).rejects.toThrow(/^The selected timeslot is unavailable: it starts too soon/)
  })
})
