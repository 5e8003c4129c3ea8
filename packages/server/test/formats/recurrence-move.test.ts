import { describe, expect, test } from 'vitest'
import { occurrencesBetween } from '../../src/formats/recurrence.ts'
import { moveRecurrence, replaceRecurrence, shiftExceptions } from '../../src/formats/recurrence-move.ts'
import type { Series, SeriesStart } from '../../src/formats/series.ts'
import { allDay, at, seriesOf, strict, timed } from './making-series.ts'

const zone = 'America/New_York'

function moved(series: Series, start: SeriesStart): Series {
  const recurrence = moveRecurrence(series, start, { ...strict, allowRdate: true })
  if (!recurrence.ok) throw new Error(recurrence.problem)
  return { start, recurrence: recurrence.value }
}
const slots = ({ start, recurrence }: Series): string[] =>
  occurrencesBetween(
    { start, recurrence },
    { from: at('2020-01-01T00:00Z'), to: at('2030-01-01T00:00Z') },
    { allDayZone: 'UTC', limit: 8 },
  ).map(({ slot }) => slot)

describe('a series that moves', () => {
  test('to another time of day takes its exceptions along, on both sides of a change of the clocks', () => {
    const series = seriesOf(
      timed('2026-02-23T09:00', zone),
      'RRULE:FREQ=WEEKLY;COUNT=4',
      'EXDATE:20260302T140000Z,20260309T130000Z',
    )
    const later = moved(series, timed('2026-02-23T10:30', zone))
    expect(later.recurrence.lines[1]).toBe('EXDATE:20260302T153000Z,20260309T143000Z')
    expect(slots(later)).toEqual(['20260223T153000Z', '20260316T143000Z'])
    expect(shiftExceptions(['20260309T130000Z'], series.start, later)).toEqual(['20260309T143000Z'])
  })

  test('gives one place of the new series to one exception', () => {
    const { start } = seriesOf(timed('2026-06-01T09:00', zone), 'RRULE:FREQ=DAILY;COUNT=5')
    const later = seriesOf(timed('2026-06-02T09:00', zone), 'RRULE:FREQ=DAILY;COUNT=5')
    const exceptions = ['20260601T130000Z', '20260602T130000Z', '20260604T130000Z']
    expect(shiftExceptions(exceptions, start, later)).toEqual(['', '20260602T130000Z', '20260604T130000Z'])
  })

  test('to another zone keeps the local time of its exceptions', () => {
    const series = seriesOf(timed('2026-03-02T09:00', zone), 'RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20260309T130000Z')
    expect(slots(moved(series, timed('2026-03-02T09:00', 'Europe/Berlin')))).toEqual([
      '20260302T080000Z',
      '20260316T080000Z',
    ])
  })

  test('from Monday to Tuesday moves its exceptions by a day', () => {
    const series = seriesOf(
      timed('2026-06-01T09:00', zone),
      'RRULE:FREQ=WEEKLY;UNTIL=20260622T130000Z',
      'EXDATE:20260608T130000Z',
    )
    expect(slots(moved(series, timed('2026-06-02T08:00', zone)))).toEqual([
      '20260602T120000Z',
      '20260616T120000Z',
      '20260623T120000Z',
    ])
  })

  test('to a later start on the same weekday keeps the dates of its exceptions', () => {
    const series = seriesOf(
      timed('2026-06-01T09:00', zone),
      'RRULE:FREQ=WEEKLY;UNTIL=20260622T130000Z',
      'EXDATE:20260615T130000Z',
    )
    expect(slots(moved(series, timed('2026-06-08T10:00', zone)))).toEqual(['20260608T140000Z', '20260622T140000Z'])
  })

  test('keeps its last occurrence when the time of day passes UNTIL', () => {
    const series = seriesOf(timed('2026-06-01T09:00', zone), 'RRULE:FREQ=DAILY;UNTIL=20260603T130000Z')
    expect(slots(moved(series, timed('2026-06-01T17:00', zone)))).toHaveLength(3)
    expect(slots(moved(series, timed('2026-06-01T00:30', zone)))).toHaveLength(3)
  })

  test('with fixed times of day leaves exceptions where they are', () => {
    const series = seriesOf(
      timed('2026-06-01T09:00', 'UTC'),
      'RRULE:FREQ=DAILY;BYHOUR=9,12;COUNT=4',
      'EXDATE:20260602T120000Z',
    )
    expect(slots(moved(series, timed('2026-06-01T12:00', 'UTC')))).toEqual([
      '20260601T120000Z',
      '20260602T090000Z',
      '20260603T090000Z',
    ])
  })

  test('takes RDATE along', () => {
    const series = seriesOf(
      timed('2026-06-01T09:00', 'UTC'),
      'RDATE:20260610T090000Z,20260611T090000Z',
      'EXDATE:20260611T090000Z',
    )
    expect(slots(moved(series, timed('2026-06-01T10:00', 'UTC')))).toEqual(['20260601T100000Z', '20260610T100000Z'])
  })

  test('from timed to all-day and back keeps its exceptions', () => {
    const series = seriesOf(
      timed('2026-06-01T21:00', zone),
      'RRULE:FREQ=DAILY;UNTIL=20260605T010000Z',
      'EXDATE:20260603T010000Z',
    )
    const dates = moved(series, allDay('2026-06-01'))
    expect(dates.recurrence.lines).toEqual(['RRULE:FREQ=DAILY;UNTIL=20260604', 'EXDATE;VALUE=DATE:20260602'])
    expect(slots(moved(dates, series.start))).toEqual(slots(series))
  })

  test('to a day that the rule does not allow is refused', () => {
    const series = seriesOf(timed('2026-06-01T09:00', zone), 'RRULE:FREQ=WEEKLY;BYDAY=MO')
    expect(moveRecurrence(series, timed('2026-06-02T09:00', zone), strict)).toMatchObject({ ok: false })
  })
})

