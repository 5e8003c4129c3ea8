/** The fields of an event in the form that EWS accepts: an item to create, or changes of single properties. Pure. */
import {
  type ExchangeAttendee,
  type ExchangeFields,
  type ExchangeTime,
  journalPropertyId,
} from '../../../calendar/exchange/event-model.ts'
import { secondsOf } from '../../../calendar/exchange/when.ts'
import type { Attendee, CalendarItem, FreeBusyStatus } from '../../types/calendar-item.ts'
import { deleteField, type ItemUpdate, setField } from '../../types/changes.ts'
import { type FieldUri, field, type Path, property } from '../../types/paths.ts'
import type { TimeZoneDefinition } from '../../types/time-zone.ts'
import { journalProperty, ownProperty } from '../calendar-api.ts'
import { toRecurrence } from './recurrence.ts'
import { needOwnClock } from './zones.ts'

/** The zone of a time, as the server names it. */
export type ZoneFor = (name: string, at: number) => TimeZoneDefinition

/** One property: its new value, or none to remove it. */
interface Part {
  path: Path
  value: Partial<CalendarItem> | undefined
}

const part = (uri: FieldUri, value: Partial<CalendarItem> | undefined): Part => ({ path: field(uri), value })

/** The property of a value that is given. */
const given = <T>(value: T | undefined, partOf: (value: T) => Part): Part[] =>
  value === undefined ? [] : [partOf(value)]

const typeOf = ({ type = 'required' }: ExchangeAttendee): string => type
const addressOf = ({ emailAddress }: ExchangeAttendee): string => emailAddress?.address?.toLowerCase() ?? ''

const toAttendee = ({ emailAddress: { name, address } = {} }: ExchangeAttendee): Attendee => ({
  Mailbox: { ...(name ? { Name: name } : {}), ...(address ? { EmailAddress: address } : {}) },
})

const lists = [
  ['required', 'calendar:RequiredAttendees', 'RequiredAttendees'],
  ['optional', 'calendar:OptionalAttendees', 'OptionalAttendees'],
  ['resource', 'calendar:Resources', 'Resources'],
] as const

/** The three lists of attendees. An unchanged list is not written, because Exchange would mail its members. */
function attendeeParts(attendees: readonly ExchangeAttendee[], before: readonly ExchangeAttendee[]): Part[] {
  return lists.flatMap(([type, uri, name]) => {
    const of = (all: readonly ExchangeAttendee[]) => all.filter((one) => typeOf(one) === type)
    const wanted = of(attendees)
    const isSame = wanted.map(addressOf).sort().join() === of(before).map(addressOf).sort().join()
    if (isSame) return []
    return part(uri, wanted.length === 0 ? undefined : { [name]: wanted.map(toAttendee) })
  })
}

/** A time is an instant with a zone. */
function timeParts({ start, end = start, isAllDay, recurrence }: ExchangeFields, zoneFor: ZoneFor): Part[] {
  if (!start || !end) return []
  const zoneOf = (time: ExchangeTime) => {
    const { timeZone: name = 'UTC' } = time
    const definition = zoneFor(name, secondsOf(time))
    if (recurrence) needOwnClock(definition, name, secondsOf(time))
    return definition
  }
  return [
    part('calendar:StartTimeZone', { StartTimeZone: zoneOf(start) }),
    part('calendar:EndTimeZone', { EndTimeZone: zoneOf(end) }),
    part('calendar:Start', { Start: secondsOf(start) * 1000 }),
    part('calendar:End', { End: secondsOf(end) * 1000 }),
    ...given(isAllDay, (IsAllDayEvent) => part('calendar:IsAllDayEvent', { IsAllDayEvent })),
  ]
}

const freeBusyStatuses: Readonly<Record<string, FreeBusyStatus>> = {
  free: 'Free',
  tentative: 'Tentative',
  oof: 'OOF',
  workingElsewhere: 'WorkingElsewhere',
}
const sensitivities: Readonly<Record<string, NonNullable<CalendarItem['Sensitivity']>>> = {
  personal: 'Personal',
  private: 'Private',
  confidential: 'Confidential',
}

/**
 * Named properties: fields that Exchange does not have, and the journal of a change. One without a value is removed.
 */
const propertyParts = ({ singleValueExtendedProperties: all = [] }: ExchangeFields): Part[] =>
  all.map(({ id, value: Value }) => {
    const uri = id === journalPropertyId ? journalProperty : ownProperty
    return {
      path: property(uri),
      value: Value ? { ExtendedProperty: [{ ExtendedFieldURI: uri, Value }] } : undefined,
    }
  })

function plainParts(fields: ExchangeFields): Part[] {
  const { subject, body, location, showAs, sensitivity, isReminderOn, reminderMinutesBeforeStart: minutes } = fields
  return [
    ...given(subject, (Subject) => part('item:Subject', { Subject })),
    ...given(sensitivity, (name) => part('item:Sensitivity', { Sensitivity: sensitivities[name] ?? 'Normal' })),
    ...given(body, ({ content: value = '' }) => part('item:Body', { Body: { BodyType: 'HTML', value } })),
    ...given(isReminderOn, (ReminderIsSet) => part('item:ReminderIsSet', { ReminderIsSet })),
    ...given(minutes, (value) => part('item:ReminderMinutesBeforeStart', { ReminderMinutesBeforeStart: value })),
    ...propertyParts(fields),
    ...given(showAs, (name) =>
      part('calendar:LegacyFreeBusyStatus', { LegacyFreeBusyStatus: freeBusyStatuses[name] ?? 'Busy' }),
    ),
    ...given(location, ({ displayName: Location = '' }) => part('calendar:Location', { Location })),
  ]
}

function partsOf(fields: ExchangeFields, zoneFor: ZoneFor, before: readonly ExchangeAttendee[]): Part[] {
  const { attendees, recurrence } = fields
  return [
    ...plainParts(fields),
    ...timeParts(fields, zoneFor),
    ...(attendees === undefined ? [] : attendeeParts(attendees, before)),
    ...given(recurrence, (rule) => part('calendar:Recurrence', rule ? { Recurrence: toRecurrence(rule) } : undefined)),
  ]
}

/** A new item. */
export function newItem(fields: ExchangeFields, zoneFor: ZoneFor): CalendarItem {
  const values = partsOf(fields, zoneFor, []).map(({ value }) => value)
  const properties = values.flatMap((value) => value?.ExtendedProperty ?? [])
  return Object.assign({}, ...values, properties.length > 0 ? { ExtendedProperty: properties } : {})
}

/** The changes of an item. */
export const itemUpdates = (
  fields: ExchangeFields,
  zoneFor: ZoneFor,
  before: readonly ExchangeAttendee[],
): ItemUpdate[] =>
  partsOf(fields, zoneFor, before).map(({ path, value }) =>
    value === undefined ? deleteField(path) : setField(path, { kind: 'CalendarItem', ...value }),
  )

/** Whether a change affects only the guests. */
export const isOfAttendees = (updates: readonly ItemUpdate[]): boolean =>
  updates.every(({ Path: path }) => path.kind === 'FieldURI' && lists.some(([, uri]) => path.FieldURI === uri))
