/** Converts the fields of a v2 event, and series with their exceptions, to v3. Pure functions. */
import {
  Conferencing,
  type Event,
  EventDraft,
  type Participant,
  ParticipantStatus,
  type When,
  type WhenInput,
} from '@waypost/contract'
import { parseInstanceId, slotKey, slotOf, slotOfKey } from '@waypost/formats/recurrence/instance-ids'
import { nextOccurrence } from '@waypost/formats/recurrence/recurrence'
import { type Series, type SeriesStart, startKey } from '@waypost/formats/recurrence/series'
import { RecurrenceTooLarge, Steps } from '@waypost/formats/recurrence/steps'
import { parseDate } from '@waypost/formats/timezones/dates'
import { ApiError } from '@waypost/platform/api-error'
import { conferencingOf } from '@waypost/providers/calendar/event-change'
import { needWhen, startOf } from '@waypost/providers/calendar/event-input'
import { needSeries } from '@waypost/providers/calendar/series'
import { isGiven, issueOf, type ParseResult, type V2Event, type V2Participant, type V2When } from './v2-objects.ts'

/** Fields of the event itself, without its account. */
export type EventFields = Pick<
  Event,
  | 'title'
  | 'description'
  | 'location'
  | 'when'
  | 'busy'
  | 'status'
  | 'visibility'
  | 'hide_participants'
  | 'participants'
  | 'conferencing'
  | 'capacity'
>

interface MappedFields {
  fields: EventFields
  /** Fields that could not be converted exactly. */
  altered: string[]
}

const visibilities: Record<string, NonNullable<Event['visibility']>> = {
  private: 'private',
  confidential: 'private',
  public: 'public',
}
const statuses: Record<string, Event['status']> = { tentative: 'maybe', maybe: 'maybe' }

export const repeats = ({ recurrence }: V2Event): boolean => (recurrence?.rrule?.length ?? 0) > 0
export const isCancelled = (event: V2Event): boolean => event.status?.toLowerCase() === 'cancelled'

/** Runs a validation of the API and returns its refusal as the reason. */
function attempt<T>(work: () => T): ParseResult<T> {
  try {
    return { ok: true, value: work() }
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, reason: error.message }
    throw error
  }
}

/**
 * The time of an event. A series repeats in the zone of its recurrence, which becomes the zone of the start;
 * `usualZone` is the default. All-day events have no zone. A span without length becomes a point in time.
 */
function whenInput(event: V2Event, usualZone: string | null): WhenInput {
  const { when } = event
  if (when.date || when.start_date || when.end_date) return given(when)
  const seriesZone = repeats(event) ? event.recurrence?.timezone : null
  const zone = seriesZone ?? when.start_timezone ?? when.timezone ?? usualZone
  const start = given(when)
  if (start.time !== undefined) return { ...start, timezone: zone }
  if (start.start_time !== undefined && start.start_time === start.end_time) {
    return { time: start.start_time, timezone: zone }
  }
  return { ...start, start_timezone: zone ?? when.end_timezone, end_timezone: when.end_timezone ?? zone }
}

/** The fields that contain a time. v2 also returns unused ones as null. */
function given(when: V2When): WhenInput {
  const input: WhenInput = {}
  if (typeof when.time === 'number') input.time = when.time
  if (typeof when.start_time === 'number') input.start_time = when.start_time
  if (typeof when.end_time === 'number') input.end_time = when.end_time
  if (when.date) input.date = when.date
  if (when.start_date) input.start_date = when.start_date
  if (when.end_date) input.end_date = when.end_date
  return input
}

/** Guests with their responses, without duplicates. */
function participantsOf(inputs: readonly V2Participant[]): Participant[] {
  const guests = new Map<string, Participant>()
  for (const input of inputs) {
    const email = input.email?.trim()
    if (!email || guests.has(email.toLowerCase())) continue
    const status = ParticipantStatus.safeParse(input.status ?? 'noreply')
    guests.set(email.toLowerCase(), {
      email,
      name: input.name ?? null,
      comment: input.comment ?? null,
      phone_number: input.phone_number ?? null,
      status: status.success ? status.data : 'noreply',
    })
  }
  return [...guests.values()]
}

function conferencing(value: unknown): Event['conferencing'] | 'lost' {
  if (!isGiven(value)) return undefined
  const parsed = Conferencing.omit({ autocreate: true }).safeParse(value)
  const retained = parsed.success ? attempt(() => conferencingOf(parsed.data)) : undefined
  return retained?.ok ? retained.value : 'lost'
}

/**
 * Converts the fields and validates them like client input, so that the store only contains what the API could have
 * created.
 */
