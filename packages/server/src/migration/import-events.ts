/** Events of an account: written, updated, and removed if the file no longer has them. */
import type { Event } from '@waypost/contract'
import { type Occurrence, occurrenceAt } from '@waypost/formats/recurrence/recurrence'
import type { Series } from '@waypost/formats/recurrence/series'
import { Steps } from '@waypost/formats/recurrence/steps'
import { instantsOf } from '@waypost/formats/timezones/when'
import { seconds } from '@waypost/platform/clock'
import { instanceOf } from '@waypost/providers/calendar/series'
import { clearedFields, forever, parseSeries, wholeOf } from '@waypost/providers/virtual/series'
import type { CalendarRow, EventRow, StoredEvent } from '@waypost/providers/virtual/tables'
import type { PlannedEvent, PlannedOverride } from './event-plan.ts'
import type { Calendars } from './import-calendars.ts'
import { type Decision, decide, dropStamp, keepStamp, stampKey, type Writing } from './writing.ts'

/** The events of the grant by id. */
type Events = Map<string, EventRow>

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Writes the events of the plan; returns all events of the grant. */
export async function writeEvents(writing: Writing, calendars: Calendars): Promise<Events> {
  const rows: Events = new Map()
  for (const id of calendars.keys()) {
    for (const row of await writing.tables.events.all(id)) rows.set(row.event.id, row)
  }
  const longest = new Map<string, number>()
  const added: EventRow[] = []
  const write = async (row: EventRow, before: EventRow | undefined): Promise<void> => {
    if (before) await writing.tables.events.update(row)
    else added.push(row)
    rows.set(row.event.id, row)
    const calendarId = row.event.calendar_id
    const length = row.kind === 'series' ? 0 : row.endAt - row.startAt
    longest.set(calendarId, Math.max(longest.get(calendarId) ?? 0, length))
  }
  const changed: EventRow[] = []
  for (const planned of writing.plan.events) {
    const before = rows.get(planned.id)
    const calendar = calendars.get(planned.calendarId)
    if (!calendar) {
      const reason = `its calendar ${planned.calendarId} was deleted here`
      const isKnown = writing.stamps.has(stampKey('event', planned.id))
      settle(writing, planned, isKnown ? { what: 'kept' } : { what: 'refused', reason })
      continue
    }
    const row = rowOf(writing, planned, { calendar, before })
    const decision = decide(standing(writing, planned, before), () => isSameRow(row, before))
    if (decision.what === 'update' || decision.what === 'create') {
      const next = stamped(row, writing.now)
      await write(next, before)
      if (before) changed.push(next)
    }
    settle(writing, planned, decision)
  }
  for (const row of changed) await followSeries(writing, row, { rows, calendars })
  for (const planned of writing.plan.overrides) await writeOverride(writing, planned, { rows, calendars, write })
  await writing.tables.events.insertAll(added)
  // Window queries search back as far as the longest event.
  for (const [id, length] of longest) await writing.tables.calendars.stretch(id, length)
  // A series of an earlier import may now be a single event.
  for (const id of calendars.keys()) await writing.tables.calendars.touchSeries(id)
  return rows
}

const standing = (writing: Writing, planned: { id: string; sourceUpdatedAt: number | null }, row?: EventRow) => ({
  stamp: writing.stamps.get(stampKey('event', planned.id)),
  updatedAt: row?.updatedAt,
  sourceUpdatedAt: planned.sourceUpdatedAt,
})

type Notified = Pick<PlannedEvent, 'id' | 'place' | 'sourceUpdatedAt'> & { sourceId?: string }

