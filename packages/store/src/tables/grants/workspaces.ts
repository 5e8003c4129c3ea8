/** Workspaces of applications. The default one has no row: it is `applications.default_workspace_id`. */
import { type Queries, sql } from '../../engine/database.ts'

export interface WorkspaceRow {
  id: string
  application_id: string
  name: string
  /** In ASCII and lower case; null if it has none. */
  domain: string | null
  auto_group: number
  created_at: number
  updated_at: number
}

const columns = 'id, application_id, name, domain, auto_group, created_at, updated_at'

const insert = sql({
  name: 'workspaces.insert',
  text: `insert into workspaces (${columns}) values ($1, $2, $3, $4, $5, $6, $7) on conflict (application_id, domain) do nothing`,
  writes: ['workspaces'],
})
const list = sql<WorkspaceRow>({
  name: 'workspaces.list',
  text: `select ${columns} from workspaces where application_id = $1 order by created_at, id`,
  reads: ['workspaces'],
})
const get = sql<WorkspaceRow>({
  name: 'workspaces.get',
  text: `select ${columns} from workspaces where application_id = $1 and id = $2`,
  reads: ['workspaces'],
})
const byDomain = sql<WorkspaceRow>({
  name: 'workspaces.byDomain',
  text: `select ${columns} from workspaces where application_id = $1 and domain = $2`,
  reads: ['workspaces'],
})
const count = sql<{ n: number }>({
  name: 'workspaces.count',
  text: 'select count(*) as n from workspaces where application_id = $1',
  reads: ['workspaces'],
})
const update = sql({
  name: 'workspaces.update',
  text: 'update workspaces set name = $3, auto_group = $4, updated_at = $5 where application_id = $1 and id = $2',
  writes: ['workspaces'],
})
const remove = sql({
  name: 'workspaces.remove',
  text: 'delete from workspaces where application_id = $1 and id = $2',
  writes: ['workspaces'],
})

/** Inserts the row. False if the application already has a workspace with that domain. */
export const insertWorkspace = async (tx: Queries, row: WorkspaceRow): Promise<boolean> =>
  (await tx.run(insert, [
    row.id,
    row.application_id,
    row.name,
    row.domain,
    row.auto_group,
    row.created_at,
    row.updated_at,
  ])) === 1
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
export const updateWorkspace = (tx: Queries, row: WorkspaceRow): Promise<number> =>
  tx.run(update, [row.application_id, row.id, row.name, row.auto_group, row.updated_at])
export const deleteWorkspace = (tx: Queries, applicationId: string, id: string): Promise<number> =>
  tx.run(remove, [applicationId, id])
