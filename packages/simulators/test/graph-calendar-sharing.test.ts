import { expect, test } from 'vitest'
import { graphRefusal, openGraph } from './graph-account.ts'
import { eventsOf, utc } from './graph-calendar.ts'

const TALK = { subject: 'Talk', start: utc('2026-03-30T10:00:00'), end: utc('2026-03-30T11:00:00') }

test('a shared calendar has its own id, the name of its owner, and is read or written', async () => {
  await using accounts = await openGraph()
  const { ada, grace } = accounts
  const graph = accounts.graphOf(grace)
  const [own] = (await accounts.graphOf(ada).api('/me/calendars').get()).value
  const { id } = ada.calendar.addEvent(TALK)
  const read = ada.calendar.shareCalendar(own.id, grace.email, 'read')
  const written = ada.calendar.shareCalendar(ada.calendar.addCalendar('Work').id, grace.email, 'write')
  expect(await graph.api(`/me/calendars/${read.id}`).get()).toMatchObject({
    name: 'Ada Lovelace',
    isDefaultCalendar: false,
    canEdit: false,
    canShare: false,
    owner: { address: ada.email },
  })
  const [event] = await eventsOf(graph, `/me/calendars/${read.id}/events`)
  expect(event).toMatchObject({ subject: 'Talk', isOrganizer: true })
  expect(event?.id).not.toBe(id)
  expect(await graph.api(`/me/events/${event?.id}`).get()).toMatchObject({ subject: 'Talk' })
  expect(await graphRefusal(graph.api(`/me/events/${event?.id}`).patch({ subject: 'x' }))).toMatchObject({
    status: 403,
  })
  expect(await graphRefusal(graph.api(`/me/events/${event?.id}`).delete())).toMatchObject({ status: 403 })
  const added = await graph.api(`/me/calendars/${written.id}/events`).post(TALK)
  expect(added).toMatchObject({ organizer: { emailAddress: { address: ada.email } } })
  await graph.api(`/me/calendars/${read.id}`).delete()
  expect(await accounts.graphOf(ada).api('/me/calendar').get()).toMatchObject({ id: own.id })
})

test('the mailbox of another user can be read by those it is shared with', async () => {
  await using accounts = await openGraph()
  const { ada, grace } = accounts
  const graph = accounts.graphOf(grace)
  ada.calendar.addEvent(TALK)
  expect(await graphRefusal(graph.api(`/users/${ada.email}/events`).get())).toMatchObject({ status: 403 })
  ada.shareWith(grace.email)
  expect(await eventsOf(graph, `/users/${ada.email}/calendar/events`)).toMatchObject([{ subject: 'Talk' }])
  const view = `/users/${ada.email}/calendarView?startDateTime=2026-03-01&endDateTime=2026-04-01`
  expect(await eventsOf(graph, view)).toHaveLength(1)
})

test('a personal account has neither Teams nor the schedules of others', async () => {
  await using accounts = await openGraph()
  const { home } = accounts
  const graph = accounts.graphOf(home)
  expect(await graph.api('/me/events').post({ ...TALK, isOnlineMeeting: true })).toMatchObject({
    isOnlineMeeting: false,
    onlineMeeting: null,
  })
  expect(await graph.api('/me/calendar').get()).toMatchObject({ allowedOnlineMeetingProviders: [] })
  const schedules = { schedules: [home.email], startTime: TALK.start, endTime: TALK.end }
  expect(await graphRefusal(graph.api('/me/calendar/getSchedule').post(schedules))).toMatchObject({ status: 403 })
})

test('Teams meetings exist without an event, and zones have either name', async () => {
  await using accounts = await openGraph()
  const { ada } = accounts
  const graph = accounts.graphOf(ada, ['OnlineMeetings.ReadWrite', 'User.Read'])
  const meeting = await graph.api('/me/onlineMeetings').post({ subject: 'Talk', startDateTime: '2026-03-30T10:00:00Z' })
  expect(meeting.joinWebUrl).toMatch(/^https:\/\/teams\.microsoft\.com\//)
  expect(await graph.api(`/me/onlineMeetings/${meeting.id}`).get()).toEqual(meeting)
  await graph.api(`/me/onlineMeetings/${meeting.id}`).delete()
  expect(await graphRefusal(graph.api(`/me/onlineMeetings/${meeting.id}`).get())).toMatchObject({ status: 404 })
  const zones = await graph.api('/me/outlook/supportedTimeZones').get()
  expect(zones.value).toContainEqual({ alias: 'W. Europe Standard Time', displayName: expect.any(String) })
  const iana = await graph
    .api("/me/outlook/supportedTimeZones(TimeZoneStandard=microsoft.graph.timeZoneStandard'Iana')")
    .get()
  expect(iana.value).toContainEqual({ alias: 'Europe/Zurich', displayName: expect.any(String) })
})

test('users can be searched if the request accepts that the index may lag', async () => {
  await using accounts = await openGraph()
  const graph = accounts.graphOf(accounts.ada)
  const search = () => graph.api('/users').search('"displayName:hop"')
  expect(await graphRefusal(search().get())).toEqual({ status: 400, code: 'Request_UnsupportedQuery' })
  expect((await search().header('ConsistencyLevel', 'eventual').get()).value).toMatchObject([
    { displayName: 'Grace Hopper' },
  ])
})
