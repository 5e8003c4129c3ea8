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
import type { Host, SlotPlan } from './slot-plan.ts'
import { type Grid, startTimes, wholeDays } from './start-times.ts'

/** A host with the data of the calendars. */
export interface FetchedHost extends Pick<FetchedParticipant, 'busy' | 'lastBooked' | 'lately'> {
  readonly host: Host
}

/** A host with one mark per start: whether the meeting fits. */
type Turn = Row & Pick<FetchedHost, 'lastBooked' | 'lately'>

/** `first` is the current host of a booking that moves. This host comes first, so that the booking keeps its host. */
export function findBookableSlots(plan: SlotPlan, fetched: readonly FetchedHost[], first?: string): BookableSlots {
  const { method, duration, examined, zone } = plan
  const window = { start: wholeDays(examined, zone).start, end: examined.end + duration }
  const openingOf = openingReader({ window, offsets: zoneOffsetsAround(window) })
  const openings = fetched.map(({ host }) => openingOf(host.opening))
  // Hosts with the same hours share one list.
  const different = [...new Set(openings)]
  const grid = startTimes(method === 'collective' ? shared(different) : united(different), examined, plan)
  const rows = fetched.map(
    ({ host, busy, lastBooked, lately }, index): Turn => ({
      ...rowOf({ email: host.email, busy }, openings[index], { grid: grid.starts, duration, ...plan.buffer }),
      ...{ lastBooked, lately },
    }),
  )
  if (method === 'collective') {
    const all = crewOf(rows, grid)
    return { time_slots: slotsOf(plan, grid, { crewAt: () => all, least: rows.length }) }
  }
  const everybody = inOrder(rows, first)
  const all = crewOf(everybody, grid)
  const crewAt = method === 'max-fairness' ? fairCrew(grid, crewOf(fairHalf(everybody), grid), all) : () => all
  return { order: everybody.map(({ email }) => email), time_slots: slotsOf(plan, grid, { crewAt, least: 1 }) }
}

const shared = ([one, ...others]: readonly Spans[]): Spans => others.reduce(intersectSpans, one ?? mergeIntervals([]))

const united = (openings: readonly Spans[]): Spans => mergeIntervals(openings.flatMap(toIntervals))

function inOrder(rows: readonly Turn[], first: string | undefined): Turn[] {
  const turns = inTurn(rows)
  const own = turns.filter(({ email }) => email === first)
  return [...own, ...turns.filter(({ email }) => email !== first)]
}

/** Hosts who are offered together. `marks`: who fits at each start, as a binary number with a digit per host. */
interface Crew {
  readonly rows: readonly Turn[]
  readonly marks: Float64Array
  /** The addresses of hosts by their mark. Slots with the same hosts share the list. */
  readonly emails: Map<number, string[]>
}

/** A configuration has at most 50 participants, and doubles are exact up to 53 binary digits. */
function crewOf(rows: readonly Turn[], { starts }: Grid): Crew {
  const marks = new Float64Array(starts.length)
  for (const [place, { fits }] of rows.entries()) {
    const digit = 2 ** place
    for (let index = 0; index < fits.length; index += 1) if (fits[index] === 1) marks[index] += digit
  }
  return { rows, marks, emails: new Map() }
}

function emailsAt({ rows, marks, emails: known }: Crew, index: number): string[] {
  const found = known.get(marks[index])
  if (found) return found
  const emails: string[] = []
  for (const { email, fits } of rows) if (fits[index] === 1) emails.push(email)
  known.set(marks[index], emails)
  return emails
}

/** The hosts at a start: the half that is next, or everybody on days when that half has no time. */
function fairCrew({ days }: Grid, half: Crew, everybody: Crew): (index: number) => Crew {
  const isHalf = new Uint8Array(days.length)
  for (let from = 0; from < days.length; ) {
    let to = from
    while (days[to] === days[from]) to += 1
    let at = from
    while (at < to && half.marks[at] === 0) at += 1
    if (at < to) isHalf.fill(1, from, to)
    from = to
  }
  return (index) => (isHalf[index] === 1 ? half : everybody)
}

/** The requested starts at which at least `least` hosts fit. */
function slotsOf(
  { starts: requested, duration }: SlotPlan,
  { starts }: Grid,
  { crewAt, least }: { crewAt: (index: number) => Crew; least: number },
): BookableSlot[] {
  const slots: BookableSlot[] = []
  for (let index = 0; index < starts.length; index += 1) {
    const start_time = starts[index]
    const crew = crewAt(index)
    if (crew.marks[index] === 0 || start_time < requested.start || start_time >= requested.end) continue
    const emails = emailsAt(crew, index)
    if (emails.length >= least) slots.push({ emails, start_time, end_time: start_time + duration })
  }
  return slots
}
