/**
 * Changes of the events of a calendar, each notified once: Graph's events are compared with the recorded ones. A
 * series is notified as a whole, and changes of occurrences for their master. All events of the window are compared
 * if Graph has forgotten the delta link, and every month, when the window moves on.
 */
import type { Event } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { fromEvent } from '../../calendar/exchange/event.ts'
import { secondsOf } from '../../calendar/exchange/when.ts'
import type { Change } from '../../provider.ts'
import { isMalformed } from '../../shared/answer.ts'
import { isMissing, needsResync } from '../errors.ts'
import type { Session } from '../session.ts'
import {
  eventPath,
  type GraphCalendar,
  type GraphEvent,
  graphEvent,
  wholeFields,
  withOwnProperty,
} from './calendar-api.ts'
import { type EventsPage, firstDay, type Round, readRound } from './event-deltas.ts'
import { type KnownEvent, type KnownEvents, knownEvents, type StoredEvents, storedEvents } from './known-events.ts'

export interface EventsState {
  /** The delta link of the next round. */
  link: string
  /**
   * When the link was issued, in milliseconds. A link without changes is reused for a while, so that nothing is
   * written.
   */
  taken: number
  /** When the window was set, in milliseconds. */
  window: number
  /** Changes up to this time were notified, in milliseconds of Graph's clock. */
  at: number
  known: StoredEvents
}

const day = 86_400_000
const linkMs = day / 4
const windowMs = 30 * day
/** Tolerance for differences between Graph's clock and ours. */
export const clocksMs = 300_000

const timeOf = (text: string | undefined): number => (text === undefined ? 0 : Date.parse(text) || 0)
const versionOf = ({ changeKey, lastModifiedDateTime = '' }: GraphEvent): string =>
  changeKey === undefined ? lastModifiedDateTime : changeKey.replace(/=+$/, '').slice(-12)

const datesOf = ({ cancelledOccurrences = [] }: GraphEvent): string[] =>
  cancelledOccurrences.map((id) => id.slice(-10)).sort()

/** The day on which an event ends; absent for a series without an end. */
function endOf({ recurrence, end = {} }: GraphEvent): { e?: number } {
  if (!recurrence) return { e: Math.ceil(secondsOf(end) / 86_400) }
  const { type, endDate } = recurrence.range ?? {}
  return type === 'endDate' && endDate ? { e: Math.ceil(Date.parse(endDate) / day) + 1 } : {}
}

/** The record of an event, with its changed occurrences. */
function entryOf(event: GraphEvent, exceptions: readonly GraphEvent[]): KnownEvent {
  const cancelled = datesOf(event)
  return {
    v: versionOf(event),
    ...(event.recurrence ? { s: 1 as const } : {}),
    ...endOf(event),
    ...(cancelled.length > 0 ? { c: cancelled } : {}),
    ...(exceptions.length > 0 ? { x: Object.fromEntries(exceptions.map((one) => [one.id, versionOf(one)])) } : {}),
  }
}

/** Events by id; undefined for a deleted one, absent for one that cannot be read. */
async function readEvents(
  session: Session,
  calendar: GraphCalendar,
  ids: readonly string[],
  query: { $select: string; $expand?: string } = { $select: `${wholeFields},changeKey`, $expand: withOwnProperty },
): Promise<Map<string, GraphEvent | undefined>> {
  const found = new Map<string, GraphEvent | undefined>()
  if (ids.length === 0) return found
  const calls = ids.map((id) => ({ path: eventPath(session, calendar.id, id), query }))
  for (const [place, answer] of (await session.batch(calls, graphEvent)).entries()) {
    const id = ids[place] ?? ''
    if (!(answer instanceof ApiError)) found.set(id, answer)
    else if (isMissing(answer)) found.set(id, undefined)
    else if (!isMalformed(answer)) throw answer
  }
  return found
}

/** The records at the start of the watch. */
async function knownIn(session: Session, calendar: GraphCalendar, round: Round): Promise<KnownEvents> {
  const masters = [...round.wholes.values()].filter(({ recurrence }) => recurrence !== undefined).map(({ id }) => id)
  const cancelled = await readEvents(session, calendar, masters, { $select: 'id,cancelledOccurrences' })
  return new Map(
    [...round.wholes].map(([id, event]) => {
      const ids = cancelled.get(id)?.cancelledOccurrences
      return [id, entryOf(ids ? { ...event, cancelledOccurrences: ids } : event, round.exceptions.get(id) ?? [])]
    }),
  )
}

