/** Adds stored metadata to notifications of calendars and events. */
import type { Change } from '@waypost/providers/provider'
import type { Queries } from '@waypost/store/engine/database'
import type { Holder } from '@waypost/store/tables/calendars-contacts/metadata-rows'
import {
  type ObjectName,
  readObjectMetadata,
  removeObjectMetadata,
} from '@waypost/store/tables/calendars-contacts/object-metadata'

type EventChanged = Extract<Change, { trigger: `event.${string}` }>
type CalendarChanged = Extract<Change, { trigger: `calendar.${string}` }>

/** An instance has its own metadata, or that of its series. */
export async function withEventMetadata(tx: Queries, at: Holder, { trigger, object }: EventChanged): Promise<object> {
  const nameOf = (id: string): ObjectName => ({ object: 'event', id, calendarId: object.calendar_id })
  const own = nameOf(object.id)
  const master = object.master_event_id ? nameOf(object.master_event_id) : undefined
  const read = await readObjectMetadata(tx, at, master ? [own, master] : [own])
  if (trigger === 'event.deleted') await removeObjectMetadata(tx, at, own)
  const metadata = read(own) ?? (master && read(master))
  return metadata ? { ...object, metadata } : object
}

export async function withCalendarMetadata(
  tx: Queries,
  at: Holder,
  { trigger, object }: CalendarChanged,
): Promise<object> {
  const name: ObjectName = { object: 'calendar', id: object.id }
  if (trigger === 'calendar.deleted') {
    await removeObjectMetadata(tx, at, name)
    return object
  }
  const metadata = (await readObjectMetadata(tx, at, [name]))(name)
  return metadata ? { ...object, metadata } : object
}
