/** Metadata of calendars and events that a provider keeps: held here beside them, by grant, calendar and id. */
import type { MetadataPair } from '@waypost/contract'
import { keysOf } from './calendars.ts'
import { dynamic, type Queries, sql, type Value } from './database.ts'

/** Whose objects are meant. */
export interface Holder {
  applicationId: string
  grantId: string
}

type Metadata = Record<string, string>

/** A calendar, or an event with the calendar that it is in. */
export type ObjectName = { object: 'calendar'; id: string } | { object: 'event'; id: string; calendarId: string }

export interface TaggedObject {
  id: string
  calendarId: string
  updatedAt: number
}

const calendarOf = (name: ObjectName): string => (name.object === 'event' ? name.calendarId : '')
const ofGrant = 'application_id = $1 and grant_id = $2'

// A grant that is deleted at this moment takes the row with it, or is gone before there is one.
const hold = sql<{ id: string }>(
  'object_metadata.hold',
  'select id from grants where application_id = $1 and id = $2 for no key update',
)
const put = sql(
  'object_metadata.put',
  `insert into object_metadata (application_id, grant_id, object, calendar_id, object_id, master_id, made_at,
   key1, key2, key3, key4, key5, updated_at, document)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
   on conflict (grant_id, object, calendar_id, object_id) do update
   set key1 = excluded.key1, key2 = excluded.key2, key3 = excluded.key3, key4 = excluded.key4, key5 = excluded.key5,
   master_id = excluded.master_id, made_at = excluded.made_at, updated_at = excluded.updated_at,
   document = excluded.document`,
)
const remove = sql(
  'object_metadata.remove',
  `delete from object_metadata where ${ofGrant} and object = $3 and calendar_id = $4 and object_id = $5`,
)
const removeInstances = sql(
  'object_metadata.remove_instances',
  `delete from object_metadata where ${ofGrant} and object = 'event' and calendar_id = $3 and master_id = $4`,
)
const removeEvents = sql(
  'object_metadata.remove_events',
  `delete from object_metadata where ${ofGrant} and object = 'event' and calendar_id = $3`,
)
const forget = sql(
  'object_metadata.forget',
  `delete from object_metadata
   where ${ofGrant} and object = $3 and calendar_id = $4 and object_id = $5 and updated_at = $6`,
)
const booked = sql<{ calendar_id: string; object_id: string; made_at: number }>(
  'object_metadata.booked',
  `select calendar_id, object_id, made_at from object_metadata
   where ${ofGrant} and object = 'event' and key5 = $3 order by made_at desc, object_id limit $4`,
)

const anyOf = sql<{ object_id: string }>(
  'object_metadata.any',
  `select object_id from object_metadata where ${ofGrant} and object = 'event' and object_id = $3 limit 1`,
)

/** Whether an event has metadata, in whatever calendar it is. */
export const hasEventMetadata = async (
  queries: Queries,
  { applicationId, grantId }: Holder,
  id: string,
): Promise<boolean> => (await queries.get(anyOf, [applicationId, grantId, id])) !== undefined

/** Replaces the metadata of an object, an empty record by none; answers whether the grant still stands. */
export async function keepObjectMetadata(
  tx: Queries,
  { applicationId, grantId }: Holder,
  name: ObjectName,
  what: { metadata: Metadata; masterId: string | null; madeAt: number; now: number },
): Promise<boolean> {
  const { metadata, masterId, madeAt, now } = what
  const owner = [applicationId, grantId]
  if (!(await tx.get(hold, owner))) return false
  const at = [...owner, name.object, calendarOf(name), name.id]
  if (Object.keys(metadata).length === 0) await tx.run(remove, at)
  else await tx.run(put, [...at, masterId, madeAt, ...keysOf(metadata), now, JSON.stringify(metadata)])
  return true
}

/** Removes the metadata of what is gone, with that of the instances of a series and of the events of a calendar. */
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

