/**
 * Workspaces group the grants of an application. A grant has exactly one: the default workspace if no other. Creating,
 * deleting and joining a workspace lock the application, so that a grant never refers to a workspace that is gone.
 */
import { limits, type Workspace, type WorkspaceChange, type WorkspaceDraft } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { isUuid, newId } from '@waypost/platform/ids'
import { domainOf } from '@waypost/providers/shared/domain-hosts'
import type { Queries } from '@waypost/store/engine/database'
import type { ApplicationRow } from '@waypost/store/tables/applications/applications'
import {
  countWorkspaces,
  findWorkspaceByDomain,
  getWorkspace,
  insertWorkspace,
  listWorkspaces,
  updateWorkspace,
  type WorkspaceRow,
} from '@waypost/store/tables/grants/workspaces'
import type { Owner } from './verify-credentials.ts'

/** The application, as far as its default workspace depends on it. */
type Holder = Pick<ApplicationRow, 'id' | 'default_workspace_id' | 'created_at'>

const noRules = { rule_ids: [] }

export const workspaceOf = (row: WorkspaceRow): Workspace => ({
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
