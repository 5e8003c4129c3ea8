import { runs } from '@waypost/testing/level'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { occurrenceAt, occurrencesBetween, previousSlots } from '../../src/recurrence/recurrence.ts'
import { normaliseRecurrence } from '../../src/recurrence/rule.ts'
import { basicUtc, type Recurrence, type Series, type SeriesStart, startKey } from '../../src/recurrence/series.ts'
import { editSeries } from '../../src/recurrence/series-edit.ts'
import { walkRule } from '../../src/recurrence/slots.ts'
import { Steps } from '../../src/recurrence/steps.ts'
import { formatDate } from '../../src/timezones/dates.ts'
import { allDay, at, lenient, recurrenceOf, seriesOf, timed } from './making-series.ts'
import { oracleKeys } from './rrule-oracle.ts'

// The seed is fixed, so that a failure is due to a change of the code. Remove it to search for new cases. The files of a
// worker share their settings: the next file gets the old ones back.
const settings = fc.readConfigureGlobal()
beforeAll(() => fc.configureGlobal({ ...settings, seed: 5545 }))
afterAll(() => fc.configureGlobal(settings))

const options = {
  allDayZone: 'Europe/Berlin',
  /** A budget for each use. */
  get steps(): Steps {
    return new Steps()
  },
}
const year = 366 * 86_400
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

const anyZone = fc.constantFrom(
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Pacific/Apia',
  'Africa/Cairo',
  'America/St_Johns',
  'Asia/Kolkata',
  'UTC',
)
const anyDate = fc.integer({ min: 9000, max: 24_000 }).map(formatDate)
/** Often in the early hours, when clocks change. */
const anyTime = fc
  .tuple(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 23 })), fc.constantFrom(0, 15, 30))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)
const anyLength = fc.constantFrom(0, 1800, 3600, 86_400, 40 * 86_400)
const anyStart: fc.Arbitrary<SeriesStart> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(anyDate, anyTime, anyZone, anyLength)
      .map(([date, time, zone, length]) => timed(`${date}T${time}`, zone, length)),
  },
  { weight: 1, arbitrary: fc.tuple(anyDate, fc.integer({ min: 1, max: 9 })).map(([date, days]) => allDay(date, days)) },
)

const some = <Item>(items: readonly Item[], max = 3): fc.Arbitrary<string> =>
  fc.subarray([...items], { minLength: 1, maxLength: max }).map((list) => list.join(','))
