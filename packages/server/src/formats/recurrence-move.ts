// What happens to the exceptions of a series when its start moves. EXDATE, RDATE and overrides are kept by slot, and a
// slot is an instant: a series moved from 09:00 to 10:00 without moving them would show what was deleted.
//
// A slot keeps its date and follows the time of day of the start. Where the moved series has nothing there, because its
// days have moved too (weekly, from Monday to Tuesday), it follows the date of the start as well. Where a rule fixes the
// times of day itself (BYHOUR), it may have to stay as it is.
import { SECONDS_PER_DAY } from './dates.ts'
import { slotKey, slotOfKey } from './instance-ids.ts'
import { makesSlot, previousSlots } from './recurrence.ts'
import { dateLine } from './recurrence-dates.ts'
import { type NormalisedRecurrence, type NormaliseOptions, normaliseRecurrence } from './recurrence-rule.ts'
import { holdsKey, keyOfWall, type Recurrence, type Series, type SeriesStart, startKey, wallOfKey } from './series.ts'

/**
 * The slots of exceptions after a move, in the same order. `to` is the moved series; its own EXDATE does not matter. A
 * slot that the moved series has no place for is given as one that it does not make; where two come to one place, the one
 * that kept its date takes it, or else the first, and the other is given as no slot at all.
 */
export function shiftExceptions(slots: readonly string[], from: SeriesStart, to: Series): string[] {
  const shifted = slots.map((slot) => {
    const place = slotKey(slot)
    if (place?.kind !== from.kind) return { slot, keptDate: true }
    const key = shiftKey(place.key, from, to)
    const sameDate = keyOfWall(to.start, wallOnSameDate(place.key, from, to.start))
    return { slot: slotOfKey(to.start.kind, key), keptDate: key === sameDate }
  })
  const takers = new Map<string, number>()
  for (const [index, { slot, keptDate }] of shifted.entries()) {
    if (keptDate || !takers.has(slot)) takers.set(slot, index)
  }
  return shifted.map(({ slot }, index) => (takers.get(slot) === index ? slot : ''))
}

/** The recurrence of a series with a new start: RDATE, EXDATE and UNTIL move with it. The overrides are the caller's. */
export function moveRecurrence(series: Series, start: SeriesStart, options: NormaliseOptions): NormalisedRecurrence {
  const { rdates, exdates } = series.recurrence
  const movedRdates = rdates.map((key) => keyOfWall(start, wallOnSameDate(key, series.start, start)))
  const to = endlessly({ start, recurrence: { ...series.recurrence, rdates: movedRdates.sort(up) } })
  const movedExdates = exdates.map((key) => shiftKey(key, series.start, to))
  const lines = [
    ...series.recurrence.lines.filter((line) => line.startsWith('RRULE')).map((line) => moveUntil(line, series, to)),
    ...(rdates.length === 0 ? [] : [dateLine('RDATE', start, movedRdates)]),
    ...(exdates.length === 0 ? [] : [dateLine('EXDATE', start, movedExdates)]),
  ]
  return normaliseRecurrence(lines, start, options)
}

/**
 * The recurrence of a series whose start and lines change together. Lines that say what the series says already are no
 * change of it. Of others, an EXDATE that is repeated from the old series moves with the start, unless it is a slot of
 * the new one: clients send back what they have read, and what was deleted must not show again.
 */
export function replaceRecurrence(
  lines: readonly string[],
  { from, start }: { from: Series; start: SeriesStart },
  options: NormaliseOptions,
): NormalisedRecurrence {
  const before = normaliseRecurrence(lines, from.start, options)
  if (before.ok && isSame(before.value.lines, from.recurrence.lines)) return moveRecurrence(from, start, options)
  const given = normaliseRecurrence(lines, start, options)
  if (!given.ok || from.start.kind !== start.kind) return given
  const to = endlessly({ start, recurrence: given.value })
  const isStale = (key: number): boolean => !makesSlot(to, key) && holdsKey(from.recurrence.exdates, key)
  const { exdates } = given.value
  if (!exdates.some(isStale)) return given
  const moved = exdates.map((key) => (isStale(key) ? shiftKey(key, from.start, to) : key))
  const rest = given.value.lines.filter((line) => !line.startsWith('EXDATE'))
  return normaliseRecurrence([...rest, dateLine('EXDATE', start, moved)], start, options)
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The series without COUNT and UNTIL: whether a slot is one of its own is not a matter of its end. */
const endlessly = ({ start, recurrence }: Series): Series => ({
  start,
  recurrence: {
    ...recurrence,
    rule: recurrence.rule && { ...recurrence.rule, count: null, until: null },
    lastSlot: null,
  },
})

/** UNTIL follows the time of day, and further if the last occurrence would be lost otherwise. */
function moveUntil(line: string, from: Series, to: Series): string {
  const { rule } = from.recurrence
  if (rule === null || rule.until === null) return line
  const sameDate = keyOfWall(to.start, wallOnSameDate(rule.until, from.start, to.start))
  const last = lastOfRule(from, rule.until)
  const until = last === undefined ? sameDate : Math.max(sameDate, shiftKey(last, from.start, to))
  return line.replace(/UNTIL=\w+/, `UNTIL=${slotOfKey(to.start.kind, until)}`)
}

function lastOfRule({ start, recurrence }: Series, until: number): number | undefined {
  const bare: Recurrence = { ...recurrence, rdates: [], exdates: [] }
  const after = start.kind === 'timed' ? until + 1 : (until + 1) * SECONDS_PER_DAY
  const [slot] = previousSlots({ start, recurrence: bare }, after, { allDayZone: 'UTC', limit: 1 })
  return slot === undefined ? undefined : slotKey(slot)?.key
}

function shiftKey(key: number, from: SeriesStart, to: Series): number {
  const wall = wallOfKey(from, key)
  const sameDate = keyOfWall(to.start, wallOnSameDate(key, from, to.start))
  if (makesSlot(to, sameDate)) return sameDate
  const others = [wall + startWall(to.start) - startWall(from), wall].map((other) => keyOfWall(to.start, other))
  return others.find((other) => makesSlot(to, other)) ?? sameDate
}

const wallOnSameDate = (key: number, from: SeriesStart, to: SeriesStart): number =>
  wallOfKey(from, key) + timeOfDay(startWall(to)) - timeOfDay(startWall(from))

const startWall = (start: SeriesStart): number => wallOfKey(start, startKey(start))
const timeOfDay = (wall: number): number => wall - Math.floor(wall / SECONDS_PER_DAY) * SECONDS_PER_DAY
const up = (a: number, b: number): number => a - b
