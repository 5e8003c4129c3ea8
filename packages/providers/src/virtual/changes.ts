/** Applies the change of an event to its row, its series and its overrides. */
import type { Event, EventChange } from '@waypost/contract'
import { resetsAnswers, sequenceAfter } from '@waypost/formats/itip/itip'
import { type Occurrence, occurrenceAt } from '@waypost/formats/recurrence/recurrence'
import type { Series } from '@waypost/formats/recurrence/series'
import { STEPS_OF_CHANGE, Steps } from '@waypost/formats/recurrence/steps'
import { instantsOf, inZoneOf, laterByDays } from '@waypost/formats/timezones/when'
import { invalidField } from '@waypost/platform/api-error'
import { reportDropped } from '../calendar/dropped-occurrences.ts'
import { applyChange } from '../calendar/event-change.ts'
import { instanceOf, needSeries, type SeriesAfter, seriesAfter } from '../calendar/series.ts'
import type { Located } from './locate.ts'
import { hostOf } from './organizer.ts'
import { clearedFields, forever, parseSeries, wholeOf } from './series.ts'
import { type Session, stamp } from './session.ts'
import type { CalendarRow, EventRow, StoredEvent } from './tables.ts'

type StoredPlace = Extract<Located, { what: 'single' | 'series' }>
type OfSeries = Extract<Located, { what: 'occurrence' }>

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The event after a change, with a new timestamp. A new time or rule resets the answers of all guests. */
function nextEvent(session: Session, before: Event, { after, latest }: { after: Event; latest: number }): Event {
  const participants = resetsAnswers(before, after) ? withoutAnswers(after.participants) : after.participants
  const own = before.sequence ?? 0
  // SEQUENCE is shared by everything under the UID, so it grows with a change of any part.
  const sequence = sequenceAfter(before, after) > own ? Math.max(own, latest) + 1 : own
  return { ...after, participants, sequence, updated_at: stamp(session) }
}

const withoutAnswers = (participants: Event['participants']): Event['participants'] =>
  participants.map((guest) => ({ ...guest, status: 'noreply' }))

/** The row of a single event or of a series master. */
export function rowOf(
  session: Session,
  { calendar }: CalendarRow,
  event: Event,
  series: Series | undefined,
  createdAt: number,
): EventRow {
  const now = session.io.clock.now()
  const common = { event, masterId: null, slot: null, slotAt: null, createdAt, updatedAt: now }
  if (!series) {
    const { start, end } = instantsOf(event.when, calendar.timezone)
    return { ...common, kind: 'single', startAt: start, endAt: end, series: null }
  }
  const { first, last } = series.recurrence
  return { ...common, kind: 'series', startAt: first, endAt: last ?? forever, series: JSON.stringify(series) }
}

/** Window queries look back as far as the longest event. */
export async function stretchCalendar(session: Session, calendar: CalendarRow, row: EventRow): Promise<void> {
  const seconds = row.endAt - row.startAt
  if (row.kind !== 'series' && seconds > calendar.longestSeconds) {
    await session.io.tables.calendars.stretch(calendar.calendar.id, seconds)
  }
}

/** Changes a single event or a whole series; `latest` is the highest SEQUENCE of its UID. */
export async function changeStored(
  session: Session,
  located: StoredPlace,
  { change, latest }: { change: EventChange; latest: number },
): Promise<Event> {
  const { calendar, event: before, row } = located
  const changed = applyChange(before, change, session.grant.email)
  const after = located.what === 'series' ? { ...changed, when: inZoneOf(changed.when, before.when) } : changed
  const next = seriesAfter(row.series === null ? undefined : parseSeries(row.series), { after, change })
  const { series } = next
  if (series) {
    after.recurrence = [...series.recurrence.lines]
    // The metadata of a single event is not taken over by the series.
    if (located.what === 'single' && change.metadata === undefined) after.metadata = {}
  } else delete after.recurrence
  const event = nextEvent(session, before, { after, latest })
  const changedRow = rowOf(session, calendar, event, series, row.createdAt)
  await session.io.tables.events.update(changedRow, row)
  await stretchCalendar(session, calendar, changedRow)
  if (located.what === 'series' && !series) await session.io.tables.calendars.touchSeries(calendar.calendar.id)
  if (located.what === 'series') await moveOverrides(session, located, event, next)
  return event
}

/** Overrides stay if their slot still exists. Those with the same time as the series continue to follow it. */
async function moveOverrides(
  session: Session,
  located: StoredPlace,
  event: Event,
  { series, placesOf }: SeriesAfter,
): Promise<void> {
  const { tables } = session.io
  const overrides = await tables.events.overridesOf(event.id)
  if (overrides.length === 0) return
  await tables.events.removeOverrides(event.id)
  if (!series || located.row.series === null) return
  const old = parseSeries(located.row.series)
  const options = { allDayZone: located.calendar.calendar.timezone, steps: new Steps(STEPS_OF_CHANGE) }
  const places = placesOf(overrides.map((row) => row.slot ?? ''))
  reportDropped(
    session,
    overrides.flatMap((row, index) => (places[index] ? [] : (row.slot ?? []))),
  )
  for (const [index, row] of overrides.entries()) {
    const place = places[index]
    const occurrence = place && occurrenceAt(series, place.slot, options)
    if (!occurrence) continue
    const former = occurrenceAt(old, row.slot ?? '', options)
    const followed = former !== undefined && isSame(instanceOf(located.event, former).when, row.event.when)
    const instance = instanceOf(event, occurrence)
    const guests = guestsAfter(row.event, { before: located.event, after: event, followed })
    const { participants: _, ...rest } = row.event
    const when = followed ? instance.when : laterByDays(row.event.when, place.days)
    const stored = { ...rest, ...guests, id: instance.id, when }
    const next = overrideRow(located.calendar, stored, { master: event, occurrence, former: row })
    await tables.events.insert(next)
    await stretchCalendar(session, located.calendar, next)
  }
}