/** Removes the metadata of an object that is gone, unless it was set anew since. */
export const forgetObjectMetadata = async (
  queries: Queries,
  { applicationId, grantId }: Holder,
  object: ObjectName['object'],
  { calendarId, id, updatedAt }: TaggedObject,
): Promise<void> => void (await queries.run(forget, [applicationId, grantId, object, calendarId, id, updatedAt]))

const readTogether = 200
/** Few sizes of the list, and so few statements to prepare. */
const listSizes = [1, 10, 50, readTogether]
/** Each row is found by its key: of a list as one condition PostgreSQL may read the whole grant. */
const documentsOf = (size: number) => {
  const list = Array.from({ length: size }, (_, index) => `($${index * 2 + 4}, $${index * 2 + 5})`).join(', ')
  return dynamic<{ calendar_id: string; id: string; document: string | null }>(
    'object_metadata.documents',
    `select column1 as calendar_id, column2 as id,
     (select document from object_metadata
      where ${ofGrant} and object = $3 and calendar_id = column1 and object_id = column2) as document
     from (values ${list}) as wanted`,
  )
}

const keyOf = (calendarId: string, id: string): string => `${calendarId}\n${id}`

/** The metadata of objects of one sort, read at once; undefined where one has none. */
export async function readObjectMetadata(
  queries: Queries,
  { applicationId, grantId }: Holder,
  names: readonly ObjectName[],
): Promise<(name: ObjectName) => Metadata | undefined> {
  const found = new Map<string, Metadata>()
  for (let start = 0; start < names.length; start += readTogether) {
    const part = names.slice(start, start + readTogether)
    const size = listSizes.find((one) => one >= part.length) ?? readTogether
    // The last name is repeated up to the size.
    const wanted = Array.from({ length: size }, (_, index) => part[index] ?? part.at(-1)).flatMap((name) =>
      name ? [calendarOf(name), name.id] : [],
    )
    const object = part[0]?.object ?? 'event'
    for (const row of await queries.all(documentsOf(size), [applicationId, grantId, object, ...wanted])) {
      if (row.document !== null) found.set(keyOf(row.calendar_id, row.id), JSON.parse(row.document))
    }
  }
  return (name) => found.get(keyOf(calendarOf(name), name.id))
}

/** The objects whose metadata has all pairs, by when it was set, newest first; of events, those of one calendar. */
export async function findTaggedObjects(
  queries: Queries,
  { applicationId, grantId }: Holder,
  of: { object: ObjectName['object']; calendarId: string; pairs: readonly MetadataPair[] },
  { after, limit }: { after: { id: string; updatedAt: number } | undefined; limit: number },
): Promise<TaggedObject[]> {
  const parameters: Value[] = [applicationId, grantId, of.object, of.calendarId]
  const bind = (value: Value): string => `$${parameters.push(value)}`
  // Key names come from the contract's list of five.
  const where = of.pairs.map(({ key, value }) => ` and ${key} = ${bind(value)}`).join('')
  const beyond = after ? ` and (updated_at, object_id) < (${bind(after.updatedAt)}, ${bind(after.id)})` : ''
  const text = `select object_id, updated_at from object_metadata
    where ${ofGrant} and object = $3 and calendar_id = $4${where}${beyond}
    order by updated_at desc, object_id desc limit ${bind(limit)}`
  const statement = dynamic<{ object_id: string; updated_at: number }>('object_metadata.find', text)
  const rows = await queries.all(statement, parameters)
  return rows.map((row) => ({ id: row.object_id, calendarId: of.calendarId, updatedAt: row.updated_at }))
}

/** The events that were booked for a round-robin group, the one that was made last first; `madeAt` in seconds. */
export async function findBookedEvents(
  queries: Queries,
  { applicationId, grantId }: Holder,
  group: string,
  limit: number,
): Promise<{ calendarId: string; id: string; madeAt: number }[]> {
  const rows = await queries.all(booked, [applicationId, grantId, group, limit])
  return rows.map((row) => ({ calendarId: row.calendar_id, id: row.object_id, madeAt: row.made_at }))
}
