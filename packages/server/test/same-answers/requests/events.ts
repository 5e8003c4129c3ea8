import { at, span } from '../../conformance/accounts.ts'
import type { AskList } from '../run.ts'

const of = (name: string, call: string, body?: object) => ({ name: `events: ${name}`, call, ...(body ? { body } : {}) })
const make = (name: string, body: object, keep?: string) => ({
  ...of(name, 'POST /events?calendar_id={calendar}&notify_participants=false', body),
  ...(keep ? { keep: { [keep]: 'id' } } : {}),
})
const read = (name: string, id: string) => of(name, `GET /events/{${id}}?calendar_id={calendar}`)
const change = (name: string, id: string, body: object) =>
  of(name, `PUT /events/{${id}}?calendar_id={calendar}&notify_participants=false`, body)
const list = (name: string, query: string) => of(`listed ${name}`, `GET /events?calendar_id={calendar}&${query}`)
const day = (name: string) => `start=${at(`${name}T00:00`)}&end=${at(`${name}T23:59`)}`
const when = span('2027-03-02T09:00')

/** Events that do not repeat. */
export const eventRequests: AskList = [
  make('created with a time alone', { when }, 'bare_event'),
  read('with a time alone, read', 'bare_event'),
  make(
    'created with texts',
    {
      title: 'Lunch',
      description: 'At <b>noon</b>',
      location: 'Café',
      when: span('2027-03-03T12:00', 30, 'Europe/Berlin'),
    },
    'lunch',
  ),
  read('with texts, read', 'lunch'),
  make('created for a day', { title: 'Holiday', when: { date: '2027-03-04' } }, 'holiday'),
  read('for a day, read', 'holiday'),
  make(
    'created for several days',
    { title: 'Trip', when: { start_date: '2027-03-08', end_date: '2027-03-11' } },
    'trip',
  ),
  make('created at a point in time', { title: 'Point', when: { time: at('2027-03-05T09:00') } }, 'point'),
  make('created as free', { title: 'Free', busy: false, when: span('2027-03-06T09:00') }, 'free'),
  read('as free, read', 'free'),
  make('created as private', { title: 'Private', visibility: 'private', when: span('2027-03-06T11:00') }, 'private'),
  make('created as public', { title: 'Public', visibility: 'public', when: span('2027-03-06T13:00') }),
  make(
    'created with guests',
    {
      title: 'Meeting',
      when: span('2027-03-09T09:00'),
      participants: [{ name: 'Bob', email: 'bob@people.test' }, { email: 'carl@people.test' }],
    },
    'meeting',
  ),
  read('with guests, read', 'meeting'),
  make('created with an invalid guest', { when, participants: [{ email: 'nobody' }] }),
  make('created with a guest without an address', { when, participants: [{ name: 'Bob' }] }),
  make('created with an empty guest address', { when, participants: [{ email: '' }] }),
  make('created with a guest of two addresses', { when, participants: [{ email: 'a@people.test, b@people.test' }] }),
  make('created with the same guest twice', {
    title: 'Twice',
    when: span('2027-03-09T13:00'),
    participants: [{ email: 'bob@people.test' }, { email: 'BOB@people.test' }],
  }),
  make('created with the account as guest', {
    title: 'Own',
    when: span('2027-03-09T15:00'),
    participants: [{ email: '{email}' }, { email: 'bob@people.test' }],
  }),
  make('created with an invalid room', { when, resources: [{ email: 'room' }] }),
  make(
    'created with reminders',
    {
      title: 'Reminded',
      when: span('2027-03-10T09:00'),
      reminders: { use_default: false, overrides: [{ reminder_minutes: 15, reminder_method: 'popup' }] },
    },
    'reminded',
  ),
  make('created without reminders', {
    title: 'Not reminded',
    when: span('2027-03-10T11:00'),
    reminders: { use_default: false, overrides: [] },
  }),
  make('created with a conference', {
    title: 'Call',
    when: span('2027-03-10T13:00'),
    conferencing: { provider: 'Zoom Meeting', details: { url: 'https://zoom.example/j/1', meeting_code: '1' } },
  }),
  make(
    'created with metadata',
    { title: 'Marked', when: span('2027-03-10T15:00'), metadata: { key1: 'a' } },
    'marked_event',
  ),
  make('created with a capacity', { title: 'Full', when: span('2027-03-10T17:00'), capacity: 5 }),
  make('created with a status', { title: 'Status', when: span('2027-03-10T19:00'), status: 'cancelled' }),
  make('created without a time', { title: 'Never' }),
  make('created with an end before its start', {
    when: { start_time: at('2027-03-02T10:00'), end_time: at('2027-03-02T09:00') },
  }),
  make('created with an end on its start', {
    title: 'Short',
    when: { start_time: at('2027-03-02T20:00'), end_time: at('2027-03-02T20:00') },
  }),
  make('created with a start alone', { when: { start_time: at('2027-03-02T10:00') } }),
  make('created on a day that is none', { when: { date: '2027-02-30' } }),
  make('created with last day before first', { when: { start_date: '2027-03-11', end_date: '2027-03-08' } }),
  make('created in an unknown zone', { when: { ...when, start_timezone: 'Mars/Olympus' } }),
  make('created in milliseconds', { when: { start_time: 1_803_978_000_000, end_time: 1_803_981_600_000 } }),
  make('created with a title of another type', { title: 5, when }),
  make('created with an unknown visibility', { visibility: 'secret', when }),
  make('created with a negative reminder', {
    when,
    reminders: { use_default: false, overrides: [{ reminder_minutes: -5, reminder_method: 'popup' }] },
  }),
  make('created with an empty title', { title: '', when: span('2027-03-12T09:00') }, 'untitled'),
  of('created in an unknown calendar', 'POST /events?calendar_id=no-such-calendar', { when }),
  of('created in no calendar', 'POST /events', { when }),
  change('changed title', 'lunch', { title: 'Late lunch' }),
  change('changed time', 'lunch', { when: span('2027-03-03T13:00', 45, 'Europe/Berlin') }),
  change('changed to a day', 'lunch', { when: { date: '2027-03-03' } }),
  change('changed back to a time', 'lunch', { when: span('2027-03-03T13:00', 45, 'Europe/Berlin') }),
  change('changed to free', 'lunch', { busy: false }),
  change('cleared texts', 'lunch', { description: null, location: null }),
  change('changed guests', 'meeting', { participants: [{ email: 'dora@people.test' }] }),
  change('without guests', 'meeting', { participants: [] }),
  change('changed metadata', 'lunch', { metadata: { key2: 'b' } }),
  change('changed by nothing', 'lunch', {}),
  change('changed to an end before its start', 'lunch', {
    when: { start_time: at('2027-03-02T10:00'), end_time: at('2027-03-02T09:00') },
  }),
  read('changed, read', 'lunch'),
  list('of one day', day('2027-03-03')),
  list('of a day within several', day('2027-03-09')),
  list('two', `${day('2027-03-10')}&limit=2`),
  list('by title', 'title=Late'),
  list('by a title that nothing has', 'title=nowhere'),
  list('by location', 'location=nowhere'),
  list('by description', 'description=nowhere'),
  list('busy', `busy=true&${day('2027-03-06')}`),
  list('free', `busy=false&${day('2027-03-06')}`),
  list('by metadata', 'metadata_pair=key2:b'),
  list('by metadata and a title', 'metadata_pair=key2:b&title=x'),
  list('by guests', `attendees=bob@people.test&${day('2027-03-09')}&select=id,title`),
  list('by an id of iCalendar that nothing has', 'ical_uid=nothing'),
  list('with chosen fields', `${day('2027-03-03')}&select=id,title`),
  list('with an end before the start', `start=${at('2027-03-03T00:00')}&end=${at('2027-03-02T00:00')}`),
  list('with a start that is no number', 'start=tomorrow'),
  list('with a limit of 0', 'limit=0'),
  list('with a page token that we did not give', 'page_token=nonsense'),
  of('listed of an unknown calendar', 'GET /events?calendar_id=no-such-calendar'),
  of('listed of no calendar', 'GET /events'),
  of('unknown', 'GET /events/no-such-event?calendar_id={calendar}'),
  of('unknown, changed', 'PUT /events/no-such-event?calendar_id={calendar}', { title: 'x' }),
  of('unknown, deleted', 'DELETE /events/no-such-event?calendar_id={calendar}'),
  of('read in another calendar', 'GET /events/{lunch}?calendar_id=no-such-calendar'),
  of('read in no calendar', 'GET /events/{lunch}'),
  of('answered as the organizer', 'POST /events/{lunch}/send-rsvp?calendar_id={calendar}', { status: 'yes' }),
  of('answered with an unknown word', 'POST /events/{lunch}/send-rsvp?calendar_id={calendar}', { status: 'perhaps' }),
  of('unknown, answered', 'POST /events/no-such-event/send-rsvp?calendar_id={calendar}', { status: 'yes' }),
  change('changed guests to an invalid one', 'meeting', { participants: [{ email: 'nobody' }] }),
  of('deleted', 'DELETE /events/{holiday}?calendar_id={calendar}'),
  of('deleted, read', 'GET /events/{holiday}?calendar_id={calendar}'),
  of('deleted again', 'DELETE /events/{holiday}?calendar_id={calendar}'),
  of('imported', `GET /events/import?calendar_id={calendar}&${day('2027-03-10')}&select=id,title`),
  {
    name: 'free/busy: of the account',
    call: 'POST /calendars/free-busy',
    body: { start_time: at('2027-03-06T00:00'), end_time: at('2027-03-07T00:00'), emails: ['{email}'] },
  },
  {
    name: 'free/busy: of an unknown address',
    call: 'POST /calendars/free-busy',
    body: { start_time: at('2027-03-06T00:00'), end_time: at('2027-03-07T00:00'), emails: ['nobody@nowhere.test'] },
  },
  {
    name: 'free/busy: with an end before the start',
    call: 'POST /calendars/free-busy',
    body: { start_time: at('2027-03-07T00:00'), end_time: at('2027-03-06T00:00'), emails: ['{email}'] },
  },
  { name: 'free/busy: of nobody', call: 'POST /calendars/free-busy', body: { start_time: 1, end_time: 2, emails: [] } },
  {
    name: 'free/busy: of a year',
    call: 'POST /calendars/free-busy',
    body: { start_time: at('2027-01-01T00:00'), end_time: at('2028-01-01T00:00'), emails: ['{email}'] },
  },
]