export function mapFields(event: V2Event, usualZone: string | null): ParseResult<MappedFields> {
  const altered: string[] = []
  const inputs = event.participants ?? []
  const participants = participantsOf(inputs)
  if (inputs.some(({ email }) => !email?.trim())) altered.push('participants without an address were left out')
  const conference = conferencing(event.conferencing)
  if (conference === 'lost') altered.push('conferencing was left out: it has no provider and address that v3 takes')
  const draft = {
    title: event.title ?? null,
    description: event.description ?? null,
    location: event.location ?? null,
    when: whenInput(event, usualZone),
    // v2 returns -1 for "no limit".
    capacity: event.capacity && event.capacity > 0 ? event.capacity : null,
    participants,
  }
  const parsed = EventDraft.safeParse(draft)
  if (!parsed.success) return { ok: false, reason: issueOf(parsed.error, draft) }
  const when = attempt((): When => needWhen(parsed.data.when))
  if (!when.ok) return when
  const visibility = visibilities[event.visibility?.toLowerCase() ?? '']
  const fields: EventFields = {
    title: draft.title,
    description: draft.description,
    location: draft.location,
    when: when.value,
    busy: event.busy ?? true,
    status: statuses[event.status?.toLowerCase() ?? ''] ?? 'confirmed',
    ...(visibility === undefined ? {} : { visibility }),
    hide_participants: event.hide_participants ?? false,
    participants,
    ...(conference && conference !== 'lost' ? { conferencing: conference } : {}),
    ...(draft.capacity === null ? {} : { capacity: draft.capacity }),
  }
  return { ok: true, value: { fields, altered } }
}

/** Cancelled and changed occurrences of a series. */
interface Exceptions {
  cancelled: readonly string[]
  changed: readonly string[]
}

const utcDate = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** The slot of a changed occurrence in its series, from its original start, or else from its id. */
export function slotIn(series: When, { id, original_start_time: original }: V2Event): string | undefined {
  const { kind } = startOf(series)
  if (typeof original === 'number') {
    if (original < -62_135_596_800 || original > 253_402_300_799) return undefined
    return slotOf(kind === 'timed' ? original : utcDate(original))
  }
  if (typeof original === 'string' && kind === 'all-day') {
    return parseDate(original) === undefined ? undefined : slotOf(original)
  }
  const slot = original === null || original === undefined ? parseInstanceId(id)?.slot : undefined
  return slot !== undefined && slotKey(slot)?.kind === kind ? slot : undefined
}

interface PlannedSeries {
  series: Series
  /** Parts that could not be converted exactly. */
  altered: string[]
}

/**
 * The series with its exceptions. A cancelled occurrence becomes an EXDATE. A changed one is a slot of the series,
 * even if v2 excluded it from the rule. A start that does not match the rule, which the API refuses, is excluded in
 * the same way.
 */
export function planSeries(when: When, lines: readonly string[], exceptions: Exceptions): ParseResult<PlannedSeries> {
  const planned = withExceptions(when, lines, exceptions)
  if (planned.ok) return { ok: true, value: { series: planned.value, altered: [] } }
  const start = startOf(when)
  const ofStart = slotOfKey(start.kind, startKey(start))
  const without = withExceptions(when, [...lines, `${exdate(start.kind)}${ofStart}`], exceptions)
  if (!without.ok || !occurs(without.value)) return planned
  return { ok: true, value: { series: without.value, altered: [startLeftOut] } }
}

const startLeftOut = 'its start is no occurrence of its rule: the series begins with the first one'

function occurs(series: Series): boolean {
  try {
    return nextOccurrence(series, series.recurrence.first - 1, { allDayZone: 'UTC', steps: new Steps() }) !== undefined
  } catch (error) {
    if (error instanceof RecurrenceTooLarge) return false
    throw error
  }
}

const exdate = (kind: SeriesStart['kind']): string => (kind === 'timed' ? 'EXDATE:' : 'EXDATE;VALUE=DATE:')

function withExceptions(when: When, lines: readonly string[], exceptions: Exceptions): ParseResult<Series> {
  return attempt(() => {
    const series = needSeries(when, lines)
    const { kind } = series.start
    const taken = new Set(series.recurrence.exdates.map((key) => slotOfKey(kind, key)))
    const before = taken.size
    const back = exceptions.changed.filter((slot) => taken.delete(slot)).length
    for (const slot of exceptions.cancelled) taken.add(slot)
    if (back === 0 && taken.size === before) return series
    const rest = series.recurrence.lines.filter((line) => !line.startsWith('EXDATE'))
    return needSeries(when, taken.size === 0 ? rest : [...rest, `${exdate(kind)}${[...taken].join(',')}`])
  })
}
