import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { all, ask, codes, openExchange, texts } from './ews-account.ts'
import {
  attendees,
  calendarView,
  create,
  createEvent,
  deleteEvent,
  eventOf,
  fieldsOf,
  good,
  idOf,
  times,
  updateEvent,
} from './ews-events.ts'
import { findItem, getItem, idXml, is, itemShape } from './ews-items.ts'
import { standard } from './ews-requests.ts'

const { exchange, check, ...opened } = await openExchange()
afterEach(() => check())
afterAll(() => opened[Symbol.asyncDispose]())

const ada = exchange.account('ada@exchange.example')
const hour = times('2026-03-02T09:00:00Z', '2026-03-02T10:00:00Z')
const BERLIN = '<t:StartTimeZone Id="W. Europe Standard Time"/>'

/** A separate calendar per test, so that tests do not see each other's events. */
const calendar = (name: string): string => `<t:FolderId Id="${ada.calendar.addCalendar(name).id}"/>`

const viewed = async (folder: string, from = '2026-01-01T00:00:00Z', to = '2027-12-30T00:00:00Z') => {
  const fields = ['item:Subject', 'calendar:Start', 'calendar:End', 'calendar:CalendarItemType']
  return all((await good(exchange, calendarView(from, to, { folder, fields }))).body, 'CalendarItem')
}

