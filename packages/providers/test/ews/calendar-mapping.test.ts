/** Calendar items as events, and events as items: parsed from XML and written to it as the schema says. */
import { parseXml } from '@waypost/platform/xml/xml'
import { describe, expect, test } from 'vitest'
import { checkEnvelope } from '../../../simulators/test/ews-schema.ts'
import { changedFields, fromDraft } from '../../src/calendar/exchange/event-draft.ts'
import { changedTimes } from '../../src/calendar/exchange/series-change.ts'
import { globalIdOf } from '../../src/ews/calendar/calendar-api.ts'
import { exchangeEvent, fromItem } from '../../src/ews/calendar/mapping/event.ts'
import { isOfAttendees, itemUpdates, newItem } from '../../src/ews/calendar/mapping/event-fields.ts'
import { definitionOf } from '../../src/ews/calendar/mapping/zones.ts'
import { CreateItem, UpdateItem } from '../../src/ews/operations/items.ts'
import { writeElement } from '../../src/ews/soap/description.ts'
import { namespaces } from '../../src/ews/soap/envelope.ts'
import { type CalendarItem, calendarItem } from '../../src/ews/types/calendar-item.ts'
import { distinguished, item as itemNamed } from '../../src/ews/types/ids.ts'

const place = { grant: { id: 'g', email: 'ada@x.test' }, calendar: { id: 'c' } }
const itemOf = (content: string): CalendarItem => {
  const xml = `<t:CalendarItem xmlns:t="${namespaces.t}"><t:ItemId Id="AAMk" ChangeKey="x"/>${content}</t:CalendarItem>`
  const item = calendarItem.read(parseXml(xml), () => undefined)
  if (!item) throw new Error('no item')
  return item
}
const read = (content: string) => fromItem(itemOf(content), place)
const times = '<t:Start>2026-06-02T09:00:00Z</t:Start><t:End>2026-06-02T10:00:00Z</t:End>'
const mailbox = (name: string, address: string, routing = 'SMTP') =>
  `<t:Mailbox><t:Name>${name}</t:Name><t:EmailAddress>${address}</t:EmailAddress><t:RoutingType>${routing}</t:RoutingType></t:Mailbox>`