const part = (name: string, values: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.option(values, { nil: undefined, freq: 2 }).map((value) => (value === undefined ? '' : `;${name}=${value}`))
const numbered = weekdays.flatMap((day) => [`1${day}`, `2${day}`, `-1${day}`, `5${day}`])
const interval = part('INTERVAL', fc.constantFrom(1, 2, 3, 4, 7))
const months = part('BYMONTH', some([1, 2, 3, 6, 10, 11, 12]))
const monthDays = part('BYMONTHDAY', some([1, 5, 13, 28, 29, 30, 31, -1, -2, -31]))
const plainDays = part('BYDAY', some(weekdays, 5))
const days = fc.oneof(plainDays, part('BYDAY', some(numbered)))
const weekStart = part('WKST', fc.constantFrom(...weekdays))
const rule = (freq: string, ...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => `FREQ=${freq}${texts.join('')}`)
const withPositions = (rules: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(rules, part('BYSETPOS', some([1, 2, 3, -1, -2], 2)))
    .map(([text, positions]) => (/;BY(DAY|MONTHDAY|MONTH)=/.test(text) ? text + positions : text))

const commonRule = fc.oneof(
  rule('DAILY', interval, plainDays),
  rule('WEEKLY', interval, plainDays, weekStart),
  rule('MONTHLY', interval, monthDays),
  rule('MONTHLY', interval, days),
  rule('YEARLY', interval),
  rule(
    'YEARLY',
    interval,
    some([1, 2, 3, 10, 11]).map((list) => `;BYMONTH=${list}`),
    fc.oneof(monthDays, days),
  ),
)
const rareRule = withPositions(
  fc.oneof(
    rule('DAILY', interval, months, monthDays, plainDays),
    rule('WEEKLY', interval, months, plainDays, weekStart),
    rule('MONTHLY', interval, months, monthDays, days),
    rule('YEARLY', interval, months, days),
    rule('YEARLY', interval, months, monthDays, plainDays),
  ),
)
const ownRule = withPositions(
  fc.oneof(
    rule('YEARLY', part('BYWEEKNO', some([1, 2, 20, 52, 53, -1])), monthDays, plainDays, weekStart),
    rule('YEARLY', interval, part('BYYEARDAY', some([1, 60, 200, 366, -1, -366])), months, monthDays, days),
  ),
)
const times = fc
  .tuple(part('BYHOUR', some([1, 2, 3, 9, 23])), part('BYMINUTE', some([0, 15, 30])))
  .map((two) => two.join(''))
const timedOnly = (start: SeriesStart, text: string): string => (start.kind === 'timed' ? text : '')
const anyWindow = fc.tuple(fc.integer({ min: 0, max: 60 * year }), fc.integer({ min: 1, max: 3 * year }))

/** Where a series starts, in Unix seconds. */
const startInstant = (start: SeriesStart): number => (start.kind === 'timed' ? start.at : startKey(start) * 86_400)

function keysBetween(start: SeriesStart, recurrence: Recurrence, range: { from: number; to: number }): number[] {
  const keys: number[] = []
  if (recurrence.rule !== null)
    walkRule({ start, rule: recurrence.rule, steps: new Steps() }, range, (key) => keys.push(key) < 2000)
  return keys
}

function sameAsOracle([start, text, dayTimes, [away, length]]: [SeriesStart, string, string, [number, number]]): void {
  const recurrence = recurrenceOf(start, `RRULE:${text}${timedOnly(start, dayTimes)}`)
  const unit = start.kind === 'timed' ? 1 : 86_400
  const from = startKey(start) + Math.floor(away / unit)
  const range = { from, to: from + Math.floor(length / unit) }
  if (recurrence.rule === null) throw new Error('no rule')
  const expected = oracleKeys(start, recurrence.rule, range).slice(0, 2000)
  expect(keysBetween(start, recurrence, range), recurrence.lines[0]).toEqual(expected)
}

describe('the slots of random rules, in random zones and far from the start, are those of rrule-temporal', () => {
  test('for common rules', () => {
    fc.assert(fc.property(fc.tuple(anyStart, commonRule, fc.constant(''), anyWindow), sameAsOracle), {
      numRuns: runs(400),
    })
  })

  test('for rare rules and several times a day', () => {
    fc.assert(fc.property(fc.tuple(anyStart, rareRule, times, anyWindow), sameAsOracle), { numRuns: runs(250) })
  })

  test('and COUNT ends after that number of slots', () => {
    fc.assert(
      fc.property(anyStart, commonRule, fc.integer({ min: 1, max: 40 }), (start, text, count) => {
        const normalised = normaliseRecurrence([`RRULE:${text};COUNT=${count}`], start, lenient)
        // Some random rules never occur, and some continue until the year 9999.
        fc.pre(normalised.ok)
        const { rule, lastSlot } = normalised.value
        if (rule === null || lastSlot === null) throw new Error('no end')
        const whole = { from: startKey(start), to: lastSlot }
        fc.pre(keysBetween(start, normalised.value, whole).length > 0 && lastSlot - whole.from < 200 * year)
        expect(oracleKeys(start, rule, whole)).toHaveLength(count)
      }),
      { numRuns: runs(150) },
    )
  })
})

const anyRule = fc.oneof(commonRule, rareRule, ownRule)
const anySeries: fc.Arbitrary<Series> = fc
  .tuple(anyStart, anyRule, times, fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }))
  .map(([start, text, dayTimes, count]) => {
    const line = `RRULE:${text}${timedOnly(start, dayTimes)}${count === undefined ? '' : `;COUNT=${count}`}`
    return { start, normalised: normaliseRecurrence([line], start, lenient) }
  })
  // Rules that never occur and have a COUNT are refused.
  .filter(({ normalised }) => normalised.ok)
  .map(({ start, normalised }) => {
    if (!normalised.ok) throw new Error(normalised.problem)
    return { start, recurrence: normalised.value }
  })