describe('an event', () => {
  test('is stored with its fields, and the others have default values', async () => {
    const id = await create(
      exchange,
      `<t:Subject>Tea</t:Subject><t:Sensitivity>Private</t:Sensitivity><t:Body BodyType="HTML">&lt;p&gt;Cake&lt;/p&gt;</t:Body>
      <t:Categories><t:String>Fun</t:String></t:Categories><t:Importance>High</t:Importance>
      <t:ReminderIsSet>true</t:ReminderIsSet><t:ReminderMinutesBeforeStart>30</t:ReminderMinutesBeforeStart>${hour}
      <t:LegacyFreeBusyStatus>OOF</t:LegacyFreeBusyStatus><t:Location>Garden</t:Location>`,
    )
    expect(fieldsOf(await eventOf(exchange, id))).toMatchObject({
      ...{
        Subject: 'Tea',
        Sensitivity: 'Private',
        Importance: 'High',
        ReminderMinutesBeforeStart: '30',
        Location: 'Garden',
      },
      ...{
        Start: '2026-03-02T09:00:00Z',
        End: '2026-03-02T10:00:00Z',
        LegacyFreeBusyStatus: 'OOF',
        IsAllDayEvent: 'false',
      },
      ...{
        CalendarItemType: 'Single',
        IsMeeting: 'false',
        MyResponseType: 'Organizer',
        AppointmentState: '0',
        Duration: 'PT1H',
      },
      ...{ IsRecurring: 'false', StartTimeZoneId: 'UTC', ItemClass: 'IPM.Appointment' },
    })
    const plain = fieldsOf(await eventOf(exchange, await create(exchange, hour)))
    expect(plain).toMatchObject({
      ReminderIsSet: 'true',
      ReminderMinutesBeforeStart: '15',
      LegacyFreeBusyStatus: 'Busy',
    })
    expect(plain.UID).toMatch(/^040000008200E00074C5B7101A82E008[\dA-F]{80}$/)
  })

  test('has its time in its own zone, that of the request, or UTC', async () => {
    const bare = times('2026-07-01T09:00:00', '2026-07-01T10:00:00')
    const inBerlin = await create(exchange, bare + BERLIN)
    const event = await eventOf(exchange, inBerlin)
    expect(fieldsOf(event)).toMatchObject({
      Start: '2026-07-01T07:00:00Z',
      StartWallClock: '2026-07-01T09:00:00+02:00',
    })
    expect(all(event, 'StartTimeZone')[0]?.attributes).toMatchObject({ Id: 'W. Europe Standard Time' })
    expect(fieldsOf(await eventOf(exchange, await create(exchange, bare))).Start).toBe('2026-07-01T09:00:00Z')
    const header = '<t:TimeZoneContext><t:TimeZoneDefinition Id="Eastern Standard Time"/></t:TimeZoneContext>'
    const { body } = await good(exchange, createEvent(bare), { header })
    expect(fieldsOf(await eventOf(exchange, idOf(body)))).toMatchObject({
      Start: '2026-07-01T13:00:00Z',
      StartTimeZoneId: 'Eastern Standard Time',
    })
    expect(fieldsOf(await eventOf(exchange, inBerlin, { header })).Start).toBe('2026-07-01T03:00:00-04:00')
    const nowhere = createEvent(`${bare}<t:StartTimeZone Id="Atlantis Standard Time"/>`)
    expect(codes(await ask(exchange, nowhere))).toEqual(['ErrorTimeZone'])
  })

  test('of whole days is extended to the midnights of its zone', async () => {
    const id = await create(
      exchange,
      `${times('2026-07-01T10:00:00', '2026-07-01T11:00:00')}<t:IsAllDayEvent>true</t:IsAllDayEvent>${BERLIN}`,
    )
    expect(fieldsOf(await eventOf(exchange, id))).toMatchObject({
      ...{ Start: '2026-06-30T22:00:00Z', End: '2026-07-01T22:00:00Z', IsAllDayEvent: 'true', Duration: 'P1D' },
    })
  })

  test('that ends before it starts, or lasts for years, is refused and changes nothing', async () => {
    const backwards = createEvent(times('2026-03-02T10:00:00Z', '2026-03-02T09:00:00Z'))
    expect(codes(await ask(exchange, backwards))).toEqual(['ErrorCalendarEndDateIsEarlierThanStartDate'])
    const long = createEvent(times('2020-03-02T10:00:00Z', '2026-03-02T09:00:00Z'))
    expect(codes(await ask(exchange, long))).toEqual(['ErrorCalendarDurationIsTooLong'])
    const id = await create(exchange, hour)
    const changes = {
      'item:Subject': '<t:Subject>Changed</t:Subject>',
      'calendar:End': '<t:End>2026-03-02T08:00:00Z</t:End>',
    }
    expect(codes(await ask(exchange, updateEvent(id, changes)))).toEqual(['ErrorCalendarEndDateIsEarlierThanStartDate'])
    expect(texts(await eventOf(exchange, id), 'Subject')).toEqual([])
  })

  test('requires the invitation mode', async () => {
    expect(codes(await ask(exchange, createEvent(hour, { send: '' })))).toEqual(['ErrorSendMeetingInvitationsRequired'])
    const id = await create(exchange, hour)
    const subject = { 'item:Subject': '<t:Subject>New</t:Subject>' }
    expect(codes(await ask(exchange, updateEvent(id, subject, { send: '' })))).toEqual([
      'ErrorSendMeetingInvitationsOrCancellationsRequired',
    ])
    expect(codes(await ask(exchange, deleteEvent(id, { send: '' })))).toEqual(['ErrorSendMeetingCancellationsRequired'])
    expect(fieldsOf(await eventOf(exchange, id)).Subject).toBeUndefined()
  })

  test('is found by its UID, its own or one of another system', async () => {
    const foreign = await create(exchange, `<t:UID>abc@elsewhere.test</t:UID>${hour}`)
    const own = await create(exchange, `<t:Subject>Mine</t:Subject>${hour}`)
    const uid = fieldsOf(await eventOf(exchange, own)).UID ?? ''
    expect(fieldsOf(await eventOf(exchange, foreign)).UID).toBe('abc@elsewhere.test')
    const wrapped = Buffer.concat([
      Buffer.from('040000008200E00074C5B7101A82E0080000000000000000000000000000000000000000', 'hex'),
      Buffer.from([31, 0, 0, 0]),
      Buffer.from('vCal-Uid'),
      Buffer.from([1, 0, 0, 0]),
      Buffer.from('abc@elsewhere.test\0'),
    ])
    const found = async (id: string, bytes: Buffer) => {
      const path = `<t:ExtendedFieldURI DistinguishedPropertySetId="Meeting" PropertyId="${id}" PropertyType="Binary"/>`
      const restriction = is('IsEqualTo', path, bytes.toString('base64'))
      return all((await good(exchange, findItem({ folders: standard('calendar'), restriction }))).body, 'ItemId').map(
        ({ attributes }) => attributes.Id,
      )
    }
    expect(await found('3', wrapped)).toEqual([foreign])
    expect(await found('35', Buffer.from(uid, 'hex'))).toEqual([own])
  })

  test('has custom properties of applications', async () => {
    const path =
      '<t:ExtendedFieldURI DistinguishedPropertySetId="PublicStrings" PropertyName="color" PropertyType="String"/>'
    const property = `<t:ExtendedProperty>${path}<t:Value>red</t:Value></t:ExtendedProperty>`
    const id = await create(exchange, property + hour)
    expect(texts(await eventOf(exchange, id, { fields: [path] }), 'Value')).toEqual(['red'])
    await good(exchange, updateEvent(id, { [path]: undefined }))
    expect(texts(await eventOf(exchange, id, { fields: [path] }), 'Value')).toEqual([])
  })

  test('can be created from iCalendar', async () => {
    const text = [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:ical-1@elsewhere.test', 'SUMMARY:From\\, iCalendar'],
      ...['DTSTART;TZID=Europe/Berlin:20260701T090000', 'DTEND;TZID=Europe/Berlin:20260701T100000', 'LOCATION:Here'],
      ...[
        'ATTENDEE;CN="Guest, A";ROLE=OPT-PARTICIPANT:mailto:guest@else',
        ' where.test',
        'RRULE:FREQ=MONTHLY;BYDAY=1WE;COUNT=3',
      ],
      ...['BEGIN:VALARM', 'TRIGGER:-PT5M', 'DESCRIPTION:no', 'END:VALARM', 'END:VEVENT', 'END:VCALENDAR', ''],
    ].join('\r\n')
    const mime = `<t:MimeContent>${Buffer.from(text).toString('base64')}</t:MimeContent>`
    const event = await eventOf(exchange, await create(exchange, mime))
    expect(fieldsOf(event)).toMatchObject({
      ...{ Subject: 'From, iCalendar', UID: 'ical-1@elsewhere.test', Start: '2026-07-01T07:00:00Z', Location: 'Here' },
      StartTimeZoneId: 'W. Europe Standard Time',
    })
    expect(fieldsOf(all(event, 'RelativeMonthlyRecurrence')[0])).toMatchObject({
      DaysOfWeek: 'Wednesday',
      DayOfWeekIndex: 'First',
    })
    expect(texts(all(event, 'OptionalAttendees')[0], 'EmailAddress')).toEqual(['guest@elsewhere.test'])
    const none = createEvent(`<t:MimeContent>${Buffer.from('BEGIN:VCARD').toString('base64')}</t:MimeContent>`)
    expect(codes(await ask(exchange, none))).toEqual(['ErrorMimeContentConversionFailed'])
  })

  test('is moved to another calendar, and deleted', async () => {
    const folder = calendar('Moved')
    const id = await create(exchange, hour)
    const move = `<m:MoveItem><m:ToFolderId>${folder}</m:ToFolderId><m:ItemIds>${idXml(id)}</m:ItemIds></m:MoveItem>`
    const now = idOf((await good(exchange, move)).body)
    expect(await viewed(folder)).toHaveLength(1)
    await good(exchange, deleteEvent(now))
    expect(await viewed(folder)).toEqual([])
    const inInbox = createEvent(hour, { folder: standard('inbox') })
    expect(codes(await ask(exchange, inInbox))).toEqual(['ErrorCannotCreateCalendarItemInNonCalendarFolder'])
  })
})

