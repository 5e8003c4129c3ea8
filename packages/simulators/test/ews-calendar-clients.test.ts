// Third-party clients with the calendars and contacts of the simulated Exchange.

import { needsProgram } from '@waypost/testing/peers/needs'
import {
  Appointment,
  AppointmentSchema,
  AttendeeInfo,
  AvailabilityData,
  BasePropertySet,
  CalendarView,
  ConflictResolutionMode,
  Contact,
  DateTime,
  DayOfTheWeek,
  DeleteMode,
  EmailAddress,
  EmailAddressKey,
  ExchangeService,
  ExchangeVersion,
  FolderId,
  ItemView,
  MeetingRequest,
  PhoneNumberKey,
  PropertySet,
  Recurrence,
  SendCancellationsMode,
  SendInvitationsMode,
  SendInvitationsOrCancellationsMode,
  TimeWindow,
  Uri,
  WebCredentials,
  WellKnownFolderName,
} from 'ews-javascript-api'
import { afterAll, afterEach, expect, test } from 'vitest'
import { openExchange, PASSWORD } from './ews-account.ts'
import { runExchangelib } from './exchangelib.ts'

const { exchange, check, ...opened } = await openExchange()
afterEach(() => check())
afterAll(() => opened[Symbol.asyncDispose]())

function accounts(name: string) {
  const [ada, grace] = [name, `${name}-friend`].map((local) =>
    exchange.addAccount({ email: `${local}@exchange.example`, name: local, password: PASSWORD }),
  )
  if (ada === undefined || grace === undefined) throw new Error('There are no accounts')
  return { ada, grace }
}

exchange.addRoomList({ name: 'Mill', email: 'mill@exchange.example' })
exchange.addRoom({ name: 'Engine Room', email: 'engine@exchange.example', list: 'mill@exchange.example' })

test('exchangelib works with events, series, meetings, free and busy times, rooms and contacts', async (context) => {
  needsProgram(context, 'exchangelib')
  const { ada, grace } = accounts('python')
  const args = [exchange.ewsUrl, ada.email, grace.email, 'mill@exchange.example', PASSWORD]
  const seen = await runExchangelib('exchangelib-calendar.py', args)
  expect(seen).toEqual({
    events: [
      ['Single', '2026-07-01 07:00:00+00:00', '2026-07-01 08:00:00+00:00', 'Here', 'OOF', 'Single'],
      ['Day', '2026-07-02', '2026-07-02', null, 'Busy', 'Single'],
    ],
    whole: ['Text', ['Red'], 5, 'Europe/Berlin', 'Organizer', false, true],
    changed: ['Changed', '2026-07-01 09:00:00+00:00'],
    foreign: ['1@elsewhere.test'],
    byUid: ['Changed'],
    left: 0,
    occurrences: [
      ['2026-10-05 09:00:00+02:00', 'Occurrence'],
      ['2026-10-12 09:00:00+02:00', 'Occurrence'],
      ['2026-10-19 09:00:00+02:00', 'Occurrence'],
      ['2026-10-26 09:00:00+01:00', 'Occurrence'],
    ],
    master: {
      type: 'RecurringMaster',
      first: '2026-10-05 09:00:00+02:00',
      last: '2026-10-26 09:00:00+01:00',
      modified: ['2026-10-12 11:00:00+02:00'],
      deleted: ['2026-10-19 09:00:00+02:00'],
      pattern: expect.stringContaining('Monday'),
      number: 4,
      fourth: '2026-10-26 09:00:00+01:00',
      leads: true,
    },
    after: [
      ['Weekly', 'Occurrence'],
      ['Later', 'Exception'],
      ['Weekly', 'Occurrence'],
    ],
    request: [true, ada.email, 'NewMeetingRequest'],
    tentative: ['Tentative'],
    accepted: [['Busy', 'Accept']],
    status: [[grace.email, 'Accept']],
    response: [true, 'Fine'],
    declined: [0, 'Decline'],
    cancelled: [true, 0],
    busy: ['000000000200000000000000', [['2026-07-08 09:00:00', '2026-07-08 10:00:00', 'Busy']]],
    rooms: [['engine@exchange.example'], 1],
    contact: [
      'Mary Shelley',
      ['mary@mill.test'],
      [['MobilePhone', '+44']],
      [['Home', 'London']],
      '1797-08-30',
      'Mary Shelley',
    ],
    contactChanged: [[['EmailAddress2', 'other@mill.test']], 'Author'],
    picture: true,
    contactMoved: [0, 1],
    contactFilter: 1,
    contactsLeft: 0,
    calendars: ['Second'],
  })
  expect(ada.calendar.mails.map(({ kind, to }) => [kind, to])).toContainEqual(['request', 'somebody@elsewhere.test'])
})

