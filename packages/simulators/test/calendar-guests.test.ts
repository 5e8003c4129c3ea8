import { expect, test } from 'vitest'
import { openAccount, refusalOf } from './calendar-clients.ts'

const primary = { calendarId: 'primary' }
const nine = { start: { dateTime: '2026-01-05T09:00:00Z' }, end: { dateTime: '2026-01-05T10:00:00Z' } }
const ten = { start: { dateTime: '2026-01-05T10:00:00Z' }, end: { dateTime: '2026-01-05T11:00:00Z' } }
const GUESTS = [
  { email: 'ada@example.com', responseStatus: 'accepted' },
  { email: 'bob@gmail.com' },
  { email: 'eve@else.example' },
]

test('guests with an account get the event in their calendar, and all get mail', async () => {
  await using account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  const requestBody = { summary: 'Meeting', ...nine, attendees: GUESTS }
  const { data } = await events.insert({ ...primary, sendUpdates: 'all', requestBody })
  expect(data.attendees).toEqual([
    { email: 'ada@example.com', responseStatus: 'accepted', organizer: true, self: true },
    { email: 'bob@gmail.com', responseStatus: 'needsAction' },
    { email: 'eve@else.example', responseStatus: 'needsAction' },
  ])
  expect(account.ada.calendar.invitations.map(({ kind, to }) => [kind, to])).toEqual([
    ['request', 'bob@gmail.com'],
    ['request', 'eve@else.example'],
  ])
  const { data: copy } = await account.calendarOf(account.bob).events.get({ ...primary, eventId: data.id ?? '' })
  expect(copy).toMatchObject({
    iCalUID: data.iCalUID,
    summary: 'Meeting',
    start: { dateTime: '2026-01-05T04:00:00-05:00' },
    organizer: { email: 'ada@example.com' },
    attendees: [{ organizer: true }, { email: 'bob@gmail.com', self: true }, {}],
  })
  expect(copy.organizer).not.toHaveProperty('self')
})

test('an answer reaches the organizer', async () => {
  await using account = await openAccount()
  const { id: eventId } = account.ada.calendar.addEvent({ summary: 'Meeting', ...nine, attendees: GUESTS })
  const { data: before } = await account.calendarOf(account.ada).events.list(primary)
  const bobs = account.calendarOf(account.bob).events
  const { data: copy } = await bobs.get({ ...primary, eventId })
  const attendees = copy.attendees?.map((one) =>
    one.self ? { ...one, responseStatus: 'accepted', comment: 'Yes' } : one,
  )
  await bobs.patch({ ...primary, eventId, sendUpdates: 'all', requestBody: { attendees } })
  const syncToken = before.nextSyncToken ?? ''
  const { data: changes } = await account.calendarOf(account.ada).events.list({ ...primary, syncToken })
  expect(changes.items?.[0]?.attendees?.[1]).toEqual({
    email: 'bob@gmail.com',
    responseStatus: 'accepted',
    comment: 'Yes',
  })
  expect(account.bob.calendar.invitations).toMatchObject([
    { kind: 'reply', to: 'ada@example.com', responseStatus: 'accepted' },
  ])
})

test('a guest cannot change shared fields, unless the organizer allows it', async () => {
  await using account = await openAccount()
  const { id: eventId } = account.ada.calendar.addEvent({ summary: 'Meeting', ...nine, attendees: GUESTS })
  const bobs = account.calendarOf(account.bob).events
  const rename = () => bobs.patch({ ...primary, eventId, requestBody: { summary: 'Mine' } })
  expect(await refusalOf(rename())).toEqual({ status: 403, reason: 'forbiddenForNonOrganizer' })
  const own = { colorId: '3', reminders: { useDefault: false }, extendedProperties: { private: { mine: 'yes' } } }
  expect((await bobs.patch({ ...primary, eventId, requestBody: own })).data).toMatchObject(own)
  expect(account.ada.calendar.event(eventId)).not.toHaveProperty('colorId')
  account.ada.calendar.changeEvent(eventId, { guestsCanModify: true })
  await rename()
  expect(account.ada.calendar.event(eventId)).toMatchObject({ summary: 'Mine' })
  expect(account.bob.calendar.event(eventId)).toMatchObject(own)
})

