import type { Event, When } from '@waypost/contract'
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { contentLine, type Moment, plain, text, timeZone, write } from '../../src/formats/icalendar.ts'
import {
  type Invitation,
  type InviteOptions,
  invitationsFor,
  inviteFor,
  isMailAddress,
  isSignificantChange,
  replyFor,
  replyMailFor,
  resetsAnswers,
  sequenceAfter,
} from '../../src/formats/itip.ts'

const NOW = Date.UTC(2026, 0, 5, 8, 30)
const unix = (...parts: [number, number, number, number?, number?]): number => {
  const [year, month, day, hour = 0, minute = 0] = parts
  return Date.UTC(year, month - 1, day, hour, minute) / 1000
}

const berlin = (start: number, minutes = 60): When => ({
  object: 'timespan',
  start_time: start,
  end_time: start + minutes * 60,
  start_timezone: 'Europe/Berlin',
  end_timezone: 'Europe/Berlin',
})

const guest = (email: string, fields: Partial<Event['participants'][number]> = {}): Event['participants'][number] => ({
  email,
  name: null,
  comment: null,
  phone_number: null,
  status: 'noreply',
  ...fields,
})

const event = (fields: Partial<Event> = {}): Event => ({
  id: 'event-1',
  object: 'event',
  grant_id: '6f0c3c0e-5a0e-4f0a-9d8e-0a3d5d1f0001',
  calendar_id: 'calendar-1',
  title: 'Planning',
  description: null,
  location: 'Room 5',
  when: berlin(unix(2026, 1, 15, 9)),
  busy: true,
  status: 'confirmed',
  visibility: null,
  hide_participants: false,
  participants: [guest('ann@example.com', { name: 'Ann' }), guest('bob@example.com', { status: 'yes' })],
  resources: [],
  organizer: { email: 'olga@example.com', name: 'Olga' },
  ical_uid: 'uid-1@waypost.test',
  sequence: 2,
  read_only: false,
  metadata: {},
  created_at: null,
  updated_at: null,
  ...fields,
})

const sender = { organizer: { email: 'olga@example.com', name: 'Olga' } }
const request = (given: Event, options: Partial<InviteOptions> = {}): string =>
  inviteFor(given, { ...sender, method: 'REQUEST', to: 'ann@example.com', sequence: 0, now: NOW, ...options }).ics
const cancel = (given: Event, options: Partial<InviteOptions> = {}): string =>
  request(given, { method: 'CANCEL', ...options })

/** The object as a stranger reads it. */
function read(ics: string) {
  const calendar = new ICAL.Component(ICAL.parse(ics))
  const vevent = calendar.getAllSubcomponents('vevent')[0] ?? new ICAL.Component('vevent')
  const value = (name: string): string | undefined => vevent.getFirstPropertyValue(name)?.toString()
  return {
    calendar,
    vevent,
    method: calendar.getFirstPropertyValue('method'),
    value,
    names: vevent.getAllProperties().map((property) => property.name),
    zoneIn: (name: string) => vevent.getFirstProperty(name)?.getFirstParameter('tzid'),
    type: (name: string) => vevent.getFirstProperty(name)?.type,
    values: (name: string) => vevent.getAllProperties(name).map((property) => String(property.getFirstValue())),
    attendees: vevent.getAllProperties('attendee').map((property) => ({
      address: String(property.getFirstValue()),
      cutype: property.getFirstParameter('cutype'),
      role: property.getFirstParameter('role'),
      partstat: property.getFirstParameter('partstat'),
      rsvp: property.getFirstParameter('rsvp'),
      cn: property.getFirstParameter('cn'),
    })),
    zones: calendar
      .getAllSubcomponents('vtimezone')
      .map((component) => new ICAL.Timezone({ component, tzid: String(component.getFirstPropertyValue('tzid')) })),
  }
}

/** The offset in hours that a VTIMEZONE gives for a local time. */
function offsetIn(zone: ICAL.Timezone | undefined, local: string): number {
  const time = ICAL.Time.fromDateTimeString(local)
  if (zone === undefined) throw new Error('no such zone')
  time.zone = zone
  return zone.utcOffset(time) / 3600
}

const physicalLines = (ics: string): string[] => ics.split('\r\n').slice(0, -1)

