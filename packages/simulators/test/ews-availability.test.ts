import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { all, ask, codes, openExchange, texts } from './ews-account.ts'
import { attendees, create, eventOf, fieldsOf, good, times } from './ews-events.ts'

const { exchange, check, ...opened } = await openExchange()
afterEach(() => check())
afterAll(() => opened[Symbol.asyncDispose]())

const ada = exchange.account('ada@exchange.example')
const grace = exchange.account('grace@exchange.example')

/** The zone of Berlin, by its rules. */
const BERLIN = `<t:TimeZone><t:Bias>-60</t:Bias>
  <t:StandardTime><t:Bias>0</t:Bias><t:Time>03:00:00</t:Time><t:DayOrder>5</t:DayOrder><t:Month>10</t:Month><t:DayOfWeek>Sunday</t:DayOfWeek></t:StandardTime>
  <t:DaylightTime><t:Bias>-60</t:Bias><t:Time>02:00:00</t:Time><t:DayOrder>5</t:DayOrder><t:Month>3</t:Month><t:DayOfWeek>Sunday</t:DayOfWeek></t:DaylightTime></t:TimeZone>`

interface Wish {
  readonly emails?: readonly string[]
  readonly from?: string
  readonly to?: string
  readonly view?: string
  readonly interval?: number
  readonly zone?: string
}

function availability(wish: Wish = {}): string {
  const { emails = ['grace@exchange.example'], from = '2026-07-01T00:00:00', to = '2026-07-02T00:00:00' } = wish
  const { view = 'DetailedMerged', interval = 60, zone = BERLIN } = wish
  const mailboxes = emails.map(
    (email) =>
      `<t:MailboxData><t:Email><t:Address>${email}</t:Address></t:Email><t:AttendeeType>Required</t:AttendeeType></t:MailboxData>`,
  )
  return `<m:GetUserAvailabilityRequest>${zone}<m:MailboxDataArray>${mailboxes.join('')}</m:MailboxDataArray>
    <t:FreeBusyViewOptions><t:TimeWindow><t:StartTime>${from}</t:StartTime><t:EndTime>${to}</t:EndTime></t:TimeWindow>
    <t:MergedFreeBusyIntervalInMinutes>${interval}</t:MergedFreeBusyIntervalInMinutes><t:RequestedView>${view}</t:RequestedView>
    </t:FreeBusyViewOptions></m:GetUserAvailabilityRequest>`
}

grace.calendar.addEvent({ Subject: 'Work', Start: '2026-07-01T08:00:00Z', End: '2026-07-01T09:30:00Z' })
grace.calendar.addEvent({
  ...{ Subject: 'Away', Start: '2026-07-01T12:00:00Z', End: '2026-07-01T13:00:00Z', LegacyFreeBusyStatus: 'OOF' },
})

describe('free/busy', () => {
  test('is returned in the time zone of the request, without private details', async () => {
    const { body } = await good(exchange, availability())
    expect(texts(body, 'FreeBusyViewType')).toEqual(['FreeBusyMerged'])
    expect(texts(body, 'MergedFreeBusy')).toEqual(['000000000022003000000000'])
    const events = all(body, 'CalendarEvent').map(fieldsOf)
    expect(events.map(({ StartTime, EndTime, BusyType }) => [StartTime, EndTime, BusyType])).toEqual([
      ['2026-07-01T10:00:00', '2026-07-01T11:30:00', 'Busy'],
      ['2026-07-01T14:00:00', '2026-07-01T15:00:00', 'OOF'],
    ])
    expect(all(body, 'CalendarEventDetails')).toEqual([])
    expect(texts(all(body, 'WorkingPeriod')[0], 'StartTimeInMinutes')).toEqual(['480'])
  })

  test('has details for users who can read the calendar', async () => {
    const own = await good(exchange, availability(), { user: grace.email })
    expect(texts(own.body, 'FreeBusyViewType')).toEqual(['DetailedMerged'])
    expect(texts(own.body, 'Subject')).toEqual(['Work', 'Away'])
    const merged = await good(exchange, availability({ view: 'MergedOnly' }))
    expect(all(merged.body, 'CalendarEvent')).toEqual([])
  })

  test('has a separate error for each unavailable person', async () => {
    ada.calendar.hideFreeBusy(true)
    const emails = ['nobody@exchange.example', ada.email, grace.email]
    const answer = await ask(exchange, availability({ emails }), { user: grace.email })
    expect(codes(answer)).toEqual(['ErrorMailRecipientNotFound', 'ErrorNoFreeBusyAccess', 'NoError'])
    ada.calendar.hideFreeBusy(false)
  })

  test.each([
    ['without a zone', { zone: '' }, 'ErrorTimeZone'],
    ['for more than 42 days', { to: '2026-09-01T00:00:00' }, 'ErrorTimeIntervalTooBig'],
    ['backwards', { to: '2026-06-01T00:00:00' }, 'ErrorInvalidTimeInterval'],
    [
      'of more than 100',
      { emails: Array.from({ length: 101 }, (_, index) => `a${index}@x.test`) },
      'ErrorMailboxDataArrayTooBig',
    ],
    ['by the minute', { interval: 1 }, 'ErrorInvalidMergedFreeBusyInterval'],
  ])('cannot be requested %s', async (_name, wish, code) => {
    const answer = await ask(exchange, availability(wish))
    expect(codes(answer)).toEqual([code])
  })
})

