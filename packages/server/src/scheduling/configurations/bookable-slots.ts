/**
 * The slots of a booking page, from a plan and the busy times of its hosts.
 *
 * `max-fairness` offers only the half of the hosts that is next in turn. On a day on which nobody of that half is free,
 * it offers all hosts. The rule is per day, so that it does not depend on the window that a caller requests.
 */
import type { BookableSlot, BookableSlots } from '@waypost/contract'
import { type FetchedParticipant, openingReader, type Row, rowOf } from '../availability.ts'
import { intersectSpans, mergeIntervals, type Spans, toIntervals } from '../intervals.ts'
import { zoneOffsetsAround } from '../local-time.ts'
import { fairHalf, inTurn } from '../round-robin.ts'
import { localDay, wholeDays } from './bookable-window.ts'
import type { Host, SlotPlan } from './slot-plan.ts'
import { startTimes } from './start-times.ts'

/** A host with the data of the calendars. */
export interface FetchedHost extends Pick<FetchedParticipant, 'busy' | 'lastBooked'> {
  readonly host: Host
}

/** A host with one mark per start: whether the meeting fits. */
interface Turn extends Row {
  readonly lastBooked?: number | undefined
}

/** `first`: the address of the host who comes first, because the booking that moves is theirs. */
export function findBookableSlots(plan: SlotPlan, fetched: readonly FetchedHost[], first?: string): BookableSlots {
  const { method, duration, examined, zone } = plan
  const window = { start: wholeDays(examined, zone).start, end: examined.end + duration }
  const openingOf = openingReader({ window, offsets: zoneOffsetsAround(window) })
  const openings = fetched.map(({ host }) => openingOf(host.opening))
  const grid = startTimes(method === 'collective' ? shared(openings) : united(openings), examined, plan)
  const rows = fetched.map(
    ({ host, busy, lastBooked }, index): Turn => ({
      ...rowOf({ email: host.email, busy }, openings[index], { grid, duration, ...plan.buffer }),
      lastBooked,
    }),
  )
  if (method === 'collective') return { time_slots: slotsOf(plan, grid, () => rows, rows.length) }
  const everybody = inOrder(rows, first)
  const rowsAt = method === 'max-fairness' ? fairRows(plan, grid, everybody) : () => everybody
  return { order: everybody.map(({ email }) => email), time_slots: slotsOf(plan, grid, rowsAt, 1) }
}

const shared = ([one, ...others]: readonly Spans[]): Spans => others.reduce(intersectSpans, one ?? mergeIntervals([]))

const united = (openings: readonly Spans[]): Spans => mergeIntervals(openings.flatMap(toIntervals))

function inOrder(rows: readonly Turn[], first: string | undefined): Turn[] {
  const turns = inTurn(rows)
  const own = turns.filter(({ email }) => email === first)
  return [...own, ...turns.filter(({ email }) => email !== first)]
}

/** The hosts who are offered at a start: the half that is next, or everybody on days when that half has no time. */
function fairRows({ zone }: SlotPlan, grid: Float64Array, everybody: readonly Turn[]) {
  const half = fairHalf(everybody)
  const dayAt = (index: number): number => localDay(zone, grid[index])
  const days = new Set<number>()
  for (let index = 0; index < grid.length; index += 1) {
    if (half.some(({ fits }) => fits[index] === 1)) days.add(dayAt(index))
  }
  return (index: number): readonly Turn[] => (days.has(dayAt(index)) ? half : everybody)
}

/** The requested starts at which at least `least` of the rows fit. */
function slotsOf(
  { starts, duration }: SlotPlan,
  grid: Float64Array,
  rowsAt: (index: number) => readonly Turn[],
  least: number,
): BookableSlot[] {
  const slots: BookableSlot[] = []
  for (let index = 0; index < grid.length; index += 1) {
    const start_time = grid[index]
    if (start_time < starts.start || start_time >= starts.end) continue
    const emails = rowsAt(index).flatMap(({ email, fits }) => (fits[index] === 1 ? [email] : []))
    if (emails.length > 0 && emails.length >= least) slots.push({ emails, start_time, end_time: start_time + duration })
  }
  return slots
}
