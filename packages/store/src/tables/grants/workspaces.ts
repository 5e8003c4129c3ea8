/** Workspaces of applications. The default one has no row: it is `applications.default_workspace_id`. */

import type { Grant } from '@waypost/contract'
import { dynamic, type Queries, sql } from '../../engine/database.ts'
import { forRows, parameters, pieces } from '../../engine/row-lists.ts'
import { named, nullable, number, type RowOf, table, text } from '../../engine/table.ts'
import type { StoredStatus } from './grants.ts'

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

// The grants of workspaces. Callers lock the application first, as for every change of a grant: its document is read and
// written back.

interface MemberRow {
  id: string
  email_key: string
  status: StoredStatus
  created_at: number
  document: string
}

/** A grant of a workspace, with what decides to which workspace it moves. */
export interface Member {
  grant: Grant
  emailKey: string
  status: StoredStatus
  createdAt: number
}

const columns = 'id, email_key, status, created_at, document'
// A row without a document belongs to a deleted grant (`grant-tombstones.ts`).
const present = `document <> 'null'`

const page = sql<MemberRow>('grants.membersPage')`select ${columns} from grants
   where application_id = $1 and workspace_id = $2 and (created_at, id) > ($3, $4)
   and ${present} order by created_at, id limit $5`
const byIds = forRows((count) =>
  dynamic<MemberRow>({
    name: 'grants.membersByIds',
    text: `select ${columns} from grants where application_id = $1 and id in (${parameters(count, 2)})
     and ${present} and status <> 'unverified'`,
  }),
)
const move = sql('grants.moveToWorkspace')`update grants set workspace_id = $3, document = $4
   where application_id = $1 and id = $2`

const memberOf = (row: MemberRow): Member => ({
  grant: JSON.parse(row.document),
  emailKey: row.email_key,
  status: row.status,
  createdAt: row.created_at,
})

export interface MemberPosition {
  time: number
  id: string
}

/** Grants of a workspace in the order of creation, including those that are not verified yet. */
export const readMembers = async (
  queries: Queries,
  at: { applicationId: string; workspaceId: string },
  { after, limit }: { after?: MemberPosition | undefined; limit: number },
): Promise<Member[]> =>
  (await queries.all(page, [at.applicationId, at.workspaceId, after?.time ?? -1, after?.id ?? '', limit])).map(memberOf)

/** Verified grants of an application, by id. Ids that it does not have are left out. */
export async function findMembers(queries: Queries, applicationId: string, ids: readonly string[]): Promise<Member[]> {
  const found: Member[] = []
  for (const piece of pieces(ids)) {
    found.push(...(await queries.all(byIds(piece.length), [applicationId, ...piece])).map(memberOf))
  }
  return found
}

/** Moves a grant to another workspace. */
export const moveMember = (tx: Queries, applicationId: string, grant: Grant, workspaceId: string): Promise<void> =>
  tx.post(move, [applicationId, grant.id, workspaceId, JSON.stringify({ ...grant, workspace_id: workspaceId })])
