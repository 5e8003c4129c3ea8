// Properties of every recurrence vector, from any library.
import { describe, expect, test } from 'vitest'
import { slotKey, slotOf } from '../../src/recurrence/instance-ids.ts'
import { occurrenceAt, occurrencesBetween, previousSlots } from '../../src/recurrence/recurrence.ts'
import type { Series, SeriesStart } from '../../src/recurrence/series.ts'
import { Steps } from '../../src/recurrence/steps.ts'
import { problemOf, seriesOf } from './making-series.ts'
import type { Vector } from './reading-vectors.ts'

const options = {
  allDayZone: 'UTC',
  /** A budget for each use. */
  get steps(): Steps {
    return new Steps()
  },
}
const END = 200_000_000_000

function keyOf(slot: string): number {
  const place = slotKey(slot)
  if (place === undefined) throw new Error(`${slot}: not a slot`)
  return place.key
}

/** Unix seconds of a slot; all-day series start at midnight in UTC here. */
const instantOf = (slot: string): number => keyOf(slot) * (slot.includes('T') ? 1 : 86_400)

function startAt(start: SeriesStart, slot: string): SeriesStart {
  if (start.kind === 'timed') return { ...start, at: keyOf(slot) }
  return { ...start, date: slot.replace(/(....)(..)(..)/, '$1-$2-$3') }
}

const slotsFrom = (series: Series, from: number, limit: number): string[] =>
  occurrencesBetween(series, { from, to: END }, { ...options, limit }).map(({ slot }) => slot)

const withoutFirst = (rule: string, passed: number): string =>
  rule.replace(/COUNT=(\d+)/, (_, count) => `COUNT=${Number(count) - passed}`)

/** One test per vector. The vectors end by COUNT or UNTIL, so that an additional slot is detected. */
export function describeVectors(title: string, vectors: readonly Vector[]): void {
  describe(title, () => {
    test.each(vectors)('$title', ({ start, rule, slots }) => {
      const series = seriesOf(start, `RRULE:${rule}`)
      expect(slotsFrom(series, -END, slots.length + 1)).toEqual(slots)
      expectAnyWindow(series, slots)
      expectNewBeginnings({ start, rule, slots })
      expectStartChecked({ start, rule, slots })
    })
  })
}

/** A window from any slot contains the rest, backwards it is the same, and every slot resolves. */
function expectAnyWindow(series: Series, slots: readonly string[]): void {
  for (const [n, slot] of slots.entries()) {
    expect(slotsFrom(series, instantOf(slot), slots.length + 1), `from ${slot}`).toEqual(slots.slice(n))
    expect(previousSlots(series, instantOf(slot), { ...options, limit: n + 1 }), `before ${slot}`).toEqual(
      slots.slice(0, n),
    )
    expect(occurrenceAt(series, slot, options)?.slot).toBe(slot)
  }
}

/** A series from any slot, with the remaining COUNT, is the rest of the series. */
function expectNewBeginnings({ start, rule, slots }: Omit<Vector, 'title'>): void {
  for (const [n, slot] of slots.entries()) {
    const series = seriesOf(startAt(start, slot), `RRULE:${withoutFirst(rule, n)}`)
    expect(slotsFrom(series, -END, slots.length + 1), `begun at ${slot}`).toEqual(slots.slice(n))
  }
}

/** The contract refuses a start that is not a slot of its rule, and names the next one. */
function expectStartChecked({ start, rule, slots: [first = ''] }: Omit<Vector, 'title'>): void {
  const problem = problemOf(start, `RRULE:${rule}`)
  if (first === slotOf(start.kind === 'timed' ? start.at : start.date)) expect(problem).toBeUndefined()
  else expect(problem).toMatch(/^when: the start must fall on .* next one is /)
}
