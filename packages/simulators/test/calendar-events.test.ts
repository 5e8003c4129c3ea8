import { expect, test } from 'vitest'
import { openAccount, refusalOf } from './calendar-clients.ts'

const primary = { calendarId: 'primary' }
const at = (dateTime: string, timeZone?: string) => ({ dateTime, ...(timeZone && { timeZone }) })
const hour = (day: string, from: number) => ({
  start: at(`${day}T${String(from).padStart(2, '0')}:00:00+01:00`),
  end: at(`${day}T${String(from + 1).padStart(2, '0')}:00:00+01:00`),
})

test('an event is returned as Google returns it', async () => {
  await using account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  const requestBody = {
    summary: 'Lunch',
    start: at('2026-01-05T12:00:00', 'America/New_York'),
    end: at('2026-01-05T13:00:00', 'America/New_York'),
    reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] },
    extendedProperties: { private: { colour: 'red' } },
  }
  const { data } = await events.insert({ ...primary, requestBody })
  expect(data).toMatchObject({
    kind: 'calendar#event',
    status: 'confirmed',
    summary: 'Lunch',
    start: { dateTime: '2026-01-05T18:00:00+01:00', timeZone: 'America/New_York' },
    creator: { email: 'ada@example.com', self: true },
    organizer: { email: 'ada@example.com', self: true },
    iCalUID: `${data.id}@google.com`,
    sequence: 0,
    eventType: 'default',
    reminders: requestBody.reminders,
  })
  const { data: read } = await events.get({ ...primary, eventId: data.id ?? '', timeZone: 'UTC' })
  expect(read.start).toEqual({ dateTime: '2026-01-05T17:00:00Z', timeZone: 'America/New_York' })
  expect(data).not.toHaveProperty('transparency')
})

test('bodies that Google refuses are refused', async () => {
  await using account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  const insert = (requestBody: object) => refusalOf(events.insert({ ...primary, requestBody }))
  const start = at('2026-01-05T12:00:00Z')
  expect(await insert({ start })).toEqual({ status: 400, reason: 'required' })
  expect(await insert({ start, end: { date: '2026-01-06' } })).toEqual({ status: 400, reason: 'invalid' })
  expect(await insert({ start, end: at('2026-01-05T11:00:00Z') })).toEqual({ status: 400, reason: 'timeRangeEmpty' })
  expect(await insert({ start, end: at('2026-01-05T13:00:00') })).toEqual({ status: 400, reason: 'required' })
  expect(await insert({ start, end: start, id: 'UPPER' })).toEqual({ status: 400, reason: 'invalid' })
  expect(await insert({ start, end: start, recurrence: ['RRULE:FREQ=DAILY'] })).toMatchObject({ reason: 'required' })
  await events.insert({ ...primary, requestBody: { start, end: start, id: 'abcde12345' } })
  expect(await insert({ start, end: start, id: 'abcde12345' })).toEqual({ status: 409, reason: 'duplicate' })
})

test('a patch keeps omitted fields, and an update does not', async () => {
  await using account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  const { id: eventId } = account.ada.calendar.addEvent({ summary: 'A', location: 'Here', ...hour('2026-01-05', 9) })
  const patched = await events.patch({ ...primary, eventId, requestBody: { summary: 'B' } })
  expect(patched.data).toMatchObject({ summary: 'B', location: 'Here', sequence: 0 })
  const moved = await events.update({ ...primary, eventId, requestBody: { summary: 'B', ...hour('2026-01-05', 10) } })
  expect(moved.data).toMatchObject({ summary: 'B', sequence: 1 })
  expect(moved.data).not.toHaveProperty('location')
  const day = { start: { date: '2026-01-05' }, end: { date: '2026-01-06' } }
  expect(await refusalOf(events.patch({ ...primary, eventId, requestBody: day }))).toEqual({
    status: 400,
    reason: 'invalid',
  })
  const whole = {
    start: { ...day.start, dateTime: null, timeZone: null },
    end: { ...day.end, dateTime: null, timeZone: null },
  }
  const allDay = await events.patch({ ...primary, eventId, requestBody: whole })
  expect(allDay.data.start).toEqual({ date: '2026-01-05' })
})

test('If-Match protects against a concurrent change', async () => {
  await using account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  const { data } = await events.insert({ ...primary, requestBody: hour('2026-01-05', 9) })
  const eventId = data.id ?? ''
  account.ada.calendar.changeEvent(eventId, { summary: 'Changed elsewhere' })
  const change = { ...primary, eventId, requestBody: { summary: 'Mine' } }
  const headers = { 'If-Match': data.etag ?? '' }
  expect(await refusalOf(events.patch(change, { headers }))).toEqual({ status: 412, reason: 'conditionNotMet' })
  expect(await refusalOf(events.delete({ ...primary, eventId }, { headers }))).toMatchObject({ status: 412 })
  const { data: fresh } = await events.get({ ...primary, eventId })
  await events.patch(change, { headers: { 'If-Match': fresh.etag ?? '' } })
})

