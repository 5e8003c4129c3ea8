/** Any calendar object with any change: the change is there, and nothing else is touched. */
import type { Participant, When } from '@waypost/contract'
import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventsOf, readCalendarObject } from '../../src/icalendar/calendar-object.ts'
import {
  type ChangeOptions,
  changeEvent as changeObject,
  type FieldChange,
  newCalendarObject,
} from '../../src/icalendar/calendar-object-changes.ts'
import { occurrencesIn } from '../../src/icalendar/calendar-occurrences.ts'
import { ContentLine, parseItems } from '../../src/icalendar/content-lines.ts'
import { Steps } from '../../src/recurrence/steps.ts'

const changeEvent = (...change: Parameters<typeof changeObject>): string => changeObject(...change).text

const options: ChangeOptions = {
  zone: 'Europe/Berlin',
  now: Date.UTC(2026, 5, 1),
  addresses: ['ada@example.com'],
  organizer: { email: 'ada@example.com', name: 'Ada' },
}

const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 }).map(
  (one) =>
    `x${one
      .replace(/[^\P{Cc}\n]/gu, '')
      .toWellFormed()
      .replace(/[\u0085\u2028\u2029]/g, '')}x`,
)
const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC')
const day = fc
  .integer({ min: 0, max: 3650 })
  .map((days) => Temporal.PlainDate.from('2024-01-01').add({ days }).toString())
// Between the hours at which clocks change anywhere.
const when: fc.Arbitrary<When> = fc.oneof(
  fc
    .record({ date: day, hour: fc.integer({ min: 5, max: 20 }), minutes: fc.integer({ min: 1, max: 200 }), zone })
    .map(({ date, hour, minutes, zone: timezone }): When => {
      const start =
        Temporal.PlainDateTime.from(`${date}T${String(hour).padStart(2, '0')}:00`).toZonedDateTime(timezone)
          .epochMilliseconds / 1000
      return {
        object: 'timespan',
        start_time: start,
        end_time: start + minutes * 60,
        start_timezone: timezone,
        end_timezone: timezone,
      }
    }),
  day.map((date): When => ({ object: 'date', date })),
)
const guest = fc.record({ id: fc.nat(50), name: fc.option(words) }).map(
  ({ id, name }): Participant => ({
    email: `guest${id}@example.com`,
    name: name?.replace(/\s+/g, ' ').trim() ?? null,
    comment: null,
    phone_number: null,
    status: 'noreply',
  }),
)
const guests = fc.uniqueArray(guest, { maxLength: 4, selector: ({ email }) => email })
const change: fc.Arbitrary<FieldChange> = fc.record(
  {
    title: fc.option(words),
    description: fc.option(words.filter((one) => !one.includes('<'))),
    location: fc.option(words),
    busy: fc.boolean(),
    visibility: fc.constantFrom('public' as const, 'private' as const),
    participants: guests,
    capacity: fc.integer({ min: 1, max: 1000 }),
    when,
  },
  { requiredKeys: [] },
)

