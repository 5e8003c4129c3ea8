import { expect, test } from 'vitest'
import { graphRefusal, openGraph, pathOf } from './graph-account.ts'
import { berlin, eventsOf, MARCH, utc } from './graph-calendar.ts'

const LUNCH = { subject: 'Lunch', start: berlin('2026-03-30T12:00:00'), end: berlin('2026-03-30T13:00') }

test('a mailbox has a permanent default calendar, a read-only one, and those that the user adds', async () => {
  await using accounts = await openGraph()
  const { ada } = accounts
  const graph = accounts.graphOf(ada)
  const { value } = await graph.api('/me/calendars').get()
  expect(value).toMatchObject([
    { name: 'Calendar', isDefaultCalendar: true, canEdit: true, isRemovable: false, color: 'auto', hexColor: '' },
    { name: 'Birthdays', isDefaultCalendar: false, canEdit: false, allowedOnlineMeetingProviders: [] },
  ])
  expect(value[0].owner).toEqual({ name: 'Ada Lovelace', address: ada.email })
  expect(await graph.api('/me/calendar').get()).toMatchObject({ id: value[0].id })
  expect(await graphRefusal(graph.api(`/me/calendars/${value[0].id}`).delete())).toEqual({
    status: 400,
    code: 'ErrorDeleteDistinguishedFolder',
  })
  expect(await graphRefusal(graph.api('/me/calendar').patch({ name: 'Mine' }))).toMatchObject({ status: 400 })
  expect(await graphRefusal(graph.api(`/me/calendars/${value[1].id}/events`).post(LUNCH))).toMatchObject({
    status: 403,
  })

  const work = await graph.api('/me/calendars').post({ name: 'Work', color: 'lightTeal' })
  expect(work).toMatchObject({ name: 'Work', color: 'lightTeal', hexColor: '#4adacc', isRemovable: true })
  expect(await graphRefusal(graph.api('/me/calendars').post({ name: 'work' }))).toEqual({
    status: 409,
    code: 'ErrorFolderExists',
  })
  expect(await graphRefusal(graph.api('/me/calendars').post({ name: 'X', color: '#ff0000' }))).toMatchObject({
    status: 400,
  })
  const event = await graph.api(`/me/calendars/${work.id}/events`).post(LUNCH)
  expect(await eventsOf(graph, '/me/events')).toEqual([])
  expect(await graph.api(`/me/events/${event.id}`).expand('calendar($select=name)').get()).toMatchObject({
    id: event.id,
    calendar: { name: 'Work' },
  })
  expect(await graphRefusal(graph.api(`/me/calendars/${value[0].id}/events/${event.id}`).get())).toMatchObject({
    status: 404,
  })
  await graph.api(`/me/calendars/${work.id}`).patch({ name: 'Job' })
  await graph.api(`/me/calendars/${work.id}`).delete()
  expect(await graphRefusal(graph.api(`/me/events/${event.id}`).get())).toEqual({
    status: 404,
    code: 'ErrorItemNotFound',
  })
})

test('calendars are in groups', async () => {
  await using accounts = await openGraph()
  const graph = accounts.graphOf(accounts.ada)
  const group = await graph.api('/me/calendarGroups').post({ name: 'Projects' })
  const calendar = await graph.api(`/me/calendarGroups/${group.id}/calendars`).post({ name: 'Engine' })
  const { value } = await graph.api('/me/calendarGroups').get()
  expect(value.map(({ name }: { name: string }) => name)).toEqual(['My Calendars', 'Other Calendars', 'Projects'])
  expect((await graph.api(`/me/calendarGroups/${group.id}/calendars`).get()).value).toMatchObject([{ id: calendar.id }])
  expect(await graphRefusal(graph.api(`/me/calendarGroups/${group.id}`).delete())).toMatchObject({ status: 400 })
  await graph.api(`/me/calendars/${calendar.id}`).delete()
  await graph.api(`/me/calendarGroups/${group.id}`).patch({ name: 'Old' })
  await graph.api(`/me/calendarGroups/${group.id}`).delete()
  expect((await graph.api('/me/calendarGroups').get()).value).toHaveLength(2)
})

