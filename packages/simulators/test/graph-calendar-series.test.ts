import { expect, test } from 'vitest'
import { graphRefusal, openGraph } from './graph-account.ts'
import { berlin, type EventJson, eventsOf, instancesOf, MARCH, STANDUP, utc } from './graph-calendar.ts'

async function openSeries() {
  const accounts = await openGraph()
  const graph = accounts.graphOf(accounts.ada)
  const master = await graph.api('/me/events').post(STANDUP)
  return { accounts, graph, master, [Symbol.asyncDispose]: () => accounts[Symbol.asyncDispose]() }
}

const startsOf = (events: readonly EventJson[]) => events.map(({ start }) => start.dateTime.slice(0, 16))

test('a series is one event of the list, and its occurrences are instances and in the view', async () => {
  await using held = await openSeries()
  const { graph, master } = held
  expect(master).toMatchObject({
    type: 'seriesMaster',
    seriesMasterId: null,
    recurrence: {
      pattern: { type: 'daily', interval: 1, month: 0, dayOfMonth: 0, firstDayOfWeek: 'sunday', index: 'first' },
      range: { type: 'numbered', endDate: '0001-01-01', recurrenceTimeZone: 'W. Europe Standard Time' },
    },
  })
  expect(await eventsOf(graph, '/me/events')).toMatchObject([{ id: master.id, type: 'seriesMaster' }])
  const instances = await instancesOf(graph, master.id)
  expect(startsOf(instances)).toEqual(['2026-03-27T09:00', '2026-03-28T09:00', '2026-03-29T08:00', '2026-03-30T08:00'])
  expect(await eventsOf(graph, `/me/calendarView?${MARCH}`)).toEqual(instances)
  const [, second] = instances
  expect(second).toMatchObject({
    type: 'occurrence',
    seriesMasterId: master.id,
    occurrenceId: `OID.${master.id}.2026-03-28`,
    originalStart: '2026-03-28T09:00:00Z',
    recurrence: null,
  })
  expect(second?.iCalUId).not.toBe(master.iCalUId)
  expect(second?.iCalUId.slice(40)).toBe(master.iCalUId.slice(40))
  expect(await graph.api(`/me/events/${second?.id}`).get()).toMatchObject({ id: second?.id, subject: 'Standup' })
  expect(await graphRefusal(graph.api(`/me/events/${master.id}/instances`).get())).toEqual({
    status: 400,
    code: 'ErrorInvalidParameter',
  })
})

test('a changed occurrence is an exception, and a deleted one no longer exists', async () => {
  await using held = await openSeries()
  const { graph, master } = held
  const [, second, third] = await instancesOf(graph, master.id)
  const moved = { subject: 'Retro', start: berlin('2026-03-28T15:00:00'), end: berlin('2026-03-28T16:00:00') }
  const changed = await graph.api(`/me/events/${second?.id}`).patch(moved)
  expect(changed).toMatchObject({
    id: second?.id,
    type: 'exception',
    subject: 'Retro',
    start: utc('2026-03-28T14:00:00.0000000'),
    originalStart: '2026-03-28T09:00:00Z',
  })
  await graph.api(`/me/events/${third?.id}`).delete()
  expect(await graphRefusal(graph.api(`/me/events/${third?.id}`).get())).toMatchObject({ status: 404 })
  expect((await instancesOf(graph, master.id)).map(({ type, subject }) => [type, subject])).toEqual([
    ['occurrence', 'Standup'],
    ['exception', 'Retro'],
    ['occurrence', 'Standup'],
  ])
  expect(await eventsOf(graph, '/me/events')).toMatchObject([{ id: master.id }])
  const whole = await graph
    .api(`/me/events/${master.id}`)
    .select('subject,exceptionOccurrences,cancelledOccurrences')
    .expand('exceptionOccurrences($select=subject,originalStart)')
    .get()
  expect(whole).toMatchObject({
    subject: 'Standup',
    exceptionOccurrences: [{ id: second?.id, subject: 'Retro', originalStart: '2026-03-28T09:00:00Z' }],
    cancelledOccurrences: [`OID.${master.id}.2026-03-29`],
  })
  expect(await graph.api(`/me/events/${master.id}`).get()).not.toHaveProperty('cancelledOccurrences')
  expect((await graph.api(`/me/events/${master.id}`).get()).changeKey).not.toBe(master.changeKey)
})

test('an occurrence stays between its neighbors', async () => {
  await using held = await openSeries()
  const { graph, master } = held
  const [, second] = await instancesOf(graph, master.id)
  const move = (day: string) =>
    graph.api(`/me/events/${second?.id}`).patch({ start: berlin(`${day}T09:00`), end: berlin(`${day}T09:30`) })
  for (const day of ['2026-03-27', '2026-03-29', '2026-04-10']) {
    expect(await graphRefusal(move(day))).toEqual({ status: 400, code: 'ErrorOccurrenceCrossingBoundary' })
  }
  expect(await move('2026-03-28')).toMatchObject({ type: 'exception' })
})

