import { expect, test } from 'vitest'
import { graphRefusal, openGraph, pathOf } from './graph-account.ts'
import { berlin, type EventJson, instancesOf, MARCH, person, STANDUP, utc } from './graph-calendar.ts'

const at = (day: string, subject = day) => ({ subject, start: utc(`${day}T10:00`), end: utc(`${day}T11:00`) })

async function openDelta() {
  const accounts = await openGraph()
  const graph = accounts.graphOf(accounts.ada)
  let link = `/me/calendarView/delta?${MARCH}`
  return {
    accounts,
    ada: accounts.ada,
    graph,
    /** One round; the next one continues from its end. */
    async round(size = 50): Promise<EventJson[]> {
      const events: EventJson[] = []
      for (;;) {
        const page = await graph.api(link).header('Prefer', `odata.maxpagesize=${size}`).get()
        events.push(...page.value)
        link = pathOf(page['@odata.nextLink'] ?? page['@odata.deltaLink'])
        if (page['@odata.deltaLink'] !== undefined) return events
      }
    },
    [Symbol.asyncDispose]: () => accounts[Symbol.asyncDispose](),
  }
}

test('the first round returns the whole window in pages, and the next one the changes', async () => {
  await using held = await openDelta()
  const { ada } = held
  const ids = ['2026-03-02', '2026-03-03', '2026-03-04'].map((day) => ada.calendar.addEvent(at(day)).id)
  ada.calendar.addEvent(at('2027-01-01'))
  expect((await held.round(2)).map(({ id }) => id)).toEqual(ids)
  expect(await held.round()).toEqual([])
  ada.calendar.changeEvent(ids[1] ?? '', { subject: 'New' })
  ada.calendar.deleteEvent(ids[0] ?? '')
  const added = ada.calendar.addEvent(at('2026-03-05'))
  expect(await held.round()).toMatchObject([
    { id: ids[1], subject: 'New' },
    { id: ids[0], '@removed': { reason: 'deleted' } },
    { id: added.id, '@odata.type': '#microsoft.graph.event' },
  ])
  expect(await held.round()).toEqual([])
})

test('an event outside the window counts as removed', async () => {
  await using held = await openDelta()
  const { ada } = held
  const { id } = ada.calendar.addEvent(at('2026-03-02'))
  await held.round()
  ada.calendar.changeEvent(id, at('2026-06-01'))
  const other = ada.calendar.addEvent(at('2026-07-01'))
  expect((await held.round()).map((event) => [event.id, event['@removed'] !== undefined])).toEqual([
    [id, true],
    [other.id, true],
  ])
})

test('a series is complete on one page: master, exceptions, and the times of occurrences', async () => {
  await using held = await openDelta()
  const { ada, graph } = held
  const { id } = ada.calendar.addEvent(STANDUP)
  ada.calendar.addEvent(at('2026-03-02'))
  const page = await graph.api(`/me/calendarView/delta?${MARCH}`).header('Prefer', 'odata.maxpagesize=1').get()
  expect(page.value).toHaveLength(5)
  await held.round()
  const [, second, third] = await instancesOf(graph, id)
  ada.calendar.changeEvent(second?.id ?? '', { subject: 'Retro' })
  ada.calendar.deleteEvent(third?.id ?? '')
  const reported = await held.round()
  expect(reported.map(({ type, subject }) => [type, subject])).toEqual([
    ['seriesMaster', 'Standup'],
    ['occurrence', undefined],
    ['exception', 'Retro'],
    ['occurrence', undefined],
  ])
  expect(Object.keys(reported[1] ?? {}).sort()).toEqual([
    '@odata.etag',
    '@odata.type',
    'end',
    'id',
    'seriesMasterId',
    'start',
    'type',
  ])
  ada.calendar.deleteEvent(id)
  expect(await held.round()).toEqual([{ id, '@removed': { reason: 'deleted' } }])
})

test('options are refused, and old tokens expire', async () => {
  await using held = await openDelta()
  const { ada, graph } = held
  const requested = (query: string) => graphRefusal(graph.api(`/me/calendarView/delta?${query}`).get())
  expect(await requested(`${MARCH}&$select=subject`)).toMatchObject({ status: 400 })
  expect(await requested('')).toEqual({ status: 400, code: 'ErrorInvalidParameter' })
  await held.round()
  ada.calendar.expireDeltaTokens()
  expect(await graphRefusal(held.round())).toEqual({ status: 410, code: 'SyncStateNotFound' })
})

