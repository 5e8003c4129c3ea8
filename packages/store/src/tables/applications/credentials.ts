import { type Queries, sql } from '../../engine/database.ts'

export interface CredentialRow {
  id: string
  application_id: string
  connector_id: string
  name: string
  credential_type: string
  sealed_data: string
  fingerprint: string
  created_at: number
  updated_at: number
}

const columns =
  'id, application_id, connector_id, name, credential_type, sealed_data, fingerprint, created_at, updated_at'

const insert = sql({
  name: 'credentials.insert',
  text: `insert into credentials (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (connector_id, name, application_id) do nothing`,
  writes: ['credentials'],
})
const list = sql<CredentialRow>({
  name: 'credentials.list',
  text: `select ${columns} from credentials where application_id = $1 and connector_id = $2 order by created_at, id`,
  reads: ['credentials'],
})
const get = sql<CredentialRow>({
  name: 'credentials.get',
  text: `select ${columns} from credentials where application_id = $1 and connector_id = $2 and id = $3`,
  reads: ['credentials'],
})
const byName = sql<CredentialRow>({
  name: 'credentials.byName',
  text: `select ${columns} from credentials where application_id = $1 and connector_id = $2 and name = $3`,
  reads: ['credentials'],
})
const update = sql({
  name: 'credentials.update',
  text: `update credentials set name = $4, sealed_data = $5, fingerprint = $6, updated_at = $7
   where application_id = $1 and connector_id = $2 and id = $3`,
  writes: ['credentials'],
})
const remove = sql({
  name: 'credentials.remove',
  text: 'delete from credentials where application_id = $1 and connector_id = $2 and id = $3',
  writes: ['credentials'],
})

/** Inserts the row. False if the connector already has a credential of that name. */
export const insertCredential = async (queries: Queries, row: CredentialRow): Promise<boolean> =>
  (await queries.run(insert, [
    row.id,
    row.application_id,
    row.connector_id,
    row.name,
    row.credential_type,
    row.sealed_data,
    row.fingerprint,
    row.created_at,
    row.updated_at,
  ])) === 1
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
export const updateCredential = (queries: Queries, row: CredentialRow): Promise<number> =>
  queries.run(update, [
    row.application_id,
    row.connector_id,
    row.id,
    row.name,
    row.sealed_data,
    row.fingerprint,
    row.updated_at,
  ])
export const deleteCredential = (
  queries: Queries,
  at: { applicationId: string; connectorId: string; id: string },
): Promise<number> => queries.run(remove, [at.applicationId, at.connectorId, at.id])
