import { type Queries, sql } from '../../engine/database.ts'

export interface ConnectorRow {
  id: string
  application_id: string
  provider: string
  name: string
  settings: string
  sealed_settings: string | null
  scope: string
  active_credential_id: string | null
  created_at: number
  updated_at: number
}

const columns =
  'id, application_id, provider, name, settings, sealed_settings, scope, active_credential_id, created_at, updated_at'

const insert = sql({
  name: 'connectors.insert',
  text: `insert into connectors (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   on conflict (application_id, provider) do nothing`,
  writes: ['connectors'],
})
const list = sql<ConnectorRow>({
  name: 'connectors.list',
  text: `select ${columns} from connectors where application_id = $1 order by created_at, id`,
  reads: ['connectors'],
})
const get = sql<ConnectorRow>({
  name: 'connectors.get',
  text: `select ${columns} from connectors where application_id = $1 and provider = $2`,
  reads: ['connectors'],
})
const update = sql({
  name: 'connectors.update',
  text: `update connectors set name = $3, settings = $4, sealed_settings = $5, scope = $6, active_credential_id = $7,
   updated_at = $8 where application_id = $1 and id = $2`,
  writes: ['connectors'],
})
const remove = sql({
  name: 'connectors.remove',
  text: 'delete from connectors where application_id = $1 and id = $2',
  writes: ['connectors'],
})

/** Inserts the row. False if the application already has a connector of that provider. */
export const insertConnector = async (queries: Queries, row: ConnectorRow): Promise<boolean> =>
  (await queries.run(insert, [
    row.id,
    row.application_id,
    row.provider,
    row.name,
    row.settings,
    row.sealed_settings,
    row.scope,
    row.active_credential_id,
    row.created_at,
    row.updated_at,
  ])) === 1
export const listConnectors = (queries: Queries, applicationId: string): Promise<ConnectorRow[]> =>
  queries.all(list, [applicationId])
export const getConnector = (
  queries: Queries,
  applicationId: string,
  provider: string,
): Promise<ConnectorRow | undefined> => queries.get(get, [applicationId, provider])
export const updateConnector = (queries: Queries, row: ConnectorRow): Promise<number> =>
  queries.run(update, [
    row.application_id,
    row.id,
    row.name,
    row.settings,
    row.sealed_settings,
    row.scope,
    row.active_credential_id,
    row.updated_at,
  ])
export const deleteConnector = (queries: Queries, applicationId: string, id: string): Promise<number> =>
  queries.run(remove, [applicationId, id])
