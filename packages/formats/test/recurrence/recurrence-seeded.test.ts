// Typical series, compared with rrule-temporal: ten zones, and windows up to ten years from the start, with COUNT, UNTIL
// and EXDATE. A failure names the seed and the case. The cases do not depend on each other.

import { runs } from '@waypost/testing/level'
import { describe, expect, test } from 'vitest'
import { occurrencesBetween } from '../../src/recurrence/recurrence.ts'
import { basicUtc } from '../../src/recurrence/series.ts'
import { Steps } from '../../src/recurrence/steps.ts'
import { formatDate } from '../../src/timezones/dates.ts'
import { recurrenceOf, timed } from './making-series.ts'
import { oracleKeys } from './rrule-oracle.ts'

const SEED = 20_261_115
const CASES = runs(300)
const DAY = 86_400
const zones = [
  'America/New_York',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Europe/Berlin',
  'Europe/London',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
]
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** Numbers from 0 up to 1 that depend only on the seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function dice(seed: number) {
  const next = random(seed)
  const int = (least: number, greatest: number): number => least + Math.floor(next() * (greatest - least + 1))
  const oneOf = <Item>(items: readonly [Item, ...Item[]]): Item => items[int(0, items.length - 1)] ?? items[0]
  const chance = (percent: number): boolean => next() * 100 < percent
  const some = (items: readonly unknown[], max: number): string => {
    const chosen = new Set<unknown>()
    const size = int(1, max)
    while (chosen.size < size) chosen.add(items[int(0, items.length - 1)])
    return [...chosen].join(',')
  }
  return { int, oneOf, chance, some }
}
type Dice = ReturnType<typeof dice>

/** Mostly weekly, as in calendars. */
function ruleOf({ int, oneOf, chance, some }: Dice): string {
  const kind = int(1, 100)
  const often = chance(40) ? `;INTERVAL=${oneOf([2, 3, 4, 6])}` : ''
  if (kind <= 50) {
    const days = chance(70) ? `;BYDAY=${some(weekdays, 5)}` : ''
    return `FREQ=WEEKLY${often}${days}${chance(30) ? `;WKST=${oneOf(['SU', 'MO', 'SA'])}` : ''}`
  }
  if (kind <= 65) return `FREQ=DAILY${often}${chance(30) ? ';BYDAY=MO,TU,WE,TH,FR' : ''}`
  if (kind <= 90) {
    const days = oneOf([
      '',
      `;BYMONTHDAY=${some([1, 2, 15, 28, 29, 30, 31, -1, -2], 3)}`,
      `;BYDAY=${oneOf([1, 2, 3, 4, -1])}${some(weekdays, 1)}`,
      `;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=${oneOf([1, 2, -1, -2])}`,
      `;BYDAY=${some(weekdays, 2)}`,
    ])
    return `FREQ=MONTHLY${often}${days}`
  }
  const months = `;BYMONTH=${some([1, 2, 3, 4, 10, 11, 12], 3)}`
  const within = oneOf(['', `;BYMONTHDAY=${int(1, 31)}`, `;BYDAY=${oneOf([1, 2, -1])}${some(weekdays, 1)}`])
  return `FREQ=YEARLY${chance(30) ? ';INTERVAL=2' : ''}${chance(70) ? months + within : ''}`
}

/** The end of a rule, and the number of days from its start in which to choose a window. */
interface RuleEnd {
  readonly text: string
  readonly count: number
  readonly until: number
  readonly days: number
}

function endOf({ int, chance }: Dice, from: number): RuleEnd {
  const open = { text: '', count: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY, days: 3650 }
  if (chance(50)) return open
  if (chance(50)) {
    const count = int(1, 60)
    return { ...open, text: `;COUNT=${count}`, count, days: 300 }
  }
  const days = int(1, 3650)
  const until = from + days * DAY + int(-3, 3) * 1800
  return { ...open, text: `;UNTIL=${basicUtc(until)}`, until, days }
}

function compare(zone: string, seed: number): void {
  const roll = dice(seed)
  const { int, oneOf, chance } = roll
  const hour = String(chance(50) ? int(0, 3) : int(0, 23)).padStart(2, '0')
  const start = timed(`${formatDate(int(9100, 20_500))}T${hour}:${oneOf(['00', '15', '30'])}`, zone, 0)
  const { text, count, until, days } = endOf(roll, start.at)
  const open = recurrenceOf(start, `RRULE:${ruleOf(roll)}`)
  const line = `${open.lines[0]}${text}`
  const from = start.at + int(0, days) * DAY
  const to = from + int(1, 150) * DAY
  if (open.rule === null) throw new Error('no rule')
  // To count, the oracle must begin at the start.
  const read = { from: count < Number.POSITIVE_INFINITY ? start.at : from, to: to - 1 }
  const slots = oracleKeys(start, open.rule, read)
    .slice(0, count)
    .filter((key) => key >= from && key <= until)
  const excluded = slots.filter(() => chance(10))
  const lines = excluded.length === 0 ? [line] : [line, `EXDATE:${excluded.map(basicUtc).join(',')}`]
  const series = { start, recurrence: recurrenceOf(start, ...lines) }
  const found = occurrencesBetween(series, { from, to }, { allDayZone: 'UTC', steps: new Steps() }).map(
    ({ slot }) => slot,
  )
  const expected = slots.filter((key) => !excluded.includes(key)).map(basicUtc)
  expect(found, `case ${seed} of ${zone}: ${basicUtc(start.at)} ${lines.join(' ')}`).toEqual(expected)
}

describe(`${zones.length * CASES} series from the seed ${SEED} match rrule-temporal`, () => {
  test.each(zones)('in %s', (zone) => {
    const first = SEED + zones.indexOf(zone) * CASES
    for (let seed = first; seed < first + CASES; seed += 1) compare(zone, seed)
  })
})
