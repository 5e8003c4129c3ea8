/** Plans the events of an account: single events, series, and changed occurrences. Pure functions. */

import type { Event, When } from '@waypost/contract'
import { isMailAddress, sameAddress } from '@waypost/formats/itip/itip'
import { instanceId } from '@waypost/formats/recurrence/instance-ids'
import type { Series } from '@waypost/formats/recurrence/series'
import { textIn } from '@waypost/platform/json/values'
import { seriesZone } from '@waypost/providers/calendar/event-input'
import { type EventFields, isCancelled, mapFields, planSeries, repeats, slotIn } from './event-fields.ts'
import type { Dropped, Remark } from './report.ts'
import { type Item, idOf, isGiven, type ParseResult, parseObject, type V2Account, V2Event } from './v2-objects.ts'

/** A single event or the master of a series. */
export interface PlannedEvent {
  id: string
  place: string
  calendarId: string
  fields: EventFields
  series: Series | undefined
  icalUid: string | null
  /** The organizer who invited the account; null if it is the account's own event. */
  host: Event['organizer']
  sourceUpdatedAt: number | null
}

/** A changed occurrence of a series. */
export interface PlannedOverride {
  /** Its new id and its previous id. */
  id: string
  sourceId: string
  place: string
  masterId: string
  slot: string
  fields: EventFields
  sourceUpdatedAt: number | null
  /** Remarks to report if it is imported. */
  altered: Remark[]
}

export interface EventPlan {
  events: PlannedEvent[]
  overrides: PlannedOverride[]
  /** Skipped events of the file. They and the changed occurrences of their series do not count as deleted. */
  withheld: Set<string>
}

interface Calendar {
  id: string
  timezone: string
}

export interface EventPlanning {
  account: { id: string; email: string; organizer?: V2Account['organizer'] }
  calendars: readonly Calendar[]
  skipped: Remark[]
  altered: Remark[]
  dropped: Dropped
}

interface Source {
  place: string
  event: V2Event
}

/** Events of the file: masters and single events, and occurrences by series. */
interface Sorted {
  own: Source[]
  changed: Map<string, Source[]>
  cancelled: Map<string, Source[]>
}

const seriesOf = ({ id, master_event_id: master }: V2Event): string | undefined =>
  master && master !== id ? master : undefined

