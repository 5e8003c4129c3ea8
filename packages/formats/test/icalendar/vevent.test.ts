import type { Event, When } from '@waypost/contract'
import { describe, expect, test } from 'vitest'
import type { Moment } from '../../src/icalendar/icalendar.ts'
import { berlin, event, read, request, unix } from '../itip/making-invitations.ts'

describe('content', () => {
  test('has the conference, as a link and in the text', () => {
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

  test('has status, visibility and free/busy', () => {
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

  test('all-day events end on the day after, and are read back unchanged', () => {
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

  test('UTC needs no zone, with any of its names', () => {
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

  test('a Windows name is recognized, and an unknown one is refused', () => {
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

  test('accepts exceptions in all forms', () => {
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

  test('refuses invalid lines', () => {
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
  ])(
    'one occurrence of a series %s is identified by its slot, without the rule',
    (_, recurrenceId, slot, type, zone) => {
      const moved = event({ when: { object: 'time', time: unix(2026, 7, 17, 8), timezone: null }, recurrence })
      const made = read(request(moved, { slot: recurrenceId }))
      expect(made.value('recurrence-id')).toBe(slot)
      expect(made.type('recurrence-id')).toBe(type)
      expect(made.zoneIn('recurrence-id')).toBe(zone)
      expect(made.names).not.toContain('rrule')
      expect(made.names).not.toContain('exdate')
      expect(made.zones.map(({ tzid }) => tzid)).toEqual(zone === undefined ? [] : [zone])
    },
  )
})
