import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { all, ask, codes, openExchange, texts } from './ews-account.ts'
import {
  attendees,
  calendarView,
  create,
  deleteEvent,
  eventOf,
  fieldsOf,
  good,
  idOf,
  response,
  times,
  updateEvent,
} from './ews-events.ts'
import { findItem, getItem, is } from './ews-items.ts'
import { standard } from './ews-requests.ts'

const { exchange, check, ...opened } = await openExchange()
afterEach(() => check())
afterAll(() => opened[Symbol.asyncDispose]())

const ada = exchange.account('ada@exchange.example')
const GRACE = 'grace@exchange.example'
const grace = exchange.account(GRACE)
const asGrace = { user: GRACE }
const ALL = { send: 'SendToAllAndSaveCopy' }
let day = 0

/** A meeting of Ada with Grace, on a separate day. */
async function meeting(subject: string, more = ''): Promise<string> {
  day++
  const date = Temporal.PlainDate.from('2026-04-01').add({ days: day }).toString()
  const at = times(`${date}T09:00:00Z`, `${date}T10:00:00Z`)
  const inside = `<t:Subject>${subject}</t:Subject>${at}<t:Location>Here</t:Location>${attendees('RequiredAttendees', GRACE)}${more}`
  return create(exchange, inside, ALL)
}

/** The ids of items with the subject in a user's folder. */
async function found(folder: string, subject: string, user: string): Promise<string[]> {
  const restriction = is('IsEqualTo', 'item:Subject', subject)
  const { body } = await good(exchange, findItem({ folders: standard(folder), restriction }), { user })
  return all(body, 'ItemId').map(({ attributes }) => attributes.Id ?? '')
}

async function message(folder: string, subject: string, user: string) {
  const [id = ''] = await found(folder, subject, user)
  const { body } = await good(exchange, getItem([id], { base: 'AllProperties' }), { user })
  const [item] = all(body, 'Items')[0]?.children ?? []
  if (item === undefined) throw new Error(`No ${subject} in ${folder}`)
  return item
}

const statusOf = async (id: string) => {
  const [attendee] = all(await eventOf(exchange, id), 'Attendee')
  return fieldsOf(attendee)
}

describe('an invitation', () => {
  test("is a request in the guest's inbox and a tentative event in the calendar, and a copy is kept", async () => {
    const id = await meeting('Invited')
    const own = await eventOf(exchange, id)
    expect(fieldsOf(own)).toMatchObject({ IsMeeting: 'true', MeetingRequestWasSent: 'true', AppointmentState: '1' })
    const request = await message('inbox', 'Invited', GRACE)
    expect(request.name).toBe('MeetingRequest')
    expect(fieldsOf(request)).toMatchObject({
      ...{ ItemClass: 'IPM.Schedule.Meeting.Request', MeetingRequestType: 'NewMeetingRequest', IsOutOfDate: 'false' },
      ...{
        UID: fieldsOf(own).UID,
        Location: 'Here',
        IntendedFreeBusyStatus: 'Busy',
        MyResponseType: 'NoResponseReceived',
      },
      ...{ IsRead: 'false', HasBeenProcessed: 'false' },
    })
    const copyId = all(request, 'AssociatedCalendarItemId')[0]?.attributes.Id ?? ''
    const copy = await eventOf(exchange, copyId, asGrace)
    expect(fieldsOf(copy)).toMatchObject({
      ...{ Subject: 'Invited', UID: fieldsOf(own).UID, LegacyFreeBusyStatus: 'Tentative', AppointmentState: '3' },
      ...{ MyResponseType: 'NoResponseReceived', IsOrganizer: 'false' },
    })
    expect(texts(all(copy, 'Organizer')[0], 'EmailAddress')).toEqual(['ada@exchange.example'])
    expect((await message('sentitems', 'Invited', 'ada@exchange.example')).name).toBe('MeetingRequest')
  })

  test('is not sent if the request turns it off', async () => {
    const at = times('2026-06-01T09:00:00Z', '2026-06-01T10:00:00Z')
    const id = await create(exchange, `<t:Subject>Silent</t:Subject>${at}${attendees('RequiredAttendees', GRACE)}`)
    expect(fieldsOf(await eventOf(exchange, id)).MeetingRequestWasSent).toBe('false')
    expect(await found('inbox', 'Silent', GRACE)).toEqual([])
    expect(await found('calendar', 'Silent', GRACE)).toEqual([])
  })

  test('to an external guest is sent as iMIP, and is recorded', async () => {
    const at = times('2026-06-02T09:00:00Z', '2026-06-02T10:00:00Z')
    const guests =
      attendees('RequiredAttendees', 'guest@elsewhere.test') + attendees('OptionalAttendees', 'two@elsewhere.test')
    const id = await create(exchange, `<t:Subject>Outside</t:Subject>${at}${guests}`, { send: 'SendOnlyToAll' })
    const mails = ada.calendar.mails.filter(({ subject }) => subject === 'Outside')
    expect(mails.map(({ kind, to }) => [kind, to])).toEqual([
      ['request', 'guest@elsewhere.test'],
      ['request', 'two@elsewhere.test'],
    ])
    expect(mails[0]?.source).toContain('text/calendar; method=REQUEST')
    expect(await found('sentitems', 'Outside', 'ada@exchange.example')).toEqual([])
    ada.calendar.receiveAnswer(id, 'guest@elsewhere.test', 'accepted')
    expect(await statusOf(id)).toMatchObject({ ResponseType: 'Accept' })
    expect((await message('inbox', 'Accepted: Outside', 'ada@exchange.example')).name).toBe('MeetingResponse')
  })
})

