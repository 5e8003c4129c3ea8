/**
 * Generates the slots of a rule before COUNT, UNTIL, RDATE and EXDATE are applied: the days from `periods.ts` with
 * their times of day, filtered by BYSETPOS. The contract resolves open points of RFC 5545 §3.3.10 as follows: a local
 * time that does not exist is not a slot and has no position; a repeated one is a slot once, at its first pass.
 */
import { SECONDS_PER_DAY } from '../timezones/dates.ts'
import { instantSkippingGap } from '../timezones/timezones.ts'
import { periodsOf } from './periods.ts'
import { greatestKey, type RecurrenceRule, type SeriesStart, startKey, timesOfDay, wallOfKey } from './series.ts'
import type { Steps } from './steps.ts'

/** Both ends are inclusive. */
export interface KeyRange {
  readonly from: number
  readonly to: number
}
/** Returns whether to continue. */
export type Visit = (key: number) => boolean
/** The key of the slot at a second of a day, or undefined if that local time does not exist. */
type KeyAt = (day: number, second: number) => number | undefined

/** A rule with its start, and the budget of the text or request that it belongs to. */
export interface CountedRule {
  readonly start: SeriesStart
  readonly rule: RecurrenceRule
  readonly steps: Steps
}

/** BYSETPOS costs about three times as much per candidate as a plain walk. */
const CHOICE = 3

/**
 * Visits the keys of the slots that the rule generates in the range, ascending. Throws `RecurrenceTooLarge` when the
 * steps are used up.
 */
export function walkRule({ start, rule, steps }: CountedRule, range: KeyRange, visit: Visit): void {
  steps.take(1 + rule.bySetPos.length)
  const from = Math.max(range.from, startKey(start))
  const to = Math.min(range.to, greatestKey(start))
  if (from > to) return
  const seconds = timesOfDay(start, rule)
  steps.take(seconds.length)
  const keyAt = keysOf(start)
  const offer: Visit = (key) => key < from || (key <= to && visit(key))
  const visitDays = (days: readonly number[]): boolean => {
    if (days.length === 0) return true
    const count = days.length * seconds.length
    if (rule.bySetPos.length === 0) {
      steps.take(count)
      return offerAll(days, seconds, { keyAt, offer })
    }
    steps.take(CHOICE * count + rule.bySetPos.length)
    return chosen(rule.bySetPos, candidates(days, seconds, keyAt)).every(offer)
  }
  const dayOfKey = (key: number): number => Math.floor(wallOfKey(start, key) / SECONDS_PER_DAY)
  // A day on either side, because clocks that are set back show an earlier date at a later instant.
  const days = { from: dayOfKey(from) - 1, to: dayOfKey(to) + 1 }
  periodsOf({ rule, startDay: dayOfKey(startKey(start)), steps })(days, visitDays)
}

/** If a series starts in the second pass of an overlap, only its first slot has that instant. */
function keysOf(start: SeriesStart): KeyAt {
  if (start.kind === 'all-day') return (day) => day
  const { at, zone } = start
  const startWall = wallOfKey(start, at)
  return (day, second) => {
    const wall = day * SECONDS_PER_DAY + second
    return wall === startWall ? at : instantSkippingGap(zone, wall)
  }
}

function offerAll(
  days: readonly number[],
  seconds: readonly number[],
  { keyAt, offer }: { keyAt: KeyAt; offer: Visit },
): boolean {
  for (const day of days) {
    for (const second of seconds) {
      const key = keyAt(day, second)
      if (key !== undefined && !offer(key)) return false
    }
  }
  return true
}

function candidates(days: readonly number[], seconds: readonly number[], keyAt: KeyAt): number[] {
  const keys = days.flatMap((day) => seconds.map((second) => keyAt(day, second)))
  return keys.filter((key) => key !== undefined).sort((a, b) => a - b)
}

/** Applies BYSETPOS: selects the first, the last and so on of a period, ascending. */
function chosen(bySetPos: readonly number[], keys: readonly number[]): number[] {
  const places = new Set(bySetPos.map((place) => (place < 0 ? keys.length + place : place - 1)))
  return keys.filter((_, place) => places.has(place))
}