test('free/busy is returned in the requested order, with an error for unavailable people', async () => {
  await using accounts = await openGraph()
  const { microsoft, ada, grace, home } = accounts
  const graph = accounts.graphOf(ada)
  grace.calendar.addEvent({ ...at('2026-03-30', 'Secret'), sensitivity: 'private', location: { displayName: 'X' } })
  grace.calendar.addEvent({
    subject: 'Away',
    start: utc('2026-03-30T11:00'),
    end: utc('2026-03-30T11:30'),
    showAs: 'oof',
  })
  grace.calendar.addEvent({ ...at('2026-03-30'), showAs: 'free' })
  microsoft.addRoom({ email: 'library@contoso.example', name: 'Library', capacity: 12 })
  const ask = (more: object = {}) =>
    graph.api('/me/calendar/getSchedule').post({
      schedules: ['nobody@contoso.example', grace.email, 'library@contoso.example'],
      startTime: utc('2026-03-30T09:00:00'),
      endTime: utc('2026-03-30T12:00:00'),
      ...more,
    })
  const { value } = await ask()
  expect(value).toMatchObject([
    { scheduleId: 'nobody@contoso.example', error: { responseCode: '5009' }, scheduleItems: [] },
    { scheduleId: grace.email, availabilityView: '002230' },
    { scheduleId: 'library@contoso.example', availabilityView: '000000' },
  ])
  expect(value[1].scheduleItems).toMatchObject([
    { status: 'busy', isPrivate: true, start: utc('2026-03-30T10:00:00.0000000') },
    { status: 'free', isPrivate: false, subject: '2026-03-30' },
    { status: 'oof', isPrivate: false, subject: 'Away' },
  ])
  expect(value[1].scheduleItems[0]).not.toHaveProperty('subject')
  expect((await ask({ AvailabilityViewInterval: 60 })).value[1].availabilityView).toBe('023')
  expect((await ask({ schedules: [home.email] })).value).toMatchObject([{ error: { responseCode: '5009' } }])
  for (const [more, code] of [
    [{ schedules: [] }, 'ErrorInvalidParameter'],
    [{ schedules: Array(21).fill(grace.email) }, 'ErrorTooManySchedules'],
    [{ endTime: utc('2026-03-30T09:00:00') }, 'ErrorInvalidTimeInterval'],
    [{ endTime: utc('2026-06-30T09:00:00') }, 'ErrorTimeIntervalTooBig'],
    [{ availabilityViewInterval: 4 }, 'ErrorInvalidMergedFreeBusyInterval'],
    [{ availabilityViewInterval: 200 }, 'ErrorInvalidMergedFreeBusyInterval'],
  ] as const) {
    expect(await graphRefusal(ask(more))).toEqual({ status: 400, code })
  }
})

test('a room accepts the first invitation and declines the second', async () => {
  await using accounts = await openGraph()
  const { microsoft, ada } = accounts
  const graph = accounts.graphOf(ada)
  microsoft.addRoomList({ email: 'building@contoso.example', name: 'Main building' })
  microsoft.addRoom({
    email: 'library@contoso.example',
    name: 'Library',
    capacity: 12,
    list: 'building@contoso.example',
  })
  microsoft.addRoom({ email: 'hall@contoso.example', name: 'Hall', floorNumber: 2 })
  microsoft.addRoom({ email: 'cellar@other.example', name: 'Cellar' })
  const attendees = [person('library@contoso.example', 'resource')]
  const first = await graph.api('/me/events').post({ ...STANDUP, attendees })
  expect(first.attendees).toMatchObject([{ type: 'resource', status: { response: 'accepted' } }])
  const clash = { start: berlin('2026-03-28T10:10:00'), end: berlin('2026-03-28T11:00:00'), attendees }
  expect((await graph.api('/me/events').post(clash)).attendees).toMatchObject([{ status: { response: 'declined' } }])
  const rooms = await graph.api('/places/microsoft.graph.room').get()
  expect(rooms.value).toMatchObject([
    { displayName: 'Library', emailAddress: 'library@contoso.example', capacity: 12 },
    { displayName: 'Hall', floorNumber: 2 },
  ])
  expect((await graph.api('/places/microsoft.graph.roomList').get()).value).toMatchObject([
    { displayName: 'Main building' },
  ])
  const listed = await graph.api('/places/building@contoso.example/microsoft.graph.roomList/rooms').get()
  expect(listed.value).toMatchObject([{ displayName: 'Library' }])
  expect(await graph.api('/places/hall@contoso.example').get()).toMatchObject({ displayName: 'Hall' })
  expect(await graphRefusal(accounts.graphOf(accounts.home).api('/places/microsoft.graph.room').get())).toMatchObject({
    status: 403,
  })
})
