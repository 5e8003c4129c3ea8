import { expect, test } from 'vitest'
import { openAccount, refusalOf } from './calendar-clients.ts'

const window = { timeMin: '2026-01-05T00:00:00Z', timeMax: '2026-01-06T00:00:00Z' }
const from = (start: string, end: string) => ({
  start: { dateTime: `2026-01-05T${start}:00Z` },
  end: { dateTime: `2026-01-05T${end}:00Z` },
})

test('an account has a primary calendar, which cannot be deleted', async () => {
  await using account = await openAccount()
  const { calendarList, calendars } = account.calendarOf(account.ada)
  const { data } = await calendarList.list()
  expect(data.items).toHaveLength(1)
  expect(data.items?.[0]).toMatchObject({
    id: 'ada@example.com',
    primary: true,
    selected: true,
    accessRole: 'owner',
    timeZone: 'Europe/Zurich',
    backgroundColor: '#9fe1e7',
  })
  expect(await refusalOf(calendars.delete({ calendarId: 'primary' }))).toEqual({
    status: 403,
    reason: 'cannotDeletePrimaryCalendar',
  })
  expect(await refusalOf(calendarList.delete({ calendarId: 'primary' }))).toMatchObject({ status: 403 })
  account.ada.calendar.addEvent(from('09:00', '10:00'))
  await calendars.clear({ calendarId: 'primary' })
  expect(account.ada.calendar.events()).toMatchObject([{ status: 'cancelled' }])
})

test('calendars are created, changed, colored, hidden and deleted, and the list shows it', async () => {
  await using account = await openAccount()
  const { calendarList, calendars } = account.calendarOf(account.ada)
  let syncToken = (await calendarList.list()).data.nextSyncToken ?? ''
  const changes = async () => {
    const { data } = await calendarList.list({ syncToken })
    syncToken = data.nextSyncToken ?? ''
    return data.items
  }
  const { data } = await calendars.insert({ requestBody: { summary: 'Work', timeZone: 'Asia/Tokyo' } })
  const calendarId = data.id ?? ''
  expect(calendarId).toMatch(/^c_[0-9a-f]{64}@group\.calendar\.google\.com$/)
  expect(await changes()).toMatchObject([
    { id: calendarId, summary: 'Work', accessRole: 'owner', timeZone: 'Asia/Tokyo' },
  ])
  await calendars.patch({ calendarId, requestBody: { description: 'Duties' } })
  const requestBody = { backgroundColor: '#123456', foregroundColor: '#ffffff', hidden: true }
  await calendarList.patch({ calendarId, colorRgbFormat: true, requestBody })
  expect(await changes()).toMatchObject([{ description: 'Duties', backgroundColor: '#123456', hidden: true }])
  expect((await calendarList.list()).data.items).toHaveLength(1)
  expect((await calendarList.list({ showHidden: true })).data.items).toHaveLength(2)
  await calendars.delete({ calendarId })
  expect(await changes()).toEqual([
    { kind: 'calendar#calendarListEntry', etag: expect.any(String), id: calendarId, deleted: true },
  ])
  expect(await refusalOf(calendars.get({ calendarId }))).toEqual({ status: 404, reason: 'notFound' })
  expect(await refusalOf(calendarList.list({ syncToken, minAccessRole: 'owner' }))).toMatchObject({ status: 400 })
  expect(await refusalOf(calendars.insert({ requestBody: {} }))).toMatchObject({ reason: 'required' })
})

test('a shared calendar shows as much as its role allows', async () => {
  await using account = await openAccount()
  const { id: calendarId } = account.ada.calendar.addCalendar({ summary: 'Team' })
  const { id: eventId } = account.ada.calendar.addEvent({ summary: 'Open', ...from('09:00', '10:00') }, calendarId)
  account.ada.calendar.addEvent({ summary: 'Secret', visibility: 'private', ...from('11:00', '12:00') }, calendarId)
  const { events, calendarList } = account.calendarOf(account.bob)
  expect(await refusalOf(events.list({ calendarId }))).toEqual({ status: 404, reason: 'notFound' })
  account.ada.calendar.share(calendarId, 'bob@gmail.com', 'reader')
  expect((await calendarList.get({ calendarId })).data.accessRole).toBe('reader')
  expect((await calendarList.list({ minAccessRole: 'writer' })).data.items).toHaveLength(1)
  const { data } = await events.list({ calendarId })
  expect(data.items?.map(({ summary }) => summary)).toEqual(['Open', undefined])
  const change = { calendarId, eventId, requestBody: { summary: 'Changed' } }
  expect(await refusalOf(events.patch(change))).toEqual({ status: 403, reason: 'requiredAccessLevel' })
  account.ada.calendar.share(calendarId, 'bob@gmail.com', 'writer')
  expect((await events.patch(change)).data).toMatchObject({
    creator: { email: 'ada@example.com' },
    organizer: { self: true },
  })
})

