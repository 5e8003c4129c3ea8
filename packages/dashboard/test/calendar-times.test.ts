/** Times and recurrence rules as the calendar page reads and writes them. */
import { describe, expect, test } from 'vitest'
import type { Event, When } from '../../sdk/src/index.ts'
import { plainText, webAddress } from '../src/foreign-text.ts'
import { bodyOf, type Filled, repetitionOfEvent } from '../src/pages/calendar/event-draft.ts'
import { guestLines, guestsOf } from '../src/pages/calendar/guests.ts'
import {
  onOtherDays,
  partBefore,
  partFrom,
  repetitionOf,
  sayRepetition,
  takenOutBefore,
  writtenRule,
} from '../src/pages/calendar/recurrence.ts'
import { cutOf, isFirst } from '../src/pages/calendar/series.ts'
import { clockOf, placedWhen, shiftBetween, shifted, spanOf, toWhen, whenOf } from '../src/pages/calendar/when.ts'
import { secondsOf, stampOf, wallOf } from '../src/pages/calendar/zones.ts'

const zone = 'Europe/Berlin'
const span = (start: string, end: string, of: string | null = zone): When => ({
  object: 'timespan',
  start_time: secondsOf(start, zone),
  end_time: secondsOf(end, zone),
  start_timezone: of,
  end_timezone: of,
})
const event = (given: Partial<Event>): Event => ({
  id: 'e1',
  object: 'event',
  grant_id: 'g',
  calendar_id: 'c',
  title: 'Stand-up',
  description: null,
  text_description: null,
  location: null,
  when: span('2027-03-09T09:00', '2027-03-09T09:15'),
  busy: true,
  status: 'confirmed',
  hide_participants: false,
  participants: [],
  resources: [],
  organizer: null,
  ical_uid: null,
  read_only: false,
  metadata: {},
  created_at: 0,
  updated_at: 0,
  ...given,
})

describe('times', () => {
  test('local times convert to Unix time and back, also at clock changes', () => {
    expect(wallOf(secondsOf('2027-03-09T09:30', zone), zone)).toBe('2027-03-09T09:30')
    expect(wallOf(secondsOf('2027-03-09T09:30', zone), 'Asia/Tokyo')).toBe('2027-03-09T17:30')
    expect(wallOf(secondsOf('2027-03-28T02:30', zone), zone), 'an hour that is skipped').toBe('2027-03-28T03:30')
    expect(stampOf(secondsOf('2027-07-01T09:00', zone))).toBe('20270701T070000Z')
  })

  test('all-day events include their last day; the grid has an exclusive end', () => {
    expect(spanOf({ object: 'date', date: '2027-02-28' })).toEqual({
      allDay: true,
      start: '2027-02-28',
      end: '2027-03-01',
    })
    const placed = { allDay: true, startDate: '2027-03-01', endDate: '2027-03-04', start: 0, end: 0 }
    expect(placedWhen({ object: 'date', date: '2027-02-28' }, placed, zone)).toEqual({
      start_date: '2027-03-01',
      end_date: '2027-03-03',
    })
    expect(placedWhen(span('2027-03-09T09:00', '2027-03-09T10:00'), { ...placed, endDate: undefined }, zone)).toEqual({
      date: '2027-03-01',
    })
  })

  test('an unchanged form returns the original time', () => {
    const all: When[] = [
      span('2027-03-09T09:00', '2027-03-10T01:00'),
      span('2027-03-09T09:00', '2027-03-09T10:00', null),
      { object: 'date', date: '2027-03-09' },
      { object: 'datespan', start_date: '2027-03-09', end_date: '2027-03-11' },
      { object: 'time', time: secondsOf('2027-03-09T09:00', zone), timezone: 'Asia/Tokyo' },
    ]
    for (const when of all) expect(toWhen(whenOf(clockOf(when, zone), zone, when))).toEqual(when)
  })

  test('moving one occurrence moves its series by the same local time', () => {
    const winter = span('2027-03-22T09:00', '2027-03-22T09:15')
    const summer = span('2027-03-30T10:00', '2027-03-30T10:45')
    const shift = shiftBetween(winter, summer, zone)
    expect(shift).toEqual({ days: 8, seconds: 3600, longer: 1800 })
    expect(shift && shifted(span('2027-01-04T09:00', '2027-01-04T09:15'), shift, zone)).toMatchObject({
      start_time: secondsOf('2027-01-12T10:00', zone),
      end_time: secondsOf('2027-01-12T10:45', zone),
      start_timezone: zone,
    })
    expect(shiftBetween(winter, { date: '2027-03-22' }, zone), 'hours and whole days').toBeUndefined()
  })
})

