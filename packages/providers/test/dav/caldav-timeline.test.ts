/** The events of a window's objects: which are returned, in what order, and where the next page starts. */

import { STEPS_OF_REQUEST, Steps } from '@waypost/formats/recurrence/steps'
import { expect, test } from 'vitest'
import type { EventWindow } from '../../src/calendar/event-queries.ts'
import { groupReader } from '../../src/dav/caldav/object-reading.ts'
import { judgeSearch, needsAllSeries } from '../../src/dav/caldav/series-search.ts'
import { type Entry, entriesOf, type TimelineQuery } from '../../src/dav/caldav/timeline.ts'

const place = { url: 'https://dav.test/home/work/', id: 'work', zone: 'Europe/Berlin', readOnly: false }
const session = { grant: { id: 'grant', email: 'ann@dav.test' }, io: { signal: AbortSignal.timeout(60_000) } } as never

const vevent = (lines: readonly string[]): string =>
  `BEGIN:VEVENT\r\n${lines.map((line) => `${line}\r\n`).join('')}END:VEVENT\r\n`
const object = (name: string, ...events: string[][]) => ({
  href: `${place.url}${name}.ics`,
  data: `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.map((lines) => vevent([`UID:${name}`, ...lines])).join('')}END:VCALENDAR\r\n`,
})
const read = (...objects: ReturnType<typeof object>[]) => groupReader(session, {})(objects, place)

const june: EventWindow = { from: Date.UTC(2026, 5, 1) / 1000, to: Date.UTC(2026, 6, 1) / 1000 }
const query = (of: Partial<TimelineQuery> = {}): TimelineQuery => ({
  window: june,
  part: of.window ?? june,
  after: undefined,
  expand: true,
  showCancelled: false,
  filter: undefined,
  zone: place.zone,
  steps: new Steps(STEPS_OF_REQUEST),
  ...of,
})
const ids = (entries: readonly Entry[]): string[] => entries.map(({ id }) => id)

const single = object('single', ['DTSTART:20260602T090000Z', 'DTEND:20260602T100000Z', 'SUMMARY:Single'])
const daily = object(
  'daily',
  ['DTSTART:20260101T090000Z', 'DTEND:20260101T100000Z', 'RRULE:FREQ=DAILY', 'SUMMARY:Daily'],
  ['RECURRENCE-ID:20260603T090000Z', 'DTSTART:20260620T120000Z', 'DTEND:20260620T130000Z', 'SUMMARY:Moved'],
  ['RECURRENCE-ID:20260604T090000Z', 'DTSTART:20260604T090000Z', 'STATUS:CANCELLED', 'SUMMARY:Gone'],
)

test('occurrences, changed ones and single events are sorted by start', async () => {
  const entries = await entriesOf(await read(daily, single), query({ window: { ...june, to: june.from + 5 * 86_400 } }))
  expect(ids(entries)).toEqual(['daily_20260601T090000Z', 'daily_20260602T090000Z', 'single', 'daily_20260605T090000Z'])
  expect(entries[0]?.event()).toMatchObject({
    title: 'Daily',
    calendar_id: 'work',
    master_event_id: 'daily',
    original_start_time: Date.UTC(2026, 5, 1, 9) / 1000,
    ical_uid: 'daily',
  })
})

test('a changed occurrence is sorted by its new time, and has its original start', async () => {
  const later = { from: june.from + 19 * 86_400, to: june.from + 20 * 86_400 }
  const entries = await entriesOf(await read(daily), query({ window: later }))
  expect(ids(entries)).toEqual(['daily_20260620T090000Z', 'daily_20260603T090000Z'])
  expect(entries[1]?.event()).toMatchObject({ title: 'Moved', original_start_time: Date.UTC(2026, 5, 3, 9) / 1000 })
})

test('cancelled events are returned only on request', async () => {
  const shown = ids(await entriesOf(await read(daily), query({ showCancelled: true })))
  expect(shown).toContain('daily_20260604T090000Z')
  expect(ids(await entriesOf(await read(daily), query()))).not.toContain('daily_20260604T090000Z')
})

test('a page starts after the last returned event, also among events with the same start', async () => {
  const all = await entriesOf(await read(daily, single), query())
  for (const [index, after] of all.entries()) {
    const from = Math.max(june.from, after.startAt)
    const rest = await entriesOf(await read(daily, single), query({ after, part: { from, to: june.to } }))
    expect(ids(rest)).toEqual(ids(all.slice(index + 1)))
  }
})

test('parts of a window contain every entry once', async () => {
  const long = object('long', ['DTSTART:20260520T090000Z', 'DTEND:20260625T100000Z'])
  const days = object('days', ['DTSTART;VALUE=DATE:20260601', 'RRULE:FREQ=WEEKLY'])
  const groups = await read(daily, single, long, days)
  const whole = ids(await entriesOf(groups, query()))
  const cuts = [june.from, june.from + 3 * 86_400 + 36_000, june.from + 10 * 86_400, june.to]
  const parts = cuts.slice(1).map((to, index) => ({ from: cuts[index] ?? 0, to }))
  const inParts = async (of: Partial<TimelineQuery>) =>
    (await Promise.all(parts.map((part) => entriesOf(groups, query({ ...of, part }))))).flatMap(ids)
  expect(await inParts({})).toEqual(whole)
  expect(whole[0]).toBe('long')
  const masters = ids(await entriesOf(groups, query({ expand: false })))
  expect(masters).toEqual(['long', 'days', 'daily', 'single', 'daily_20260603T090000Z'])
  expect(await inParts({ expand: false })).toEqual(masters)
})

test('whole days start in the time zone of the calendar', async () => {
  const day = object('day', ['DTSTART;VALUE=DATE:20260610'])
  const begin = Date.UTC(2026, 5, 9, 22) / 1000
  expect(ids(await entriesOf(await read(day), query({ window: { from: begin - 60, to: begin } })))).toEqual([])
  expect(ids(await entriesOf(await read(day), query({ window: { from: begin, to: begin + 60 } })))).toEqual(['day'])
})

test('a server is trusted once it found series by their later occurrences, and never if it omitted one', async () => {
  const weekly = object('weekly', ['DTSTART;VALUE=DATE:20260105', 'RRULE:FREQ=WEEKLY'])
  const groups = await read(daily, weekly, single)
  const judge = (...found: { href: string }[]) =>
    judgeSearch(new Set(found.map(({ href }) => href)), groups, { range: june, zone: place.zone })
  expect(judge(single)).toEqual({ timed: false, allDay: false })
  expect(judge(single, daily)).toEqual({ timed: true, allDay: false })
  expect(judge(single, daily, weekly)).toEqual({ timed: true, allDay: true })
  // Every server finds events that start in the window.
  expect(
    judgeSearch(new Set(), await read(object('new', ['DTSTART:20260602T090000Z', 'RRULE:FREQ=DAILY'])), {
      range: june,
      zone: place.zone,
    }),
  ).toEqual({})
  expect(needsAllSeries({ triedAt: 0 }, 1)).toBe(true)
  expect(needsAllSeries({ timed: true, allDay: true, triedAt: 0 }, 1e12)).toBe(false)
  expect(needsAllSeries({ timed: true, triedAt: 1e12 }, 1e12 + 1)).toBe(false)
  expect(needsAllSeries({ timed: true, triedAt: 0 }, 1e12)).toBe(true)
  expect(needsAllSeries({ timed: true, allDay: false, triedAt: 1e12 }, 1e12)).toBe(true)
})
