/**
 * Converts a foreign VTIMEZONE (RFC 5545 §3.6.5) to a zone for calculation. Its rules are expanded to a list of
 * offset changes and compared with the zones of the database from 2020 to 2030. If no zone matches, the list itself
 * is the zone.
 */

import { readForeignRule } from '../recurrence/foreign.ts'
import { keyOfWall, parseBasic, type SeriesStart } from '../recurrence/series.ts'
import { walkRule } from '../recurrence/slots.ts'
import type { Steps } from '../recurrence/steps.ts'
import { SECONDS_PER_DAY } from '../timezones/dates.ts'
import { type ReadZone, rulesZone, type ZoneChange, zoneOffsetChanges } from '../timezones/timezones.ts'
import { windowsZones } from '../timezones/windows-names.ts'
import type { ComponentNode } from './content-lines.ts'

const YEAR_2020 = 1_577_836_800
const YEAR_2030 = 1_893_456_000
/** No real zone has onsets after 2100, or more of them than these limits. */
const LAST_ONSET = 4_102_444_800
const MAX_OBSERVANCES = 200
const MAX_CHANGES = 1000
/** Limit for all observances together, because each may have a rule. */
const MAX_ONSETS = 5000
/** The cost of parsing one observance, in steps. */
const STEPS_OF_OBSERVANCE = 20
/** No real zone changes its offset twice within a day. */
const LEAST_DISTANCE = SECONDS_PER_DAY

/**
 * The zone that a VTIMEZONE describes, or undefined if it describes none. Throws `RecurrenceTooLarge` when the steps
 * of the text are used up.
 */
export function zoneOfRules(component: ComponentNode, steps: Steps): ReadZone | undefined {
  return zoneOfChanges(changesOf(component, steps))
}

/**
 * The zone with these changes, in ascending order; the first applies to all earlier time. Undefined if there are
 * none.
 */
export function zoneOfChanges(changes: readonly ZoneChange[]): ReadZone | undefined {
  const [first] = changes
  if (first === undefined) return undefined
  if (changes.every(({ offset }) => offset === first.offset)) return zoneOfOffset(first.offset)
  const name = zonesByRules().get(signatureOf(changes))
  return name === undefined ? { id: rulesZone(changes), name: null } : { id: name, name }
}

/** The zone with one constant offset. */
export function zoneOfOffset(offset: number): ReadZone {
  if (offset === 0) return { id: 'UTC', name: 'UTC' }
  const hours = offset / 3600
  // These names have POSIX signs.
  const whole = Number.isInteger(hours) && hours >= -12 && hours <= 14
  const changes = [{ at: Number.NEGATIVE_INFINITY, offset }]
  const name = whole ? `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}` : zonesByRules().get(signatureOf(changes))
  return name === undefined ? { id: rulesZone(changes), name: null } : { id: name, name }
}

interface Observance {
  readonly from: number
  readonly to: number
  /** Local seconds before the change. */
  readonly onsets: readonly number[]
}

/** The offset changes of the zone, ascending. The first entry applies to all earlier time. */
function changesOf(component: ComponentNode, steps: Steps): ZoneChange[] {
  const observances: Observance[] = []
  let left = MAX_ONSETS
  for (const one of component.components
    .filter(({ name }) => name === 'STANDARD' || name === 'DAYLIGHT')
    .slice(0, MAX_OBSERVANCES)) {
    const observance = left > 0 ? observanceOf(one, steps) : undefined
    if (observance) observances.push(observance)
    left -= observance?.onsets.length ?? 1
  }
  const onsets = observances
    .flatMap(({ from, to, onsets }) => onsets.map((wall) => ({ at: wall - from, from, offset: to })))
    .sort((a, b) => a.at - b.at)
    .slice(0, MAX_CHANGES)
  const [first] = onsets
  if (first === undefined) return []
  const changes: ZoneChange[] = [{ at: Number.NEGATIVE_INFINITY, offset: first.from }]
  for (const { at, offset } of onsets) {
    const last = changes.at(-1)
    // Otherwise every search for a local time would have to look at many changes.
    if (last !== undefined && at - last.at < LEAST_DISTANCE) changes.pop()
    if (offset !== changes.at(-1)?.offset) changes.push({ at, offset })
  }
  return changes
}

