/** Metadata of calendars and events that a provider stores. It is stored here, by grant, calendar and id. */
import type { MetadataPair } from '@waypost/contract'
import { dynamic, type Queries, sql } from '../../engine/database.ts'
import { lockGrant } from '../grants/grants.ts'
import { keysOf } from './calendars.ts'
import {
  findByMetadata,
  type Holder,
  inSizedParts,
  type MetadataPage,
  ofGrant,
  type WithMetadata,
} from './metadata-rows.ts'

type Metadata = Record<string, string>

/** A calendar, or an event with its calendar. */
export type ObjectName = { object: 'calendar'; id: string } | { object: 'event'; id: string; calendarId: string }

const calendarOf = (name: ObjectName): string => (name.object === 'event' ? name.calendarId : '')

const put = sql('object_metadata.put')`
   insert into object_metadata (application_id, grant_id, object, calendar_id, object_id, master_id, made_at,
   key1, key2, key3, key4, key5, updated_at, document)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
   on conflict (grant_id, object, calendar_id, object_id, application_id) do update
   set key1 = excluded.key1, key2 = excluded.key2, key3 = excluded.key3, key4 = excluded.key4, key5 = excluded.key5,
   master_id = excluded.master_id, made_at = excluded.made_at, updated_at = excluded.updated_at,
   document = excluded.document`
const remove = sql('object_metadata.remove')`delete from object_metadata
   where ${ofGrant} and object = $3 and calendar_id = $4 and object_id = $5`
const removeInstances = sql('object_metadata.remove_instances')`delete from object_metadata
   where ${ofGrant} and object = 'event' and calendar_id = $3 and master_id = $4`
const removeEvents = sql('object_metadata.remove_events')`delete from object_metadata
   where ${ofGrant} and object = 'event' and calendar_id = $3`
const forget = sql('object_metadata.forget')`delete from object_metadata
   where ${ofGrant} and object = $3 and calendar_id = $4 and object_id = $5 and updated_at = $6`
const booked = sql<{ calendar_id: string; object_id: string; made_at: number }>('object_metadata.booked')`
   select calendar_id, object_id, made_at from object_metadata
   where ${ofGrant} and object = 'event' and key5 = $3 order by made_at desc, object_id limit $4`

const anyOf = sql<{ object_id: string }>('object_metadata.any')`select object_id from object_metadata
   where ${ofGrant} and object = 'event' and object_id = $3 limit 1`

/** Whether an event has metadata in any calendar. */
export const hasEventMetadata = async (
  queries: Queries,
  { applicationId, grantId }: Holder,
  id: string,
): Promise<boolean> => (await queries.get(anyOf, [applicationId, grantId, id])) !== undefined

/** Replaces the metadata of an object; an empty record deletes it. False if the grant no longer exists. */
export async function keepObjectMetadata(
  tx: Queries,
  { applicationId, grantId }: Holder,
  name: ObjectName,
  what: { metadata: Metadata; masterId: string | null; madeAt: number; now: number },
): Promise<boolean> {
  const { metadata, masterId, madeAt, now } = what
  const owner = [applicationId, grantId]
  // With the lock, a concurrent deletion of the grant either deletes this row too, or has finished before it is
  // written.
  if (!(await lockGrant(tx, applicationId, grantId))) return false
  const at = [...owner, name.object, calendarOf(name), name.id]
  if (Object.keys(metadata).length === 0) await tx.run(remove, at)
  else await tx.run(put, [...at, masterId, madeAt, ...keysOf(metadata), now, JSON.stringify(metadata)])
  return true
}

/** Deletes the metadata of a deleted object, and of the instances of a series or the events of a calendar. */
export async function removeObjectMetadata(
  tx: Queries,
  { applicationId, grantId }: Holder,
  name: ObjectName,
): Promise<void> {
  const owner = [applicationId, grantId]
  await tx.run(remove, [...owner, name.object, calendarOf(name), name.id])
  if (name.object === 'event') await tx.run(removeInstances, [...owner, name.calendarId, name.id])
  else await tx.run(removeEvents, [...owner, name.id])
}

/** Deletes the metadata of a deleted object, unless it was set again in the meantime. */
export const forgetObjectMetadata = async (
  queries: Queries,
  { applicationId, grantId }: Holder,
  name: ObjectName,
  updatedAt: number,
): Promise<void> =>
  void (await queries.run(forget, [applicationId, grantId, name.object, calendarOf(name), name.id, updatedAt]))

/** Each row is found by its key. With `in (…)`, PostgreSQL may read the whole grant. */
const documentsOf = (size: number) => {
  const list = Array.from({ length: size }, (_, index) => `($${index * 2 + 4}, $${index * 2 + 5})`).join(', ')
  return dynamic<{ calendar_id: string; id: string; document: string | null }>({
    name: 'object_metadata.documents',
    text: `select column1 as calendar_id, column2 as id,
     (select document from object_metadata
      where ${ofGrant} and object = $3 and calendar_id = column1 and object_id = column2) as document
     from (values ${list}) as wanted`,
  })
}

const anyOfSort = sql<{ one: number }>('object_metadata.anyOfSort')`select 1 as one from object_metadata
   where ${ofGrant} and object = $3 limit 1`

/** Whether any object of a kind has metadata. Usually none has, which saves the lookup of each object. */
export const hasObjectMetadata = async (
  queries: Queries,
  { applicationId, grantId }: Holder,
  object: ObjectName['object'],
): Promise<boolean> => (await queries.get(anyOfSort, [applicationId, grantId, object])) !== undefined

const keyOf = (calendarId: string, id: string): string => `${calendarId}\n${id}`

/**
 * Reads the metadata of several objects of one kind. The returned function gives undefined for an object without any.
 */
export async function readObjectMetadata(
  queries: Queries,
  { applicationId, grantId }: Holder,
  names: readonly ObjectName[],
): Promise<(name: ObjectName) => Metadata | undefined> {
  const found = new Map<string, Metadata>()
  for (const part of inSizedParts(names)) {
    const wanted = part.flatMap((name) => [calendarOf(name), name.id])
    const object = part[0]?.object ?? 'event'
    for (const row of await queries.all(documentsOf(part.length), [applicationId, grantId, object, ...wanted])) {
      if (row.document !== null) found.set(keyOf(row.calendar_id, row.id), JSON.parse(row.document))
    }
  }
  return (name) => found.get(keyOf(calendarOf(name), name.id))
}

/** The objects whose metadata contains all pairs, most recently set first; for events, those of one calendar. */
export const findTaggedObjects = (
  queries: Queries,
  { applicationId, grantId }: Holder,
  of: { object: ObjectName['object']; calendarId: string; pairs: readonly MetadataPair[] },
  page: MetadataPage,
): Promise<WithMetadata[]> => {
  const where = `${ofGrant} and object = $3 and calendar_id = $4`
  const values = [applicationId, grantId, of.object, of.calendarId]
  return findByMetadata(queries, { table: 'object_metadata', id: 'object_id', where, values }, of.pairs, page)
}

/** The events booked for a round-robin group, most recently created first; `madeAt` is in seconds. */
export async function findBookedEvents(
  queries: Queries,
  { applicationId, grantId }: Holder,
  group: string,
  limit: number,
): Promise<{ calendarId: string; id: string; madeAt: number }[]> {
  const rows = await queries.all(booked, [applicationId, grantId, group, limit])
  return rows.map((row) => ({ calendarId: row.calendar_id, id: row.object_id, madeAt: row.made_at }))
}