test('an event is returned as Exchange stores it, in the preferred zone', async () => {
  await using accounts = await openGraph()
  const graph = accounts.graphOf(accounts.ada)
  const event = await graph.api('/me/events').post({
    ...LUNCH,
    body: { contentType: 'html', content: '<p onclick="x()">Soup<script>1</script></p>' },
    location: { displayName: 'Canteen' },
    categories: ['Red category'],
  })
  expect(event).toMatchObject({
    type: 'singleInstance',
    start: { dateTime: '2026-03-30T10:00:00.0000000', timeZone: 'UTC' },
    end: { dateTime: '2026-03-30T11:00:00.0000000', timeZone: 'UTC' },
    originalStartTimeZone: 'W. Europe Standard Time',
    bodyPreview: 'Soup',
    body: { contentType: 'html', content: expect.stringMatching(/^<html>\r\n<head>[\s\S]*<p>Soup<\/p>\r\n<\/body>/) },
    location: { displayName: 'Canteen', locationType: 'default', uniqueId: 'Canteen', uniqueIdType: 'private' },
    isOrganizer: true,
    responseStatus: { response: 'organizer', time: '0001-01-01T00:00:00Z' },
    showAs: 'busy',
    isReminderOn: true,
    reminderMinutesBeforeStart: 15,
    onlineMeeting: null,
    recurrence: null,
  })
  const api = () => graph.api(`/me/events/${event.id}`)
  const prefer = 'outlook.timezone="Tokyo Standard Time", outlook.body-content-type="text"'
  expect(await api().header('Prefer', prefer).get()).toMatchObject({
    start: { dateTime: '2026-03-30T19:00:00.0000000', timeZone: 'Tokyo Standard Time' },
    body: { contentType: 'text', content: 'Soup' },
  })
  expect(await graphRefusal(api().header('Prefer', 'outlook.timezone="Mars"').get())).toEqual({
    status: 400,
    code: 'TimeZoneNotSupportedException',
  })
  const changed = await api().header('If-Match', event['@odata.etag']).patch({ subject: 'Late lunch', showAs: 'free' })
  expect(changed).toMatchObject({ id: event.id, subject: 'Late lunch', showAs: 'free' })
  expect(changed.changeKey).not.toBe(event.changeKey)
  expect(await graphRefusal(api().header('If-Match', event['@odata.etag']).patch({ subject: 'x' }))).toEqual({
    status: 412,
    code: 'ErrorIrresolvableConflict',
  })
  expect(await graphRefusal(api().patch({ colour: 'red' }))).toEqual({ status: 400, code: 'RequestBodyRead' })
  expect(await graphRefusal(api().patch({ showAs: 'sleeping' }))).toMatchObject({ status: 400 })
  expect(await graphRefusal(api().patch({ end: berlin('2026-03-29T12:00') }))).toMatchObject({ status: 400 })
  await api().delete()
  expect(await graphRefusal(api().get())).toEqual({ status: 404, code: 'ErrorItemNotFound' })
  expect(await graphRefusal(graph.api('/me/events/abc').get())).toEqual({
    status: 400,
    code: 'ErrorInvalidIdMalformed',
  })
})

test('an all-day event is at midnight in every zone', async () => {
  await using accounts = await openGraph()
  const graph = accounts.graphOf(accounts.ada)
  const day = { isAllDay: true, start: berlin('2026-03-30T00:00:00'), end: berlin('2026-03-31T00:00:00') }
  const event = await graph.api('/me/events').post(day)
  expect(event).toMatchObject({ isAllDay: true, start: utc('2026-03-30T00:00:00.0000000') })
  const tokyo = await graph.api(`/me/events/${event.id}`).header('Prefer', 'outlook.timezone="Asia/Tokyo"').get()
  expect(tokyo.start).toEqual({ dateTime: '2026-03-30T00:00:00.0000000', timeZone: 'Asia/Tokyo' })
  for (const wrong of [
    { ...day, start: berlin('2026-03-30T08:00:00') },
    { ...day, end: berlin('2026-03-30T00:00:00') },
    { ...day, end: utc('2026-03-31T00:00:00') },
  ]) {
    expect(await graphRefusal(graph.api('/me/events').post(wrong))).toMatchObject({ status: 400 })
  }
})