const push = <T>(map: Map<string, T[]>, key: string, value: T): void => {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

/** Plans the events. A problem with one is reported and does not affect others. */
export function planEvents(items: readonly Item[], planning: EventPlanning): EventPlan {
  const plan: EventPlan = { events: [], overrides: [], withheld: new Set() }
  const skip = (place: string, id: string | null, reason: string): void => {
    if (id !== null) plan.withheld.add(id)
    planning.skipped.push({ account: planning.account.email, object: 'event', id, place, reason })
  }
  const sorted = sortEvents(items, planning, skip, plan.withheld)
  for (const source of sorted.own) {
    const { id } = source.event
    const changed = sorted.changed.get(id) ?? []
    const planned = planEvent(source, planning, { changed, cancelled: sorted.cancelled.get(id) ?? [] })
    sorted.changed.delete(id)
    if (planned.ok) plan.events.push(planned.value)
    else skip(source.place, id, planned.reason)
    for (const one of changed) {
      const override = planned.ok ? planOverride(one, planned.value, planning) : undefined
      if (override?.ok) plan.overrides.push(override.value)
      else {
        plan.withheld.add(id)
        skip(one.place, one.event.id, override?.reason ?? `its series ${id} was skipped`)
      }
    }
  }
  for (const [masterId, changed] of sorted.changed) {
    for (const { place, event } of changed) {
      skip(place, event.id, `master_event_id: the series ${masterId} is not in the file, or is cancelled`)
    }
  }
  refuseTwice(plan, skip)
  return plan
}

function sortEvents(
  items: readonly Item[],
  { account, calendars, dropped }: EventPlanning,
  skip: (place: string, id: string | null, reason: string) => void,
  withheld: Set<string>,
): Sorted {
  const sorted: Sorted = { own: [], changed: new Map(), cancelled: new Map() }
  const known = new Set(calendars.map(({ id }) => id))
  const seen = new Set<string>()
  for (const { place, value } of items) {
    const parsed = parseObject(V2Event, value)
    if (!parsed.ok) {
      // The series of an invalid event is still identified by the same field, if present.
      const master = textIn(value, 'master_event_id')
      if (master !== undefined) withheld.add(master)
      skip(place, idOf(value), parsed.reason)
      continue
    }
    const event = parsed.value
    const source = { place, event }
    const master = seriesOf(event)
    if (seen.has(event.id)) skip(place, event.id, 'the account has an event with this id already')
    else if (isCancelled(event)) {
      dropped.cancelled++
      if (master) push(sorted.cancelled, master, source)
    } else if (event.account_id && event.account_id !== account.id) {
      skip(place, event.id, `account_id: is of another account (${event.account_id})`)
    } else if (!known.has(event.calendar_id)) {
      skip(place, event.id, `calendar_id: ${event.calendar_id} is no calendar of the account`)
    } else {
      if (isGiven(event.reminders)) dropped.reminders++
      if (isGiven(event.metadata)) dropped.metadata++
      if (master) push(sorted.changed, master, source)
      else sorted.own.push(source)
    }
    seen.add(event.id)
  }
  return sorted
}

const latest = (events: readonly V2Event[]): number | null =>
  events.reduce<number | null>((max, { updated_at: at }) => (at && at > (max ?? 0) ? at : max), null)

function planEvent(
  { place, event }: Source,
  { account, calendars, altered }: EventPlanning,
  exceptions: { changed: readonly Source[]; cancelled: readonly Source[] },
): ParseResult<PlannedEvent> {
  // If neither rule nor time names a zone, v2 repeated in the zone of the calendar.
  const calendarZone = calendars.find(({ id }) => id === event.calendar_id)?.timezone ?? 'UTC'
  const mapped = mapFields(event, repeats(event) ? calendarZone : null)
  if (!mapped.ok) return mapped
  const { fields } = mapped.value
  const slots = (sources: readonly Source[]): string[] => sources.flatMap((one) => slotIn(fields.when, one.event) ?? [])
  const series = repeats(event)
    ? planSeries(fields.when, event.recurrence?.rrule ?? [], {
        changed: slots(exceptions.changed),
        cancelled: slots(exceptions.cancelled),
      })
    : undefined
  if (series && !series.ok) return series
  const note = (source: Source, reason: string): void =>
    void altered.push({ account: account.email, object: 'event', id: source.event.id, place: source.place, reason })
  for (const reason of [...mapped.value.altered, ...(series?.value.altered ?? [])]) note({ place, event }, reason)
  for (const one of exceptions.cancelled) {
    const placed = series !== undefined && slotIn(fields.when, one.event) !== undefined
    if (!placed) note(one, `original_start_time: does not say which occurrence of ${event.id} was cancelled`)
  }
  const value: PlannedEvent = {
    id: event.id,
    place,
    calendarId: event.calendar_id,
    fields,
    series: series?.value.series,
    icalUid: event.ical_uid,
    host: hostOf(event, fields, account),
    // Here, canceling an occurrence changes the series, although v2 may not have changed the master.
    sourceUpdatedAt: latest([event, ...exceptions.cancelled.map((one) => one.event)]),
  }
  return { ok: true, value }
}

/**
 * The organizer who invited the account, if they are a guest. In v2 an account could set any organizer on its own
 * events: its usual one, or a name without an address, is not another party.
 */
function hostOf(
  { organizer_email: email, organizer_name: name }: V2Event,
  { participants }: EventFields,
  account: EventPlanning['account'],
): Event['organizer'] {
  if (!email || !isMailAddress(email) || sameAddress(email, account.email.trim())) return null
  const usual = typeof account.organizer === 'string' ? account.organizer : (account.organizer?.email ?? '')
  if (usual.split(/[\s<>]+/).some((word) => sameAddress(word, email))) return null
  const isGuest = participants.some((guest) => sameAddress(guest.email ?? '', account.email.trim()))
  return isGuest ? { name, email } : null
}

function planOverride(
  { place, event }: Source,
  master: PlannedEvent,
  { account }: EventPlanning,
): ParseResult<PlannedOverride> {
  if (!master.series) return { ok: false, reason: `master_event_id: ${master.id} does not repeat` }
  if (event.calendar_id !== master.calendarId) {
    return { ok: false, reason: 'calendar_id: is not the calendar of its series' }
  }
  const slot = slotIn(master.fields.when, event)
  if (slot === undefined) return { ok: false, reason: 'original_start_time: does not say which occurrence it replaces' }
  const mapped = mapFields({ ...event, recurrence: null }, zoneOf(master.fields.when))
  if (!mapped.ok) return mapped
  const id = instanceId(master.id, slot)
  const renamed = id === event.id ? [] : [`its id could not be kept: occurrences are named after their series, ${id}`]
  const about = { account: account.email, object: 'event', id: event.id, place } as const
  const value: PlannedOverride = {
    id,
    sourceId: event.id,
    place,
    masterId: master.id,
    slot,
    fields: mapped.value.fields,
    sourceUpdatedAt: event.updated_at ?? null,
    altered: [...mapped.value.altered, ...renamed].map((reason) => ({ ...about, reason })),
  }
  return { ok: true, value }
}

const zoneOf = (when: When): string | null =>
  when.object === 'time' || when.object === 'timespan' ? seriesZone(when) : null

/** If two occurrences have the same slot, or an event has the id of one, the first is used. */
function refuseTwice(plan: EventPlan, skip: (place: string, id: string | null, reason: string) => void): void {
  const ids = new Set(plan.events.map(({ id }) => id))
  plan.overrides = plan.overrides.filter(({ id, sourceId, place }) => {
    if (!ids.has(id)) return ids.add(id)
    skip(place, sourceId, 'another event of the file stands for this occurrence already')
    return false
  })
}
