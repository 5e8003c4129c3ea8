/** Calendars and free/busy times of servers, mapped to ours. */
import { expect, test } from 'vitest'
import { fromCollection, holdsEvents, toProps } from '../../src/dav/caldav/mapping/calendar.ts'
import { freeBusyRequest, readFreeBusyResponse } from '../../src/dav/caldav/mapping/free-busy.ts'
import { answerLimits, type DavResponse, readMultiStatus, responseOf } from '../../src/dav/multistatus.ts'
import { declarations } from '../../src/dav/names.ts'

const home = 'https://dav.test/calendars/ann/'
const principal = 'https://dav.test/principals/ann/'
const grant = { id: 'grant', email: 'ann@dav.test' } as never

function collection(props: string) {
  const xml = `<D:multistatus ${declarations}><D:response><D:href>/calendars/ann/work/</D:href><D:propstat><D:prop>${props}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>`
  const responses: DavResponse[] = []
  const source = { body: Buffer.from(xml), url: home, hosts: { urls: [home] } }
  readMultiStatus(source, answerLimits, (reported) => responses.push(responseOf(reported)))
  const [found] = responses
  if (!found) throw new Error('no response')
  return found
}
const calendarOf = (props: string) =>
  fromCollection(collection(props), { url: `${home}work/`, id: 'work', grant, principal, isPrimary: false })

const type = '<D:resourcetype><D:collection/><C:calendar/></D:resourcetype>'
const privileges = (...names: string[]): string =>
  `<D:current-user-privilege-set>${names.map((name) => `<D:privilege><${name}/></D:privilege>`).join('')}</D:current-user-privilege-set>`

test('a collection becomes a calendar', () => {
  const zone =
    'BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VTIMEZONE\nTZID:W. Europe Standard Time\nEND:VTIMEZONE\nEND:VCALENDAR'
  const props = `${type}<D:displayname> Work </D:displayname><C:calendar-description>Of the team</C:calendar-description>
    <ICAL:calendar-color>#1A73E8FF</ICAL:calendar-color><C:calendar-timezone>${zone}</C:calendar-timezone>
    <D:owner><D:href>/principals/ann</D:href></D:owner>${privileges('D:read', 'D:write')}`
  expect(calendarOf(props)).toEqual({
    id: 'work',
    grant_id: 'grant',
    object: 'calendar',
    name: 'Work',
    description: 'Of the team',
    location: null,
    timezone: 'Europe/Berlin',
    hex_color: '#1a73e8',
    hex_foreground_color: null,
    is_owned_by_user: true,
    is_primary: false,
    read_only: false,
    metadata: {},
  })
})

test('missing properties have default values', () => {
  expect(calendarOf(type)).toMatchObject({ name: 'work', timezone: 'UTC', read_only: false, is_owned_by_user: true })
})

test.each([
  ['may only be read', privileges('D:read'), { read_only: true }],
  ['is fed from elsewhere', '<CS:source><D:href>https://feeds.test/a.ics</D:href></CS:source>', { read_only: true }],
  ['is somebody else’s', '<D:owner><D:href>/principals/bob/</D:href></D:owner>', { is_owned_by_user: false }],
  ['has a zone by its name', '<C:calendar-timezone-id>Asia/Tokyo</C:calendar-timezone-id>', { timezone: 'Asia/Tokyo' }],
])('a calendar that %s', (_, props, expected) => {
  expect(calendarOf(`${type}${props}`)).toMatchObject(expected)
})

test('collections of tasks, the inbox and the outbox contain no events', () => {
  const components = (...names: string[]): string =>
    `<C:supported-calendar-component-set>${names.map((name) => `<C:comp name="${name}"/>`).join('')}</C:supported-calendar-component-set>`
  const holds = (props: string): boolean => holdsEvents(collection(props))
  expect(holds(type)).toBe(true)
  expect(holds(`${type}${components('VTODO', 'VEVENT')}`)).toBe(true)
  expect(holds(`${type}${components('VTODO')}`)).toBe(false)
  expect(holds('<D:resourcetype><D:collection/></D:resourcetype>')).toBe(false)
  expect(holds('<D:resourcetype><D:collection/><C:calendar/><C:schedule-inbox/></D:resourcetype>')).toBe(false)
  expect(holds('<D:resourcetype><D:collection/><C:schedule-outbox/></D:resourcetype>')).toBe(false)
  expect(holds('<D:resourcetype><D:collection/><C:calendar/><C:schedule-outbox/></D:resourcetype>')).toBe(true)
})