/** Counts a decision, stores the stamp if the object follows the file, and reports it if not. */
function settle(writing: Writing, { id, sourceId = id, place, sourceUpdatedAt }: Notified, decision: Decision): void {
  const { events, skipped } = writing.result
  if (decision.what === 'refused') {
    events.kept++
    skipped.push({ account: writing.plan.email, object: 'event', id: sourceId, place, reason: decision.reason })
    return
  }
  const names = { create: 'created', update: 'updated', unchanged: 'unchanged', kept: 'kept' } as const
  events[names[decision.what]]++
  if (decision.what === 'kept') return
  const known = writing.stamps.get(stampKey('event', id))
  const importedAt = decision.what === 'unchanged' ? (known?.importedAt ?? writing.now) : writing.now
  keepStamp(writing, { kind: 'event', id, sourceUpdatedAt, importedAt })
}

/** The document of an event, with fields in the order of the API. Metadata is not migrated. */
function documentOf({ grant, now, baseUrl }: Writing, planned: PlannedEvent, before: Event | undefined): Event {
  const { fields, series } = planned
  return {
    id: planned.id,
    object: 'event',
    grant_id: grant.id,
    calendar_id: planned.calendarId,
    ...fields,
    resources: before?.resources ?? [],
    organizer: planned.host ?? { name: grant.metadata.name ?? null, email: grant.email },
    ...(series ? { recurrence: [...series.recurrence.lines] } : {}),
    ical_uid: planned.icalUid ?? `${planned.id}@${new URL(baseUrl).hostname}`,
    sequence: before?.sequence ?? 0,
    read_only: false,
    metadata: before?.metadata ?? {},
    created_at: before?.created_at ?? seconds(now),
    updated_at: before?.updated_at ?? seconds(now),
  }
}

/** The planned row with the times of the stored row, so that the two can be compared. */
function rowOf(
  writing: Writing,
  planned: PlannedEvent,
  { calendar, before }: { calendar: CalendarRow; before: EventRow | undefined },
): EventRow {
  const event = documentOf(writing, planned, before && before.kind !== 'override' ? wholeOf(before) : undefined)
  const common = {
    event,
    masterId: null,
    slot: null,
    slotAt: null,
    createdAt: before?.createdAt ?? writing.now,
    updatedAt: before?.updatedAt ?? writing.now,
  }
  if (!planned.series) {
    const { start, end } = instantsOf(event.when, calendar.calendar.timezone)
    return { ...common, kind: 'single', startAt: start, endAt: end, series: null }
  }
  const { first, last } = planned.series.recurrence
  const series = JSON.stringify(planned.series)
  return { ...common, kind: 'series', startAt: first, endAt: last ?? forever, series }
}

const isSameRow = (row: EventRow, before: EventRow | undefined): boolean =>
  before !== undefined &&
  isSame(row.event, before.event) &&
  row.kind === before.kind &&
  row.series === before.series &&
  row.startAt === before.startAt &&
  row.endAt === before.endAt

/** A row at the time of its import. */
const stamped = (row: EventRow, now: number): EventRow => ({
  ...row,
  updatedAt: now,
  event: { ...row.event, updated_at: seconds(now) },
})

interface Holding {
  rows: Events
  calendars: Calendars
}

function occurrenceOf(master: EventRow, slot: string, calendars: Calendars): Occurrence | undefined {
  const zone = calendars.get(master.event.calendar_id)?.calendar.timezone ?? 'UTC'
  const series: Series | undefined = master.series === null ? undefined : parseSeries(master.series)
  return series && occurrenceAt(series, slot, { allDayZone: zone, steps: new Steps() })
}

/** Changed occurrences stay with their series; those that it no longer has are removed. */
async function followSeries(writing: Writing, master: EventRow, { rows, calendars }: Holding): Promise<void> {
  const { events } = writing.tables
  for (const row of await events.overridesOf(master.event.id)) {
    const { id } = row.event
    if (!occurrenceOf(master, row.slot ?? '', calendars)) {
      await events.remove(id)
      rows.delete(id)
      await dropStamp(writing, 'event', id)
    } else if (row.event.calendar_id !== master.event.calendar_id) {
      const moved = { ...row, event: { ...row.event, calendar_id: master.event.calendar_id } }
      await events.update(moved)
      rows.set(id, moved)
    }
  }
}

