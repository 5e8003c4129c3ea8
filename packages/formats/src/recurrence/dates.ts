/**
 * Reads EXDATE and RDATE lines into slot keys. Accepted forms are UTC times, local times with TZID, local times
 * without (in the zone of the series) and dates. In a timed series a date selects every slot that starts on it in the
 * zone of the series. In an all-day series a time is accepted only if it is midnight, because only then is its date
 * certain.
 */
import { SECONDS_PER_DAY } from '../timezones/dates.ts'
import { openingInstant, resolveTimeZone } from '../timezones/timezones.ts'
import { refuse } from './parts.ts'
import {
  type BasicTime,
  basicDate,
  basicUtc,
  keyOfWall,
  parseBasic,
  type RecurrenceRule,
  type SeriesStart,
  timesOfDay,
  wallOfKey,
} from './series.ts'
import type { Steps } from './steps.ts'

export interface DateLine {
  /** EXDATE or RDATE. */
  readonly name: string
  readonly zone: string | undefined
  readonly values: readonly BasicTime[]
}

/** Parses the line; its values must be dates and times in one of the accepted forms. */
export function readDateLine(name: string, line: string): DateLine {
  const cut = line.lastIndexOf(':')
  const parameters = line.slice(0, cut).split(';').slice(1)
  let zone: string | undefined
  for (const parameter of parameters) {
    const [key = '', value = ''] = parameter.split('=', 2).map((text) => text.trim())
    if (key.toUpperCase() === 'TZID') zone = readZone(name, value)
    else if (key.toUpperCase() === 'VALUE') checkValueType(name, value)
    else refuse(`${name};${key}`, 'is not supported')
  }
  const values = line.slice(cut + 1).split(',')
  return { name, zone, values: values.map((value) => readValue(name, value.trim().toUpperCase())) }
}

function readZone(name: string, value: string): string {
  const zone = resolveTimeZone(value.replace(/^"(.*)"$/, '$1'))
  return zone ?? refuse(`${name};TZID=${value}`, 'is not a known time zone')
}

function checkValueType(name: string, value: string): void {
  const type = value.toUpperCase()
  if (type !== 'DATE' && type !== 'DATE-TIME') refuse(`${name};VALUE=${value}`, 'must be DATE or DATE-TIME')
}

const readValue = (name: string, text: string): BasicTime =>
  parseBasic(text) ?? refuse(`${name}:${text}`, 'must be a date or a time such as 20261231T170000Z')

/** The keys that an RDATE line adds: a date in a timed series means the time of day of its start. */
export function addedKeys({ name, zone, values }: DateLine, start: SeriesStart): number[] {
  const startWall = wallOfKey(start, start.kind === 'timed' ? start.at : 0)
  const secondOfDay = startWall - Math.floor(startWall / SECONDS_PER_DAY) * SECONDS_PER_DAY
  return values.map((value) =>
    start.kind === 'timed' && value.seconds === undefined
      ? keyOfWall(start, value.day * SECONDS_PER_DAY + secondOfDay)
      : keyOf(value, { name, zone, start }),
  )
}

interface RemovedFrom {
  readonly start: SeriesStart
  readonly rule: RecurrenceRule | null
  readonly rdates: readonly number[]
  readonly steps: Steps
}

/** The keys that an EXDATE line removes from the slots of the rule and RDATE. */
export function removedKeys({ name, zone, values }: DateLine, { start, rule, rdates, steps }: RemovedFrom): number[] {
  // Computed once for all dates; otherwise each date would scan all RDATE values.
  let times: readonly number[] | undefined
  let added: Map<number, number[]> | undefined
  return values.flatMap((value) => {
    if (start.kind === 'all-day' || value.seconds !== undefined) return [keyOf(value, { name, zone, start })]
    const midnight = value.day * SECONDS_PER_DAY
    times ??= timesOfDay(start, rule)
    steps.take(times.length)
    added ??= Map.groupBy(rdates, (key) => Math.floor(wallOfKey(start, key) / SECONDS_PER_DAY))
    return [...times.map((second) => keyOfWall(start, midnight + second)), ...(added.get(value.day) ?? [])]
  })
}

/** The canonical line of keys. */
export function dateLine(name: string, start: SeriesStart, keys: readonly number[]): string {
  return start.kind === 'timed'
    ? `${name}:${keys.map(basicUtc).join(',')}`
    : `${name};VALUE=DATE:${keys.map(basicDate).join(',')}`
}

interface DateContext {
  readonly name: string
  readonly zone: string | undefined
  readonly start: SeriesStart
}

function keyOf({ day, seconds = 0, utc }: BasicTime, { name, zone, start }: DateContext): number {
  const wall = day * SECONDS_PER_DAY + seconds
  if (start.kind === 'all-day') {
    return seconds === 0 ? day : refuse(`${name}:${basicUtc(wall)}`, 'an all-day series takes dates')
  }
  if (utc) return wall
  return zone === undefined || zone === start.zone ? keyOfWall(start, wall) : openingInstant(zone, wall)
}