test('access rules are listed, created and removed', async () => {
  await using account = await openAccount()
  const { acl } = account.calendarOf(account.ada)
  const { id: calendarId } = account.ada.calendar.addCalendar({ summary: 'Team' })
  const requestBody = { role: 'reader', scope: { type: 'user', value: 'bob@gmail.com' } }
  const { data } = await acl.insert({ calendarId, requestBody })
  expect(data).toMatchObject({ id: 'user:bob@gmail.com', ...requestBody })
  expect((await acl.list({ calendarId })).data.items).toHaveLength(2)
  await account.calendarOf(account.bob).calendarList.insert({ requestBody: { id: calendarId } })
  await acl.delete({ calendarId, ruleId: 'user:bob@gmail.com' })
  expect(await refusalOf(account.calendarOf(account.bob).calendars.get({ calendarId }))).toMatchObject({ status: 404 })
})

test('free and busy times are merged, and free events are omitted', async () => {
  await using account = await openAccount()
  const { calendar } = account.ada
  calendar.addEvent({ summary: 'A', ...from('09:00', '10:00') })
  calendar.addEvent({ summary: 'B', status: 'tentative', ...from('09:30', '11:00') })
  calendar.addEvent({ summary: 'C', transparency: 'transparent', ...from('12:00', '13:00') })
  calendar.deleteEvent(calendar.addEvent({ summary: 'D', ...from('13:00', '14:00') }).id)
  const declined = account.bob.calendar.addEvent({
    ...from('15:00', '16:00'),
    attendees: [{ email: 'ada@example.com' }],
  })
  calendar.respond(declined.id, 'declined')
  calendar.addEvent({
    ...from('22:00', '23:00'),
    start: { dateTime: '2026-01-04T23:00:00Z', timeZone: 'UTC' },
    end: { dateTime: '2026-01-05T01:00:00Z', timeZone: 'UTC' },
    recurrence: ['RRULE:FREQ=DAILY;COUNT=2'],
  })
  const items = [{ id: 'primary' }, { id: 'nobody@else.example' }, { id: 'bob@gmail.com' }]
  const { data } = await account.calendarOf(account.ada).freebusy.query({ requestBody: { ...window, items } })
  expect(data.calendars).toEqual({
    primary: {
      busy: [
        { start: '2026-01-05T00:00:00Z', end: '2026-01-05T01:00:00Z' },
        { start: '2026-01-05T09:00:00Z', end: '2026-01-05T11:00:00Z' },
        { start: '2026-01-05T23:00:00Z', end: '2026-01-06T00:00:00Z' },
      ],
    },
    'nobody@else.example': { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] },
    'bob@gmail.com': { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] },
  })
})

test('a range of more than 90 days is refused', async () => {
  await using account = await openAccount()
  const requestBody = { timeMin: '2026-01-01T00:00:00Z', timeMax: '2026-04-02T00:00:00Z', items: [{ id: 'primary' }] }
  const query = account.calendarOf(account.ada).freebusy.query({ requestBody })
  expect(await refusalOf(query)).toEqual({ status: 400, reason: 'timeRangeTooLong' })
})

test('an all-day event is busy from midnight to midnight of the calendar', async () => {
  await using account = await openAccount()
  account.ada.calendar.addEvent({ start: { date: '2026-01-05' }, end: { date: '2026-01-06' } })
  const requestBody = {
    timeMin: '2026-01-04T00:00:00Z',
    timeMax: '2026-01-07T00:00:00Z',
    timeZone: 'Europe/Zurich',
    items: [{ id: 'primary' }],
  }
  const { data } = await account.calendarOf(account.ada).freebusy.query({ requestBody })
  expect(data.calendars?.primary?.busy).toEqual([
    { start: '2026-01-05T00:00:00+01:00', end: '2026-01-06T00:00:00+01:00' },
  ])
})

test('colors and settings are those of Google', async () => {
  await using account = await openAccount()
  const { colors, settings } = account.calendarOf(account.ada)
  const { data } = await colors.get()
  expect(Object.keys(data.calendar ?? {})).toHaveLength(24)
  expect(data.event?.['11']?.background).toBe('#dc2127')
  expect((await settings.get({ setting: 'timezone' })).data.value).toBe('Europe/Zurich')
  expect((await settings.list()).data.items?.length).toBeGreaterThan(5)
})

test('an account that gets another address keeps its calendar', async () => {
  await using account = await openAccount()
  const { events, calendarList } = account.calendarOf(account.ada)
  const { id: eventId } = account.ada.calendar.addEvent({ summary: 'Mine', ...from('09:00', '10:00') })
  account.google.renameAccount('ada@example.com', 'ada@married.example')
  account.google.addAccount({ email: 'ada@example.com' })
  expect((await calendarList.list()).data.items).toMatchObject([{ id: 'ada@married.example', primary: true }])
  const { data } = await events.patch({ calendarId: 'primary', eventId, requestBody: { summary: 'Still mine' } })
  expect(data).toMatchObject({ summary: 'Still mine', organizer: { self: true } })
  expect(account.google.account('ada@example.com').calendar.events()).toEqual([])
})