describe('the zones of the server', () => {
  test('are returned by their ids, with or without their rules', async () => {
    const ids = '<m:Ids><t:Id>W. Europe Standard Time</t:Id><t:Id>UTC</t:Id><t:Id>No Such Time</t:Id></m:Ids>'
    const full = await good(
      exchange,
      `<m:GetServerTimeZones ReturnFullTimeZoneData="true">${ids}</m:GetServerTimeZones>`,
    )
    const [utc, europe] = all(full.body, 'TimeZoneDefinition')
    expect([utc?.attributes.Id, europe?.attributes.Id]).toEqual(['UTC', 'W. Europe Standard Time'])
    expect(all(europe, 'Period').map(({ attributes }) => [attributes.Name, attributes.Bias])).toEqual([
      ['Standard', '-PT1H'],
      ['Daylight', '-PT2H'],
    ])
    expect(all(europe, 'RecurringDayTransition').map((one) => texts(one, 'Month')[0])).toEqual(['3', '10'])
    const bare = await good(exchange, '<m:GetServerTimeZones ReturnFullTimeZoneData="false"/>')
    expect(all(bare.body, 'TimeZoneDefinition').length).toBeGreaterThan(130)
    expect(all(bare.body, 'Period')).toEqual([])
  })
})

describe('rooms', () => {
  test('are in lists, and answer invitations automatically', async () => {
    exchange.addRoomList({ name: 'Mill', email: 'mill@exchange.example' })
    exchange.addRoom({ name: 'Engine Room', email: 'engine@exchange.example', list: 'mill@exchange.example' })
    exchange.addRoom({ name: 'Attic', email: 'attic@exchange.example' })
    const lists = await good(exchange, '<m:GetRoomLists/>')
    expect(texts(lists.body, 'EmailAddress')).toEqual(['mill@exchange.example'])
    const rooms = (list: string) =>
      `<m:GetRooms><m:RoomList><t:EmailAddress>${list}</t:EmailAddress></m:RoomList></m:GetRooms>`
    expect(texts((await good(exchange, rooms('mill@exchange.example'))).body, 'Name')).toEqual(['Engine Room'])
    expect(codes(await ask(exchange, rooms('none@exchange.example')))).toEqual(['ErrorNameResolutionNoResults'])
    const book = (start: string, end: string) =>
      create(exchange, times(start, end) + attendees('Resources', 'engine@exchange.example'), { send: 'SendOnlyToAll' })
    const first = await book('2026-07-06T09:00:00Z', '2026-07-06T10:00:00Z')
    const second = await book('2026-07-06T09:30:00Z', '2026-07-06T10:30:00Z')
    const answers = await Promise.all(
      [first, second].map(async (id) => texts(await eventOf(exchange, id), 'ResponseType')),
    )
    expect(answers).toEqual([['Accept'], ['Decline']])
    const busy = await good(
      exchange,
      availability({ emails: ['engine@exchange.example'], from: '2026-07-06T00:00:00', to: '2026-07-07T00:00:00' }),
    )
    expect(all(busy.body, 'CalendarEvent')).toHaveLength(1)
  })
})
