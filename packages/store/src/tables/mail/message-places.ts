/** The places of messages in the folders of an account, for applications that subscribe to deletions. */
import type { KnownPlace, PlaceChanges, PlaceMemory } from '@waypost/providers/mail/tables'
import { dynamic, insertingRows, type Queries, sql } from '../../engine/database.ts'
import { statementsOn } from '../../engine/table.ts'
import { type Holder, inSizedParts, ofGrant } from '../calendars-contacts/metadata-rows.ts'

const messagePlaces = statementsOn('message_places')

const inFolder = sql<KnownPlace>('message_places.inFolder')`select folder, place, message_id as id from message_places
   where ${ofGrant} and folder = $3`
const listed = (size: number, from: number): string =>
  Array.from({ length: size }, (_, index) => `$${index + from}`).join(', ')
const at = (size: number) =>
  dynamic<KnownPlace>({
    name: 'message_places.at',
    text: `select folder, place, message_id as id from message_places
     where ${ofGrant} and folder = $3 and place in (${listed(size, 4)})`,
  })
const named = (size: number) =>
  dynamic<KnownPlace & { name: string }>({
    name: 'message_places.named',
    text: `select folder, place, message_id as id, name from message_places
     where ${ofGrant} and name in (${listed(size, 3)})`,
  })
const add = sql('message_places.add')`
   insert into message_places (application_id, grant_id, folder, place, name, message_id, received_at)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (grant_id, folder, place, application_id) do update
   set name = excluded.name, message_id = excluded.message_id, received_at = excluded.received_at`
const remove = messagePlaces.delete('remove')`where ${ofGrant} and folder = $3 and place = $4`
const removeFolder = messagePlaces.delete('removeFolder')`where ${ofGrant} and folder = $3`
const removeAll = messagePlaces.delete('removeAll')`where ${ofGrant}`
const removeOldest = messagePlaces.delete('removeOldest')`where ${ofGrant}
   and received_at <= (select received_at from message_places
   where ${ofGrant} order by received_at limit 1 offset $3)`

export const placeMemory = (queries: Queries, { applicationId, grantId }: Holder): PlaceMemory => ({
  inFolder: (folder) => queries.all(inFolder, [applicationId, grantId, folder]),
  async at(folder, places) {
    const found: KnownPlace[] = []
    for (const part of inSizedParts(places))
      found.push(...(await queries.all(at(part.length), [applicationId, grantId, folder, ...part])))
    return found
  },
  async named(names) {
    const found: (KnownPlace & { name: string })[] = []
    for (const part of inSizedParts(names))
      found.push(...(await queries.all(named(part.length), [applicationId, grantId, ...part])))
    return found
  },
})

/** Rows per statement. */
const atOnce = 100

/** Writes the changes of one poll. */
export async function savePlaces(
  tx: Queries,
  { applicationId, grantId }: Holder,
  { added, removed, folders, surplus, all }: PlaceChanges,
): Promise<void> {
  if (all) {
    await tx.post(removeAll, [applicationId, grantId])
    return
  }
  for (const folder of folders) await tx.post(removeFolder, [applicationId, grantId, folder])
  for (const { folder, place } of removed) await tx.post(remove, [applicationId, grantId, folder, place])
  const rows = added.map((one) => [applicationId, grantId, one.folder, one.place, one.name, one.id, one.date])
  for (let from = 0; from < rows.length; from += atOnce) {
    const part = rows.slice(from, from + atOnce)
    await tx.post(insertingRows('message_places.addAll', add, part), part.flat())
  }
  if (surplus > 0) await tx.post(removeOldest, [applicationId, grantId, surplus - 1])
}