async function writeOverride(
  writing: Writing,
  planned: PlannedOverride,
  at: Holding & { write(row: EventRow, before: EventRow | undefined): Promise<void> },
): Promise<void> {
  const before = at.rows.get(planned.id)
  const master = at.rows.get(planned.masterId)
  // A series that was deleted here stays deleted, with its occurrences.
  if (!master) {
    settle(writing, planned, { what: 'kept' })
    return
  }
  const occurrence = occurrenceOf(master, planned.slot, at.calendars)
  if (!occurrence) {
    const reason = `original_start_time: its series ${planned.masterId} has no such occurrence`
    const { sourceId: id, place } = planned
    writing.result.skipped.push({ account: writing.plan.email, object: 'event', id, place, reason })
    writing.result.events.skipped++
    return
  }
  writing.result.altered.push(...planned.altered)
  const row = overrideRow(writing, planned, { master, occurrence, before })
  // An occurrence without differences needs no row.
  if (!row) {
    writing.result.events.unchanged++
    return
  }
  const { start, end } = instantsOf(row.event.when, at.calendars.get(row.event.calendar_id)?.calendar.timezone ?? 'UTC')
  const placed = { ...row, startAt: start, endAt: end }
  const decision = decide(standing(writing, planned, before), () => isSameRow(placed, before))
  if (decision.what === 'update' || decision.what === 'create') await at.write(stamped(placed, writing.now), before)
  settle(writing, planned, decision)
}

/** The row of a changed occurrence: its identity, and the fields that differ from its series. */
function overrideRow(
  { now }: Writing,
  planned: PlannedOverride,
  { master, occurrence, before }: { master: EventRow; occurrence: Occurrence; before: EventRow | undefined },
): EventRow | undefined {
  const instance = instanceOf(wholeOf(master), occurrence)
  const differing = Object.entries(planned.fields).filter(
    ([name, value]) => !isSame(value, Reflect.get(instance, name)),
  )
  const cleared = clearedFields(planned.fields, new Set(Object.keys(instance)))
  const own = { ...Object.fromEntries(differing), ...cleared }
  if (Object.keys(own).length === 0 && !before) return undefined
  const event: StoredEvent = {
    ...own,
    id: planned.id,
    calendar_id: master.event.calendar_id,
    when: planned.fields.when,
    ical_uid: master.event.ical_uid,
    sequence: before?.event.sequence ?? 0,
    ...(before?.event.metadata ? { metadata: before.event.metadata } : {}),
    updated_at: before?.event.updated_at ?? seconds(now),
  }
  return {
    event,
    kind: 'override',
    masterId: master.event.id,
    slot: planned.slot,
    slotAt: occurrence.start,
    startAt: occurrence.start,
    endAt: occurrence.end,
    series: null,
    createdAt: before?.createdAt ?? now,
    updatedAt: before?.updatedAt ?? now,
  }
}

/** Removes events of an earlier import that the file no longer has, or has as cancelled. */
export async function removeGoneEvents(writing: Writing, rows: Events): Promise<void> {
  const { plan, tables, result } = writing
  const present = new Set([...plan.events, ...plan.overrides].map(({ id }) => id))
  const gone = [...writing.stamps.values()].filter(({ kind, id }) => {
    const master = rows.get(id)?.masterId
    return kind === 'event' && !present.has(id) && !plan.withheld.has(id) && !(master && plan.withheld.has(master))
  })
  if (gone.length > 0 && !plan.whole) {
    const reason = `${gone.length} events are gone from the file, but were not deleted: some of it is missing or cannot be read`
    result.skipped.push({ account: plan.email, object: 'account', id: plan.id, place: plan.place, reason })
    return
  }
  for (const { id } of gone) {
    const row = rows.get(id)
    if (row) {
      if (row.kind === 'series') await tables.events.removeOverrides(id)
      await tables.events.remove(id)
      rows.delete(id)
      result.events.deleted++
    }
    await dropStamp(writing, 'event', id)
  }
}
