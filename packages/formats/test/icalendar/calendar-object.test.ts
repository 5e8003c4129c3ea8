/** Difficult objects of other calendars, read, and all of them written back unchanged. */
import { describe, expect, test } from 'vitest'
import { eventsOf, type ReadEvents, readCalendarObject } from '../../src/icalendar/calendar-object.ts'
import { occurrencesIn } from '../../src/icalendar/calendar-occurrences.ts'
import { parseItems, writeItems } from '../../src/icalendar/content-lines.ts'
import { Steps } from '../../src/recurrence/steps.ts'
import { difficultIcs } from './difficult-ics.ts'
import { oracleReading } from './ics-oracle.ts'
import { endsOfWhen } from './ics-times.ts'
import type { DifficultIcs } from './making-ics.ts'

const year = { from: Date.UTC(2026, 0, 1) / 1000, to: Date.UTC(2027, 0, 1) / 1000 }
const zoneOf = ({ zone = 'Europe/Berlin' }: DifficultIcs): string => zone

function read(sample: DifficultIcs): ReadEvents | undefined {
  const object = readCalendarObject(sample.text)
  return object && eventsOf(object, { zone: zoneOf(sample) })
}

const startsOf = (sample: DifficultIcs, events: ReadEvents): string[] =>
  occurrencesIn(events, year, { zone: zoneOf(sample), steps: new Steps() })
    .map(({ fields }) => endsOfWhen(fields.when)[0])
    .filter((start) => start.startsWith('2026'))

const named = difficultIcs.map((sample) => [sample.name, sample] as const)

test('there are enough of them, with unique names', () => {
  expect(difficultIcs.length).toBeGreaterThanOrEqual(150)
  expect(new Set(difficultIcs.map(({ name }) => name)).size).toBe(difficultIcs.length)
})

describe('a difficult calendar object', () => {
  test.each(named)('%s: is read', (_, sample) => {
    const events = read(sample)
    if (sample.unreadable) {
      expect(events?.main).toBeUndefined()
      expect(events?.overrides ?? []).toEqual([])
      return
    }
    if (!events) throw new Error('not read')
    if (sample.orphan) expect(events.main).toBeUndefined()
    else {
      const main = events.main
      if (!main) throw new Error('no main event')
      const [start, end] = endsOfWhen(main.when)
      if (sample.start !== undefined) expect(start).toBe(sample.start)
      if (sample.end !== undefined) expect(end).toBe(sample.end)
      if (sample.timezone !== undefined) {
        expect(
          'start_timezone' in main.when ? main.when.start_timezone : 'timezone' in main.when && main.when.timezone,
        ).toBe(sample.timezone)
      }
      expect(main).toMatchObject(sample.fields ?? {})
    }
    if (sample.at !== undefined) expect(startsOf(sample, events)).toEqual(sample.at)
    if (sample.titles !== undefined) {
      expect(
        occurrencesIn(events, year, { zone: zoneOf(sample), steps: new Steps() }).map(({ fields }) => fields.title),
      ).toEqual(sample.titles)
    }
  })

  test.each(named)('%s: is written back byte for byte', (_, { text }) => {
    const items = parseItems(text)
    expect(writeItems(items)).toBe(text)
    // Also after everything in it was accessed.
    const poll = (all: typeof items): void => {
      for (const item of all) {
        if ('items' in item) poll([...item.items])
        else
          expect(item.parameters.map(({ text: value }) => value).join().length + item.value.length).toBeLessThanOrEqual(
            item.raw.length,
          )
      }
    }
    poll(items)
    expect(writeItems(items)).toBe(text)
  })

  const comparable = difficultIcs.filter(({ noOracle, unreadable, orphan }) => !noOracle && !unreadable && !orphan)
  test.each(comparable.map((sample) => [sample.name, sample] as const))(
    '%s: has the same times as in ical.js',
    (_, sample) => {
      const events = read(sample)
      const oracle = oracleReading(sample.text, zoneOf(sample))
      if (!events?.main) throw new Error('not read')
      expect(endsOfWhen(events.main.when)).toEqual([oracle.start, oracle.end])
      expect(startsOf(sample, events).sort()).toEqual(oracle.at)
    },
  )
})
