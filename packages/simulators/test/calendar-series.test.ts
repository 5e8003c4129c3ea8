import { expect, test } from 'vitest'
import { openAccount, refusalOf } from './calendar-clients.ts'

const primary = { calendarId: 'primary' }
const zurich = (text: string) => ({ dateTime: text, timeZone: 'Europe/Zurich' })
const DAILY = {
  summary: 'Standup',
  start: zurich('2026-03-28T10:00:00'),
  end: zurich('2026-03-28T10:15:00'),
  recurrence: ['RRULE:FREQ=DAILY;COUNT=4'],
}

async function openSeries() {
  const account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  const { id } = account.ada.calendar.addEvent(DAILY)
  return { account, events, id, [Symbol.asyncDispose]: () => account[Symbol.asyncDispose]() }
}

test('instances have ids with their original start and keep their local hour', async () => {
  await using held = await openSeries()
  const { data } = await held.events.instances({ ...primary, eventId: held.id })
  expect(data.items?.map(({ id }) => id)).toEqual([
    `${held.id}_20260328T090000Z`,
    `${held.id}_20260329T080000Z`,
    `${held.id}_20260330T080000Z`,
    `${held.id}_20260331T080000Z`,
  ])
  expect(data.items?.[1]).toMatchObject({
    recurringEventId: held.id,
    originalStartTime: { dateTime: '2026-03-29T10:00:00+02:00', timeZone: 'Europe/Zurich' },
    end: { dateTime: '2026-03-29T10:15:00+02:00' },
  })
  const one = await held.events.instances({ ...primary, eventId: held.id, originalStart: '2026-03-30T10:00:00+02:00' })
  expect(one.data.items?.map(({ id }) => id)).toEqual([`${held.id}_20260330T080000Z`])
  const page = await held.events.instances({ ...primary, eventId: held.id, maxResults: 3 })
  const pageToken = page.data.nextPageToken ?? ''
  expect((await held.events.instances({ ...primary, eventId: held.id, pageToken })).data.items).toHaveLength(1)
})

test('all-day series have day ids', async () => {
  await using account = await openAccount()
  const body = { start: { date: '2026-01-01' }, end: { date: '2026-01-02' }, recurrence: ['RRULE:FREQ=WEEKLY'] }
  const { id } = account.ada.calendar.addEvent(body)
  const query = {
    ...primary,
    singleEvents: true,
    timeMin: '2026-01-08T00:00:00+01:00',
    timeMax: '2026-01-09T00:00:00+01:00',
  }
  const { data } = await account.calendarOf(account.ada).events.list(query)
  expect(data.items?.map((event) => [event.id, event.start])).toEqual([[`${id}_20260108`, { date: '2026-01-08' }]])
})

test('a changed instance is an exception, a deleted one a cancelled exception', async () => {
  await using held = await openSeries()
  const { events, id } = held
  const second = `${id}_20260329T080000Z`
  const third = `${id}_20260330T080000Z`
  const requestBody = { start: zurich('2026-03-29T15:00:00'), end: zurich('2026-03-29T15:30:00') }
  const moved = await events.patch({ ...primary, eventId: second, requestBody })
  expect(moved.data).toMatchObject({
    id: second,
    recurringEventId: id,
    originalStartTime: { dateTime: '2026-03-29T10:00:00+02:00' },
    start: { dateTime: '2026-03-29T15:00:00+02:00' },
  })
  await events.delete({ ...primary, eventId: third })
  expect(await refusalOf(events.delete({ ...primary, eventId: third }))).toEqual({ status: 410, reason: 'deleted' })
  const list = await events.list(primary)
  expect(list.data.items?.map((event) => [event.id, event.status])).toEqual([
    [id, 'confirmed'],
    [second, 'confirmed'],
    [third, 'cancelled'],
  ])
  expect(list.data.items?.[2]).toEqual({
    kind: 'calendar#event',
    etag: expect.any(String),
    id: third,
    status: 'cancelled',
    recurringEventId: id,
    originalStartTime: { dateTime: '2026-03-30T10:00:00+02:00', timeZone: 'Europe/Zurich' },
  })
  const expanded = await events.list({ ...primary, singleEvents: true, orderBy: 'startTime' })
  expect(expanded.data.items?.map((event) => event.id)).toEqual([
    `${id}_20260328T090000Z`,
    second,
    `${id}_20260331T080000Z`,
  ])
  expect((await events.instances({ ...primary, eventId: id })).data.items).toHaveLength(3)
  expect((await events.instances({ ...primary, eventId: id, showDeleted: true })).data.items).toHaveLength(4)
})

test('a change of the series reaches exceptions with the same value', async () => {
  await using held = await openSeries()
  const { events, id } = held
  const second = `${id}_20260329T080000Z`
  await events.patch({ ...primary, eventId: second, requestBody: { location: 'Cellar' } })
  await events.patch({ ...primary, eventId: id, requestBody: { summary: 'Daily', location: 'Attic' } })
  expect((await events.get({ ...primary, eventId: second })).data).toMatchObject({
    summary: 'Daily',
    location: 'Cellar',
  })
})

test('a shortened series loses the exceptions after its end', async () => {
  await using held = await openSeries()
  const { events, id } = held
  const last = `${id}_20260331T080000Z`
  await events.patch({ ...primary, eventId: last, requestBody: { summary: 'Last' } })
  const { data: before } = await events.list({ ...primary, singleEvents: true })
  await events.patch({
    ...primary,
    eventId: id,
    requestBody: { recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260329T080000Z'] },
  })
  const { data } = await events.list({ ...primary, singleEvents: true })
  expect(data.items?.map((event) => event.id)).toEqual([`${id}_20260328T090000Z`, `${id}_20260329T080000Z`])
  const changed = await events.list({ ...primary, singleEvents: true, syncToken: before.nextSyncToken ?? '' })
  const cancelled = changed.data.items?.filter(({ status }) => status === 'cancelled').map((event) => event.id)
  expect(cancelled?.sort()).toEqual([`${id}_20260330T080000Z`, last])
})

test('a series is in a window if one of its events is', async () => {
  await using held = await openSeries()
  const list = (timeMin: string, timeMax: string) => held.events.list({ ...primary, timeMin, timeMax })
  expect((await list('2026-03-30T00:00:00Z', '2026-03-31T00:00:00Z')).data.items).toHaveLength(1)
  expect((await list('2026-04-01T00:00:00Z', '2026-05-31T00:00:00Z')).data.items).toHaveLength(0)
})

test('a deleted series is listed with its instances if they are expanded', async () => {
  await using held = await openSeries()
  const { events, id } = held
  const { data: plain } = await events.list(primary)
  const { data: expanded } = await events.list({ ...primary, singleEvents: true })
  await events.delete({ ...primary, eventId: id })
  const first = await events.list({ ...primary, syncToken: plain.nextSyncToken ?? '' })
  expect(first.data.items).toEqual([{ kind: 'calendar#event', etag: expect.any(String), id, status: 'cancelled' }])
  const second = await events.list({ ...primary, singleEvents: true, syncToken: expanded.nextSyncToken ?? '' })
  expect(second.data.items?.map(({ status }) => status)).toEqual(Array(4).fill('cancelled'))
})