interface Comparing {
  calendar: GraphCalendar
  round: Round
  /** Whether the round contains all events of the window. */
  isFull: boolean
  known: KnownEvents
  at: number
  /** An event that was created up to this much earlier still counts as new; absent at the start of the watch. */
  slackMs?: number
}

/** The changed occurrences that differ from their records. */
const changedOf = (id: string, { round, known }: Comparing): GraphEvent[] =>
  (round.exceptions.get(id) ?? []).filter((one) => known.get(id)?.x?.[one.id] !== versionOf(one))

/**
 * The series of removed occurrences: those with a recorded changed occurrence of that id, or all if the id is not
 * recorded. Graph does not report the series of a removed occurrence.
 */
function seriesOfRemoved({ round, known }: Comparing): string[] {
  const changed = [...known].filter(([, { x = {} }]) => Object.keys(x).some((id) => round.removed.has(id)))
  const isKnown = (id: string): boolean => known.has(id) || changed.some(([, { x = {} }]) => id in x)
  const series = [...round.removed].every(isKnown) ? changed : [...known].filter(([, { s }]) => s === 1)
  return series.map(([id]) => id)
}

/** The events that may have changed. */
function touchedIn(comparing: Comparing): string[] {
  const { round, known } = comparing
  const ids = new Set([...round.wholes.keys(), ...round.masters, ...seriesOfRemoved(comparing)])
  return [...ids].filter((id) => {
    const whole = round.wholes.get(id)
    return !whole || known.get(id)?.v !== versionOf(whole) || changedOf(id, comparing).length > 0
  })
}

/** Recorded events that are missing and did not merely end. */
function missingIn({ round, isFull, known }: Comparing, now: number): string[] {
  if (!isFull) return [...round.removed].filter((id) => known.has(id))
  const first = firstDay(seconds(now))
  for (const [id, { e }] of known) if (!round.wholes.has(id) && e !== undefined && e <= first) known.delete(id)
  return [...known.keys()].filter((id) => !round.wholes.has(id))
}

/** The notification for an event that was read, if there is one. */
function changeOf(session: Session, event: GraphEvent, comparing: Comparing): Change | undefined {
  const { calendar, known, round, isFull, at, slackMs = clocksMs } = comparing
  const before = known.get(event.id)
  const changed = changedOf(event.id, comparing)
  const exceptions = round.wholes.has(event.id) ? (round.exceptions.get(event.id) ?? []) : changed
  const entry = entryOf(event, exceptions)
  // If the round did not contain the series itself, the records of its other occurrences stay.
  const x = round.wholes.has(event.id) ? entry.x : { ...before?.x, ...entry.x }
  known.set(event.id, { ...entry, ...(x && Object.keys(x).length > 0 ? { x } : {}) })
  const gone = before ? datesOf(event).filter((date) => !before.c?.includes(date)) : []
  if (before && before.v === entry.v && changed.length === 0 && gone.length === 0) return undefined
  const modified = timeOf(event.lastModifiedDateTime)
  const isNew = !before && timeOf(event.createdDateTime) >= at - slackMs
  if (!before && !isNew && isFull && modified <= at) return undefined
  const object: Event = fromEvent(event, { grant: session.grant, calendar })
  const ids = (event.cancelledOccurrences ?? []).filter((id) => gone.includes(id.slice(-10)))
  return {
    trigger: isNew ? 'event.created' : 'event.updated',
    happenedAt: modified || session.io.clock.now(),
    object: {
      ...object,
      ...(before && changed.length > 0 ? { occurrences: changed.map(({ id }) => id) } : {}),
      ...(ids.length > 0 ? { cancelled_occurrences: ids } : {}),
    },
  }
}

/** The notification for an event that is not in the window any more: it was deleted or moved out of it. */
function missingChange(session: Session, id: string, event: GraphEvent | undefined, comparing: Comparing): Change[] {
  const { calendar, known } = comparing
  if (!event) {
    known.delete(id)
    const object = { id, object: 'event' as const, grant_id: session.grant.id, calendar_id: calendar.id }
    return [{ trigger: 'event.deleted', happenedAt: session.io.clock.now(), object }]
  }
  // The record stays: Graph still reports the deletion, and an event that comes back is not new.
  const change = changeOf(session, event, comparing)
  return change ? [change] : []
}