describe('an answer', () => {
  test.each([
    ['AcceptItem', 'Accepted: ', 'Accept', 'Busy', 'IPM.Schedule.Meeting.Resp.Pos'],
    ['TentativelyAcceptItem', 'Tentative: ', 'Tentative', 'Tentative', 'IPM.Schedule.Meeting.Resp.Tent'],
  ])('%s is in both calendars, and the request is deleted', async (name, prefix, type, busy, itemClass) => {
    const subject = `Answered by ${name}`
    const id = await meeting(subject)
    const request = await message('inbox', subject, GRACE)
    const copy = all(request, 'AssociatedCalendarItemId')[0]?.attributes.Id ?? ''
    const body = '<t:Body BodyType="Text">With cake</t:Body>'
    await good(exchange, response(name, idOf(request), body), asGrace)
    expect(fieldsOf(await eventOf(exchange, copy, asGrace))).toMatchObject({
      MyResponseType: type,
      LegacyFreeBusyStatus: busy,
    })
    expect(await statusOf(id)).toMatchObject({ ResponseType: type, LastResponseTime: expect.stringMatching(/Z$/) })
    const answer = await message('inbox', prefix + subject, 'ada@exchange.example')
    expect(fieldsOf(answer)).toMatchObject({ ItemClass: itemClass, ResponseType: type, Body: 'With cake' })
    expect(all(answer, 'AssociatedCalendarItemId')[0]?.attributes.Id).toBe(id)
    expect(await found('inbox', subject, GRACE)).toEqual([])
    expect(await found('deleteditems', subject, GRACE)).toHaveLength(1)
  })

  test('that declines removes the event from the calendar', async () => {
    const id = await meeting('Declined')
    const [copy = ''] = await found('calendar', 'Declined', GRACE)
    await good(exchange, response('DeclineItem', copy), asGrace)
    expect(await found('calendar', 'Declined', GRACE)).toEqual([])
    expect(await statusOf(id)).toMatchObject({ ResponseType: 'Decline' })
  })

  test('can propose another time', async () => {
    const id = await meeting('Proposed')
    const [copy = ''] = await found('calendar', 'Proposed', GRACE)
    const proposal =
      '<t:ProposedStart>2026-07-01T09:00:00Z</t:ProposedStart><t:ProposedEnd>2026-07-01T10:00:00Z</t:ProposedEnd>'
    const body = `<m:CreateItem MessageDisposition="SendOnly"><m:Items><t:TentativelyAcceptItem><t:ReferenceItemId Id="${copy}"/>${proposal}</t:TentativelyAcceptItem></m:Items></m:CreateItem>`
    await good(exchange, body, asGrace)
    expect(await statusOf(id)).toMatchObject({ ProposedStart: '2026-07-01T09:00:00Z' })
  })

  test('is refused from the organizer, for a cancelled event, and for an outdated one', async () => {
    const id = await meeting('Refused')
    expect(codes(await ask(exchange, response('AcceptItem', id)))).toEqual(['ErrorCalendarIsOrganizerForAccept'])
    const [request = ''] = await found('inbox', 'Refused', GRACE)
    const later = { 'calendar:End': '<t:End>2026-04-30T11:00:00Z</t:End>' }
    await good(exchange, updateEvent(id, later, ALL))
    expect(codes(await ask(exchange, response('AcceptItem', request), asGrace))).toEqual([
      'ErrorCalendarMeetingRequestIsOutOfDate',
    ])
    const [copy = ''] = await found('calendar', 'Refused', GRACE)
    await good(exchange, deleteEvent(id, ALL))
    expect(codes(await ask(exchange, response('DeclineItem', copy), asGrace))).toEqual([
      'ErrorCalendarIsCancelledForDecline',
    ])
  })
})

