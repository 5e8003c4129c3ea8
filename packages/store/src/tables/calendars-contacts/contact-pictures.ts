/**
 * Pictures of contacts that the service stores, encrypted. Each has an unguessable URL, of which only the hash is
 * stored.
 */
import { createHash } from 'node:crypto'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { ContactTables } from '@waypost/providers/contacts/tables'
import { type Queries, sql } from '../../engine/database.ts'
import { statementsOn } from '../../engine/table.ts'
import { sealedColumn } from '../../sealing/sealed-column.ts'
import { type Holder, ofGrant } from './metadata-rows.ts'

const contactPictures = statementsOn('contact_pictures')

interface Row {
  application_id: string
  grant_id: string
  contact_id: string
  sealed_picture: string
}

const read = 'application_id, grant_id, contact_id, sealed_picture'
const get = sql<Row>({
  name: 'contact_pictures.get',
  text: `select ${read} from contact_pictures where ${ofGrant} and contact_id = $3`,
})
const byKey = sql<Row>({
  name: 'contact_pictures.byKey',
  text: `select ${read} from contact_pictures where key_hash = $1`,
})
const count = contactPictures.count('count', `where ${ofGrant}`)
const put = sql({
  name: 'contact_pictures.put',
  text: `insert into contact_pictures (application_id, grant_id, contact_id, key_hash, sealed_picture)
   values ($1, $2, $3, $4, $5)
   on conflict (grant_id, contact_id, application_id) do update set key_hash = excluded.key_hash, sealed_picture = excluded.sealed_picture`,
})
const remove = contactPictures.delete('remove', `where ${ofGrant} and contact_id = $3`)

const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url')

const contextOf = sealedColumn('contact_pictures', 'sealed_picture')

async function opened(seals: DataSeals, row: Row | undefined): Promise<string | undefined> {
  if (!row) return undefined
  await seals.learn([row.sealed_picture])
  return seals.openOrLog(row.sealed_picture, contextOf(row.application_id, `${row.grant_id} ${row.contact_id}`))
}

export const contactPictureTables = (
  queries: Queries,
  seals: DataSeals,
  { applicationId, grantId }: Holder,
): ContactTables['pictures'] => ({
  get: async (contactId) => opened(seals, await queries.get(get, [applicationId, grantId, contactId])),
  count: async () => (await queries.get(count, [applicationId, grantId]))?.n ?? 0,
  put({ contactId, key, picture }) {
    const sealed = seals.seal(picture, contextOf(applicationId, `${grantId} ${contactId}`))
    return queries.post(put, [applicationId, grantId, contactId, hashOf(key), sealed])
  },
  remove: (contactId) => queries.post(remove, [applicationId, grantId, contactId]),
})

/** The picture for the key at the end of its URL, as a data: URI. The key itself is the authorization. */
export const findContactPicture = async (
  queries: Queries,
  seals: DataSeals,
  key: string,
): Promise<string | undefined> => opened(seals, await queries.get(byKey, [hashOf(key)]))
