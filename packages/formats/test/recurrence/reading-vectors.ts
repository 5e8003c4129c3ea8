// Parses tables of recurrence vectors: one per line, `start | rule | dates`. A start is `1997-09-02 09:00` in UTC, or
// `1997-09-02` of an all-day series. Dates are written as `1997 Sep 2 4-9; Oct 1`, at the time of the start unless a
// day has its own: `2@09:20+09:40`. Occurrences have no length, so that windows cut cleanly.
import type { SeriesStart } from '../../src/recurrence/series.ts'
import { allDay, timed } from './making-series.ts'

export interface Vector {
  /** `1997-09-02 09:00 FREQ=DAILY;COUNT=10` */
  readonly title: string
  readonly start: SeriesStart
  readonly rule: string
  /** All slots of the series, ascending, as in an instance id. */
  readonly slots: readonly string[]
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Dates as `19970902`, or `19970902T092000` with a time. */
export function typedDates(text: string): string[] {
  let year = ''
  let month = ''
  return text.split(/[\s;]+/).flatMap((word) => {
    if (word === '') return []
    if (/^\d{4}$/.test(word)) year = word
    else if (months.includes(word)) month = String(months.indexOf(word) + 1).padStart(2, '0')
    else return typedDays(word).map((rest) => year + month + rest)
    return []
  })
}

/** `2-4` or `2@09:20+09:40` without year and month. */
function typedDays(word: string): string[] {
  const found = /^(\d\d?)(?:-(\d\d?))?(?:@([\d:+]+))?$/.exec(word)
  if (found === null) throw new Error(`${word}: not a day`)
  const first = Number(found[1])
  const last = Number(found[2] ?? first)
  const times = found[3]?.split('+').map((time) => `T${time.replaceAll(':', '').padEnd(6, '0')}`) ?? ['']
  return Array.from({ length: last - first + 1 }, (_, n) => String(first + n).padStart(2, '0')).flatMap((day) =>
    times.map((time) => day + time),
  )
}

/** The columns of a table, trimmed; empty lines are left out. */
export const readTable = (table: string): string[][] =>
  table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('|').map((column) => column.trim()))

/** The start that a table gives. */
export function startOf(text: string): SeriesStart {
  const [date = '', time] = text.split(' ')
  return time === undefined ? allDay(date) : timed(`${date}T${time}`, 'UTC', 0)
}

export function readVectors(table: string): Vector[] {
  return readTable(table).map(([begin = '', rule = '', dates = '']) => {
    const time = begin.split(' ')[1]?.replaceAll(':', '').padEnd(6, '0')
    const slots = typedDates(dates).map((date) => {
      if (time === undefined) return date
      return date.includes('T') ? `${date}Z` : `${date}T${time}Z`
    })
    return { title: `${begin} ${rule}`, start: startOf(begin), rule, slots }
  })
}