test('a deleted event can be deleted once and stays readable as cancelled', async () => {
  await using account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  const { id: eventId } = account.ada.calendar.addEvent({ summary: 'A', ...hour('2026-01-05', 9) })
  await events.delete({ ...primary, eventId })
  expect(await refusalOf(events.delete({ ...primary, eventId }))).toEqual({ status: 410, reason: 'deleted' })
  expect((await events.get({ ...primary, eventId })).data.status).toBe('cancelled')
  expect((await events.list(primary)).data.items).toEqual([])
  expect((await events.list({ ...primary, showDeleted: true })).data.items).toHaveLength(1)
  expect(await refusalOf(events.get({ ...primary, eventId: 'nothere' }))).toEqual({ status: 404, reason: 'notFound' })
})

test('a Meet conference is created on request and kept', async () => {
  await using account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  const createRequest = { requestId: 'r1', conferenceSolutionKey: { type: 'hangoutsMeet' } }
  const requestBody = { ...hour('2026-01-05', 9), conferenceData: { createRequest } }
  const without = await events.insert({ ...primary, requestBody })
  expect(without.data).not.toHaveProperty('conferenceData')
  const { data } = await events.insert({ ...primary, conferenceDataVersion: 1, requestBody })
  expect(data.conferenceData?.createRequest?.status?.statusCode).toBe('success')
  expect(data.hangoutLink).toBe(data.conferenceData?.entryPoints?.[0]?.uri)
  const eventId = data.id ?? ''
  const renamed = await events.patch({ ...primary, eventId, requestBody: { summary: 'B' } })
  expect(renamed.data.hangoutLink).toBe(data.hangoutLink)
  const removed = { ...primary, eventId, conferenceDataVersion: 1, requestBody: { conferenceData: null } }
  expect((await events.patch(removed as object)).data).not.toHaveProperty('hangoutLink')
})

test('lists are bounded, ordered, searched and paged', async () => {
  await using account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  for (const day of [7, 5, 6]) {
    account.ada.calendar.addEvent({
      summary: `Day ${day}`,
      ...hour(`2026-01-0${day}`, 9),
      extendedProperties: { private: { day: String(day) } },
    })
  }
  const summaries = async (query: object) =>
    (await events.list({ ...primary, ...query })).data.items?.map(({ summary }) => summary)
  const bounded = { timeMin: '2026-01-06T09:00:00Z', timeMax: '2026-01-07T08:00:00Z' }
  expect(await summaries({ timeMin: '2026-01-06T08:30:00Z', timeMax: '2026-01-07T08:00:00Z' })).toEqual(['Day 6'])
  expect(await summaries(bounded)).toEqual([])
  expect(await summaries({ singleEvents: true, orderBy: 'startTime' })).toEqual(['Day 5', 'Day 6', 'Day 7'])
  expect(await summaries({ q: 'DAY 6' })).toEqual(['Day 6'])
  expect(await summaries({ privateExtendedProperty: ['day=5'] })).toEqual(['Day 5'])
  expect(await refusalOf(events.list({ ...primary, orderBy: 'startTime' }))).toMatchObject({ status: 400 })
  const reversed = { timeMin: bounded.timeMax, timeMax: bounded.timeMin }
  expect(await refusalOf(events.list({ ...primary, ...reversed }))).toMatchObject({ reason: 'timeRangeEmpty' })
  const first = await events.list({ ...primary, maxResults: 2 })
  expect(first.data.nextSyncToken).toBeUndefined()
  const second = await events.list({ ...primary, maxResults: 2, pageToken: first.data.nextPageToken ?? '' })
  expect(second.data.items?.map(({ summary }) => summary)).toEqual(['Day 6'])
  expect(second.data.nextSyncToken).toBeDefined()
})

test('types of events, sources and attachments are stored', async () => {
  await using account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  const focus = {
    ...hour('2026-01-05', 9),
    eventType: 'focusTime',
    focusTimeProperties: { autoDeclineMode: 'declineNone', chatStatus: 'doNotDisturb' },
    source: { title: 'Ticket', url: 'https://tracker.example/1' },
    attachments: [{ fileUrl: 'https://drive.google.com/file/1', title: 'Notes' }],
  }
  const { data } = await events.insert({ ...primary, supportsAttachments: true, requestBody: focus })
  expect(data).toMatchObject({ eventType: 'focusTime', source: focus.source, attachments: focus.attachments })
  const found = await events.list({ ...primary, eventTypes: ['focusTime'] })
  expect(found.data.items).toHaveLength(1)
  expect((await events.list({ ...primary, eventTypes: ['default'] })).data.items).toHaveLength(0)
})

