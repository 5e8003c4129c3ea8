/**
 * Availability: the start times at which enough participants can meet.
 *
 * A participant's free time is their open hours minus their busy blocks, extended by the buffers. A meeting fits if
 * it lies inside one span of free time.
 */
import { type AvailabilityQuestion, gridOf, lengthsOf, maxStartTimes } from './availability-question.ts'
import { type Interval, mergeGrown, type Spans, subtractSpans } from './intervals.ts'
import { zoneOffsetsAround } from './local-time.ts'
import { type Horizon, type OpenHours, type Opening, openSpans } from './open-hours.ts'
import { type Candidate, fairHalf, inTurn } from './round-robin.ts'

/** A participant with all fetched data. */
export interface FetchedParticipant extends Opening, Candidate {
  /** Time blocked by events that overlap `eventWindowOf(request)`, before buffers; in any order. */
  readonly busy: readonly Interval[]
}

/** A checked request, with the participants in the client's order. */
export interface AvailabilityRequest extends Omit<AvailabilityQuestion, 'participants'> {
  readonly participants: readonly FetchedParticipant[]
}

export interface AvailabilitySlot {
  emails: string[]
  start_time: number
  end_time: number
}

export interface Availability {
  time_slots: AvailabilitySlot[]
  /** The booking order, only for the two round-robin methods. */
  order?: string[]
}

/** The request was refused because it would take too much work. */
export interface AvailabilityProblem {
  problem: 'too_many_start_times'
  count: number
  limit: number
}

/** One participant's row: for every start time of the grid, whether the meeting fits. */
export interface Row {
  readonly email: string
  readonly fits: Uint8Array
}

/** Finds the slots for the requested method. A grid over the limit is refused. */
export function findAvailability(request: AvailabilityRequest): Availability | AvailabilityProblem {
  const work = findingAvailability(request)
  for (let next = work.next(); ; next = work.next()) if (next.done) return next.value
}

/** The same, with pauses after each participant and between slots. */
export function* findingAvailability(
  request: AvailabilityRequest,
): Generator<void, Availability | AvailabilityProblem> {
  const { count, startTime } = gridOf(request)
  if (count > maxStartTimes) return { problem: 'too_many_start_times', count, limit: maxStartTimes }
  const grid = Float64Array.from({ length: count }, (_, index) => startTime(index))
  const rowsOf = rowMaker(request, grid)
  const slotsOf = (rows: readonly Row[], least: number): Generator<void, AvailabilitySlot[]> =>
    collectSlots(rows, { grid, least, duration: lengthsOf(request).duration })

  const method = request.availability_rules?.availability_method ?? 'max-availability'
  if (method === 'collective') {
    const all = yield* rowsOf(request.participants)
    return { time_slots: yield* slotsOf(all, request.participants.length) }
  }
  const everybody = inTurn(request.participants)
  if (method === 'max-fairness') {
    const half = fairHalf(everybody)
    const time_slots = yield* slotsOf(yield* rowsOf(half), 1)
    if (time_slots.length > 0) return { time_slots, order: half.map(({ email }) => email) }
  }
  const time_slots = yield* slotsOf(yield* rowsOf(everybody), 1)
  return { time_slots, order: everybody.map(({ email }) => email) }
}

function rowMaker(request: AvailabilityRequest, grid: Float64Array) {
  const window = { start: request.start_time, end: request.end_time }
  const openingOf = openingReader({ window, offsets: zoneOffsetsAround(window) })
  const lengths = lengthsOf(request)
  return function* (participants: readonly FetchedParticipant[]): Generator<void, Row[]> {
    const rows: Row[] = []
    for (const participant of participants) {
      const own = participant.open_hours ?? []
      const open_hours = own.length > 0 ? own : request.availability_rules?.default_open_hours
      rows.push(rowOf(participant, openingOf({ ...participant, open_hours }), { grid, ...lengths }))
      yield
    }
    return rows
  }
}

/** Resolves openings. What several participants share, the same object or the same open hours, is resolved once. */
export function openingReader(horizon: Horizon): (opening: Opening) => Spans {
  const known = new Map<Opening | readonly OpenHours[] | undefined, Spans>()
  return (opening) => {
    const { open_hours, specific_time_availability = [], only_specific_time_availability } = opening
    const isSpecial = specific_time_availability.length > 0 || only_specific_time_availability === true
    const key = isSpecial ? opening : open_hours
    const spans = known.get(key) ?? openSpans(isSpecial ? opening : { open_hours }, horizon)
    known.set(key, spans)
    return spans
  }
}

/** The row of a participant who is open in these spans. Lengths are in seconds. */
export function rowOf(
  { email, busy }: Pick<FetchedParticipant, 'email' | 'busy'>,
  opening: Spans,
  { grid, duration, before, after }: { grid: Float64Array; duration: number; before: number; after: number },
): Row {
  const free = subtractSpans(opening, mergeGrown(busy, { before, after }))
  return { email, fits: fittingStarts(free, grid, duration) }
}

/** Marks the start times at which a meeting fits into one span. Both lists ascend, so one pass is enough. */
function fittingStarts(free: Spans, grid: Float64Array, duration: number): Uint8Array {
  const fits = new Uint8Array(grid.length)
  let index = 0
  for (let i = 0; i < free.length; i += 2) {
    while (index < grid.length && grid[index] < free[i]) index += 1
    const from = index
    while (index < grid.length && grid[index] + duration <= free[i + 1]) index += 1
    fits.fill(1, from, index)
  }
  return fits
}

/** The slots that at least `least` of the rows can attend, with the participants who can, in row order. */
function* collectSlots(
  rows: readonly Row[],
  { grid, least, duration }: { grid: Float64Array; least: number; duration: number },
): Generator<void, AvailabilitySlot[]> {
  const attending = countAttending(rows, grid.length)
  const slots: AvailabilitySlot[] = []
  for (let index = 0; index < grid.length; index += 1) {
    if (attending[index] === 0 || attending[index] < least) continue
    const emails: string[] = []
    for (const { email, fits } of rows) if (fits[index] === 1) emails.push(email)
    slots.push({ emails, start_time: grid[index], end_time: grid[index] + duration })
    if (slots.length % slotsAtOnce === 0) yield
  }
  return slots
}

const slotsAtOnce = 500

/** Counting first avoids building the list of participants for most start times. */
function countAttending(rows: readonly Row[], length: number): Uint32Array {
  const attending = new Uint32Array(length)
  for (const { fits } of rows) for (let index = 0; index < length; index += 1) attending[index] += fits[index]
  return attending
}
