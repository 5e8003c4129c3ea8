/** Events as iCalendar files, read by ical.js. */
import type { Event } from '@waypost/contract'
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { calendarFile, calendarPart } from '../../src/exports/calendar-file.ts'

const zone = 'Europe/Stockholm'
const now = Date.UTC(2026, 5, 1) / 1000
const at = (text: string): number => Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds / 1000
const span = (start: string, minutes = 60) => ({
  object: 'timespan' as const,
  start_time: at(start),
  end_time: at(start) + minutes * 60,
  start_timezone: zone,
  end_timezone: zone,
})
const eventOf = (changes: Partial<Event>): Event => ({
  ...{ id: 'e1', object: 'event', grant_id: 'g', calendar_id: 'c', title: 'Talk', description: null, location: null },
  ...{ when: span('2026-06-02T09:00'), busy: true, status: 'confirmed', hide_participants: false, participants: [] },
  ...{ resources: [], organizer: null, ical_uid: 'uid-1', read_only: false, metadata: {}, created_at: now - 50 },
  ...{ updated_at: now, ...changes },
})
const weekly = {
  recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5'],
  when: span('2026-03-17T09:00'),
  id: 'm',
  ical_uid: 'series',
}

function read(events: readonly Event[]) {
  const part = calendarPart(events, now)
  const calendar = new ICAL.Component(ICAL.parse(calendarFile(part).join('')))
  const zones = calendar.getAllSubcomponents('vtimezone')
  for (const one of zones) ICAL.TimezoneService.register(new ICAL.Timezone(one))
  return { part, zones, events: calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one)) }
}

test('a series with changed and deleted instances is read with the right occurrences', () => {
  const moved = { ...weekly, recurrence: undefined, master_event_id: 'm', title: 'Moved' }
  const { events, part, zones } = read([
    eventOf(weekly),
    eventOf({ ...moved, id: 'm_20260324T080000Z', when: span('2026-03-25T12:00') }),
    // After the change to summer time; its place is known by a field instead of its id.
    eventOf({ ...moved, id: 'other', original_start_time: at('2026-03-31T09:00'), when: span('2026-03-31T10:00') }),
    eventOf({ ...moved, id: 'm_20260407T070000Z', status: 'cancelled' }),
  ])
  expect(part.skipped).toEqual([])
  expect(zones).toHaveLength(1)
  const master = events.find((event) => !event.isRecurrenceException())
  if (!master) throw new Error('no series')
  for (const exception of events.filter((event) => event.isRecurrenceException())) master.relateException(exception)
  const times: [string, number][] = []
  const iterator = master.iterator()
  for (let next = iterator.next(); next; next = iterator.next()) {
    const { item, startDate } = master.getOccurrenceDetails(next)
    times.push([item.summary, startDate.toUnixTime()])
  }
  expect(times).toEqual([
    ['Talk', at('2026-03-17T09:00')],
    ['Moved', at('2026-03-25T12:00')],
    ['Moved', at('2026-03-31T10:00')],
    ['Talk', at('2026-04-14T09:00')],
  ])
})

test('an instance without its series keeps its place; a deleted one is cancelled', () => {
  const { events } = read([
    eventOf({ id: 'm_20260602', master_event_id: 'm', when: { object: 'date', date: '2026-06-03' } }),
    eventOf({
      id: 'm_20260609',
      master_event_id: 'm',
      when: { object: 'date', date: '2026-06-09' },
      status: 'cancelled',
    }),
  ])
  expect(events.map(({ recurrenceId }) => [recurrenceId.toString(), recurrenceId.isDate])).toEqual([
    ['2026-06-02', true],
    ['2026-06-09', true],
  ])
  expect(events[1]?.component.getFirstPropertyValue('status')).toBe('CANCELLED')
})

test('guests, texts, reminders and hostile characters are read unchanged', () => {
  const title = 'A; b, c\\n\r\nEND:VCALENDAR\r\nBEGIN:VEVENT'
  const { events } = read([
    eventOf({
      title,
      description: '<p>Hello &amp; welcome</p>',
      participants: [
        { email: 'bob@people.test', name: 'Bob "B" O\nX', comment: null, phone_number: null, status: 'yes' },
      ],
      resources: [{ email: 'room@people.test', name: 'Room' }],
      organizer: { name: 'Ann', email: 'ann@people.test' },
      reminders: { use_default: false, overrides: [{ reminder_minutes: 15, reminder_method: 'email' }] },
      visibility: 'private',
      busy: false,
    }),
  ])
  expect(events).toHaveLength(1)
  const [event] = events
  expect(event?.summary).toBe(title.replaceAll('\r\n', '\n'))
  expect(event?.description).toBe('Hello & welcome')
  expect(event?.attendees.map((one) => [one.getFirstValue(), one.getParameter('partstat')])).toEqual([
    ['mailto:bob@people.test', 'ACCEPTED'],
    ['mailto:room@people.test', 'NEEDS-ACTION'],
  ])
  const component = event?.component
  // ical.js reads unknown properties without their escapes.
  expect(component?.getFirstPropertyValue('x-alt-desc')).toBe('<p>Hello &amp\\; welcome</p>')
  expect(component?.getFirstSubcomponent('valarm')?.getFirstPropertyValue('trigger')?.toString()).toBe('-PT15M')
  expect([component?.getFirstPropertyValue('class'), component?.getFirstPropertyValue('transp')]).toEqual([
    'PRIVATE',
    'TRANSPARENT',
  ])
})

test('an event with an unknown zone is written in UTC; a series that iCalendar cannot express is omitted and reported', () => {
  const when = { ...span('2026-06-02T09:00'), start_timezone: 'Mars/Olympus', end_timezone: 'Mars/Olympus' }
  const { events, part } = read([
    eventOf({ when }),
    eventOf({ ...weekly, when }),
    eventOf({ ...weekly, id: 'broken', recurrence: ['X-RULE:EVERY OTHER FULL MOON'] }),
    eventOf({ id: 'placeless', master_event_id: 'elsewhere' }),
  ])
  expect(events.map((event) => event.startDate.toUnixTime())).toEqual([at('2026-06-02T09:00')])
  expect(part.skipped).toEqual(['m', 'broken', 'placeless'])
})