test('a change of the series reaches its exceptions, except for their own fields and free/busy state', async () => {
  await using held = await openSeries()
  const { graph, master } = held
  const [, second] = await instancesOf(graph, master.id)
  await graph.api(`/me/events/${second?.id}`).patch({ location: { displayName: 'Cellar' } })
  await graph
    .api(`/me/events/${master.id}`)
    .patch({ subject: 'Daily', location: { displayName: 'Attic' }, showAs: 'free' })
  expect(await graph.api(`/me/events/${second?.id}`).get()).toMatchObject({
    subject: 'Daily',
    location: { displayName: 'Cellar' },
    showAs: 'busy',
  })
})

test('a series with another pattern or time loses its changed and deleted occurrences', async () => {
  await using held = await openSeries()
  const { graph, master } = held
  const [, second, third] = await instancesOf(graph, master.id)
  const changeTwo = async () => {
    const before = await instancesOf(graph, master.id)
    await graph.api(`/me/events/${second?.id}`).patch({ subject: 'Retro' })
    await graph.api(`/me/events/${third?.id}`).delete()
    expect(await instancesOf(graph, master.id)).toHaveLength(before.length - 1)
  }
  await changeTwo()
  const { pattern, range } = STANDUP.recurrence
  await graph
    .api(`/me/events/${master.id}`)
    .patch({ recurrence: { pattern, range: { ...range, numberOfOccurrences: 5 } } })
  const longer = await instancesOf(graph, master.id)
  expect(longer.map(({ subject }) => subject)).toEqual(Array(5).fill('Standup'))
  await changeTwo()
  await graph
    .api(`/me/events/${master.id}`)
    .patch({ start: berlin('2026-03-27T11:00:00'), end: berlin('2026-03-27T11:15:00') })
  const later = await instancesOf(graph, master.id)
  expect(startsOf(later)[0]).toBe('2026-03-27T10:00')
  expect(later.map(({ subject }) => subject)).toEqual(Array(5).fill('Standup'))
})

test('a single event becomes a series and a series a single event', async () => {
  await using held = await openSeries()
  const { graph, master } = held
  const single = await graph.api(`/me/events/${master.id}`).patch({ recurrence: null })
  expect(single).toMatchObject({ id: master.id, type: 'singleInstance', recurrence: null })
  const weekly = {
    pattern: { type: 'weekly', interval: 1, daysOfWeek: ['friday'] },
    range: { type: 'endDate', startDate: '2026-03-27', endDate: '2026-04-10' },
  }
  await graph.api(`/me/events/${master.id}`).patch({ recurrence: weekly })
  expect(startsOf(await instancesOf(graph, master.id))).toEqual([
    '2026-03-27T09:00',
    '2026-04-03T08:00',
    '2026-04-10T08:00',
  ])
})

test('a custom zone has no name of its own', async () => {
  await using held = await openSeries()
  const { accounts, graph, master } = held
  accounts.ada.calendar.customizeZone(master.id)
  const event = await graph.api(`/me/events/${master.id}`).get()
  expect(event).toMatchObject({
    originalStartTimeZone: 'tzone://Microsoft/Custom',
    recurrence: { range: { recurrenceTimeZone: 'tzone://Microsoft/Custom' } },
  })
  expect(startsOf(await instancesOf(graph, master.id))[3]).toBe('2026-03-30T08:00')
  const again = { start: { dateTime: '2026-03-27T10:00', timeZone: event.originalStartTimeZone } }
  expect(await graphRefusal(graph.api(`/me/events/${master.id}`).patch(again))).toMatchObject({
    code: 'TimeZoneNotSupportedException',
  })
})

test('all-day series have the same days in every zone', async () => {
  await using accounts = await openGraph()
  const graph = accounts.graphOf(accounts.ada)
  const pacific = (dateTime: string) => ({ dateTime, timeZone: 'Pacific Standard Time' })
  const { id } = accounts.ada.calendar.addEvent({
    isAllDay: true,
    start: pacific('2026-03-07T00:00'),
    end: pacific('2026-03-08T00:00'),
    recurrence: {
      pattern: { type: 'daily', interval: 1 },
      range: { type: 'numbered', startDate: '2026-03-07', numberOfOccurrences: 3 },
    },
  })
  const instances = await instancesOf(graph, id)
  expect(instances.map(({ start, end }) => [start.dateTime.slice(0, 16), end.dateTime.slice(0, 16)])).toEqual([
    ['2026-03-07T00:00', '2026-03-08T00:00'],
    ['2026-03-08T00:00', '2026-03-09T00:00'],
    ['2026-03-09T00:00', '2026-03-10T00:00'],
  ])
})