describe('a series', () => {
  const weekly = (range: string) =>
    `<t:Recurrence><t:WeeklyRecurrence><t:Interval>1</t:Interval><t:DaysOfWeek>Monday</t:DaysOfWeek></t:WeeklyRecurrence>${range}</t:Recurrence>`
  const numbered = (count: number, date = '2026-03-02') =>
    `<t:NumberedRecurrence><t:StartDate>${date}</t:StartDate><t:NumberOfOccurrences>${count}</t:NumberOfOccurrences></t:NumberedRecurrence>`
  const series = (folder: string, pattern = weekly(numbered(4))) =>
    create(
      exchange,
      `<t:Subject>Weekly</t:Subject>${times('2026-03-02T09:00:00', '2026-03-02T10:00:00')}${pattern}${BERLIN}`,
      { folder },
    )

  test('is one item in a list and its occurrences in a view, which keep their hours across clock changes', async () => {
    const folder = calendar('Expanded')
    const id = await series(folder)
    const view = (await viewed(folder)).map(fieldsOf)
    expect(view.map(({ Start }) => Start)).toEqual([
      ...['2026-03-02T08:00:00Z', '2026-03-09T08:00:00Z', '2026-03-16T08:00:00Z', '2026-03-23T08:00:00Z'],
    ])
    expect(view.map(({ CalendarItemType }) => CalendarItemType)).toEqual(Array(4).fill('Occurrence'))
    const listed = await good(exchange, findItem({ folders: folder, fields: ['calendar:CalendarItemType'] }))
    expect(texts(listed.body, 'CalendarItemType')).toEqual(['RecurringMaster'])
    const master = await eventOf(exchange, id)
    expect(fieldsOf(master)).toMatchObject({ CalendarItemType: 'RecurringMaster', IsRecurring: 'true' })
    expect(texts(all(master, 'LastOccurrence')[0], 'Start')).toEqual(['2026-03-23T08:00:00Z'])
    expect(texts(all(master, 'NumberedRecurrence')[0], 'StartDate')).toEqual(['2026-03-02+01:00'])
  })

  test.each([
    ['daily', '<t:DailyRecurrence><t:Interval>3</t:Interval></t:DailyRecurrence>', ['03-02', '03-05', '03-08']],
    [
      'of some weekdays in every other week',
      '<t:WeeklyRecurrence><t:Interval>2</t:Interval><t:DaysOfWeek>Monday Friday</t:DaysOfWeek><t:FirstDayOfWeek>Monday</t:FirstDayOfWeek></t:WeeklyRecurrence>',
      ['03-02', '03-06', '03-16'],
    ],
    [
      'of the last day of the month',
      '<t:AbsoluteMonthlyRecurrence><t:Interval>1</t:Interval><t:DayOfMonth>31</t:DayOfMonth></t:AbsoluteMonthlyRecurrence>',
      ['03-31', '04-30', '05-31'],
    ],
    [
      'of the second weekday of the month',
      '<t:RelativeMonthlyRecurrence><t:Interval>1</t:Interval><t:DaysOfWeek>Weekday</t:DaysOfWeek><t:DayOfWeekIndex>Second</t:DayOfWeekIndex></t:RelativeMonthlyRecurrence>',
      ['03-03', '04-02', '05-04'],
    ],
    [
      'of a day of the year',
      '<t:AbsoluteYearlyRecurrence><t:DayOfMonth>2</t:DayOfMonth><t:Month>March</t:Month></t:AbsoluteYearlyRecurrence>',
      ['03-02', '03-02'],
    ],
    [
      'of the last Sunday of June',
      '<t:RelativeYearlyRecurrence><t:DaysOfWeek>Sunday</t:DaysOfWeek><t:DayOfWeekIndex>Last</t:DayOfWeekIndex><t:Month>June</t:Month></t:RelativeYearlyRecurrence>',
      ['06-28', '06-27'],
    ],
  ])('%s is expanded, and read as it was written', async (name, pattern, days) => {
    const folder = calendar(name)
    const id = await series(folder, `<t:Recurrence>${pattern}${numbered(3)}</t:Recurrence>`)
    expect((await viewed(folder)).map((event) => fieldsOf(event).Start?.slice(5, 10))).toEqual(days)
    const [recurrence] = all(await eventOf(exchange, id), 'Recurrence')
    const given = Object.fromEntries(pattern.matchAll(/<t:(\w+)>([^<]+)</g).map(([, key, text]) => [key, text]))
    expect(fieldsOf(recurrence?.children[0])).toMatchObject(given)
  })

  test('has no end, an end, or a number of occurrences', async () => {
    const folder = calendar('Ends')
    await series(folder, weekly('<t:NoEndRecurrence><t:StartDate>2026-03-02</t:StartDate></t:NoEndRecurrence>'))
    expect(await viewed(folder, '2026-03-01T00:00:00Z', '2026-05-01T00:00:00Z')).toHaveLength(9)
    const other = calendar('Ends on a day')
    const id = await series(
      other,
      weekly(
        '<t:EndDateRecurrence><t:StartDate>2026-03-02</t:StartDate><t:EndDate>2026-03-16</t:EndDate></t:EndDateRecurrence>',
      ),
    )
    expect(await viewed(other)).toHaveLength(3)
    expect(texts(await eventOf(exchange, id), 'EndDate')).toEqual(['2026-03-16+01:00'])
  })

  test.each([
    [
      'whose end is before its start',
      weekly(
        '<t:EndDateRecurrence><t:StartDate>2026-03-02</t:StartDate><t:EndDate>2026-02-16</t:EndDate></t:EndDateRecurrence>',
      ),
      'ErrorCalendarEndDateIsEarlierThanStartDate',
    ],
    [
      'without an occurrence',
      weekly(
        '<t:EndDateRecurrence><t:StartDate>2026-03-03</t:StartDate><t:EndDate>2026-03-04</t:EndDate></t:EndDateRecurrence>',
      ),
      'ErrorRecurrenceHasNoOccurrence',
    ],
    ['of too many', weekly(numbered(1000)), 'ErrorCalendarInvalidRecurrence'],
    [
      'of too large an interval',
      `<t:Recurrence><t:DailyRecurrence><t:Interval>1000</t:Interval></t:DailyRecurrence>${numbered(2)}</t:Recurrence>`,
      'ErrorCalendarInvalidRecurrence',
    ],
  ])('%s is refused', async (_name, recurrence, code) => {
    expect(codes(await ask(exchange, createEvent(hour + recurrence)))).toEqual([code])
  })

  test('has occurrences with their own ids, also found by number, and each leads to its series', async () => {
    const folder = calendar('Ids')
    const id = await series(folder)
    const [, second] = await viewed(folder)
    const occurrence = (index: number) =>
      `<m:GetItem>${itemShape({ base: 'AllProperties' })}<m:ItemIds><t:OccurrenceItemId RecurringMasterId="${id}" InstanceIndex="${index}"/></m:ItemIds></m:GetItem>`
    const byNumber = await good(exchange, occurrence(2))
    expect(idOf(byNumber.body)).toBe(idOf(second))
    expect(fieldsOf(all(byNumber.body, 'CalendarItem')[0])).toMatchObject({
      RecurrenceId: '2026-03-09T08:00:00Z',
      OriginalStart: '2026-03-09T08:00:00Z',
    })
    expect(codes(await ask(exchange, occurrence(5)))).toEqual(['ErrorCalendarOccurrenceIndexIsOutOfRecurrenceRange'])
    await good(exchange, deleteEvent(idOf(second)))
    expect(codes(await ask(exchange, occurrence(2)))).toEqual(['ErrorCalendarOccurrenceIsDeletedFromRecurrence'])
    expect(codes(await ask(exchange, getItem([idOf(second)])))).toEqual(['ErrorItemNotFound'])
    const third = idOf((await good(exchange, occurrence(3))).body)
    const lead = `<m:GetItem>${itemShape()}<m:ItemIds><t:RecurringMasterItemId OccurrenceId="${third}"/></m:ItemIds></m:GetItem>`
    expect(idOf((await good(exchange, lead)).body)).toBe(id)
    const wrong = `<m:GetItem>${itemShape()}<m:ItemIds><t:RecurringMasterItemId OccurrenceId="${id}"/></m:ItemIds></m:GetItem>`
    expect(codes(await ask(exchange, wrong))).toEqual(['ErrorCalendarCannotUseIdForRecurringMasterId'])
    const move = `<m:MoveItem><m:ToFolderId>${folder}</m:ToFolderId><m:ItemIds>${idXml(third)}</m:ItemIds></m:MoveItem>`
    expect(codes(await ask(exchange, move))).toEqual(['ErrorCalendarCannotMoveOrCopyOccurrence'])
    const deleted = all(await eventOf(exchange, id), 'DeletedOccurrence')
    expect(deleted.flatMap((one) => texts(one, 'Start'))).toEqual(['2026-03-09T08:00:00Z'])
  })

  test('has exceptions, which stay between their neighbors, until the time of the series changes', async () => {
    const folder = calendar('Exceptions')
    const id = await series(folder)
    const [, second] = await viewed(folder)
    const at = (day: string) => ({
      'calendar:Start': `<t:Start>2026-03-${day}T12:00:00Z</t:Start>`,
      'calendar:End': `<t:End>2026-03-${day}T13:00:00Z</t:End>`,
    })
    await good(exchange, updateEvent(idOf(second), { ...at('10'), 'item:Subject': '<t:Subject>Later</t:Subject>' }))
    const view = (await viewed(folder)).map(fieldsOf)
    expect(view[1]).toMatchObject({ Subject: 'Later', Start: '2026-03-10T12:00:00Z', CalendarItemType: 'Exception' })
    expect(view[2]).toMatchObject({ Subject: 'Weekly', CalendarItemType: 'Occurrence' })
    expect(fieldsOf(await eventOf(exchange, idOf(second)))).toMatchObject({ OriginalStart: '2026-03-09T08:00:00Z' })
    const [modified] = all(await eventOf(exchange, id), 'Occurrence')
    expect([idOf(modified), ...texts(modified, 'Start')]).toEqual([idOf(second), '2026-03-10T12:00:00Z'])
    expect(codes(await ask(exchange, updateEvent(idOf(second), at('16'))))).toEqual(['ErrorOccurrenceCrossingBoundary'])
    const mime = texts(await eventOf(exchange, id, { base: 'IdOnly', fields: ['item:MimeContent'] }), 'MimeContent')
    const calendarText = Buffer.from(mime[0] ?? '', 'base64').toString()
    expect(calendarText).toContain('RRULE:FREQ=WEEKLY;INTERVAL=1;COUNT=4;BYDAY=MO')
    expect(calendarText).toContain('RECURRENCE-ID;TZID=W. Europe Standard Time:20260309T090000')
    await good(exchange, updateEvent(id, { 'item:Subject': '<t:Subject>All</t:Subject>' }))
    expect((await viewed(folder)).map((event) => fieldsOf(event).Subject)).toEqual(['All', 'Later', 'All', 'All'])
    await good(
      exchange,
      updateEvent(id, {
        'calendar:Start': '<t:Start>2026-03-02T14:00:00Z</t:Start>',
        'calendar:End': '<t:End>2026-03-02T15:00:00Z</t:End>',
      }),
    )
    expect((await viewed(folder)).map((event) => fieldsOf(event).CalendarItemType)).toEqual(Array(4).fill('Occurrence'))
    await good(exchange, updateEvent(id, { 'calendar:Recurrence': undefined }))
    expect(fieldsOf(await eventOf(exchange, id)).CalendarItemType).toBe('Single')
  })
})

