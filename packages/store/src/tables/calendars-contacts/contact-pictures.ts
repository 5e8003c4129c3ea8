/**
 * Pictures of contacts that the service stores, encrypted. Each has an unguessable URL, of which only the hash is
 * stored.
 */
import { createHash } from 'node:crypto'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { ContactTables } from '@waypost/providers/contacts/tables'
import type { Queries } from '../../engine/database.ts'
import { type RowOf, table, text } from '../../engine/table.ts'
import { sealedColumn } from '../../sealing/sealed-values.ts'
import { type Holder, ofGrant } from './metadata-rows.ts'

const pictures = table('contact_pictures', {
  application_id: text,
  grant_id: text,
  contact_id: text,
  key_hash: text,
  sealed_picture: text,
})
type Row = RowOf<typeof pictures>

const get = pictures.select('get')`where ${ofGrant} and contact_id = $3`
const byKey = pictures.select('byKey')`where key_hash = $1`
const count = pictures.count('count')`where ${ofGrant}`
const put = pictures.upsert('put', 'grant_id, contact_id, application_id')
const remove = pictures.delete('remove')`where ${ofGrant} and contact_id = $3`

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
    const sealed_picture = seals.seal(picture, contextOf(applicationId, `${grantId} ${contactId}`))
    const at = { application_id: applicationId, grant_id: grantId, contact_id: contactId }
    return queries.post(...put({ ...at, key_hash: hashOf(key), sealed_picture }))
  },
  remove: (contactId) => queries.post(remove, [applicationId, grantId, contactId]),
})

/** The picture for the key at the end of its URL, as a data: URI. The key itself is the authorization. */
export const findContactPicture = async (
  queries: Queries,
  seals: DataSeals,
  key: string,
): Promise<string | undefined> => opened(seals, await queries.get(byKey, [hashOf(key)]))