function observanceOf(component: ComponentNode, steps: Steps): Observance | undefined {
  steps.take(STEPS_OF_OBSERVANCE)
  const from = offsetOf(component.line('TZOFFSETFROM')?.value)
  const to = offsetOf(component.line('TZOFFSETTO')?.value)
  const start = parseBasic((component.line('DTSTART')?.value ?? '').trim())
  if (to === undefined || start === undefined) return undefined
  const at = start.day * SECONDS_PER_DAY + (start.seconds ?? 0)
  const series: SeriesStart = { kind: 'timed', at, zone: 'UTC', seconds: 0 }
  const dates = component.lines
    .filter(({ name }) => name === 'RDATE')
    .slice(0, MAX_CHANGES)
    .flatMap(({ value }) => value.split(',', MAX_CHANGES))
    .slice(0, MAX_CHANGES)
  steps.take(dates.length)
  const added = dates.flatMap((text) => {
    const time = parseBasic(text.trim())
    return time ? keyOfWall(series, time.day * SECONDS_PER_DAY + (time.seconds ?? 0)) : []
  })
  return {
    from: from ?? to,
    to,
    onsets: [at, ...added, ...onsetsOf(component, { series, offsetFrom: from ?? to, steps })],
  }
}

/** The onsets of the rule. Local times are calculated as if they were UTC, and so is UNTIL, which is in UTC. */
function onsetsOf(
  component: ComponentNode,
  { series: start, offsetFrom, steps }: { series: SeriesStart; offsetFrom: number; steps: Steps },
): number[] {
  const text = component.line('RRULE')?.value
  if (text === undefined) return []
  const rule = readForeignRule(text, start)
  if (rule === undefined) return []
  const onsets: number[] = []
  const until = rule.until === null || !/UNTIL=\d{8}T\d{6}Z/i.test(text) ? rule.until : rule.until + offsetFrom
  // Outlook's rules begin in 1601; times before 1970 are not needed.
  const from = Math.max(start.kind === 'timed' ? start.at : 0, 0)
  let left = rule.count ?? MAX_CHANGES
  walkRule(
    { start, rule: { ...rule, count: null, until: null }, steps },
    { from, to: Math.min(LAST_ONSET, until ?? LAST_ONSET) },
    (key) => {
      onsets.push(key)
      left -= 1
      return left > 0
    },
  )
  return onsets
}

/** Parses `+HHMM` with or without seconds. Some writers use `+5328` for 53 minutes and 28 seconds. */
function offsetOf(text: string | undefined): number | undefined {
  const found = /^\s*([+-]?)(\d{2}):?(\d{2}):?(\d{2})?\s*$/.exec(text ?? '')
  if (found === null) return undefined
  const [first, second, third] = [Number(found[2]), Number(found[3]), Number(found[4] ?? 0)]
  const size = first > 16 ? first * 60 + second : first * 3600 + second * 60 + third
  return found[1] === '-' ? -size : size
}

/** The offset changes of a zone in the compared years. */
function signatureOf(changes: readonly ZoneChange[]): string {
  const before = changes.findLast(({ at }) => at < YEAR_2020)
  const within = changes.filter(({ at }) => at >= YEAR_2020 && at < YEAR_2030)
  return JSON.stringify([before?.offset ?? changes[0]?.offset, ...within.map(({ at, offset }) => [at, offset])])
}

/** Among zones with the same changes, these are preferred, then those that Windows has a name for. */
const COMMON = [
  'Europe/Berlin',
  'Europe/London',
  'Europe/Helsinki',
  'America/New_York',
  'America/Los_Angeles',
  'Asia/Tokyo',
]

/** The zones of the database by their changes. Built once, at the first unknown name. */
let byRules: Map<string, string> | undefined

function zonesByRules(): Map<string, string> {
  if (byRules !== undefined) return byRules
  const found = new Map<string, string>()
  for (const zone of [...COMMON, ...Object.values(windowsZones), ...Intl.supportedValuesOf('timeZone')]) {
    const signature = signatureOf(zoneOffsetChanges(zone, { from: YEAR_2020, to: YEAR_2030 }))
    if (!found.has(signature)) found.set(signature, zone)
  }
  byRules = found
  return found
}