describe('a change', () => {
  test('of the time requests new answers, and one of the text does not', async () => {
    const id = await meeting('Changing')
    const [copy = ''] = await found('calendar', 'Changing', GRACE)
    await good(exchange, response('AcceptItem', copy), asGrace)
    await good(exchange, updateEvent(id, { 'calendar:Location': '<t:Location>There</t:Location>' }, ALL))
    expect(fieldsOf(await eventOf(exchange, copy, asGrace))).toMatchObject({
      Location: 'There',
      MyResponseType: 'Accept',
    })
    expect(await statusOf(id)).toMatchObject({ ResponseType: 'Accept' })
    await good(exchange, updateEvent(id, { 'calendar:End': '<t:End>2026-05-20T11:00:00Z</t:End>' }, ALL))
    expect(fieldsOf(await eventOf(exchange, copy, asGrace))).toMatchObject({
      ...{ End: '2026-05-20T11:00:00Z', MyResponseType: 'NoResponseReceived', LegacyFreeBusyStatus: 'Tentative' },
    })
    expect(await statusOf(id)).toMatchObject({ ResponseType: 'Unknown' })
    const { body } = await good(
      exchange,
      findItem({
        folders: standard('inbox'),
        fields: ['meetingRequest:MeetingRequestType'],
        restriction: is('IsEqualTo', 'item:Subject', 'Changing'),
      }),
      asGrace,
    )
    expect(texts(body, 'MeetingRequestType').sort()).toEqual(['FullUpdate', 'Outdated', 'Outdated'])
  })

  test('is only sent to added and removed guests on request', async () => {
    const id = await meeting('Guests')
    const before = (await found('inbox', 'Guests', GRACE)).length
    const guests = attendees('RequiredAttendees', GRACE, 'new@elsewhere.test')
    await good(
      exchange,
      updateEvent(id, { 'calendar:RequiredAttendees': guests }, { send: 'SendToChangedAndSaveCopy' }),
    )
    expect(await found('inbox', 'Guests', GRACE)).toHaveLength(before)
    expect(ada.calendar.mails.at(-1)).toMatchObject({ kind: 'request', to: 'new@elsewhere.test' })
    const without = attendees('RequiredAttendees', 'new@elsewhere.test')
    await good(
      exchange,
      updateEvent(id, { 'calendar:RequiredAttendees': without }, { send: 'SendToChangedAndSaveCopy' }),
    )
    expect((await message('inbox', 'Canceled: Guests', GRACE)).name).toBe('MeetingCancellation')
    expect(await found('calendar', 'Canceled: Guests', GRACE)).toHaveLength(1)
  })

  test('of the guests is only allowed to the organizer', async () => {
    await meeting('Theirs')
    const [copy = ''] = await found('calendar', 'Theirs', GRACE)
    const change = { 'calendar:RequiredAttendees': attendees('RequiredAttendees', 'x@elsewhere.test') }
    expect(codes(await ask(exchange, updateEvent(copy, change), asGrace))).toEqual(['ErrorInvalidPropertySet'])
    expect(codes(await ask(exchange, response('CancelCalendarItem', copy), asGrace))).toEqual([
      'ErrorCalendarIsNotOrganizer',
    ])
  })
})

describe('a cancellation', () => {
  test("marks the guest's event, which is removed with the message", async () => {
    const id = await meeting('Off')
    await good(exchange, deleteEvent(id, ALL))
    const [copy = ''] = await found('calendar', 'Canceled: Off', GRACE)
    expect(fieldsOf(await eventOf(exchange, copy, asGrace))).toMatchObject({
      ...{ IsCancelled: 'true', LegacyFreeBusyStatus: 'Free', AppointmentState: '7' },
    })
    const cancellation = await message('inbox', 'Canceled: Off', GRACE)
    expect(cancellation.name).toBe('MeetingCancellation')
    await good(
      exchange,
      response('RemoveItem', idOf(cancellation)).replace(' MessageDisposition="SendAndSaveCopy"', ''),
      asGrace,
    )
    expect(await found('calendar', 'Canceled: Off', GRACE)).toEqual([])
    expect(await found('inbox', 'Canceled: Off', GRACE)).toEqual([])
  })

  test('has a text for the guests', async () => {
    const id = await meeting('Called off')
    const body = '<t:NewBodyContent BodyType="Text">Sorry</t:NewBodyContent>'
    const cancel = `<m:CreateItem MessageDisposition="SendOnly"><m:Items><t:CancelCalendarItem><t:ReferenceItemId Id="${id}"/>${body}</t:CancelCalendarItem></m:Items></m:CreateItem>`
    await good(exchange, cancel)
    expect(fieldsOf(await message('inbox', 'Canceled: Called off', GRACE)).Body).toBe('Sorry')
    expect(codes(await ask(exchange, getItem([id])))).toEqual(['ErrorItemNotFound'])
  })
})

