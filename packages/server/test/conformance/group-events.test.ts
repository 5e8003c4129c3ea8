/** Group events at every kind of calendar: seats become guests of the event, and guests of the event take seats. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importGroupEvents } from '../../src/booking/group-events/import-group-events.ts'
import { findGroupSlots } from '../../src/booking/page-slots.ts'
import {
  addEvent,
  addGroup,
  bookSeat,
  chosenOf,
  type Group,
  guestsOf,
  hour,
  leaveSeatOf,
} from '../booking/group-events/group-setup.ts'
import { expectStatus, type Json } from './accounts.ts'
import { type KindAccount, openKinds } from './series-subjects.ts'

const resources = new AsyncDisposableStack()
let kinds: KindAccount[]
beforeAll(async () => {
  kinds = await openKinds(resources)
})
afterAll(() => resources.disposeAsync())

async function open(name: string) {
  const kind = kinds.find((one) => one.kind === name)
  if (!kind) throw new Error(`no account of the kind ${name}`)
  const { applicationId, calendarId, account } = kind
  const group: Group = await addGroup(kind.service, { applicationId, grantId: account.grantId, calendarId })
  // Noon in some days; the service of virtual calendars has a clock of its own.
  const today = Math.floor(kind.service.services.storage.clock.now() / 86_400_000)
  const soon = (days: number): number => (today + days) * 86_400 + 12 * hour
  return { ...kind, group, soon, window: { start: soon(1), end: soon(20) } }
}

describe.each(['virtual', 'google', 'microsoft', 'ews', 'imap', 'icloud'])('at %s', (name) => {
  test('a guest who books is added to the event, and removed when the seat is given back', async () => {
    const { service, group, soon, window } = await open(name)
    // Exchange has no capacity of its own.
    const made = await addEvent(service, group, name === 'ews' ? { start: soon(3) } : { start: soon(3), capacity: 10 })
    const chosen = chosenOf(made)
    const seats = await Promise.all(
      ['ada@people.test', 'bob@people.test', 'eve@people.test'].map((email) =>
        bookSeat(service, group, { chosen, email }),
      ),
    )
    expect(await guestsOf(service, group, chosen)).toEqual(['ada@people.test', 'bob@people.test', 'eve@people.test'])
    const left = async () =>
      (await findGroupSlots(service.services.scheduling, group, window)).map(({ capacity }) => capacity)
    expect(await left()).toEqual([7])
    for (const seat of seats.slice(0, 2)) await leaveSeatOf(service, seat)
    expect(await guestsOf(service, group, chosen)).toEqual(['eve@people.test'])
    expect(await left()).toEqual([9])
  })

  test('an imported event keeps its guests, who take seats', async () => {
    const { service, group, account, calendarId, soon, window } = await open(name)
    const when = { start_time: soon(5), end_time: soon(5) + hour }
    const participants = [{ email: 'mary@people.test' }]
    const event = await account.create(calendarId, { title: 'Tour', when, participants })
    const items = [
      { calendar_id: calendarId, event_id: event.id },
      { calendar_id: calendarId, event_id: 'nothing' },
    ]
    const transaction = service.services.storage.database.transaction.bind(service.services.storage.database)
    const run = () => importGroupEvents(service.services.scheduling, { ...group, transaction }, items)
    expect(await run()).toEqual({
      imported_events: [{ event_id: event.id }],
      import_failed: [{ event_id: 'nothing', reason: expect.any(String) }],
    })
    expect((await run()).import_failed[0]).toEqual({ event_id: event.id, reason: 'Event already imported' })
    const slots = await findGroupSlots(service.services.scheduling, group, window)
    expect(slots).toMatchObject([{ event_id: event.id, calendar_id: event.calendar_id, capacity: 9 }])
    await bookSeat(service, group, { chosen: chosenOf({ event }), email: 'ada@people.test' })
    const guests = await guestsOf(service, group, { calendarId: event.calendar_id, eventId: event.id })
    expect(guests).toEqual(['ada@people.test', 'mary@people.test'])
  })
})

describe.each(['virtual', 'google', 'microsoft', 'ews', 'imap'])('a series at %s', (name) => {
  test('has seats in each occurrence', async () => {
    const { service, group, soon, window } = await open(name)
    await addEvent(service, group, { start: soon(8), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
    const slots = () => findGroupSlots(service.services.scheduling, group, window)
    const [first, second] = await slots()
    if (!first || !second) throw new Error('no slots')
    expect(second).toMatchObject({ start_time: soon(9), capacity: 10, master_id: first.master_id })
    const chosen = {
      ...{ calendarId: second.calendar_id ?? '', eventId: second.event_id ?? '', masterId: second.master_id },
      ...{ startTime: second.start_time, endTime: second.end_time },
    }
    const seat = await bookSeat(service, group, { chosen, email: 'ada@people.test' })
    expect((await slots()).map(({ capacity }) => capacity)).toEqual([10, 9, 10])
    expect(await guestsOf(service, group, chosen)).toEqual(['ada@people.test'])
    await leaveSeatOf(service, seat)
    expect((await slots()).map(({ capacity }) => capacity)).toEqual([10, 10, 10])
  })
})

test.each(['google', 'imap'])('a seat at %s is booked, moved and cancelled through the API', async (name) => {
  const { service, account, calendarId, soon } = await open(name)
  const pages = '/scheduling/configurations'
  const group_booking = { calendar_id: calendarId }
  const made = await account.post(pages, { name: 'Courses', type: 'group', group_booking })
  const page = expectStatus(made, 200).body.data.id
  const add = async (days: number) => {
    const body = { title: 'Course', when: { start_time: soon(days), end_time: soon(days) + hour } }
    return expectStatus(await account.post(`${pages}/${page}/group-events`, body), 200).body.data
  }
  const [first, second] = [await add(12), await add(13)]
  const seatIn = ({ id, calendar_id, when }: Json) => ({
    ...{ event_id: id, calendar_id, start_time: when.start_time, end_time: when.end_time },
  })
  const call = (method: string, path: string, body: object) =>
    service.call(method, `/v3/scheduling/bookings${path}?configuration_id=${page}`, { key: null, body })
  const guestsIn = async ({ id, calendar_id }: Json): Promise<string[]> =>
    (await account.read(calendar_id, id)).participants.map(({ email }: Json) => email)
  const guest = { email: 'ada@people.test', name: 'Ada' }
  const booked = expectStatus(await call('POST', '', { ...seatIn(first), guest }), 200).body.data
  expect(booked).toMatchObject({ status: 'booked', event_id: first.id })
  expect(await guestsIn(first)).toEqual([guest.email])
  const moved = await call('PATCH', `/${booked.booking_id}`, seatIn(second))
  expect(expectStatus(moved, 200).body.data.event_id).toBe(second.id)
  expect([await guestsIn(first), await guestsIn(second)]).toEqual([[], [guest.email]])
  expectStatus(await call('DELETE', `/${booked.booking_id}`, {}), 200)
  expect(await guestsIn(second)).toEqual([])
})

test('iCloud has no series of group events, and Exchange no capacity: the error names the field', async () => {
  const icloud = await open('icloud')
  const series = addEvent(icloud.service, icloud.group, { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  await expect(series).rejects.toMatchObject({
    code: 'not_supported_by_provider',
    details: { validationErrors: { recurrence: expect.any(String) } },
  })
  const ews = await open('ews')
  await expect(addEvent(ews.service, ews.group, { capacity: 5 })).rejects.toMatchObject({
    code: 'not_supported_by_provider',
    details: { validationErrors: { capacity: expect.any(String) } },
  })
})