test("the organizer's changes and cancellations reach the guests", async () => {
  await using account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  const { id: eventId } = account.ada.calendar.addEvent({ summary: 'Meeting', ...nine, attendees: GUESTS })
  await events.patch({ ...primary, eventId, sendUpdates: 'externalOnly', requestBody: ten })
  expect(account.bob.calendar.event(eventId)).toMatchObject({
    start: { dateTime: '2026-01-05T05:00:00-05:00' },
    sequence: 1,
  })
  expect(account.ada.calendar.invitations.map(({ kind, to }) => [kind, to])).toEqual([['update', 'eve@else.example']])
  await events.patch({ ...primary, eventId, requestBody: { attendees: [GUESTS[0], GUESTS[2]] as object[] } })
  expect(account.bob.calendar.event(eventId)?.status).toBe('cancelled')
  await events.patch({ ...primary, eventId, requestBody: { attendees: GUESTS } })
  expect(account.bob.calendar.event(eventId)?.status).toBe('confirmed')
  await events.delete({ ...primary, eventId })
  expect(account.bob.calendar.event(eventId)?.status).toBe('cancelled')
})

test('a guest who deletes the event declines it', async () => {
  await using account = await openAccount()
  const { id: eventId } = account.ada.calendar.addEvent({ summary: 'Meeting', ...nine, attendees: GUESTS })
  await account.calendarOf(account.bob).events.delete({ ...primary, eventId })
  expect(account.ada.calendar.event(eventId)).toMatchObject({
    status: 'confirmed',
    attendees: [{}, { responseStatus: 'declined' }, {}],
  })
  expect(account.bob.calendar.event(eventId)?.status).toBe('cancelled')
})

test('one instance of a series is answered and changed for all', async () => {
  await using account = await openAccount()
  const zone = { timeZone: 'UTC' }
  const body = {
    start: { ...nine.start, ...zone },
    end: { ...nine.end, ...zone },
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
    attendees: GUESTS,
  }
  const { id } = account.ada.calendar.addEvent(body)
  const second = `${id}_20260106T090000Z`
  account.bob.calendar.respond(second, 'declined')
  expect(account.ada.calendar.event(second)).toMatchObject({ attendees: [{}, { responseStatus: 'declined' }, {}] })
  expect(account.ada.calendar.event(id)).toMatchObject({ attendees: [{}, { responseStatus: 'needsAction' }, {}] })
  const third = `${id}_20260107T090000Z`
  account.ada.calendar.deleteEvent(third)
  expect(account.bob.calendar.event(third)?.status).toBe('cancelled')
  const { data } = await account
    .calendarOf(account.bob)
    .events.list({ ...primary, singleEvents: true, orderBy: 'startTime' })
  expect(data.items?.map((event) => event.id)).toEqual([`${id}_20260105T090000Z`, second])
})

test('an invitation from outside is answered by mail', async () => {
  await using account = await openAccount()
  const { id: eventId } = account.bob.calendar.receiveInvitation(
    { email: 'eve@else.example', displayName: 'Eve' },
    { summary: 'Talk', ...nine },
  )
  const { events } = account.calendarOf(account.bob)
  const { data } = await events.get({ ...primary, eventId })
  expect(data).toMatchObject({
    organizer: { email: 'eve@else.example' },
    attendees: [{ self: true, responseStatus: 'needsAction' }],
  })
  const requestBody = { attendeesOmitted: true, attendees: [{ email: 'bob@gmail.com', responseStatus: 'tentative' }] }
  const answered = await events.patch({ ...primary, eventId, sendUpdates: 'all', requestBody })
  expect(answered.data.attendees).toMatchObject([{ responseStatus: 'tentative' }])
  expect(account.bob.calendar.invitations).toMatchObject([
    { kind: 'reply', to: 'eve@else.example', responseStatus: 'tentative' },
  ])
})

test('an imported event is a copy that invites nobody', async () => {
  await using account = await openAccount()
  const { events } = account.calendarOf(account.ada)
  const requestBody = {
    iCalUID: 'x@else.example',
    summary: 'Old',
    ...nine,
    organizer: { email: 'eve@else.example' },
    attendees: GUESTS,
  }
  const { data } = await events.import({ ...primary, requestBody })
  expect(data).toMatchObject({ iCalUID: 'x@else.example', organizer: { email: 'eve@else.example' } })
  const again = await events.import({ ...primary, requestBody: { ...requestBody, summary: 'Newer' } })
  expect(again.data).toMatchObject({ id: data.id, summary: 'Newer' })
  expect(account.bob.calendar.events()).toEqual([])
  expect((await events.list({ ...primary, iCalUID: 'x@else.example' })).data.items).toHaveLength(1)
})

test('too many guests are omitted on request', async () => {
  await using account = await openAccount()
  const { id: eventId } = account.ada.calendar.addEvent({ ...nine, attendees: GUESTS })
  const { data } = await account.calendarOf(account.ada).events.get({ ...primary, eventId, maxAttendees: 1 })
  expect(data).toMatchObject({ attendeesOmitted: true, attendees: [{ self: true }] })
})
