/** Moves grants between workspaces. These moves send no notifications: what a notification says of a grant stays true. */
import type { AssignedGrants, Workspace, WorkspaceAssignment } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { Database, Queries } from '@waypost/store/engine/database'
import { type ApplicationRow, getApplication, lockApplication } from '@waypost/store/tables/applications/applications'
import { deleteWorkspace, findMembers, moveMember, readMembers } from '@waypost/store/tables/grants/workspaces'
import { needWorkspace } from './workspaces.ts'

/** The number of grants that one transaction moves, so that other requests of the application soon proceed. */
export const membersPerStep = 500

/** Locks an application and returns it. */
export async function lockedApplication(tx: Queries, id: string): Promise<ApplicationRow> {
  await lockApplication(tx, id)
  const application = await getApplication(tx, id)
  if (!application) throw new ApiError('not_found', 'the application was deleted')
  return application
}

const idsOrNull = (ids: string[]): string[] | null => (ids.length > 0 ? ids : null)

/** Assigns grants to a workspace and removes others from it. */
export async function assignGrants(
  tx: Queries,
  applicationId: string,
  named: string,
  assignment: WorkspaceAssignment,
): Promise<AssignedGrants> {
  const application = await lockedApplication(tx, applicationId)
  const workspace = await needWorkspace(tx, application, named)
  const joining = [...new Set(assignment.assign_grants ?? [])]
  const leaving = [...new Set(assignment.remove_grants ?? [])]
  checkLists(workspace, joining, leaving)
  const joined = await findMembers(tx, applicationId, joining)
  for (const { grant } of joined) {
    if (grant.workspace_id !== workspace.workspace_id) {
      await moveMember(tx, applicationId, grant, workspace.workspace_id)
    }
  }
  const found = await findMembers(tx, applicationId, leaving)
  const left = found.filter(({ grant }) => grant.workspace_id === workspace.workspace_id)
  for (const { grant } of left) await moveMember(tx, applicationId, grant, application.default_workspace_id)
  return {
    application_id: applicationId,
    workspace_id: workspace.workspace_id,
    domain: workspace.domain,
    grants_assigned: idsOrNull(joined.map(({ grant }) => grant.id)),
    grants_removed: idsOrNull(left.map(({ grant }) => grant.id)),
  }
}

function checkLists(workspace: Workspace, joining: readonly string[], leaving: readonly string[]): void {
  if (joining.length + leaving.length === 0) {
    throw invalidField('assign_grants', 'needs at least one id of a grant here or in remove_grants')
  }
  const both = joining.find((id) => leaving.includes(id))
  if (both !== undefined) throw invalidField('remove_grants', `has ${both}, which assign_grants has too`)
  if (workspace.default && leaving.length > 0) {
    throw invalidField('remove_grants', 'a grant leaves the default workspace only for another: assign it to that one')
  }
}

/** Moves up to `membersPerStep` grants of a workspace to the default one. False if none are left. */
async function moveSome(tx: Queries, application: ApplicationRow, workspaceId: string): Promise<boolean> {
  const at = { applicationId: application.id, workspaceId }
  const members = await readMembers(tx, at, { limit: membersPerStep })
  for (const { grant } of members) await moveMember(tx, application.id, grant, application.default_workspace_id)
  return members.length === membersPerStep
}

/**
 * Moves the grants of a workspace to the default one, step by step, until one step is left. The workspace exists until its
 * last grant has left it, so that no grant is ever in a workspace that is gone.
 */
export async function emptyWorkspace(
  database: Database,
  applicationId: string,
  named: string,
  signal: AbortSignal,
): Promise<void> {
  let isMore = true
  while (isMore && !signal.aborted) {
    isMore = await database.transaction(async (tx) => {
      const application = await lockedApplication(tx, applicationId)
      const workspace = await needWorkspace(tx, application, named)
      refuseDefault(workspace)
      return moveSome(tx, application, workspace.workspace_id)
    })
  }
  signal.throwIfAborted()
}

/** Deletes a workspace. Grants that are still in it move to the default one. */
export async function removeWorkspace(tx: Queries, applicationId: string, named: string): Promise<void> {
  const application = await lockedApplication(tx, applicationId)
  const workspace = await needWorkspace(tx, application, named)
  refuseDefault(workspace)
  while (await moveSome(tx, application, workspace.workspace_id));
  await deleteWorkspace(tx, applicationId, workspace.workspace_id)
}

function refuseDefault(workspace: Workspace): void {
  if (workspace.default) throw new ApiError('invalid_request', 'the default workspace cannot be deleted')
}
