/** Workspaces of applications. The default one has no row: it is `applications.default_workspace_id`. */
import type { Queries } from '../../engine/database.ts'
import { named, nullable, number, type RowOf, table, text } from '../../engine/table.ts'

const workspaces = table('workspaces', {
  id: text,
  application_id: text,
  name: text,
  /** In ASCII and lower case; null if it has none. */
  domain: nullable(text),
  auto_group: number,
  created_at: number,
  updated_at: number,
})
export type WorkspaceRow = RowOf<typeof workspaces>

const { set } = workspaces
const insert = workspaces.insert('application_id, domain')
const list = workspaces.select('list')`where application_id = $1 order by created_at, id`
const get = workspaces.select('get')`where application_id = $1 and id = $2`
const byDomain = workspaces.select('byDomain')`where application_id = $1 and domain = $2`
const count = workspaces.count('count')`where application_id = $1`
const update = named<WorkspaceRow>('workspaces.update')`update workspaces set ${set('name', 'auto_group', 'updated_at')}
   where application_id = :application_id and id = :id`
const remove = workspaces.delete('remove')`where application_id = $1 and id = $2`

/** Inserts the row. False if the application already has a workspace with that domain. */
export const insertWorkspace = async (tx: Queries, row: WorkspaceRow): Promise<boolean> =>
  (await tx.run(...insert(row))) === 1
export const listWorkspaces = (queries: Queries, applicationId: string): Promise<WorkspaceRow[]> =>
  queries.all(list, [applicationId])
export const getWorkspace = (queries: Queries, applicationId: string, id: string): Promise<WorkspaceRow | undefined> =>
  queries.get(get, [applicationId, id])
export const findWorkspaceByDomain = (
  queries: Queries,
  applicationId: string,
  domain: string,
): Promise<WorkspaceRow | undefined> => queries.get(byDomain, [applicationId, domain])
export const countWorkspaces = async (queries: Queries, applicationId: string): Promise<number> =>
  (await queries.get(count, [applicationId]))?.n ?? 0
export const updateWorkspace = (tx: Queries, row: WorkspaceRow): Promise<number> => tx.run(...update(row))
export const deleteWorkspace = (tx: Queries, applicationId: string, id: string): Promise<number> =>
  tx.run(remove, [applicationId, id])