describe('the occurrences of a random series', () => {
  test('are the same in consecutive windows as in one', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: year }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(anySeries, fc.integer({ min: -year, max: 20 * year }), cuts, (series, away, lengths) => {
        const from = startInstant(series.start) + away
        const edges = [from]
        for (const length of lengths) edges.push((edges.at(-1) ?? from) + length)
        const parts = edges.slice(1).map((to, n) => ({ from: edges[n] ?? 0, to }))
        const whole = occurrencesBetween(series, { from, to: edges.at(-1) ?? from }, options)
        const together = parts.flatMap((window) => occurrencesBetween(series, window, options))
        const once = new Map(together.map((occurrence) => [occurrence.slot, occurrence]))
        expect([...once.values()]).toEqual(whole)
        expect(whole.map(({ start }) => start)).toEqual(whole.map(({ start }) => start).toSorted((a, b) => a - b))
      }),
      { numRuns: runs(300) },
    )
  })

  test('resolve from their slots, and are previous to what follows', () => {
    fc.assert(
      fc.property(anySeries, fc.integer({ min: 0, max: 20 * year }), (series, away) => {
        const from = startInstant(series.start) + away
        const found = occurrencesBetween(series, { from, to: from + 2 * year }, { ...options, limit: 30 })
        for (const occurrence of found) expect(occurrenceAt(series, occurrence.slot, options)).toEqual(occurrence)
        const [first, second] = found.slice(-2)
        if (first === undefined || second === undefined) return
        expect(previousSlots(series, second.start, { ...options, limit: 1 })).toEqual([first.slot])
      }),
      { numRuns: runs(300) },
    )
  })

  test('are within the bounds of the series', () => {
    fc.assert(
      fc.property(anySeries, anyZone, (series, allDayZone) => {
        const { first, last } = series.recurrence
        const window = { from: startInstant(series.start) - year, to: startInstant(series.start) + 9 * year }
        for (const { start, end } of occurrencesBetween(series, window, {
          allDayZone,
          limit: 100,
          steps: new Steps(),
        })) {
          expect(start).toBeGreaterThanOrEqual(first)
          if (last !== null) expect(Math.max(end, start + 1)).toBeLessThanOrEqual(last)
        }
      }),
    )
  })
})

describe('moving a series never restores excluded occurrences', () => {
  const exclude = (series: Series, picks: readonly number[]): Series => {
    const keys = occurrencesBetween(series, { from: 0, to: 10_000_000_000 }, { ...options, limit: 30 })
    const excluded = picks.flatMap((pick) => keys[pick]?.slot ?? [])
    const [ruleLine = ''] = series.recurrence.lines
    return excluded.length === 0 ? series : seriesOf(series.start, ruleLine, `EXDATE:${excluded.join(',')}`)
  }
  const localDate = (zone: string, instant: number): string =>
    Temporal.Instant.fromEpochMilliseconds(instant * 1000)
      .toZonedDateTimeISO(zone)
      .toPlainDate()
      .toString()
  const picks = fc.array(fc.integer({ min: 0, max: 29 }), { minLength: 1, maxLength: 8 })

  test('to another time of day and another zone', () => {
    fc.assert(
      fc.property(
        anyDate,
        fc.tuple(anyTime, anyTime),
        fc.tuple(anyZone, anyZone),
        commonRule,
        picks,
        (date, times, zones, text, chosen) => {
          const series = exclude(seriesOf(timed(`${date}T${times[0]}`, zones[0]), `RRULE:${text}`), chosen)
          const start = timed(`${date}T${times[1]}`, zones[1])
          fc.pre(localDate(zones[0], startInstant(series.start)) === localDate(zones[1], start.at))
          const moved = editSeries(series, { start, allowRdate: true, steps: new Steps() })
          if (!moved.ok) throw new Error(moved.problem)
          const hidden = new Set(series.recurrence.exdates.map((key) => localDate(zones[0], key)))
          const window = { from: 0, to: 10_000_000_000 }
          const visible = occurrencesBetween(moved.series, window, { ...options, limit: 40 })
          expect(visible.filter((occurrence) => hidden.has(localDate(zones[1], occurrence.start)))).toEqual([])
        },
      ),
      { numRuns: runs(300) },
    )
  })

  test('by some days, if the rule takes its days from the start', () => {
    const rules = fc.constantFrom(['FREQ=WEEKLY', 7], ['FREQ=WEEKLY;INTERVAL=2', 14], ['FREQ=DAILY;INTERVAL=5', 5])
    fc.assert(
      fc.property(anyDate, rules, fc.integer({ min: 1, max: 13 }), picks, (date, [text, period], by, chosen) => {
        fc.pre(by < Number(period))
        const series = exclude(seriesOf(timed(`${date}T09:00`, 'UTC'), `RRULE:${text};COUNT=20`), chosen)
        const start = timed(`${date}T09:00`, 'UTC')
        const later = { ...start, at: start.at + by * 86_400 + 3600 }
        const moved = editSeries(series, { start: later, allowRdate: true, steps: new Steps() })
        if (!moved.ok) throw new Error(moved.problem)
        const window = { from: at('1990-01-01T00:00Z'), to: at('2050-01-01T00:00Z') }
        const before = occurrencesBetween(series, window, options).map((found) => found.start + by * 86_400 + 3600)
        const after = occurrencesBetween(moved.series, window, options)
        expect(after.map(({ slot }) => slot)).toEqual(before.map(basicUtc))
      }),
    )
  })
})
