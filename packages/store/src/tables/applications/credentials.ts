import type { Queries } from '../../engine/database.ts'
import { named, number, type RowOf, table, text } from '../../engine/table.ts'

const credentials = table('credentials', {
  id: text,
  application_id: text,
  connector_id: text,
  name: text,
  credential_type: text,
  sealed_data: text,
  fingerprint: text,
  created_at: number,
  updated_at: number,
})
export type CredentialRow = RowOf<typeof credentials>

const { set } = credentials
const insert = credentials.insert('connector_id, name, application_id')
const list = credentials.select('list')`where application_id = $1 and connector_id = $2 order by created_at, id`
const get = credentials.select('get')`where application_id = $1 and connector_id = $2 and id = $3`
const byName = credentials.select('byName')`where application_id = $1 and connector_id = $2 and name = $3`
const update = named<CredentialRow>('credentials.update')`update credentials
   set ${set('name', 'sealed_data', 'fingerprint', 'updated_at')}
   where application_id = :application_id and connector_id = :connector_id and id = :id`
const remove = credentials.delete('remove')`where application_id = $1 and connector_id = $2 and id = $3`

/** Inserts the row. False if the connector already has a credential of that name. */
export const insertCredential = async (queries: Queries, row: CredentialRow): Promise<boolean> =>
  (await queries.run(...insert(row))) === 1
export const listCredentials = (
  queries: Queries,
  applicationId: string,
  connectorId: string,
): Promise<CredentialRow[]> => queries.all(list, [applicationId, connectorId])
export const getCredential = (
  queries: Queries,
  at: { applicationId: string; connectorId: string; id: string },
): Promise<CredentialRow | undefined> => queries.get(get, [at.applicationId, at.connectorId, at.id])
export const findCredential = (
  queries: Queries,
  at: { applicationId: string; connectorId: string; name: string },
): Promise<CredentialRow | undefined> => queries.get(byName, [at.applicationId, at.connectorId, at.name])
export const updateCredential = (queries: Queries, row: CredentialRow): Promise<number> => queries.run(...update(row))
export const deleteCredential = (
  queries: Queries,
  at: { applicationId: string; connectorId: string; id: string },
): Promise<number> => queries.run(remove, [at.applicationId, at.connectorId, at.id])