describe('a series of meetings', () => {
  const weekly =
    '<t:Recurrence><t:WeeklyRecurrence><t:Interval>1</t:Interval><t:DaysOfWeek>Wednesday</t:DaysOfWeek></t:WeeklyRecurrence><t:NumberedRecurrence><t:StartDate>2026-09-02</t:StartDate><t:NumberOfOccurrences>4</t:NumberOfOccurrences></t:NumberedRecurrence></t:Recurrence>'
  const view = async (user: string, subject: RegExp) => {
    const wish = { fields: ['item:Subject', 'calendar:Start', 'calendar:MyResponseType', 'calendar:IsCancelled'] }
    const { body } = await good(exchange, calendarView('2026-09-01T00:00:00Z', '2026-10-01T00:00:00Z', wish), { user })
    return all(body, 'CalendarItem').filter((item) => subject.test(fieldsOf(item).Subject ?? ''))
  }

  test('is answered as a whole and by occurrence, and one occurrence is moved or cancelled', async () => {
    const at = times('2026-09-02T09:00:00Z', '2026-09-02T10:00:00Z')
    const inside = `<t:Subject>Serial</t:Subject>${at}${attendees('RequiredAttendees', GRACE)}${weekly}`
    await create(exchange, inside, ALL)
    const request = await message('inbox', 'Serial', GRACE)
    expect(fieldsOf(request)).toMatchObject({ CalendarItemType: 'RecurringMaster', IsRecurring: 'true' })
    await good(exchange, response('AcceptItem', idOf(request)), asGrace)
    const [, second] = await view(GRACE, /Serial/)
    await good(exchange, response('TentativelyAcceptItem', idOf(second)), asGrace)
    expect((await view(GRACE, /Serial/)).map((item) => fieldsOf(item).MyResponseType)).toEqual([
      ...['Accept', 'Tentative', 'Accept', 'Accept'],
    ])
    const [, own, third, last] = await view('ada@exchange.example', /Serial/)
    expect(texts(await eventOf(exchange, idOf(own)), 'ResponseType')).toEqual(['Tentative'])
    const moved = {
      'calendar:Start': '<t:Start>2026-09-17T09:00:00Z</t:Start>',
      'calendar:End': '<t:End>2026-09-17T10:00:00Z</t:End>',
    }
    await good(exchange, updateEvent(idOf(third), moved, ALL))
    expect(fieldsOf((await view(GRACE, /Serial/))[2]).Start).toBe('2026-09-17T09:00:00Z')
    const update = await message('inbox', 'Serial', GRACE)
    expect(fieldsOf(update)).toMatchObject({ CalendarItemType: 'Exception', RecurrenceId: '2026-09-16T09:00:00Z' })
    await good(exchange, deleteEvent(idOf(last), ALL))
    expect(await view('ada@exchange.example', /Serial/)).toHaveLength(3)
    expect(fieldsOf((await view(GRACE, /Serial/))[3])).toMatchObject({
      IsCancelled: 'true',
      Subject: 'Canceled: Serial',
    })
  })
})

describe('external people', () => {
  test('invite, change and cancel', async () => {
    const boss = { name: 'Boss', address: 'boss@elsewhere.test' }
    const body = { Subject: 'From outside', Start: '2026-05-04T09:00:00Z', End: '2026-05-04T10:00:00Z' }
    const { id, uid } = grace.calendar.receiveInvitation(boss, body, { uid: 'outside-1@elsewhere.test' })
    expect(fieldsOf(await eventOf(exchange, id, asGrace))).toMatchObject({
      UID: uid,
      MyResponseType: 'NoResponseReceived',
    })
    await good(exchange, response('AcceptItem', id), asGrace)
    expect(grace.calendar.mails.at(-1)).toMatchObject({ kind: 'reply', to: boss.address, response: 'accepted' })
    expect(grace.calendar.mails.at(-1)?.source).toContain('method=REPLY')
    grace.calendar.receiveInvitation(boss, { ...body, End: '2026-05-04T11:00:00Z' }, { uid })
    expect(fieldsOf(await eventOf(exchange, id, asGrace))).toMatchObject({
      ...{ End: '2026-05-04T11:00:00Z', MyResponseType: 'NoResponseReceived' },
    })
    grace.calendar.cancelInvitation(uid)
    expect(fieldsOf(await eventOf(exchange, id, asGrace)).IsCancelled).toBe('true')
    expect((await message('inbox', 'Canceled: From outside', GRACE)).name).toBe('MeetingCancellation')
  })
})
