import type { Queries } from '../../engine/database.ts'
import { named, nullable, number, type RowOf, table, text } from '../../engine/table.ts'

const connectors = table('connectors', {
  id: text,
  application_id: text,
  provider: text,
  name: text,
  settings: text,
  sealed_settings: nullable(text),
  scope: text,
  active_credential_id: nullable(text),
  created_at: number,
  updated_at: number,
})
export type ConnectorRow = RowOf<typeof connectors>

const { set } = connectors
const insert = connectors.insert('application_id, provider')
const list = connectors.select('list')`where application_id = $1 order by created_at, id`
const get = connectors.select('get')`where application_id = $1 and provider = $2`
const update = named<ConnectorRow>('connectors.update')`update connectors
   set ${set('name', 'settings', 'sealed_settings', 'scope', 'active_credential_id', 'updated_at')}
   where application_id = :application_id and id = :id`
const remove = connectors.delete('remove')`where application_id = $1 and id = $2`

/** Inserts the row. False if the application already has a connector of that provider. */
export const insertConnector = async (queries: Queries, row: ConnectorRow): Promise<boolean> =>
  (await queries.run(...insert(row))) === 1
export const listConnectors = (queries: Queries, applicationId: string): Promise<ConnectorRow[]> =>
  queries.all(list, [applicationId])
export const getConnector = (
  queries: Queries,
  applicationId: string,
  provider: string,
): Promise<ConnectorRow | undefined> => queries.get(get, [applicationId, provider])
export const updateConnector = (queries: Queries, row: ConnectorRow): Promise<number> => queries.run(...update(row))
export const deleteConnector = (queries: Queries, applicationId: string, id: string): Promise<number> =>
  queries.run(remove, [applicationId, id])