/** Unknown lines: names, parameters and values of all kinds, folded anywhere. */
const foreign = fc
  .record({
    name: fc.stringMatching(/^X-[A-Z0-9-]{1,20}$/),
    parameter: fc.option(fc.stringMatching(/^[A-Za-z0-9 ./'^-]{1,20}$/)),
    value: fc.string({ unit: 'grapheme', maxLength: 80 }).map((one) => one.replace(/\p{Cc}/gu, '').toWellFormed()),
    cut: fc.nat(60),
  })
  .filter(({ name }) => !name.startsWith('X-WAYPOST'))
  .map(({ name, parameter, value, cut }) => {
    const points = [...`${name}${parameter === null ? '' : `;X-P="${parameter}"`}:${value}`]
    points.splice(Math.max(1, cut % points.length), 0, '\r\n ')
    return points.join('')
  })

function readText(text: string) {
  const object = readCalendarObject(text)
  if (!object) throw new Error('no object')
  return { object, read: eventsOf(object, options) }
}

const rawLines = (text: string): string[] => {
  const [calendar] = parseItems(text)
  const events = calendar && 'components' in calendar ? calendar.components.filter(({ name }) => name === 'VEVENT') : []
  return events.flatMap(({ items }) =>
    items
      .filter((item) => item instanceof ContentLine && item.name.startsWith('X-') && !item.name.startsWith('X-WAYPOST'))
      .map((item) => ('raw' in item ? item.raw : '')),
  )
}

test('a new event is read as it was written, and every change is there and nothing else', () => {
  fc.assert(
    fc.property(change, when, change, fc.array(foreign, { maxLength: 6 }), (first, time, second, lines) => {
      const made = newCalendarObject({ ...first, when: time }, { ...options, uid: 'property@example.com' })
      expect(readText(made).read.main).toMatchObject({ ...first, when: time })
      const text = made.replace('END:VEVENT', `${lines.map((line) => `${line}\r\n`).join('')}END:VEVENT`)
      const before = readText(text)
      const changed = changeEvent(before.object, second, options)
      const after = readText(changed)
      const { participants, ...others } = second
      expect(after.read.main).toMatchObject(others)
      // Remaining guests keep their position and name.
      const emails = (list: readonly Participant[] | undefined): string[] =>
        (list ?? []).map(({ email = '' }) => email).sort()
      expect(emails(after.read.main?.participants)).toEqual(emails(participants ?? before.read.main?.participants))
      expect(rawLines(changed)).toEqual(rawLines(text))
      const { updated_at: _, sequence: _s, organizer: _o, ...fields } = { ...before.read.main, ...second }
      for (const [name, value] of Object.entries(fields)) {
        if (name !== 'participants' && value !== null)
          expect([name, Reflect.get(after.read.main ?? {}, name)]).toEqual([name, value])
      }
      const same = { ...second, participants: after.read.main?.participants ?? [] }
      expect(changeEvent(after.object, same, options)).toBe(changed)
    }),
    { numRuns: runs(300) },
  )
})

test('a series that moves has the same number of occurrences, each moved equally', () => {
  const rule = fc.constantFrom('FREQ=DAILY;COUNT=5', 'FREQ=WEEKLY;COUNT=5', 'FREQ=DAILY;INTERVAL=3;COUNT=4')
  const hours = fc.integer({ min: -4, max: 3 })
  fc.assert(
    fc.property(rule, hours, fc.nat(3), (line, shift, gone) => {
      const start =
        Temporal.PlainDateTime.from('2026-03-25T12:00').toZonedDateTime('Europe/Berlin').epochMilliseconds / 1000
      const span = (at: number): When => ({
        object: 'timespan',
        start_time: at,
        end_time: at + 3600,
        start_timezone: 'Europe/Berlin',
        end_timezone: 'Europe/Berlin',
      })
      const made = newCalendarObject(
        { when: span(start), recurrence: [`RRULE:${line}`] },
        { ...options, uid: 'series@example.com' },
      )
      const all = { from: 0, to: 4_000_000_000 }
      const slots = occurrencesIn(readText(made).read, all, { ...options, steps: new Steps() })
      const removed = slots[gone]?.start ?? 0
      const { object } = readText(
        made.replace(
          /(RRULE:FREQ=[DW][^\r]*\r\n)/,
          `$1EXDATE:${new Date(removed * 1000).toISOString().replace(/[-:]|\.000/g, '')}\r\n`,
        ),
      )
      const moved = changeEvent(object, { when: span(start + shift * 3600) }, options)
      const expected = slots.filter(({ start: at }) => at !== removed).map(({ start: at }) => at + shift * 3600)
      expect(
        occurrencesIn(readText(moved).read, all, { ...options, steps: new Steps() }).map(({ start: at }) => at),
      ).toEqual(expected)
    }),
    { numRuns: runs(60) },
  )
})