test('a change is written as properties, and a cleared field is removed', () => {
  expect(toProps({ name: 'Work', description: null, hex_color: '' }, 0)).toEqual({
    'D:displayname': 'Work',
    'C:calendar-description': undefined,
    'ICAL:calendar-color': undefined,
  })
  expect(toProps({ hex_color: '#1a73e8', timezone: 'europe/berlin' }, 1_780_000_000)).toEqual({
    'ICAL:calendar-color': '#1A73E8FF',
    'C:calendar-timezone': expect.stringMatching(/^BEGIN:VCALENDAR\r\n[\s\S]*TZID:Europe\/Berlin\r\n/),
  })
  expect(() => toProps({ timezone: 'Mars/Olympus' }, 0)).toThrow(/timezone/)
})

test('free/busy times are requested for several people, and returned for each', () => {
  const requested = freeBusyRequest({
    organizer: 'ann@dav.test',
    attendees: ['bob@dav.test', 'eve@dav.test'],
    from: 1_780_000_000,
    to: 1_780_086_400,
    now: 1_779_000_000_000,
  })
  expect(requested).toMatch(
    /METHOD:REQUEST[\s\S]*BEGIN:VFREEBUSY[\s\S]*ATTENDEE:mailto:bob@dav\.test\r\nATTENDEE:mailto:eve@dav\.test/,
  )
  const answer = (email: string, inner: string): string =>
    `<C:response><C:recipient><D:href>MAILTO:${email}</D:href></C:recipient>${inner}</C:response>`
  const busy = `BEGIN:VCALENDAR
BEGIN:VFREEBUSY
FREEBUSY:20260601T090000Z/20260601T100000Z,20260601T110000Z/PT30M
FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260602T090000Z/20260602T100000Z
FREEBUSY;FBTYPE=FREE:20260603T090000Z/20260603T100000Z
FREEBUSY:nonsense,20260604T090000Z/20260604T080000Z
END:VFREEBUSY
END:VCALENDAR`
  const reported = readFreeBusyResponse(
    Buffer.from(
      `<C:schedule-response ${declarations}>${[
        answer(
          'Bob@dav.test',
          `<C:request-status>2.0;Success</C:request-status><C:calendar-data>${busy}</C:calendar-data>`,
        ),
        answer('eve@dav.test', '<C:request-status>3.7;Invalid calendar user</C:request-status>'),
        answer('joe@dav.test', '<C:request-status>5.1;Service unavailable</C:request-status>'),
        answer('sam@dav.test', '<C:request-status>2.0;Success</C:request-status><C:calendar-data/>'),
      ].join('')}</C:schedule-response>`,
    ),
  )
  const at = (day: number, hour: number, minute = 0): number => Date.UTC(2026, 5, day, hour, minute) / 1000
  expect(reported.get('bob@dav.test')).toEqual({
    isFound: true,
    periods: [
      { start: at(1, 9), end: at(1, 10), isTentative: false },
      { start: at(1, 11), end: at(1, 11, 30), isTentative: false },
      { start: at(2, 9), end: at(2, 10), isTentative: true },
    ],
  })
  expect(reported.get('eve@dav.test')).toEqual({ isFound: false, problem: undefined })
  expect(reported.get('joe@dav.test')).toMatchObject({ isFound: false, problem: expect.stringContaining('5.1') })
  expect(reported.get('sam@dav.test')).toMatchObject({
    isFound: false,
    problem: expect.stringContaining('no free/busy'),
  })
})
