/** Groups of contacts, bound to one grant. Their names are encrypted, and found through a keyed hash. */
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { ContactTables, GroupRow } from '@waypost/providers/contacts/tables'
import type { Queries } from '../../engine/database.ts'
import { type RowOf, table, text } from '../../engine/table.ts'
import { sealedColumn } from '../../sealing/sealed-values.ts'
import { type Holder, ofGrant } from './metadata-rows.ts'

const contactGroups = table('contact_groups', {
  application_id: text,
  grant_id: text,
  id: text,
  name_hash: text,
  sealed_name: text,
})
type Row = RowOf<typeof contactGroups>

const list = contactGroups.select('list')`where ${ofGrant} and id > $3 order by id limit $4`
const get = contactGroups.select('get')`where ${ofGrant} and id = $3`
const named = contactGroups.select('named')`where ${ofGrant} and name_hash = $3`
const count = contactGroups.count('count')`where ${ofGrant}`
const insert = contactGroups.insert()
const rename = contactGroups.update('rename')`set name_hash = $4, sealed_name = $5 where ${ofGrant} and id = $3`
const remove = contactGroups.delete('remove')`where ${ofGrant} and id = $3`

const nameContext = sealedColumn('contact_groups', 'sealed_name')

export function contactGroupTables(
  queries: Queries,
  seals: DataSeals,
  { applicationId, grantId }: Holder,
): ContactTables['groups'] {
  const at = [applicationId, grantId] as const
  const contextOf = (id: string) => nameContext(applicationId, `${grantId} ${id}`)
  const hashOf = (name: string): string =>
    seals.hash(`${grantId} ${name}`, { table: 'contact_groups', column: 'name_hash', application: applicationId })
  const opened = async (rows: readonly Row[]): Promise<GroupRow[]> => {
    await seals.learn(rows.map((row) => row.sealed_name))
    return rows.map(({ id, sealed_name }) => ({ id, name: seals.openOrLog(sealed_name, contextOf(id)) ?? '' }))
  }
  const one = async (row: Row | undefined): Promise<GroupRow | undefined> => row && (await opened([row]))[0]
  const rowOf = ({ id, name }: GroupRow): Row => ({
    application_id: applicationId,
    grant_id: grantId,
    id,
    name_hash: hashOf(name),
    sealed_name: seals.seal(name, contextOf(id)),
  })
  return {
    list: async ({ after = '', limit }) => opened(await queries.all(list, [...at, after, limit])),
    get: async (id) => one(await queries.get(get, [...at, id])),
    named: async (name) => one(await queries.get(named, [...at, hashOf(name)])),
    count: async () => (await queries.get(count, at))?.n ?? 0,
    insert: (row) => queries.post(...insert(rowOf(row))),
    rename: (row) => queries.post(rename, contactGroups.valuesOf(rowOf(row))),
    remove: (id) => queries.post(remove, [...at, id]),
  }
}