test('the calendar view requires a window of at most 1825 days and returns pages by start', async () => {
  await using accounts = await openGraph()
  const { ada } = accounts
  const graph = accounts.graphOf(ada)
  for (const hour of ['15', '09', '12']) {
    ada.calendar.addEvent({ subject: hour, start: utc(`2026-03-30T${hour}:00`), end: utc(`2026-03-30T${hour}:30`) })
  }
  const first = await graph.api(`/me/calendarView?${MARCH}&$top=2&$select=subject`).get()
  expect(first.value.map(({ subject }: { subject: string }) => subject)).toEqual(['09', '12'])
  const second = await graph.api(pathOf(first['@odata.nextLink'])).get()
  expect(second.value.map(({ subject }: { subject: string }) => subject)).toEqual(['15'])
  const view = (query: string) => graph.api(`/me/calendarView?${query}`).get()
  expect(await graphRefusal(view(''))).toEqual({ status: 400, code: 'ErrorInvalidParameter' })
  expect(await graphRefusal(view('startDateTime=2026-01-01&endDateTime=2031-01-02'))).toEqual({
    status: 400,
    code: 'ErrorInvalidRequest',
  })
  expect((await view('startdatetime=2026-03-30T12:30:00&enddatetime=2026-03-30T15:00:00')).value).toEqual([])
  const filter = "start/dateTime ge '2026-03-30T12:00' and subject ne '15'"
  const filtered = `/me/calendarView?${MARCH}&$filter=${encodeURIComponent(filter)}`
  expect(await eventsOf(graph, filtered)).toMatchObject([{ subject: '12' }])
  const tokyo = await graph.api(filtered).header('Prefer', 'outlook.timezone="Asia/Tokyo"').get()
  expect(tokyo.value).toMatchObject([{ subject: '12', start: { dateTime: '2026-03-30T21:00:00.0000000' } }])
})

test('a filter without an Exchange index is refused', async () => {
  await using accounts = await openGraph()
  const graph = accounts.graphOf(accounts.ada)
  const requested = (query: string) => graphRefusal(graph.api(`/me/events?${query}`).get())
  const lambda = encodeURIComponent("attendees/any(a:a/emailAddress/address eq 'x@y.example')")
  expect(await requested(`$filter=${lambda}`)).toEqual({ status: 400, code: 'ErrorInvalidUrlQueryFilter' })
  expect(await requested('$search="lunch"')).toMatchObject({ status: 400 })
  expect(await requested('$orderby=body')).toMatchObject({ status: 400 })
  expect(await requested('$expand=exceptionOccurrences')).toMatchObject({ status: 400 })
  expect(await requested('$top=1001')).toMatchObject({ status: 400 })
})

test('a transaction id creates one event for a repeated request, and cannot be used for another', async () => {
  await using accounts = await openGraph()
  const graph = accounts.graphOf(accounts.ada)
  const body = { ...LUNCH, transactionId: '7e163156-7762-4beb-a1c6-729ea81755a7' }
  const first = await graph.api('/me/events').post(body)
  expect(await graph.api('/me/events').post(body)).toMatchObject({ id: first.id })
  expect(await graphRefusal(graph.api('/me/events').post({ ...body, subject: 'Other' }))).toEqual({
    status: 409,
    code: 'ErrorDuplicateTransactionId',
  })
  expect(await eventsOf(graph, '/me/events')).toHaveLength(1)
  expect(await graphRefusal(graph.api(`/me/events/${first.id}`).patch({ transactionId: 'x' }))).toMatchObject({
    status: 400,
  })
})