test('can have files, also on one occurrence of a series', async () => {
  const folder = calendar('Files')
  const daily = `<t:Recurrence><t:DailyRecurrence><t:Interval>1</t:Interval></t:DailyRecurrence><t:NumberedRecurrence><t:StartDate>2026-03-02</t:StartDate><t:NumberOfOccurrences>2</t:NumberOfOccurrences></t:NumberedRecurrence></t:Recurrence>`
  const id = await create(exchange, hour + daily, { folder })
  const attach = (to: string, name: string) =>
    `<m:CreateAttachment><m:ParentItemId Id="${to}"/><m:Attachments><t:FileAttachment><t:Name>${name}</t:Name><t:Content>eA==</t:Content></t:FileAttachment></m:Attachments></m:CreateAttachment>`
  await good(exchange, attach(id, 'all.txt'))
  const [, second] = await viewed(folder)
  await good(exchange, attach(idOf(second), 'one.txt'))
  const files = async (of: string) => texts(all(await eventOf(exchange, of), 'Attachments')[0], 'Name')
  expect(await files(id)).toEqual(['all.txt'])
  expect(await files(idOf(second))).toEqual(['all.txt', 'one.txt'])
  expect((await viewed(folder)).map((event) => fieldsOf(event).CalendarItemType)).toEqual(['Occurrence', 'Exception'])
})