function serviceOf(email: string): ExchangeService {
  const service = new ExchangeService(ExchangeVersion.Exchange2013)
  service.Credentials = new WebCredentials(email, PASSWORD)
  service.Url = new Uri(exchange.ewsUrl)
  return service
}

test('ews-javascript-api works with series and meetings', async () => {
  const { ada, grace } = accounts('javascript')
  const service = serviceOf(ada.email)
  const calendar = new FolderId(WellKnownFolderName.Calendar)
  const series = new Appointment(service)
  series.Subject = 'Weekly'
  series.Start = new DateTime('2026-09-07T09:00:00Z')
  series.End = new DateTime('2026-09-07T10:00:00Z')
  const pattern = new Recurrence.WeeklyPattern()
  pattern.StartDate = new DateTime('2026-09-07T00:00:00Z')
  pattern.Interval = 1
  pattern.DaysOfTheWeek.Add(DayOfTheWeek.Monday)
  pattern.NumberOfOccurrences = 3
  series.Recurrence = pattern
  series.RequiredAttendees.Add(grace.email)
  await series.Save(SendInvitationsMode.SendToAllAndSaveCopy)
  const view = new CalendarView(new DateTime('2026-09-01T00:00:00Z'), new DateTime('2026-10-01T00:00:00Z'))
  const found = await service.FindAppointments(calendar, view)
  expect(found.Items.map(({ Subject, Start }) => [Subject, Start.ToISOString().slice(0, 10)])).toEqual([
    ['Weekly', '2026-09-07'],
    ['Weekly', '2026-09-14'],
    ['Weekly', '2026-09-21'],
  ])
  const occurrence = await Appointment.BindToOccurrence(service, series.Id, 2)
  occurrence.Location = 'There'
  await occurrence.Update(ConflictResolutionMode.AutoResolve, SendInvitationsOrCancellationsMode.SendToAllAndSaveCopy)
  const guest = serviceOf(grace.email)
  const inbox = await guest.FindItems(new FolderId(WellKnownFolderName.Inbox), new ItemView(10))
  const first = inbox.Items.at(-1)
  if (first === undefined) throw new Error('There is no request')
  const request = await MeetingRequest.Bind(guest, first.Id)
  await request.Accept(true)
  const bound = await Appointment.Bind(
    service,
    series.Id,
    new PropertySet(BasePropertySet.IdOnly, [
      AppointmentSchema.RequiredAttendees,
      AppointmentSchema.ModifiedOccurrences,
    ]),
  )
  expect(bound.RequiredAttendees.GetEnumerator().map(({ Address, ResponseType }) => [Address, ResponseType])).toEqual([
    [grace.email, 3],
  ])
  expect(bound.ModifiedOccurrences.Count).toBe(1)
  await series.Delete(DeleteMode.HardDelete, SendCancellationsMode.SendOnlyToAll)
  expect((await service.FindAppointments(calendar, view)).Items).toEqual([])
  expect(grace.calendar.events()).toMatchObject([{ isCancelled: true }])
})

test('ews-javascript-api works with free and busy times and contacts', async () => {
  const { ada, grace } = accounts('javascript-other')
  const service = serviceOf(ada.email)
  grace.calendar.addEvent({ Subject: 'Busy', Start: '2026-07-08T09:00:00Z', End: '2026-07-08T10:00:00Z' })
  const window = new TimeWindow(new DateTime('2026-07-08T00:00:00Z'), new DateTime('2026-07-09T00:00:00Z'))
  const busy = await service.GetUserAvailability([new AttendeeInfo(grace.email)], window, AvailabilityData.FreeBusy)
  const events = busy.AttendeesAvailability.Responses[0]?.CalendarEvents ?? []
  expect(events.map(({ StartTime }) => StartTime.ToISOString())).toEqual(['2026-07-08T09:00:00.000Z'])
  const contact = new Contact(service)
  contact.GivenName = 'Mary'
  contact.Surname = 'Shelley'
  contact.EmailAddresses._setItem(EmailAddressKey.EmailAddress1, new EmailAddress('mary@mill.test'))
  contact.PhoneNumbers._setItem(PhoneNumberKey.MobilePhone, '+44')
  await contact.Save()
  const read = await Contact.Bind(service, contact.Id)
  expect([read.GivenName, read.EmailAddresses._getItem(EmailAddressKey.EmailAddress1).Address]).toEqual([
    'Mary',
    'mary@mill.test',
  ])
  read.JobTitle = 'Author'
  read.PhoneNumbers._setItem(PhoneNumberKey.HomePhone, '+45')
  await read.Update(ConflictResolutionMode.AlwaysOverwrite)
  expect(ada.contacts.list()).toMatchObject([
    { texts: { GivenName: 'Mary', JobTitle: 'Author' }, phones: { MobilePhone: '+44', HomePhone: '+45' } },
  ])
})
