/**
 * Workspaces group the grants of an application. A grant has exactly one: the default workspace if no other. Creating,
 * deleting and joining a workspace lock the application, so that a grant never refers to a workspace that is gone.
 * Moving a grant sends no notification: what a notification says of a grant stays true.
 */
import {
  type AssignedGrants,
  limits,
  type Workspace,
  type WorkspaceAssignment,
  type WorkspaceChange,
  type WorkspaceDraft,
} from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { isUuid, newId } from '@waypost/platform/ids'
import { domainOf } from '@waypost/providers/shared/domain-hosts'
import type { Database, Queries } from '@waypost/store/engine/database'
import { type ApplicationRow, getApplication, lockApplication } from '@waypost/store/tables/applications/applications'
import {
  countWorkspaces,
  deleteWorkspace,
  findMembers,
  findWorkspaceByDomain,
  getWorkspace,
  insertWorkspace,
  listWorkspaces,
  moveMember,
  readMembers,
  updateWorkspace,
  type WorkspaceRow,
} from '@waypost/store/tables/grants/workspaces'
import type { Owner } from './verify-credentials.ts'

/** The application, as far as its default workspace depends on it. */
type Holder = Pick<ApplicationRow, 'id' | 'default_workspace_id' | 'created_at'>

const noRules = { rule_ids: [] }

const workspaceOf = (row: WorkspaceRow): Workspace => ({
  workspace_id: row.id,
  application_id: row.application_id,
  name: row.name,
  domain: row.domain ?? '',
  auto_group: row.auto_group === 1,
  default: false,
  ...noRules,
  created_at: seconds(row.created_at),
  updated_at: seconds(row.updated_at),
})

const defaultWorkspaceOf = (application: Holder): Workspace => ({
  workspace_id: application.default_workspace_id,
  application_id: application.id,
  name: 'Default',
  domain: '',
  auto_group: false,
  default: true,
  ...noRules,
  created_at: seconds(application.created_at),
  updated_at: seconds(application.created_at),
})

export const allWorkspaces = async (queries: Queries, application: Holder): Promise<Workspace[]> => [
  defaultWorkspaceOf(application),
  ...(await listWorkspaces(queries, application.id)).map(workspaceOf),
]

const missing = (): ApiError =>
  new ApiError('not_found', 'no workspace with this id or domain: GET /v3/workspaces lists them')

const domainNamed = (text: string): string | undefined => (text.includes('@') ? undefined : domainOf(`any@${text}`))

/** The workspace that a path names by its id or its domain. */
export async function needWorkspace(queries: Queries, application: Holder, named: string): Promise<Workspace> {
  if (named === application.default_workspace_id) return defaultWorkspaceOf(application)
  const domain = isUuid(named) ? undefined : domainNamed(named)
  const row =
    domain === undefined
      ? await getWorkspace(queries, application.id, named)
      : await findWorkspaceByDomain(queries, application.id, domain)
  if (!row) throw missing()
  return workspaceOf(row)
}

/** A domain as it is stored. Throws an error that says what to write instead. */
export function parseDomain(field: string, given: string): string {
  const text = given.trim()
  const example = 'must be a domain such as example.com'
  if (/^[a-z][a-z0-9+.-]*:|\//i.test(text)) throw invalidField(field, `${example}, not a URL`)
  if (text.includes('@')) throw invalidField(field, `${example}, without "@" and what is before it`)
  if (text.includes('*')) throw invalidField(field, `${example}: names below it need workspaces of their own`)
  const domain = domainNamed(text)
  if (domain === undefined || domain.length > 253) throw invalidField(field, example)
  return domain
}

function refuseRules({ policy_id, rule_ids }: Pick<WorkspaceChange, 'policy_id' | 'rule_ids'>): void {
  if (policy_id != null) throw invalidField('policy_id', 'policies are not available: leave it out, or send null')
  if (rule_ids && rule_ids.length > 0) {
    throw invalidField('rule_ids', 'rules are not available: leave it out, or send an empty list')
  }
}

const needsDomain = (): ApiError => invalidField('auto_group', 'needs a domain: this workspace has none')

/** Creates a workspace. The application is locked. */
export async function createWorkspace(
  tx: Queries,
  applicationId: string,
  draft: WorkspaceDraft,
  now: number,
): Promise<Workspace> {
  refuseRules(draft)
  const domain = draft.domain ? parseDomain('domain', draft.domain) : null
  const autoGroup = draft.auto_group ?? false
  if (autoGroup && domain === null) throw needsDomain()
  if ((await countWorkspaces(tx, applicationId)) >= limits.workspaces) {
    throw new ApiError('conflict', `an application can have ${limits.workspaces} workspaces: delete one first`)
  }
  const row: WorkspaceRow = {
    id: newId(),
    application_id: applicationId,
    name: draft.name,
    domain,
    auto_group: autoGroup ? 1 : 0,
    created_at: now,
    updated_at: now,
  }
  if (await insertWorkspace(tx, row)) return workspaceOf(row)
  const holder = domain === null ? undefined : await findWorkspaceByDomain(tx, applicationId, domain)
  throw new ApiError('conflict', `domain: the workspace ${holder?.id} has ${domain} already`)
}

/** Changes a workspace. The application is locked. */
export async function changeWorkspace(
  tx: Queries,
  application: Holder,
  id: string,
  change: WorkspaceChange,
  now: number,
): Promise<Workspace> {
  if (Object.values(change).every((value) => value === undefined)) {
    throw new ApiError('invalid_request', 'the body needs at least one of name and auto_group')
  }
  refuseRules(change)
  if (id === application.default_workspace_id) return changeDefault(application, change)
  const row = await getWorkspace(tx, application.id, id)
  if (!row) throw new ApiError('not_found', 'no workspace with this id; a change needs the id, not the domain')
  refuseNewDomain(change, row.domain)
  const autoGroup = change.auto_group ?? row.auto_group === 1
  if (autoGroup && row.domain === null) throw needsDomain()
  const changed = { ...row, name: change.name ?? row.name, auto_group: autoGroup ? 1 : 0, updated_at: now }
  await updateWorkspace(tx, changed)
  return workspaceOf(changed)
}

function refuseNewDomain({ domain }: WorkspaceChange, own: string | null): void {
  if (domain == null || (domain === '' && own === null)) return
  if (domain !== '' && parseDomain('domain', domain) === own) return
  throw invalidField('domain', 'cannot change: create a workspace for the other domain and assign the grants to it')
}

/** The default workspace accepts only its present values. */
function changeDefault(application: Holder, change: WorkspaceChange): Workspace {
  const present = defaultWorkspaceOf(application)
  for (const field of ['name', 'domain', 'auto_group'] as const) {
    const value = change[field]
    if (value != null && value !== present[field]) throw invalidField(field, 'cannot change at the default workspace')
  }
  return present
}

/** Checks the workspace that a grant is to have. */
export async function checkWorkspaceId(queries: Queries, owner: Owner, id: string | null | undefined): Promise<void> {
  if (id == null || id === owner.workspaceId || (await getWorkspace(queries, owner.id, id))) return
  throw invalidField('workspace_id', 'is no workspace of this application: GET /v3/workspaces lists them')
}

/** The workspace that a new grant joins. The application is locked. */
export async function workspaceForNew(tx: Queries, owner: Owner, address: string): Promise<string> {
  const domain = domainOf(address)
  const row = domain === undefined ? undefined : await findWorkspaceByDomain(tx, owner.id, domain)
  return row?.auto_group === 1 ? row.id : owner.workspaceId
}

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