describe('content lines', () => {
  test('are folded at 75 octets, never inside a character', () => {
    for (const title of [
      '😀'.repeat(200),
      '会議の予定'.repeat(80),
      `a${'é'.repeat(300)}`,
      '👩‍👩‍👧 x'.repeat(60),
      'b'.repeat(500),
    ]) {
      const line = contentLine(text('SUMMARY', title))
      for (const each of physicalLines(line)) {
        expect(Buffer.byteLength(each)).toBeLessThanOrEqual(75)
        expect(Buffer.from(each).toString()).toBe(each)
        expect(each.isWellFormed()).toBe(true)
      }
      expect(
        physicalLines(line)
          .slice(0, -1)
          .every((each) => Buffer.byteLength(each) >= 72),
      ).toBe(true)
      expect(read(request(event({ title }))).value('summary')).toBe(title)
    }
  })

  test('of exactly 75 octets are left alone', () => {
    expect(contentLine(plain('X', 'a'.repeat(73)))).toBe(`X:${'a'.repeat(73)}\r\n`)
    expect(contentLine(plain('X', 'a'.repeat(74)))).toBe(`X:${'a'.repeat(73)}\r\n a\r\n`)
  })

  test('escape text and read back the same', () => {
    const title = 'a\\b; c, d: "e" \\n f\ng'
    expect(contentLine(text('SUMMARY', title))).toBe('SUMMARY:a\\\\b\\; c\\, d: "e" \\\\n f\\ng\r\n')
    expect(read(request(event({ title }))).value('summary')).toBe(title)
  })

  test('encode parameters by RFC 6868 and read back the same', () => {
    const name = 'Ann "the ^ one"; Lee, jr: x'
    expect(contentLine(plain('X', 'y', { CN: name, TZID: 'Europe/Berlin', NONE: undefined }))).toBe(
      `X;CN="Ann ^'the ^^ one^'; Lee, jr: x";TZID=Europe/Berlin:y\r\n`,
    )
    const [attendee] = read(request(event({ participants: [guest('ann@example.com', { name })] }))).attendees
    expect(attendee).toMatchObject({ cn: name })
  })

  test('hold whatever they are given', () => {
    const line = contentLine(plain('X', 'a\r\nY:b\0\u0085\u2028c', { P: 'd\r\nZ:e\0' }))
    expect(physicalLines(line)).toHaveLength(1)
    expect(line).not.toMatch(/\0/)
  })

  test('survive half a surrogate pair', () => {
    expect(
      read(request(event({ title: 'x\ud800y', participants: [guest('\udc00@example.com')] }))).value('summary'),
    ).toBe('x\ufffdy')
  })
})