describe('a view', () => {
  test('has at most two years, and no restriction', async () => {
    const view = (to: string) => calendarView('2026-01-01T00:00:00Z', to)
    expect(codes(await ask(exchange, view('2028-06-01T00:00:00Z')))).toEqual(['ErrorCalendarViewRangeTooBig'])
    expect(codes(await ask(exchange, view('2025-01-01T00:00:00Z')))).toEqual([
      'ErrorCalendarEndDateIsEarlierThanStartDate',
    ])
    const inbox = calendarView('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z', { folder: standard('inbox') })
    expect(codes(await ask(exchange, inbox))).toEqual(['ErrorCalendarFolderIsInvalidForCalendarView'])
    const restricted = calendarView('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z').replace(
      '<m:ParentFolderIds>',
      `<m:Restriction>${is('IsEqualTo', 'item:Subject', 'x')}</m:Restriction><m:ParentFolderIds>`,
    )
    expect((await ask(exchange, restricted)).text).toContain('ErrorInvalidRequest')
  })

  test('has at most a thousand entries, and at most the requested number', async () => {
    const folder = calendar('Many')
    const daily = `<t:Recurrence><t:DailyRecurrence><t:Interval>1</t:Interval></t:DailyRecurrence><t:NoEndRecurrence><t:StartDate>2026-03-02</t:StartDate></t:NoEndRecurrence></t:Recurrence>`
    await create(exchange, hour + daily, { folder })
    await create(exchange, hour + daily, { folder })
    const view = (more: string) => calendarView('2026-01-01T00:00:00Z', '2027-12-30T00:00:00Z', { folder, more })
    expect(codes(await ask(exchange, view('')))).toEqual(['ErrorExceededFindCountLimit'])
    const some = await good(exchange, view(' MaxEntriesReturned="5"'))
    expect(all(some.body, 'CalendarItem')).toHaveLength(5)
    expect(all(some.body, 'RootFolder')[0]?.attributes.IncludesLastItemInRange).toBe('false')
  })

  test('has only the names of organizers, and no attendees', async () => {
    const folder = calendar('Lesser')
    await create(exchange, hour + attendees('RequiredAttendees', 'guest@elsewhere.test'), { folder })
    const view = calendarView('2026-01-01T00:00:00Z', '2026-12-30T00:00:00Z', { folder, base: 'AllProperties' })
    const [event] = all((await good(exchange, view)).body, 'CalendarItem')
    expect(all(event, 'Organizer')[0]?.children[0]?.children.map(({ name }) => name)).toEqual(['Name'])
    expect(all(event, 'RequiredAttendees')).toEqual([])
    expect(texts(event, 'DisplayTo')).toEqual(['guest@elsewhere.test'])
  })
})