async function compare(session: Session, comparing: Comparing): Promise<Change[]> {
  const now = session.io.clock.now()
  const missing = missingIn(comparing, now)
  const touched = touchedIn(comparing).filter((id) => !missing.includes(id))
  const read = await readEvents(session, comparing.calendar, [...touched, ...missing])
  const reported = touched.flatMap((id) => {
    const event = read.get(id)
    // The next round notifies an event that was deleted meanwhile, if it was recorded.
    const change = event && changeOf(session, event, comparing)
    return change ? [change] : []
  })
  return [
    ...reported,
    ...missing.flatMap((id) => (read.has(id) ? missingChange(session, id, read.get(id), comparing) : [])),
  ]
}

interface EventDelta {
  changes: Change[]
  state: EventsState
}

const latestOf = ({ wholes }: Round, at: number): number =>
  Math.max(at, ...[...wholes.values()].map(({ lastModifiedDateTime }) => timeOf(lastModifiedDateTime)))

/** Compares all events of the window with the records. */
async function compareAll(
  session: Session,
  calendar: GraphCalendar,
  { at, known }: { at: number; known: KnownEvents },
): Promise<EventDelta> {
  const now = session.io.clock.now()
  const round = await readRound(session, calendar.id, { now: seconds(now) })
  const changes = await compare(session, { calendar, round, isFull: true, known, at })
  const next = { link: round.link, taken: now, window: now, at: latestOf(round, at), known: storedEvents(known) }
  return { changes, state: next }
}

/** The events that were changed since a time, or of which an occurrence was. */
const changedSince = ({ wholes, exceptions }: Round, at: number): string[] =>
  [...wholes]
    .filter(([id, event]) =>
      [event, ...(exceptions.get(id) ?? [])].some(({ lastModifiedDateTime: text }) => timeOf(text) >= at),
    )
    .map(([id]) => id)

/** Starts the watch. Changes since a time are notified, so that none is missed. */
async function begin(session: Session, calendar: GraphCalendar, at: number): Promise<EventDelta> {
  const now = session.io.clock.now()
  const round = await readRound(session, calendar.id, { now: seconds(now) })
  const known = await knownIn(session, calendar, round)
  for (const id of changedSince(round, at)) known.delete(id)
  const changes = await compare(session, { calendar, round, isFull: false, known, at, slackMs: 0 })
  return { changes, state: { link: round.link, taken: now, window: now, at: now, known: storedEvents(known) } }
}

async function resume(
  session: Session,
  calendar: GraphCalendar,
  state: EventsState,
  first: EventsPage | ApiError | undefined,
): Promise<EventDelta> {
  if (first instanceof ApiError) throw first
  const now = session.io.clock.now()
  const round = await readRound(session, calendar.id, { link: state.link }, first)
  const isQuiet = round.wholes.size + round.masters.size + round.removed.size === 0
  if (isQuiet && now - state.taken < linkMs) return { changes: [], state }
  const known = knownEvents(state.known)
  const changes = await compare(session, { calendar, round, isFull: false, known, at: state.at })
  const at = latestOf(round, state.at)
  return { changes, state: { ...state, link: round.link, taken: now, at, known: storedEvents(known) } }
}

/** Whether the window has to move on. */
export const isOutdated = (session: Session, { window }: EventsState): boolean =>
  session.io.clock.now() - window > windowMs

export interface Beginning {
  /** Without a state, changes since this time are notified, in milliseconds. */
  from: number
  /** The first page of the delta, if it was already read. */
  first?: EventsPage | ApiError | undefined
}

/** The changes in a calendar. Without a state the watch starts, with the changes since a time. */
export async function eventsSince(
  session: Session,
  calendar: GraphCalendar,
  state: EventsState | undefined,
  { from, first }: Beginning,
): Promise<EventDelta> {
  if (!state) return begin(session, calendar, from)
  const again = () => compareAll(session, calendar, { at: state.at, known: knownEvents(state.known) })
  if (isOutdated(session, state)) return again()
  try {
    return await resume(session, calendar, state, first)
  } catch (error) {
    if (needsResync(error)) return again()
    throw error
  }
}