/**
 * The guests that an override stores itself. If only their answers differ from the series, the list follows the
 * series. If the occurrence gets a new time, the answers are reset.
 */
function guestsAfter(
  { participants }: StoredEvent,
  { before, after, followed }: { before: Event; after: Event; followed: boolean },
): Pick<StoredEvent, 'participants'> {
  if (participants === undefined) return {}
  const isList = isSame(addressesOf(participants), addressesOf(before.participants))
  const answers = new Map(participants.map((guest) => [guest.email?.toLowerCase(), guest.status]))
  const own = isList
    ? after.participants.map((guest) => ({ ...guest, status: answers.get(guest.email?.toLowerCase()) ?? guest.status }))
    : participants
  const next = followed && resetsAnswers(before, after) ? withoutAnswers(own) : own
  return isSame(next, after.participants) ? {} : { participants: next }
}

const addressesOf = (participants: Event['participants']): (string | undefined)[] =>
  participants.map(({ email }) => email?.toLowerCase()).sort()

function overrideRow(
  { calendar }: CalendarRow,
  event: StoredEvent,
  of: { master: Event; occurrence: Occurrence; former: Pick<EventRow, 'createdAt' | 'updatedAt'> },
): EventRow {
  const { start, end } = instantsOf(event.when, calendar.timezone)
  return {
    event,
    kind: 'override',
    masterId: of.master.id,
    slot: of.occurrence.slot,
    slotAt: of.occurrence.start,
    startAt: start,
    endAt: end,
    series: null,
    createdAt: of.former.createdAt,
    updatedAt: of.former.updatedAt,
  }
}

/**
 * Changes one occurrence: it becomes an override, which stores its changed fields and follows the series in the
 * others.
 */
export async function changeOccurrence(
  session: Session,
  located: OfSeries,
  { change, latest }: { change: EventChange; latest: number },
): Promise<Event> {
  if (change.recurrence && change.recurrence.length > 0) {
    throw invalidField('recurrence', 'one occurrence cannot repeat: change the series instead')
  }
  const { event: before } = located
  const changed = applyChange(before, change, session.grant.email)
  // An unchanged occurrence does not become an override.
  if (isSame(changed, before)) return before
  const event = nextEvent(session, before, { after: changed, latest })
  const written = Object.keys(change).filter((name) => Reflect.get(change, name) !== undefined)
  await keepOverride(session, located, { event, written })
  return event
}

/** Stores only the guests' answers; answers of other guests are not reset. */
export async function keepAnswers(
  session: Session,
  located: Located,
  participants: Event['participants'],
): Promise<Event> {
  const event = { ...located.event, participants, updated_at: stamp(session) }
  if (located.what === 'occurrence') await keepOverride(session, located, { event, written: ['participants'] })
  else {
    const { row } = located
    await session.io.tables.events.update({ ...row, event, updatedAt: session.io.clock.now() }, row)
  }
  return event
}

async function keepOverride(
  session: Session,
  { calendar, master, occurrence, override }: OfSeries,
  { event, written }: { event: Event; written: readonly string[] },
): Promise<void> {
  const always = ['id', 'calendar_id', 'when', 'ical_uid', 'sequence', 'updated_at', 'participants']
  const retained = new Set([...Object.keys(override?.event ?? {}), ...written, ...always])
  const changedFields = Object.entries(event).filter(([name]) => retained.has(name) && isOwn(name, event, master))
  const stored: StoredEvent = {
    ...Object.fromEntries(changedFields),
    ...clearedFields(event, retained),
    id: event.id,
    calendar_id: event.calendar_id,
    when: event.when,
    ical_uid: event.ical_uid,
  }
  const now = session.io.clock.now()
  const row = overrideRow(calendar, stored, {
    master: wholeOf(master),
    occurrence,
    former: { createdAt: override?.createdAt ?? now, updatedAt: now },
  })
  await (override ? session.io.tables.events.update(row) : session.io.tables.events.insert(row))
  await stretchCalendar(session, calendar, row)
}

/** An occurrence stores guests only if they differ from the series. */
const isOwn = (name: string, event: Event, master: EventRow): boolean =>
  name !== 'participants' || !isSame(event.participants, wholeOf(master).participants)

/** Removes one occurrence from its series and returns the changed series. */
export async function cancelOccurrence(session: Session, located: OfSeries, latest: number): Promise<Event> {
  const { tables } = session.io
  const { calendar, master, occurrence, override } = located
  const event = wholeOf(master)
  const value = occurrence.startDate === undefined ? ':' : ';VALUE=DATE:'
  const series = needSeries(event.when, [...(event.recurrence ?? []), `EXDATE${value}${occurrence.slot}`])
  const next: Event = {
    ...event,
    recurrence: [...series.recurrence.lines],
    // A guest's answers contain the organizer's SEQUENCE, so it must not change.
    sequence: hostOf(session, located) ? event.sequence : latest + 1,
    updated_at: stamp(session),
  }
  await tables.events.update(rowOf(session, calendar, next, series, master.createdAt))
  if (override) await tables.events.remove(override.event.id)
  return next
}