test('older schemas have fewer fields, and the oldest another form of zones', async () => {
  const id = await create(exchange, hour + BERLIN)
  const old = fieldsOf(await eventOf(exchange, id, { version: 'Exchange2010_SP1' }))
  expect(old).toMatchObject({ Start: '2026-03-02T09:00:00Z' })
  expect(old).not.toHaveProperty('StartTimeZoneId')
  const fields = ['calendar:MeetingTimeZone', 'calendar:Start']
  const oldest = await eventOf(exchange, id, { version: 'Exchange2007_SP1', base: 'IdOnly', fields })
  expect(all(oldest, 'MeetingTimeZone')[0]?.attributes).toEqual({ TimeZoneName: 'W. Europe Standard Time' })
  const zone = '<t:MeetingTimeZone TimeZoneName="Eastern Standard Time"/>'
  const local = times('2026-07-01T09:00:00', '2026-07-01T10:00:00') + zone
  const { body } = await good(exchange, createEvent(local), { version: 'Exchange2007_SP1' })
  expect(fieldsOf(await eventOf(exchange, idOf(body))).Start).toBe('2026-07-01T13:00:00Z')
  expect(codes(await ask(exchange, createEvent(local)))).toEqual(['ErrorInvalidPropertySet'])
})

test('changes of another client are synchronized', async () => {
  const { id: folderId } = ada.calendar.addCalendar('Synchronised')
  const sync = async (state: string) => {
    const request = `<m:SyncFolderItems>${itemShape()}<m:SyncFolderId><t:FolderId Id="${folderId}"/></m:SyncFolderId>${state}<m:MaxChangesReturned>512</m:MaxChangesReturned></m:SyncFolderItems>`
    const { body } = await good(exchange, request)
    return { body, state: `<m:SyncState>${texts(body, 'SyncState')[0]}</m:SyncState>` }
  }
  const first = await sync('')
  const { id } = ada.calendar.addEvent(
    { Subject: 'Planned', Start: '2026-03-02T09:00:00Z', End: '2026-03-02T10:00:00Z' },
    { calendarId: folderId },
  )
  const second = await sync(first.state)
  expect(all(second.body, 'Create')).toHaveLength(1)
  ada.calendar.changeEvent(id, { Subject: 'Changed', Location: 'Here' })
  expect(ada.calendar.event(id)).toMatchObject({ text: { subject: 'Changed' }, location: 'Here' })
  const third = await sync(second.state)
  expect(all(third.body, 'Update')).toHaveLength(1)
  ada.calendar.deleteEvent(id)
  expect(all((await sync(third.state)).body, 'Delete')).toHaveLength(1)
  expect(ada.calendar.events(folderId)).toEqual([])
})