describe('recurrence', () => {
  test('common rules become form fields; all others stay rules', () => {
    const read = (rule: string) => repetitionOf([`RRULE:${rule}`], 2, zone)
    expect(read('FREQ=WEEKLY;BYDAY=TU;COUNT=4')).toMatchObject({ repeat: 'weekly', ends: 'after', times: 4 })
    expect(read('FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR').repeat).toBe('weekdays')
    expect(read('FREQ=WEEKLY;BYDAY=MO').repeat, 'another day than the first').toBe('rule')
    expect(read('FREQ=DAILY;INTERVAL=2').repeat).toBe('rule')
    const until = read('FREQ=DAILY;UNTIL=20270331T215959Z')
    expect(until).toMatchObject({ repeat: 'daily', ends: 'on', until: '2027-03-31' })
    expect(writtenRule(until, false, zone)).toBe('FREQ=DAILY;UNTIL=20270331T215959Z')
    expect(writtenRule(until, true, zone)).toBe('FREQ=DAILY;UNTIL=20270331')
    expect(repetitionOf(undefined, 2, zone).repeat).toBe('never')
    expect(sayRepetition(['RRULE:FREQ=MONTHLY;COUNT=3'], 2, zone)).toBe('Every month, 3 times')
  })

  test('a series is split with its excluded dates and the remaining count', () => {
    const series = ['RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=10', 'EXDATE:20270115T080000Z,20270212T080000Z']
    const cut = { seconds: Date.parse('2027-02-05T08:00:00Z') / 1000 }
    expect(partBefore(series, cut)).toEqual([
      'RRULE:FREQ=WEEKLY;BYDAY=FR;UNTIL=20270205T075959Z',
      'EXDATE:20270115T080000Z',
    ])
    expect(takenOutBefore(series, cut)).toBe(1)
    expect(partFrom(series, cut, 5)).toEqual(['RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=5', 'EXDATE:20270212T080000Z'])
    expect(partBefore(['RRULE:FREQ=DAILY'], { date: '2027-03-01' })).toEqual(['RRULE:FREQ=DAILY;UNTIL=20270228'])
    expect(partFrom(['RRULE:FREQ=DAILY;UNTIL=20270601'], { date: '2027-03-01' }, 0)).toEqual([
      'RRULE:FREQ=DAILY;UNTIL=20270601',
    ])
  })

  test('a weekly rule follows its event to another day', () => {
    expect(onOtherDays(['RRULE:FREQ=WEEKLY;BYDAY=SA;COUNT=3'], 1)).toEqual(['RRULE:FREQ=WEEKLY;BYDAY=SU;COUNT=3'])
    expect(onOtherDays(['RRULE:FREQ=WEEKLY;BYDAY=MO,WE'], -1)).toEqual(['RRULE:FREQ=WEEKLY;BYDAY=SU,TU'])
    expect(onOtherDays(['RRULE:FREQ=MONTHLY;BYDAY=2TU'], 1)).toEqual(['RRULE:FREQ=MONTHLY;BYDAY=2TU'])
  })

  test('an occurrence is identified by its original start, even if it was moved', () => {
    const master = event({ id: 's', recurrence: ['RRULE:FREQ=DAILY'] })
    const start = secondsOf('2027-03-10T09:00', zone)
    expect(cutOf(event({ id: `s_${stampOf(start)}`, when: { object: 'date', date: '2027-04-01' } }))).toEqual({
      seconds: start,
    })
    expect(cutOf(event({ id: 's_20270310' }))).toEqual({ date: '2027-03-10' })
    expect(cutOf(event({ id: 'AAMk=', original_start_time: 7 }))).toEqual({ seconds: 7 })
    expect(isFirst(event({ id: `s_${stampOf(secondsOf('2027-03-09T09:00', zone))}` }), master)).toBe(true)
    expect(isFirst(event({ id: `s_${stampOf(start)}` }), master)).toBe(false)
  })
})

describe('the form', () => {
  const filled = (of: Event): Filled => ({
    title: of.title ?? undefined,
    location: of.location ?? undefined,
    description: of.description ?? undefined,
    guests: guestLines(of.participants).split('\n').filter(Boolean),
    busy: of.busy,
    reminder: 'same',
    conference: undefined,
    clock: clockOf(of.when, zone),
    repetition: repetitionOfEvent(of, zone),
  })
  const guest = { email: 'ann@example.com', name: 'Ann', comment: null, phone_number: null, status: 'yes' as const }

  test('sends only changed fields', () => {
    const before = event({ recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=TU'], participants: [guest] })
    expect(bodyOf(filled(before), zone, before)).toEqual({})
    const later = { ...filled(before).clock, startTime: '10:00', endTime: '10:15' }
    expect(bodyOf({ ...filled(before), title: undefined, clock: later, guests: [] }, zone, before)).toEqual({
      title: null,
      participants: [],
      when: {
        start_time: secondsOf('2027-03-09T10:00', zone),
        end_time: secondsOf('2027-03-09T10:15', zone),
        start_timezone: zone,
        end_timezone: zone,
      },
    })
    const once = { ...filled(before).repetition, repeat: 'never' as const }
    expect(bodyOf({ ...filled(before), repetition: once }, zone, before)).toEqual({ recurrence: [] })
  })

  test('reads one guest per line', () => {
    expect(guestsOf(['Ann <ann@example.com>', 'bob@example.com', '"Lee, Kim" <kim@example.com>'])).toEqual([
      { email: 'ann@example.com', name: 'Ann' },
      { email: 'bob@example.com' },
      { email: 'kim@example.com', name: 'Lee, Kim' },
    ])
  })
})

test('descriptions are text, and only web addresses are links', () => {
  expect(plainText('<p>Bring <b>numbers</b> &amp; time</p><script>alert(1)</script><p>Thanks</p>')).toBe(
    'Bring numbers & time\nThanks',
  )
  expect(plainText('1 < 2 & 3 > 2')).toBe('1 < 2 & 3 > 2')
  expect(plainText('<p>&#99999999;&lt;b&gt;</p>')).toContain('<b>')
  expect(webAddress('https://zoom.example/j/1')).toBe('https://zoom.example/j/1')
  for (const bad of ['javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,x', 'java\nscript:alert(1)', 'x']) {
    expect(webAddress(bad)).toBeUndefined()
  }
})