describe('a series whose start and lines change together', () => {
  const options = { ...strict, allowRdate: true }
  const from = seriesOf(
    timed('2026-06-01T09:00', zone),
    'RRULE:FREQ=DAILY;UNTIL=20260605T130000Z',
    'RDATE:20260610T130000Z',
    'EXDATE:20260602T130000Z',
  )
  const start = timed('2026-06-01T11:00', zone)
  const replaced = (...lines: string[]): readonly string[] | string => {
    const result = replaceRecurrence(lines, { from, start }, options)
    return result.ok ? result.value.lines : result.problem
  }

  test('moves whole when the lines say what it says already, in whatever form', () => {
    expect(
      replaced(
        'EXDATE;TZID=America/New_York:20260602T090000',
        'rdate:20260610T130000Z',
        'RRULE:FREQ=DAILY;UNTIL=20260605T090000',
      ),
    ).toEqual(['RRULE:FREQ=DAILY;UNTIL=20260605T150000Z', 'RDATE:20260610T150000Z', 'EXDATE:20260602T150000Z'])
  })

  test('takes another rule as it is, and moves the exceptions that it had', () => {
    expect(replaced('RRULE:FREQ=DAILY;COUNT=5', 'EXDATE:20260602T130000Z,20260603T150000Z')).toEqual([
      'RRULE:FREQ=DAILY;COUNT=5',
      'EXDATE:20260602T150000Z,20260603T150000Z',
    ])
  })

  test('leaves an exception that the new series makes, and one that the old did not have', () => {
    expect(replaced('RRULE:FREQ=DAILY;BYHOUR=9,11;COUNT=9', 'EXDATE:20260602T130000Z,20260604T130500Z')).toEqual([
      'RRULE:FREQ=DAILY;BYHOUR=9,11;COUNT=9',
      'EXDATE:20260602T130000Z,20260604T130500Z',
    ])
  })

  test('is refused for what is wrong with its lines', () => {
    expect(replaced('RRULE:FREQ=HOURLY')).toMatch(/HOURLY/)
  })
})