test('an event moves to another calendar with its id', async () => {
  await using account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  const { id: destination } = account.ada.calendar.addCalendar({ summary: 'Work' })
  const { id: eventId } = account.ada.calendar.addEvent({ summary: 'A', ...hour('2026-01-05', 9) })
  const { data } = await events.move({ ...primary, eventId, destination })
  expect(data).toMatchObject({ id: eventId, organizer: { email: destination, displayName: 'Work', self: true } })
  expect((await events.get({ ...primary, eventId })).data.status).toBe('cancelled')
  expect((await events.get({ calendarId: destination, eventId })).data.status).toBe('confirmed')
})

test("an event that exceeds Google's limits, or lacks what its type requires, is refused", async () => {
  await using account = await openAccount()
  const { events, calendars } = account.calendarOf(account.ada)
  const insert = (requestBody: object, calendarId = 'primary') =>
    events.insert({ calendarId, requestBody: { ...hour('2026-01-05', 9), ...requestBody } })
  const many = Array.from({ length: 201 }, (_, index) => ({ email: `guest${index}@example.org` }))
  await expect(insert({ attendees: many })).rejects.toThrow(/attendees/)
  await insert({ attendees: many.slice(1) })
  await expect(insert({ description: 'x'.repeat(8193) })).rejects.toThrow(/description/)
  const properties = (own: Record<string, string>) => insert({ extendedProperties: { private: own } })
  await expect(properties({ ['k'.repeat(45)]: 'x' })).rejects.toThrow(/44/)
  await expect(properties({ key: 'x'.repeat(1025) })).rejects.toThrow(/1024/)
  const numbered = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]))
  await expect(properties(numbered(301, 'x'))).rejects.toThrow(/300/)
  await expect(properties(numbered(40, 'x'.repeat(1024)))).rejects.toThrow(/32 KB/)
  await properties(numbered(300, 'x'))

  const away = { eventType: 'outOfOffice', outOfOfficeProperties: { autoDeclineMode: 'declineNone' } }
  await insert(away)
  await expect(insert({ eventType: 'outOfOffice' })).rejects.toThrow(/outOfOfficeProperties/)
  await expect(insert({ ...away, transparency: 'transparent' })).rejects.toThrow(/opaque/)
  await expect(insert({ ...away, attendees: [{ email: 'bob@example.org' }] })).rejects.toThrow(/attendees/)
  await expect(insert({ ...away, ...{ start: { date: '2026-01-05' }, end: { date: '2026-01-06' } } })).rejects.toThrow(
    /all-day/,
  )
  const { data } = await calendars.insert({ requestBody: { summary: 'Other' } })
  await expect(insert(away, data.id ?? '')).rejects.toThrow(/primary/)
  const office = { eventType: 'workingLocation', workingLocationProperties: { type: 'homeOffice', homeOffice: {} } }
  await expect(insert(office)).rejects.toThrow(/public/)
  await insert({ ...office, visibility: 'public', transparency: 'transparent' })
  const birthday = { eventType: 'birthday', start: { date: '2026-01-05' }, end: { date: '2026-01-06' } }
  const shown = { visibility: 'private', transparency: 'transparent' }
  await expect(insert({ ...birthday, ...shown })).rejects.toThrow(/annually/)
  await insert({ ...birthday, ...shown, recurrence: ['RRULE:FREQ=YEARLY'] })
  await expect(insert({ eventType: 'fromGmail' })).rejects.toThrow(/eventType/)
})

test('unknown versions, too large requests and channels without https are refused', async () => {
  await using account = await openAccount()
  const { events, freebusy } = account.calendarOf(account.ada)
  const requestBody = hour('2026-01-05', 9)
  await expect(events.insert({ ...primary, conferenceDataVersion: 2, requestBody })).rejects.toThrow(/range/)
  const window = { timeMin: '2026-01-05T00:00:00Z', timeMax: '2026-01-06T00:00:00Z', items: [] }
  await expect(freebusy.query({ requestBody: { ...window, calendarExpansionMax: 51 } })).rejects.toThrow(/50/)
  await expect(freebusy.query({ requestBody: { ...window, groupExpansionMax: 101 } })).rejects.toThrow(/100/)
  const watch = (address: string) =>
    events.watch({ ...primary, requestBody: { id: `channel of ${address}`, type: 'web_hook', address } })
  await expect(watch('http://way.example/push')).rejects.toThrow(/HTTPS/)
  await expect(watch('http://localhost.example/push')).rejects.toThrow(/HTTPS/)
  await watch('http://127.0.0.1:9/push')
})