test('a Teams meeting is permanent, unless a new body omits its link', async () => {
  await using accounts = await openGraph()
  const graph = accounts.graphOf(accounts.ada)
  const event = await graph.api('/me/events').post({ ...LUNCH, isOnlineMeeting: true })
  expect(event).toMatchObject({
    isOnlineMeeting: true,
    onlineMeetingProvider: 'teamsForBusiness',
    onlineMeeting: { joinUrl: expect.stringMatching(/^https:\/\/teams\.microsoft\.com\/l\/meetup-join\//) },
    location: { displayName: 'Microsoft Teams Meeting' },
  })
  const { joinUrl } = event.onlineMeeting
  expect(event.body.content).toContain(joinUrl)
  const api = () => graph.api(`/me/events/${event.id}`)
  expect(await api().patch({ isOnlineMeeting: false })).toMatchObject({
    isOnlineMeeting: true,
    onlineMeeting: { joinUrl },
  })
  const retained = { contentType: 'html', content: `More. ${event.body.content}` }
  expect(await api().patch({ body: retained })).toMatchObject({ isOnlineMeeting: true })
  expect(await api().patch({ body: { contentType: 'text', content: 'New' } })).toMatchObject({
    isOnlineMeeting: false,
    onlineMeeting: null,
  })
})

test('events have attachments', async () => {
  await using accounts = await openGraph()
  const graph = accounts.graphOf(accounts.ada)
  const file = {
    '@odata.type': '#microsoft.graph.fileAttachment',
    name: 'menu.txt',
    contentType: 'text/plain',
    contentBytes: Buffer.from('Soup').toString('base64'),
  }
  const event = await graph.api('/me/events').post({ ...LUNCH, attachments: [file] })
  expect(event.hasAttachments).toBe(true)
  const attachments = `/me/events/${event.id}/attachments`
  const added = await graph.api(attachments).post({ ...file, name: 'wine.txt' })
  expect(added).toMatchObject({ '@odata.type': '#microsoft.graph.fileAttachment', name: 'wine.txt', size: 4 })
  expect((await graph.api(attachments).get()).value).toMatchObject([{ name: 'menu.txt' }, { name: 'wine.txt' }])
  expect(await graph.api(`/me/events/${event.id}`).expand('attachments($select=name)').get()).toMatchObject({
    attachments: [{ name: 'menu.txt' }, { name: 'wine.txt' }],
  })
  const raw = await graph
    .api(`${attachments}/${added.id}/$value`)
    .responseType('arraybuffer' as never)
    .get()
  expect(Buffer.from(raw).toString()).toBe('Soup')
  await graph.api(`${attachments}/${added.id}`).delete()
  expect(await graphRefusal(graph.api(`${attachments}/${added.id}`).get())).toMatchObject({ status: 404 })
  const large = { ...file, contentBytes: Buffer.alloc(3_145_612).toString('base64') }
  expect(await graphRefusal(graph.api(attachments).post(large))).toMatchObject({ status: 413 })
  const size = 3_200_000
  const session = await graph
    .api(`${attachments}/createUploadSession`)
    .post({ AttachmentItem: { attachmentType: 'file', name: 'film.mp4', size } })
  const headers = { 'content-range': `bytes 0-${size - 1}/${size}` }
  const put = await fetch(session.uploadUrl, { method: 'PUT', headers, body: Buffer.alloc(size) })
  expect(put.status).toBe(201)
  const { value } = await graph.api(`${attachments}?$select=name,size`).get()
  expect(value).toMatchObject([{ name: 'menu.txt' }, { name: 'film.mp4', size }])
})

test('immutable ids refer to the same events', async () => {
  await using accounts = await openGraph()
  const { ada, grace } = accounts
  const graph = accounts.graphOf(ada)
  const { id } = ada.calendar.addEvent(LUNCH)
  const event = await graph.api(`/me/events/${id}`).header('Prefer', 'IdType="ImmutableId"').get()
  expect(event.id).not.toBe(id)
  expect(await graph.api(`/me/events/${event.id}`).get()).toMatchObject({ id })
  expect(await graphRefusal(accounts.graphOf(grace).api(`/me/events/${id}`).get())).toMatchObject({ status: 404 })
})