const zoneFor = (name: string, at: number) => definitionOf(name, at, undefined)
const envelope = (element: string): string =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:t="${namespaces.t}" xmlns:m="${namespaces.m}"><s:Body>${element}</s:Body></s:Envelope>`

describe('an item', () => {
  test('has few fields if its server sends few', () => {
    expect(read(times)).toMatchObject({
      id: expect.stringMatching(/./),
      title: null,
      description: null,
      busy: true,
      status: 'confirmed',
      visibility: 'public',
      participants: [],
      organizer: null,
      ical_uid: null,
      when: { object: 'timespan', start_timezone: null, end_timezone: null },
      created_at: null,
    })
  })

  test('has the number of its invitations, if its server says it', () => {
    const numbered = '<t:AppointmentSequenceNumber>3</t:AppointmentSequenceNumber>'
    expect([read(times).sequence, read(`${times}${numbered}`).sequence]).toEqual([undefined, 3])
  })

  test('has directory people with only their names', () => {
    const attendee = `<t:Attendee>${mailbox('Grace', '/o=Org/cn=grace', 'EX')}<t:ResponseType>Accept</t:ResponseType></t:Attendee>`
    const other = `<t:Attendee>${mailbox('Bob', 'bob@x.test')}<t:ResponseType>Unknown</t:ResponseType></t:Attendee>`
    const { participants } = read(`${times}<t:RequiredAttendees>${attendee}${other}</t:RequiredAttendees>`)
    expect(participants).toEqual([
      { name: 'Grace', comment: null, phone_number: null, status: 'yes' },
      { email: 'bob@x.test', name: 'Bob', comment: null, phone_number: null, status: 'noreply' },
    ])
  })

  test.each([
    ['<t:MyResponseType>Organizer</t:MyResponseType>', true],
    ['<t:IsMeeting>false</t:IsMeeting>', true],
    [
      '<t:IsMeeting>true</t:IsMeeting><t:MyResponseType>Unknown</t:MyResponseType><t:AppointmentState>3</t:AppointmentState>',
      false,
    ],
    [
      `<t:MyResponseType>NoResponseReceived</t:MyResponseType><t:Organizer>${mailbox('Ada', 'ADA@x.test')}</t:Organizer>`,
      true,
    ],
    [
      `<t:MyResponseType>NoResponseReceived</t:MyResponseType><t:Organizer>${mailbox('Bob', 'bob@x.test')}</t:Organizer>`,
      false,
    ],
    ['<t:MyResponseType>Organizer</t:MyResponseType><t:IsOrganizer>false</t:IsOrganizer>', false],
  ])('%s: organized by the account, %s', (content, expected) => {
    expect(exchangeEvent(itemOf(content), place).isOrganizer).toBe(expected)
  })

  test.each([
    [
      'midnight in a zone',
      '2026-06-02T22:00:00Z',
      '2026-06-03T22:00:00Z',
      '<t:StartTimeZone Id="W. Europe Standard Time"/>',
    ],
    ['some midnight in the east', '2026-06-02T15:00:00Z', '2026-06-03T15:00:00Z', ''],
    ['some midnight in the west', '2026-06-03T05:00:00Z', '2026-06-04T05:00:00Z', ''],
    [
      'midnight in UTC',
      '2026-06-03T00:00:00Z',
      '2026-06-04T00:00:00Z',
      '<t:StartTimeZone Id="tzone://Microsoft/Utc"/>',
    ],
  ])('of a whole day that starts at %s is of that day', (_, start, end, zone) => {
    const days = `<t:Start>${start}</t:Start><t:End>${end}</t:End><t:IsAllDayEvent>true</t:IsAllDayEvent>${zone}`
    expect(read(days).when).toEqual({ object: 'date', date: '2026-06-03' })
  })

  test('has the deleted days of a series, in its time zone', () => {
    const { recurrence } = read(
      `<t:Start>2026-06-02T23:30:00Z</t:Start><t:End>2026-06-02T23:45:00Z</t:End><t:CalendarItemType>RecurringMaster</t:CalendarItemType><t:Recurrence><t:DailyRecurrence><t:Interval>1</t:Interval></t:DailyRecurrence><t:EndDateRecurrence><t:StartDate>2026-06-03+02:00</t:StartDate><t:EndDate>2026-06-10</t:EndDate></t:EndDateRecurrence></t:Recurrence><t:DeletedOccurrences><t:DeletedOccurrence><t:Start>2026-06-04T23:30:00Z</t:Start></t:DeletedOccurrence></t:DeletedOccurrences><t:StartTimeZone Id="W. Europe Standard Time"/>`,
    )
    expect(recurrence).toEqual([
      'RRULE:FREQ=DAILY;UNTIL=20260609T233000Z',
      expect.stringMatching(/^EXDATE.*:20260604T233000Z$/),
    ])
  })

  test('has its cancelled, private and free/busy states', () => {
    expect(read(`${times}<t:AppointmentState>7</t:AppointmentState>`).status).toBe('cancelled')
    expect(read(`<t:Sensitivity>Personal</t:Sensitivity>${times}`).visibility).toBe('private')
    expect(read(`${times}<t:LegacyFreeBusyStatus>WorkingElsewhere</t:LegacyFreeBusyStatus>`).busy).toBe(false)
    expect(read(`${times}<t:LegacyFreeBusyStatus>NoSuchWord</t:LegacyFreeBusyStatus>`).busy).toBe(true)
  })
})

describe('a written item', () => {
  const zone = 'Europe/Berlin'
  const start = Date.UTC(2026, 5, 2, 7) / 1000
  const when = { start_time: start, end_time: start + 3600, start_timezone: zone, end_timezone: zone }
  const draft = {
    title: 'A & B',
    description: 'Text',
    location: '<here>',
    when,
    busy: false,
    visibility: 'private' as const,
    capacity: 3,
    participants: [{ email: 'bob@x.test', name: 'Bob' }],
    resources: [{ email: 'room@x.test' }],
    reminders: { use_default: false, overrides: [{ reminder_minutes: 5 }] },
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
  }

  test('matches the schema', () => {
    const { fields } = fromDraft(draft, 'ada@x.test')
    const xml = writeElement('m', 'CreateItem', CreateItem.request, {
      SendMeetingInvitations: 'SendToNone',
      SavedItemFolderId: distinguished('calendar'),
      Items: [{ kind: 'CalendarItem', ...newItem(fields, zoneFor) }],
    })
    checkEnvelope(envelope(xml))
    expect(xml).toContain('<t:Subject>A &amp; B</t:Subject><t:Sensitivity>Private</t:Sensitivity>')
    expect(xml).toContain('<t:Start>2026-06-02T07:00:00')
    expect(xml).toContain('<t:StartTimeZone Id="W. Europe Standard Time"/>')
    // A zone that no server has a name for, by its rules.
    const rules = newItem(
      fromDraft(
        { when: { ...when, start_timezone: 'Antarctica/Troll', end_timezone: 'Antarctica/Troll' } },
        'ada@x.test',
      ).fields,
      zoneFor,
    )
    checkEnvelope(
      envelope(
        writeElement('m', 'CreateItem', CreateItem.request, {
          SendMeetingInvitations: 'SendToNone',
          Items: [{ kind: 'CalendarItem', ...rules }],
        }),
      ),
    )
  })

  test('has one change per property, removes empty ones, and leaves unchanged guest lists alone', () => {
    const before = exchangeEvent(
      itemOf(
        `${times}<t:RequiredAttendees><t:Attendee>${mailbox('Bob', 'bob@x.test')}</t:Attendee></t:RequiredAttendees><t:Resources><t:Attendee>${mailbox('Room', 'room@x.test')}</t:Attendee></t:Resources><t:Recurrence><t:DailyRecurrence><t:Interval>1</t:Interval></t:DailyRecurrence><t:NoEndRecurrence><t:StartDate>2026-06-02</t:StartDate></t:NoEndRecurrence></t:Recurrence>`,
      ),
      place,
    )
    const change = { title: null, participants: [], recurrence: [] }
    const fields = { ...changedFields(change, 'ada@x.test', before), ...changedTimes(change, before).fields }
    const updates = itemUpdates(fields, zoneFor, before.attendees ?? [])
    const paths = updates.map(({ kind, Path: path }) => `${kind} ${'FieldURI' in path ? path.FieldURI : ''}`)
    expect(paths).toEqual([
      'SetItemField item:Subject',
      'DeleteItemField calendar:RequiredAttendees',
      'DeleteItemField calendar:Recurrence',
    ])
    checkEnvelope(
      envelope(
        writeElement('m', 'UpdateItem', UpdateItem.request, {
          ConflictResolution: 'AutoResolve',
          SendMeetingInvitationsOrCancellations: 'SendToNone',
          ItemChanges: [{ Id: itemNamed('AAMk', 'x'), Updates: updates }],
        }),
      ),
    )
    expect(isOfAttendees(updates)).toBe(false)
    const guests = changedFields({ participants: [{ email: 'eve@x.test' }] }, 'ada@x.test', before)
    expect(isOfAttendees(itemUpdates(guests, zoneFor, before.attendees ?? []))).toBe(true)
  })
})

test('a UID is searched in the form that Exchange stores', () => {
  const own = '040000008200E00074C5B7101A82E00807EA0602CAFE0000000000000000000000000000010000000A'
  expect(globalIdOf(own).toString('hex').toUpperCase()).toBe(own.replace('07EA0602', '00000000'))
  const wrapped = globalIdOf('abc@x.test').toString('latin1')
  expect(wrapped).toContain('vCal-Uid\x01\0\0\0abc@x.test\0')
  expect(globalIdOf('abc@x.test').readUInt32LE(36)).toBe('vCal-Uid'.length + 4 + 'abc@x.test'.length + 1)
})