describe('VTIMEZONE', () => {
  const zone = (name: string, from: number, to = from) =>
    new ICAL.Timezone({ component: new ICAL.Component(ICAL.parse(write(timeZone(name, { from, to })))), tzid: name })

  test.each([
    ['Europe/Berlin', 1, 2],
    ['America/New_York', -5, -4],
    ['Europe/Dublin', 0, 1],
    ['Asia/Kolkata', 5.5, 5.5],
    ['Asia/Tokyo', 9, 9],
    ['Australia/Sydney', 11, 10],
    ['Australia/Lord_Howe', 11, 10.5],
    ['America/Sao_Paulo', -3, -3],
    ['Asia/Jerusalem', 2, 3],
  ])('of %s has the offsets of January and July', (name, january, july) => {
    for (const from of [unix(2026, 1, 15), unix(2026, 7, 15)]) {
      expect(offsetIn(zone(name, from), '2026-01-15T12:00:00')).toBe(january)
      expect(offsetIn(zone(name, from), '2026-07-15T12:00:00')).toBe(july)
      expect(offsetIn(zone(name, from), '2034-07-15T12:00:00')).toBe(july)
    }
  })

  test('agrees with Temporal on every day of its years, also where rules changed or are irregular', () => {
    for (const name of [
      'Africa/Casablanca',
      'Asia/Jerusalem',
      'America/New_York',
      'Europe/Istanbul',
      'Asia/Pyongyang',
    ]) {
      const made = zone(name, unix(2005, 3, 1), unix(2030, 3, 1))
      let day = Temporal.PlainDate.from('2005-01-02')
      for (; day.year < 2031; day = day.add({ days: 5 })) {
        const local = day.toZonedDateTime({ timeZone: name, plainTime: '12:00' })
        expect([name, String(day), offsetIn(made, `${day}T12:00:00`)]).toEqual([
          name,
          String(day),
          local.offsetNanoseconds / 3.6e12,
        ])
      }
    }
  })

  test('writes the rule of Berlin as everybody does', () => {
    expect(physicalLines(write(timeZone('Europe/Berlin', { from: unix(2026, 6, 1), to: unix(2026, 6, 1) })))).toEqual([
      'BEGIN:VTIMEZONE',
      'TZID:Europe/Berlin',
      'BEGIN:STANDARD',
      'DTSTART:20251026T030000',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:20260329T020000',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ])
  })

  test('ends a rule that was given up', () => {
    const made = write(timeZone('America/New_York', { from: unix(2004, 6, 1), to: unix(2026, 6, 1) }))
    expect(made).toContain('RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z')
    expect(made).toContain('RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU\r\n')
  })

  test('of a zone that never changed has one observance', () => {
    expect(write(timeZone('Etc/GMT-3', { from: 0, to: 0 }))).toContain('TZOFFSETTO:+0300')
  })

  test('stands in the object for every zone that is named', () => {
    const when: When = {
      object: 'timespan',
      start_time: unix(2026, 7, 1, 9),
      end_time: unix(2026, 7, 1, 17),
      start_timezone: 'Europe/Berlin',
      end_timezone: 'America/New_York',
    }
    const { zones, value, zoneIn } = read(request(event({ when })))
    expect(zones.map(({ tzid }) => tzid)).toEqual(['Europe/Berlin', 'America/New_York'])
    expect([value('dtstart'), value('dtend')]).toEqual(['2026-07-01T11:00:00', '2026-07-01T13:00:00'])
    expect([zoneIn('dtstart'), zoneIn('dtend')]).toEqual(['Europe/Berlin', 'America/New_York'])
  })
})

describe('a request', () => {
  test('holds what the contract lists', () => {
    const { method, calendar, value, names, zoneIn, vevent, attendees } = read(request(event(), { sequence: 3 }))
    expect(method).toBe('REQUEST')
    expect(calendar.getAllProperties().map(({ name }) => name)).toEqual(['version', 'prodid', 'calscale', 'method'])
    expect(value('uid')).toBe('uid-1@waypost.test')
    expect(value('sequence')).toBe('3')
    expect(value('dtstamp')).toBe('2026-01-05T08:30:00Z')
    expect(value('dtstart')).toBe('2026-01-15T10:00:00')
    expect(value('dtend')).toBe('2026-01-15T11:00:00')
    expect(zoneIn('dtstart')).toBe('Europe/Berlin')
    expect(value('summary')).toBe('Planning')
    expect(value('location')).toBe('Room 5')
    expect(value('status')).toBe('CONFIRMED')
    expect(value('transp')).toBe('OPAQUE')
    expect(value('organizer')).toBe('mailto:olga@example.com')
    expect(vevent.getFirstProperty('organizer')?.getFirstParameter('cn')).toBe('Olga')
    expect(names).not.toContain('recurrence-id')
    expect(names).not.toContain('class')
    const individual = { cutype: 'INDIVIDUAL', role: 'REQ-PARTICIPANT', rsvp: 'TRUE' }
    expect(attendees).toEqual([
      { address: 'mailto:ann@example.com', ...individual, partstat: 'NEEDS-ACTION', cn: 'Ann' },
      { address: 'mailto:bob@example.com', ...individual, partstat: 'ACCEPTED', cn: undefined },
    ])
  })

  test('is CRLF text without a blank line at its end, the method before the event', () => {
    const ics = request(event({ description: 'one\ntwo' }))
    expect(ics.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(ics).toMatch(/END:VCALENDAR\r\n$/)
    expect(ics.indexOf('METHOD:')).toBeLessThan(ics.indexOf('BEGIN:VEVENT'))
  })

  test('names the one who sends for the organizer', () => {
    const organizer = (ics: string) => read(ics).vevent.getFirstProperty('organizer')
    const sent = organizer(request(event(), { sentBy: 'system@waypost.test' }))
    expect(sent?.getFirstValue()).toBe('mailto:olga@example.com')
    expect(sent?.getFirstParameter('sent-by')).toBe('mailto:system@waypost.test')
    const identifier = { organizer: { email: 'team calendar 7', name: 'Team' }, sentBy: 'system@waypost.test' }
    const virtual = organizer(request(event(), identifier))
    expect(virtual?.getFirstValue()).toBe('mailto:system@waypost.test')
    expect(virtual?.getFirstParameter('sent-by')).toBeUndefined()
    expect(virtual?.getFirstParameter('cn')).toBe('Team')
  })

  test('invites rooms as rooms, once', () => {
    const resources = [{ email: 'room@example.com', name: 'Big room' }]
    const participants = [guest('ROOM@example.com', { status: 'yes' }), guest('ann@example.com')]
    const { attendees } = read(request(event({ resources, participants })))
    expect(attendees).toHaveLength(2)
    expect(attendees[1]).toEqual({
      address: 'mailto:room@example.com',
      cutype: 'ROOM',
      role: 'NON-PARTICIPANT',
      partstat: 'ACCEPTED',
      rsvp: 'TRUE',
      cn: 'Big room',
    })
  })

  test('hides the participants from one another', () => {
    const hidden = event({ hide_participants: true, resources: [{ email: 'room@example.com' }] })
    for (const to of ['ann@example.com', 'bob@example.com', 'room@example.com']) {
      const ics = request(hidden, { to })
      expect(read(ics).attendees.map(({ address }) => address)).toEqual([`mailto:${to}`])
      expect(ics.match(/[\w.]+@example\.com/g)?.filter((email) => email !== to)).toEqual(['olga@example.com'])
    }
  })

  test('says how to join, as link and in the text', () => {
    const conferencing = {
      provider: 'Zoom Meeting',
      details: { url: 'https://zoom.test/j/1?p=a,b', meeting_code: '77', pin: '1' },
    }
    const { value, vevent } = read(request(event({ description: '<p>Hello &amp; welcome</p><p>x</p>', conferencing })))
    expect(value('url')).toBe('https://zoom.test/j/1?p=a,b')
    expect(value('conference')).toBe('https://zoom.test/j/1?p=a,b')
    expect(vevent.getFirstProperty('conference')?.getFirstParameter('label')).toBe('Zoom Meeting')
    expect(value('description')).toBe(
      'Hello & welcome\nx\n\nJoin: https://zoom.test/j/1?p=a,b\nMeeting code: 77\nPIN: 1',
    )
    for (const url of ['javascript:alert(1)', 'not a url', 'https://']) {
      expect(read(request(event({ conferencing: { details: { url } } }))).names).not.toContain('url')
    }
  })

  test('carries status, visibility and whether it takes time', () => {
    const { value } = read(request(event({ status: 'maybe', visibility: 'private', busy: false })))
    expect([value('status'), value('class'), value('transp')]).toEqual(['TENTATIVE', 'PRIVATE', 'TRANSPARENT'])
    expect(read(request(event({ visibility: 'public' }))).value('class')).toBe('PUBLIC')
    expect(read(request(event({ visibility: 'default' }))).names).not.toContain('class')
  })
})

describe('times', () => {
  const shown = (when: When, fields: Partial<Event> = {}) => {
    const { value, names, zones, type } = read(request(event({ when, ...fields })))
    return { start: value('dtstart'), end: value('dtend'), type: type('dtstart'), zones: zones.length, names }
  }

  test('a point in time has no end', () => {
    const time = unix(2026, 1, 15, 9)
    expect(shown({ object: 'time', time, timezone: 'Asia/Tokyo' })).toMatchObject({
      start: '2026-01-15T18:00:00',
      zones: 1,
    })
    const { names, ...rest } = shown({ object: 'time', time, timezone: null })
    expect(rest).toEqual({ start: '2026-01-15T09:00:00Z', end: undefined, type: 'date-time', zones: 0 })
    expect(names).not.toContain('dtend')
  })

  test('days end on the day after, and come back as they were', () => {
    expect(shown({ object: 'date', date: '2026-02-28' })).toMatchObject({
      start: '2026-02-28',
      end: '2026-03-01',
      type: 'date',
    })
    const when: When = { object: 'datespan', start_date: '2026-12-30', end_date: '2027-01-02' }
    const { start, end, type, zones } = shown(when)
    expect([start, end, type, zones]).toEqual(['2026-12-30', '2027-01-03', 'date', 0])
    const last = Temporal.PlainDate.from(end ?? '')
      .subtract({ days: 1 })
      .toString()
    expect({ object: 'datespan', start_date: start, end_date: last }).toEqual(when)
  })

  test('a span without length is a point in time', () => {
    expect(shown(berlin(unix(2026, 1, 15, 9), 0)).names).not.toContain('dtend')
  })

  test('UTC under any of its names needs no zone', () => {
    for (const timezone of ['UTC', 'Etc/UTC', 'GMT', null]) {
      expect(shown({ object: 'time', time: unix(2026, 1, 15, 9), timezone })).toMatchObject({
        start: '2026-01-15T09:00:00Z',
        zones: 0,
      })
    }
  })

  test('the second pass of a repeated hour is written in UTC', () => {
    expect(shown(berlin(unix(2026, 10, 25, 0, 30), 60))).toMatchObject({
      start: '2026-10-25T02:30:00',
      end: '2026-10-25T01:30:00Z',
    })
  })

  test('a Windows name is understood, an unknown one refused', () => {
    const time = unix(2026, 1, 15, 9)
    expect(shown({ object: 'time', time, timezone: 'W. Europe Standard Time' }).start).toBe('2026-01-15T10:00:00')
    expect(() => shown({ object: 'time', time, timezone: 'Mars/Phobos' })).toThrow('time zone')
  })
})

describe('a series', () => {
  const recurrence = ['EXDATE:20260122T090000Z,20260205T090000Z', 'RRULE:FREQ=WEEKLY; BYDAY=TH;UNTIL=20261231T090000Z']

  test('has its rule, and its exceptions in the zone of the start', () => {
    const { value, values, vevent } = read(request(event({ recurrence })))
    expect(value('rrule')).toBe('FREQ=WEEKLY;BYDAY=TH;UNTIL=20261231T090000Z')
    expect(values('exdate')).toEqual(['2026-01-22T10:00:00', '2026-02-05T10:00:00'])
    for (const property of vevent.getAllProperties('exdate'))
      expect(property.getFirstParameter('tzid')).toBe('Europe/Berlin')
  })

  test('takes exceptions in all forms', () => {
    const lines = [
      'RRULE:FREQ=DAILY',
      'EXDATE;TZID=America/New_York:20260122T040000',
      'EXDATE;VALUE=DATE:20260701',
      'exdate:20260301T100000',
    ]
    expect(read(request(event({ recurrence: lines }))).values('exdate')).toEqual([
      '2026-01-22T10:00:00',
      '2026-03-01T10:00:00',
      '2026-07-01T10:00:00',
    ])
    const allDay = event({
      when: { object: 'date', date: '2026-01-15' },
      recurrence: ['RRULE:FREQ=DAILY', 'EXDATE:20260120T000000Z'],
    })
    const { values, type } = read(request(allDay))
    expect([values('exdate'), type('exdate')]).toEqual([['2026-01-20'], 'date'])
  })

  test('refuses lines that are none', () => {
    for (const line of [
      'RRULE:FREQ=DAILY\r\nATTENDEE:mailto:x@y.test',
      'DTSTART:20260101',
      'X',
      'EXDATE:20261301',
      'EXDATE:2026',
    ]) {
      expect(() => request(event({ recurrence: [line] }))).toThrow('recurrence')
    }
  })

  test.each<[string, Moment, string, string, string | undefined]>([
    [
      'zoned',
      { time: unix(2026, 7, 16, 8), timezone: 'Europe/Berlin' },
      '2026-07-16T10:00:00',
      'date-time',
      'Europe/Berlin',
    ],
    ['in UTC', { time: unix(2026, 7, 16, 8), timezone: null }, '2026-07-16T08:00:00Z', 'date-time', undefined],
    ['of days', { date: '2026-07-16' }, '2026-07-16', 'date', undefined],
  ])('one occurrence of a series %s is named by its slot, without the rule', (_, recurrenceId, slot, type, zone) => {
    const moved = event({ when: { object: 'time', time: unix(2026, 7, 17, 8), timezone: null }, recurrence })
    const made = read(request(moved, { recurrenceId }))
    expect(made.value('recurrence-id')).toBe(slot)
    expect(made.type('recurrence-id')).toBe(type)
    expect(made.zoneIn('recurrence-id')).toBe(zone)
    expect(made.names).not.toContain('rrule')
    expect(made.names).not.toContain('exdate')
    expect(made.zones.map(({ tzid }) => tzid)).toEqual(zone === undefined ? [] : [zone])
  })
})

describe('a cancellation', () => {
  test('of the event says so in its status', () => {
    const { method, value, attendees } = read(cancel(event(), { sequence: 3 }))
    expect([method, value('status'), value('sequence')]).toEqual(['CANCEL', 'CANCELLED', '3'])
    expect(attendees).toHaveLength(2)
    expect(attendees[0]?.rsvp).toBeUndefined()
  })

  test('of one occurrence names it', () => {
    const recurrenceId = { time: unix(2026, 1, 22, 9), timezone: 'Europe/Berlin' }
    const { value, zoneIn } = read(cancel(event(), { recurrenceId }))
    expect([value('recurrence-id'), value('status')]).toEqual(['2026-01-22T10:00:00', 'CANCELLED'])
    expect(zoneIn('recurrence-id')).toBe('Europe/Berlin')
  })

  test('for a removed guest lists him alone and leaves the event standing', () => {
    const { method, names, attendees } = read(cancel(event(), { to: 'bob@example.com', onlyFor: 'bob@example.com' }))
    expect(method).toBe('CANCEL')
    expect(names).not.toContain('status')
    expect(attendees.map(({ address }) => address)).toEqual(['mailto:bob@example.com'])
  })
})

describe('a reply', () => {
  const ann = { email: 'ann@example.com', name: 'Ann' }

  test.each([
    ['yes', 'ACCEPTED', 'Accepted: Planning'],
    ['no', 'DECLINED', 'Declined: Planning'],
    ['maybe', 'TENTATIVE', 'Tentative: Planning'],
  ] as const)('%s has one attendee, %s', (answer, partstat, subject) => {
    const reply = replyFor(event(), ann, answer, { comment: 'Late; sorry', now: NOW })
    const { method, attendees, value } = read(reply.ics)
    expect([reply.method, method]).toEqual(['REPLY', 'REPLY'])
    expect(attendees).toMatchObject([{ address: 'mailto:ann@example.com', partstat, cn: 'Ann' }])
    expect([value('uid'), value('sequence'), value('dtstamp')]).toEqual([
      'uid-1@waypost.test',
      '2',
      '2026-01-05T08:30:00Z',
    ])
    expect(value('organizer')).toBe('mailto:olga@example.com')
    expect(value('comment')).toBe('Late; sorry')
    const mail = replyMailFor(event(), ann, answer, { comment: 'Late; sorry', now: NOW })
    expect(mail).toMatchObject({ to: 'olga@example.com', subject, ...reply })
    expect(mail.text).toContain('Late; sorry')
  })

  test('to one occurrence names it; without a comment there is none', () => {
    const recurrenceId = { date: '2026-01-22' }
    const { value, type, names } = read(replyFor(event(), ann, 'yes', { comment: null, now: NOW, recurrenceId }).ics)
    expect([value('recurrence-id'), type('recurrence-id')]).toEqual(['2026-01-22', 'date'])
    expect(names).not.toContain('comment')
  })

  test('needs an organizer', () => {
    expect(() => replyFor(event({ organizer: null }), ann, 'yes', { now: NOW })).toThrow('no organizer')
  })
})

describe('a change is significant', () => {
  const base = event({ recurrence: ['RRULE:FREQ=WEEKLY'] })
  const later = berlin(unix(2026, 1, 15, 10))
  test.each<[string, Partial<Event>, boolean, boolean]>([
    ['start and end', { when: later }, true, true],
    ['end', { when: berlin(unix(2026, 1, 15, 9), 90) }, true, true],
    ['rule', { recurrence: ['RRULE:FREQ=DAILY'] }, true, true],
    ['one exception', { recurrence: ['RRULE:FREQ=WEEKLY', 'EXDATE:20260122T090000Z'] }, true, false],
    ['status', { status: 'maybe' }, true, false],
    ['place', { location: 'Room 6' }, true, false],
    ['title', { title: 'Other' }, false, false],
    ['text', { description: 'Other' }, false, false],
    ['guests', { participants: [] }, false, false],
    ['spelling of the rule', { recurrence: ['rrule: FREQ=WEEKLY'] }, false, false],
  ])('when it is the %s', (_, fields, significant, resets) => {
    const after = { ...base, ...fields }
    expect(isSignificantChange(base, after)).toBe(significant)
    expect(resetsAnswers(base, after)).toBe(resets)
    expect(sequenceAfter(base, after)).toBe(significant ? 3 : 2)
    expect(sequenceAfter(base, { ...after, sequence: 7 })).toBe(7)
  })

  test('in a zone only where it decides how to repeat', () => {
    const when: When = { object: 'time', time: 0, timezone: 'Europe/Berlin' }
    const single = event({ when })
    expect(isSignificantChange(single, { ...single, when: { ...when, timezone: 'Europe/Paris' } })).toBe(false)
    const series = { ...single, recurrence: ['RRULE:FREQ=DAILY'] }
    expect(isSignificantChange(series, { ...series, when: { ...when, timezone: 'Asia/Tokyo' } })).toBe(true)
  })

  test('not when one day is written as days', () => {
    const day = event({ when: { object: 'date', date: '2026-01-15' } })
    const days = event({ when: { object: 'datespan', start_date: '2026-01-15', end_date: '2026-01-15' } })
    expect(isSignificantChange(day, days)).toBe(false)
  })
})

describe('the mails of a change', () => {
  const change = { ...sender, now: NOW }
  const summary = (mails: Invitation[]) => mails.map(({ to, method, subject }) => `${method} ${to} ${subject}`)
  const sequences = (mails: Invitation[]) => mails.map(({ ics }) => read(ics).value('sequence'))

  test('a new event invites all guests and rooms, but not the organizer', () => {
    const participants = [
      guest('ann@example.com'),
      guest('Ann@Example.com'),
      guest('OLGA@example.com'),
      guest('me@waypost.test'),
    ]
    const after = event({ participants, resources: [{ email: 'room@example.com' }], sequence: 0 })
    const mails = invitationsFor({ ...change, sentBy: 'me@waypost.test', after })
    expect(summary(mails)).toEqual([
      'REQUEST ann@example.com Invitation: Planning',
      'REQUEST room@example.com Invitation: Planning',
    ])
    expect(sequences(mails)).toEqual(['0', '0'])
    for (const { method, ics } of mails) expect(read(ics).method).toBe(method)
  })

  test('nobody is written to who has no mail address', () => {
    const participants = [guest('virtual calendar 7'), guest('a@x.test, b@y.test'), { ...guest('x'), email: undefined }]
    expect(invitationsFor({ ...change, after: event({ participants }) })).toEqual([])
  })

  test('nothing relevant, no mail', () => {
    const before = event()
    const answered = [guest('ann@example.com', { name: 'Ann Lee', status: 'no' }), guest('bob@example.com')]
    const after = event({
      participants: answered,
      metadata: { key1: 'x' },
      color_id: '3',
      reminders: { use_default: true },
      updated_at: 5,
    })
    expect(invitationsFor({ ...change, before, after })).toEqual([])
    expect(invitationsFor(change)).toEqual([])
  })

  test('a new time asks all guests again', () => {
    const mails = invitationsFor({ ...change, before: event(), after: event({ when: berlin(unix(2026, 1, 16, 9)) }) })
    expect(summary(mails)).toEqual([
      'REQUEST ann@example.com Updated invitation: Planning',
      'REQUEST bob@example.com Updated invitation: Planning',
    ])
    expect(sequences(mails)).toEqual(['3', '3'])
    for (const { ics } of mails) {
      expect(read(ics).attendees.map(({ partstat }) => partstat)).toEqual(['NEEDS-ACTION', 'NEEDS-ACTION'])
    }
  })

  test('a new title keeps number and answers', () => {
    const mails = invitationsFor({ ...change, before: event(), after: event({ title: 'Other' }) })
    expect(sequences(mails)).toEqual(['2', '2'])
    expect(read(mails[0]?.ics ?? '').attendees.map(({ partstat }) => partstat)).toEqual(['NEEDS-ACTION', 'ACCEPTED'])
  })

  test('a guest more is invited alone, a guest less is told alone', () => {
    const after = event({ participants: [guest('ann@example.com'), guest('carl@example.com')] })
    const mails = invitationsFor({ ...change, before: event(), after })
    expect(summary(mails)).toEqual([
      'CANCEL bob@example.com Invitation withdrawn: Planning',
      'REQUEST carl@example.com Invitation: Planning',
    ])
    const withdrawn = read(mails[0]?.ics ?? '')
    expect(withdrawn.names).not.toContain('status')
    expect(withdrawn.attendees.map(({ address }) => address)).toEqual(['mailto:bob@example.com'])
    expect(mails[0]?.text).toContain('withdrawn')
    expect(mails[0]?.text).not.toMatch(/cancelled/i)
  })

  test('a deleted event is cancelled for all', () => {
    for (const after of [undefined, event({ status: 'cancelled' })]) {
      const mails = invitationsFor({ ...change, before: event(), after })
      expect(summary(mails)).toEqual([
        'CANCEL ann@example.com Cancelled: Planning',
        'CANCEL bob@example.com Cancelled: Planning',
      ])
      expect(sequences(mails)).toEqual(['3', '3'])
      for (const { ics } of mails) expect(read(ics).value('status')).toBe('CANCELLED')
    }
    const gone = event({ status: 'cancelled' })
    expect(invitationsFor({ ...change, before: gone, after: gone })).toEqual([])
    const again = invitationsFor({ ...change, before: gone, after: event() })
    expect(summary(again)[0]).toBe('REQUEST ann@example.com Invitation: Planning')
    expect(sequences(again)).toEqual(['3', '3'])
  })

  test('one occurrence is changed or deleted by its slot', () => {
    const recurrenceId = { time: unix(2026, 1, 22, 9), timezone: 'Europe/Berlin' }
    const before = event({ when: berlin(unix(2026, 1, 22, 9)) })
    const moved = invitationsFor({
      ...change,
      recurrenceId,
      before,
      after: event({ when: berlin(unix(2026, 1, 23, 9)) }),
    })
    const deleted = invitationsFor({ ...change, recurrenceId, before })
    expect(moved.map(({ method }) => method)).toEqual(['REQUEST', 'REQUEST'])
    expect(deleted.map(({ method }) => method)).toEqual(['CANCEL', 'CANCEL'])
    for (const { ics } of [...moved, ...deleted]) expect(read(ics).value('recurrence-id')).toBe('2026-01-22T10:00:00')
  })

  test('hidden guests stay hidden in every part of every mail', () => {
    const before = event({ hide_participants: true })
    const after = event({
      hide_participants: true,
      title: 'Other',
      participants: [guest('ann@example.com'), guest('carl@example.com')],
    })
    for (const mail of invitationsFor({ ...change, before, after })) {
      const others = ['ann@', 'bob@', 'carl@'].filter((name) => !mail.to.startsWith(name))
      for (const other of others) expect(JSON.stringify(mail)).not.toContain(other)
    }
  })

  test('says in plain words what, when and where', () => {
    const after = event({ recurrence: ['RRULE:FREQ=WEEKLY;INTERVAL=2'], description: 'Bring tea', title: 'Café ☕' })
    expect(invitationsFor({ ...change, after })[0]?.text).toBe(
      [
        'You are invited to this event.',
        '',
        'Café ☕',
        'When: Thursday, 15 January 2026, 10:00–11:00 (Europe/Berlin)',
        'Repeats: every 2 weeks',
        'Where: Room 5',
        'Organizer: Olga',
        '',
        'Bring tea',
      ].join('\n'),
    )
    const whens: [When, string][] = [
      [{ object: 'date', date: '2026-01-15' }, 'Thursday, 15 January 2026'],
      [
        { object: 'datespan', start_date: '2026-01-15', end_date: '2026-01-16' },
        'Thursday 15 January – Friday 16 January 2026',
      ],
      [{ object: 'time', time: unix(2026, 1, 15, 9), timezone: null }, 'Thursday, 15 January 2026 at 09:00 (UTC)'],
    ]
    for (const [when, words] of whens) {
      expect(invitationsFor({ ...change, after: event({ when }) })[0]?.text).toContain(`When: ${words}\n`)
    }
  })
})

/** Strings that try to leave the place they are written in (T-26). */
const injections = [
  'x\r\nATTENDEE:mailto:evil@evil.test',
  'x\nEND:VEVENT\nBEGIN:VEVENT\nUID:evil',
  'x\rBcc: evil@evil.test',
  'x\r\n\r\n<script>alert(1)</script>',
  'x\0y',
  'x\u2028METHOD:PUBLISH\u2029y\u0085z\vq\f',
  '";ROLE=CHAIR:mailto:evil@evil.test',
  ':mailto:evil@evil.test',
  ';X=1:2',
  '\\n\\,\\;\\\\',
  'x^nATTENDEE^\'"',
  'BEGIN:VCALENDAR',
  '\r\n.\r\nMAIL FROM:<evil@evil.test>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '=?utf-8?B?eA0KQmNjOiBldmls?=',
  '\u202Egpj.exe',
]

describe('injected text', () => {
  const plainNames = read(request(event({ description: 'x' }))).names
  test.each(injections)('%j stays where it was put', (evil) => {
    const after = event({
      title: evil,
      description: `about ${evil}`,
      location: evil,
      ical_uid: evil,
      participants: [guest('ann@example.com', { name: evil }), guest(`${evil}@example.com`)],
    })
    const options = { organizer: { email: `o${evil}@example.com`, name: evil }, sentBy: 'system@waypost.test' }
    for (const ics of [request(after, options), cancel(after, options)]) {
      expect(ics.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/)
      for (const line of physicalLines(ics)) expect(line).toMatch(/^( |[A-Z-]+[;:])/)
      const { names, attendees, calendar, value, vevent, method } = read(ics)
      expect(calendar.getAllSubcomponents('vevent')).toHaveLength(1)
      expect(['REQUEST', 'CANCEL']).toContain(method)
      expect(names.toSorted()).toEqual(plainNames.toSorted())
      expect(attendees).toHaveLength(2)
      expect(attendees.map(({ role }) => role)).toEqual(['REQ-PARTICIPANT', 'REQ-PARTICIPANT'])
      expect(attendees[1]?.address).toMatch(/^mailto:[^\s]+$/)
      expect(String(vevent.getFirstPropertyValue('organizer'))).toMatch(/^mailto:/)
      const kept = evil.replace(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, '\n').replaceAll('\0', '')
      expect(value('summary')).toBe(kept)
      expect(value('location')).toBe(kept)
    }
    const mails = invitationsFor({ ...options, now: NOW, after })
    for (const { subject, html, to } of mails) {
      expect(subject).not.toMatch(/\p{Cc}/u)
      expect(isMailAddress(to)).toBe(true)
      expect(
        html
          .match(/<[^>]*>/g)
          ?.every((tag) => /^<\/?(!doctype html|html|body|p|h2|table|tr|th align="left"|th|td|br)>$/.test(tag)),
      ).toBe(true)
    }
  })

  test('makes no address', () => {
    for (const evil of injections) expect(isMailAddress(`a@b.test${evil}`)).toBe(false)
    for (const address of ['a+b=c@x.test', "o'neil@x.test", 'ü@bücher.test', '用户@例子.测试']) {
      expect(isMailAddress(address)).toBe(true)
    }
  })

  test('in a comment, a conference and an answering guest stays there', () => {
    for (const evil of injections) {
      const conferencing = { provider: evil, details: { url: `https://x.test/${evil}`, meeting_code: evil } }
      expect(read(request(event({ conferencing }))).attendees).toHaveLength(2)
      const reply = replyFor(event(), { email: `a${evil}@x.test`, name: evil }, 'yes', { comment: evil, now: NOW })
      expect(read(reply.ics).attendees).toHaveLength(1)
      expect(read(reply.ics).calendar.getAllSubcomponents('vevent')).toHaveLength(1)
    }
  })
})
