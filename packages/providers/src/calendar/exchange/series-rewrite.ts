/**
 * Plans how to write the changed occurrences of a series again after its times or rule changed, because Exchange
 * drops them all. The remaining steps are stored in a named property of the series until they are done. Pure.
 */
import { isDeepStrictEqual } from 'node:util'
import type { When } from '@waypost/contract'
import { slotKey, slotOfKey } from '@waypost/formats/recurrence/instance-ids'
import { occurrenceAt, whenOfOccurrence } from '@waypost/formats/recurrence/recurrence'
import type { SeriesStart } from '@waypost/formats/recurrence/series'
import { Steps } from '@waypost/formats/recurrence/steps'
import { SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { laterByDays } from '@waypost/formats/timezones/when'
import { type ApiError, invalidField } from '@waypost/platform/api-error'
import { packJournal, unpackJournal } from '../series.ts'
import { descriptionOf } from './description.ts'
import {
  type ExchangeAttendee,
  type ExchangeEvent,
  type ExchangeFields,
  journalPropertyId,
  type NamedProperty,
  ownPropertyId,
} from './event-model.ts'
import type { SeriesReset } from './series-change.ts'
import { instantOf, toTimes, whenOf } from './when.ts'

/** A changed occurrence to write again. */
export interface RewrittenOccurrence {
  /** Its key in the new series (formats/recurrence/series.ts). */
  key: number
  fields: ExchangeFields
}

/** The remaining steps after the series is written. */
export interface SeriesJournal {
  isAllDay: boolean
  /** The keys of occurrences to delete. */
  exdates: readonly number[]
  occurrences: readonly RewrittenOccurrence[]
}

export interface SeriesPlan {
  occurrences: RewrittenOccurrence[]
  /** The original starts of changed occurrences that the series no longer has. */
  dropped: string[]
}

/** More would require too many calls. */
export const maxOccurrences = 250
/** Exchange stores longer properties separately from the item, and not every server returns those. */
const maxJournal = 30_000

const allDay = { allDayZone: 'UTC' }

/**
 * The key of an occurrence by its original start. Midnight differs between zones; half a day is added to find the
 * day.
 */
export function originalKey({ originalStart }: ExchangeEvent, { kind }: SeriesStart): number | undefined {
  const at = instantOf(originalStart)
  if (at === null) return undefined
  return kind === 'timed' ? at : Math.floor((at + SECONDS_PER_DAY / 2) / SECONDS_PER_DAY)
}

/** Plans the changed occurrences of a series. */
export function planRewrite(
  before: ExchangeEvent,
  exceptions: readonly ExchangeEvent[],
  { from, edited, when }: SeriesReset,
): SeriesPlan {
  const slots = exceptions.map((event) => {
    const key = originalKey(event, from.start)
    return key === undefined ? '' : slotOfKey(from.start.kind, key)
  })
  const steps = new Steps()
  const plan: SeriesPlan = { occurrences: [], dropped: [] }
  for (const [index, place] of edited.placesOf(slots).entries()) {
    const [event, slot = ''] = [exceptions[index], slots[index]]
    const key = place && slotKey(place.slot)?.key
    if (!event || !place || key === undefined) {
      plan.dropped.push(slot)
      continue
    }
    if (event.hasAttachments && !before.hasAttachments) throw keepsAttachments(slot)
    const former = occurrenceAt(from, slot, { ...allDay, steps })
    const hasFollowed = former !== undefined && isSameTime(whenOfOccurrence(whenOf(before), former), whenOf(event))
    const times = hasFollowed ? {} : toTimes(laterByDays(whenOf(event), place.days), zoneOf(when))
    const fields = { ...ownOf(event, before), ...times }
    if (Object.keys(fields).length > 0) plan.occurrences.push({ key, fields })
  }
  return plan
}

/** Attachments of single occurrences cannot be written again, so the change is rejected if there are any. */
const keepsAttachments = (slot: string): ApiError =>
  invalidField(
    'recurrence',
    `the changed occurrence ${slot} has attachments of its own, which Exchange would delete: remove them first`,
  )

const zoneOf = (when: When): string | undefined =>
  (when.object === 'timespan' ? when.start_timezone : when.object === 'time' ? when.timezone : null) ?? undefined

function isSameTime(a: When, b: When): boolean {
  if (a.object !== 'timespan' || b.object !== 'timespan') return isDeepStrictEqual(a, b)
  return a.start_time === b.start_time && a.end_time === b.end_time
}

/** Fields that an occurrence can have itself and that can be compared directly. */
const plain = ['subject', 'location', 'showAs', 'sensitivity', 'isReminderOn', 'hideAttendees'] as const

function ownOf(event: ExchangeEvent, series: ExchangeEvent): ExchangeFields {
  const fields: ExchangeFields = {}
  for (const name of plain) {
    if (event[name] !== undefined && !isDeepStrictEqual(essence(event, name), essence(series, name))) {
      Object.assign(fields, { [name]: essence(event, name) })
    }
  }
  const { reminderMinutesBeforeStart: minutes } = event
  if (event.isReminderOn && minutes !== undefined && minutes !== series.reminderMinutesBeforeStart) {
    Object.assign(fields, { isReminderOn: true, reminderMinutesBeforeStart: minutes })
  }
  if (descriptionOf(event) !== descriptionOf(series)) fields.body = event.body ?? { contentType: 'html', content: '' }
  if (guestsOf(event) !== guestsOf(series)) fields.attendees = (event.attendees ?? []).map(invited)
  const own = propertyOf(event, ownPropertyId)
  if (own !== undefined && own !== propertyOf(series, ownPropertyId)) {
    fields.singleValueExtendedProperties = [{ id: ownPropertyId, value: own }]
  }
  return fields
}

const essence = (event: ExchangeEvent, name: (typeof plain)[number]): unknown =>
  name === 'location' ? { displayName: event.location?.displayName ?? '' } : event[name]

/** The invited addresses. Answers are not included, because guests must answer again. */
const guestsOf = ({ attendees = [] }: ExchangeEvent): string =>
  attendees
    .map(({ type = 'required', emailAddress }) => `${type}:${emailAddress?.address?.toLowerCase() ?? ''}`)
    .sort()
    .join()

const invited = ({ type, emailAddress }: ExchangeAttendee): ExchangeAttendee => ({
  ...(type ? { type } : {}),
  ...(emailAddress ? { emailAddress } : {}),
})

const propertyOf = ({ singleValueExtendedProperties: all = [] }: ExchangeEvent, wanted: string): string | undefined =>
  all.find(({ id }) => id?.toLowerCase() === wanted.toLowerCase())?.value

/** The property with the remaining steps; undefined if it would be too large. */
export function writeJournal(journal: SeriesJournal): NamedProperty | undefined {
  const value = packJournal(journal)
  return value.length > maxJournal ? undefined : { id: journalPropertyId, value }
}

/** Graph cannot remove a property, so an empty value is written. */
export const clearedJournal: NamedProperty = { id: journalPropertyId, value: '' }

const isOccurrence = (value: unknown): value is RewrittenOccurrence =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'number' &&
  'fields' in value &&
  typeof value.fields === 'object'

/** The remaining steps of an interrupted change; undefined if there are none. */
export function readJournal(event: ExchangeEvent): SeriesJournal | undefined {
  const value = unpackJournal(propertyOf(event, journalPropertyId) ?? '')
  if (typeof value !== 'object' || value === null || !('exdates' in value) || !('occurrences' in value))
    return undefined
  const { exdates, occurrences } = value
  return {
    isAllDay: 'isAllDay' in value && value.isAllDay === true,
    exdates: Array.isArray(exdates) ? exdates.filter((key) => typeof key === 'number') : [],
    occurrences: Array.isArray(occurrences) ? occurrences.filter(isOccurrence) : [],
  }
}

/** The fields of a series, with the remaining steps added. */
export function withJournal(fields: ExchangeFields, journal: NamedProperty | undefined): ExchangeFields {
  if (!journal) return fields
  return { ...fields, singleValueExtendedProperties: [...(fields.singleValueExtendedProperties ?? []), journal] }
}
