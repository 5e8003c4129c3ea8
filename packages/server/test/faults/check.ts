/**
 * The invariants of every run, whatever fault occurred, checked over the whole history:
 *
 * - every accepted change is stored, and was notified to every destination: nothing is lost;
 * - every stored change was notified, even if its response was lost; nothing else was notified;
 * - a notification has one id, at every destination and on every repetition, and one place in its grant's sequence;
 * - a grant's sequence has no gaps;
 * - a delivery is repeated only if a fault may have prevented storing its result: it arrived when the fault started,
 *   or during it. The number of such deliveries is the bound for repetitions;
 * - every delivery has the right signature;
 * - something was accepted: a run without work proves nothing.
 */
import type { Arrival } from './receivers.ts'
import type { Change } from './writer.ts'

/** The time of a fault, in milliseconds of the runner's own clock. */
export interface Fault {
  from: number
  to: number
}

export interface History {
  destinations: number
  changes: readonly Change[]
  arrivals: readonly Arrival[]
  /** Events that exist in the end: id and title. */
  events: ReadonlyMap<string, string>
  faults: readonly Fault[]
  /** Maximum time in which a node stores a result, in milliseconds: a second, if it gets the processor. */
  writtenWithinMs?: number
}

export interface Verdict {
  accepted: number
  /** Requested without a response: it may have happened or not. */
  unanswered: number
  deliveries: number
  lost: number
  extra: number
  /** Deliveries whose result a fault may have lost. */
  bound: number
  broken: string[]
}

export function check(history: History): Verdict {
  const { destinations, changes, arrivals, events, faults, writtenWithinMs = 1_000 } = history
  const broken: string[] = []
  const expectNone = (what: string, found: readonly unknown[]): void => {
    if (found.length > 0) broken.push(`${what}: ${found.length}, such as ${JSON.stringify(found[0])}`)
  }
  const reported = Map.groupBy(arrivals, ({ destination, objectId }) => `${destination} ${objectId}`)
  const isReported = (eventId: string): boolean =>
    Array.from({ length: destinations }).every((_, index) => reported.has(`${index} ${eventId}`))

  const accepted = changes.filter(({ eventId }) => eventId !== undefined)
  if (accepted.length === 0) broken.push('no change was accepted, so that nothing could be lost')
  const missing = accepted.filter(({ eventId = '' }) => !events.has(eventId))
  expectNone('accepted changes that are not there', missing)
  const lost = accepted.filter(({ eventId = '' }) => !isReported(eventId))
  expectNone('accepted changes that were not told everywhere', lost)
  const unseen = [...events].filter(([id]) => !isReported(id))
  expectNone('changes that are there and were not told everywhere', unseen)
  expectNone(
    'told, but not there',
    arrivals.filter(({ objectId }) => !events.has(objectId)),
  )
  const byTitle = Map.groupBy(events.values(), (title) => title)
  expectNone(
    'changes that happened more than once',
    [...byTitle].filter(([, same]) => same.length > 1).map(([title]) => title),
  )

  const ofEvent = Map.groupBy(arrivals, ({ objectId }) => objectId)
  const several = [...ofEvent.values()].filter((same) => new Set(same.map(({ id }) => id)).size > 1)
  expectNone('changes told under several ids', several)
  const ofId = Map.groupBy(arrivals, ({ id }) => id)
  const moved = [...ofId.values()].filter((same) => new Set(same.map(({ sequence }) => sequence)).size > 1)
  expectNone('notifications with several places in the sequence', moved)
  expectNone('gaps in the sequence of a grant', gaps(arrivals))
  expectNone(
    'wrong signatures',
    arrivals.filter(({ signed }) => !signed),
  )

  const mayBeRepeated = ({ at }: Arrival): boolean =>
    faults.some(({ from, to }) => at >= from - writtenWithinMs && at <= to + writtenWithinMs)
  const repeated = [...Map.groupBy(arrivals, ({ destination, id }) => `${destination} ${id}`).values()].flatMap(
    (same) => {
      const inTurn = same.toSorted((a, b) => a.at - b.at)
      return inTurn.slice(1).map((again, index) => ({ first: inTurn[index] ?? again, again }))
    },
  )
  expectNone(
    'repeated without a fault',
    repeated
      .filter(({ first }) => !mayBeRepeated(first))
      .map(({ first, again }) => ({ ...first, againAt: again.at, againBy: again.by, faults })),
  )
  const bound = arrivals.filter(mayBeRepeated).length
  if (repeated.length > bound) broken.push(`${repeated.length} extra deliveries, more than the bound of ${bound}`)

  return {
    accepted: accepted.length,
    unanswered: changes.filter(({ status }) => status === undefined).length,
    deliveries: arrivals.length,
    lost: lost.length + missing.length,
    extra: repeated.length,
    bound,
    broken,
  }
}

/** Missing sequence numbers of a grant at a destination, between its first and its last. */
function gaps(arrivals: readonly Arrival[]): string[] {
  const streams = Map.groupBy(arrivals, ({ destination, grantId }) => `grant ${grantId} at destination ${destination}`)
  return [...streams].flatMap(([stream, those]) => {
    const seen = new Set(those.map(({ sequence }) => sequence))
    const first = those.reduce((least, { sequence }) => Math.min(least, sequence), Number.POSITIVE_INFINITY)
    return Array.from(seen)
      .filter((sequence) => sequence > first && !seen.has(sequence - 1))
      .map((sequence) => `${stream}: ${sequence - 1}`)
  })
}
