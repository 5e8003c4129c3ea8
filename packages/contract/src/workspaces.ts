import { z } from 'zod'
import { CreatedAt, Id, inSeconds, lastSecond, line, selectParam, UpdatedAt } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'

export const Workspace = z
  .object({
    workspace_id: Id.meta({ description: 'Id of the workspace: the `workspace_id` of its grants' }),
    application_id: Id.meta({ description: 'Id of the application' }),
    name: z.string().meta({ description: 'Display name' }),
    domain: z.string().meta({
      description: 'Email domain in ASCII and lower case; empty if it has none. It does not change.',
    }),
    auto_group: z.boolean().meta({
      description: 'Whether new grants with an address in `domain` join it',
    }),
    default: z.boolean().meta({
      description: 'Whether it has all grants that no other workspace has. Every application has one such workspace.',
    }),
    rule_ids: z.array(z.string()).meta({ description: 'Always empty: rules are not available' }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  })
  .meta({ id: 'Workspace', description: 'A group of grants, usually those of one email domain' })
export type Workspace = z.output<typeof Workspace>

const name = line(256).min(1).meta({ description: 'Display name, up to 256 characters' })
const domain = z.string().max(300)
const autoGroup = z.boolean().nullish()
const policyId = z.string().max(64).nullish().meta({
  description: 'Policies are not available: only null is accepted, which means no policy',
})
const ruleIds = z.array(z.string().max(64)).max(100).nullish().meta({
  description: 'Rules are not available: only null and an empty list are accepted, which mean no rules',
})

export const WorkspaceDraft = z
  .object({
    name,
    domain: domain.nullish().meta({
      description:
        'Email domain such as `example.com`, unique in the application; names below it do not match. Without it, grants are assigned by hand.',
    }),
    auto_group: autoGroup.meta({
      description: 'Whether new grants with an address in `domain` join the workspace; needs a domain. Default: false.',
    }),
    policy_id: policyId,
    rule_ids: ruleIds,
  })
  .meta({ id: 'WorkspaceDraft', description: 'A new workspace' })
export type WorkspaceDraft = z.output<typeof WorkspaceDraft>

export const WorkspaceChange = WorkspaceDraft.extend({
  domain: domain.nullish().meta({ description: 'The domain cannot change: only its present value is accepted' }),
  auto_group: autoGroup.meta({
    description: 'Whether new grants with an address in `domain` join the workspace; needs a domain',
  }),
})
  .partial({ name: true })
  .meta({
    id: 'WorkspaceChange',
    description: 'Changes to a workspace: at least one field. Absent fields and null keep the present value.',
  })
export type WorkspaceChange = z.output<typeof WorkspaceChange>

const some = z.array(z.string().min(1).max(64)).max(limits.workspaceAssignments).nullish()

export const WorkspaceAssignment = z
  .object({
    assign_grants: some.meta({
      description: `Ids of grants that join the workspace, from whichever workspace they have: up to ${limits.workspaceAssignments}`,
    }),
    remove_grants: some.meta({
      description: `Ids of grants that leave the workspace for the default one: up to ${limits.workspaceAssignments}`,
    }),
  })
  .meta({ id: 'WorkspaceAssignment', description: 'Grants to assign and to remove: at least one' })
export type WorkspaceAssignment = z.output<typeof WorkspaceAssignment>

export const AssignedGrants = z
  .object({
    application_id: Id.meta({ description: 'Id of the application' }),
    workspace_id: Id.meta({ description: 'Id of the workspace' }),
    domain: z.string().meta({ description: 'Domain of the workspace; empty if it has none' }),
    grants_assigned: z.array(Id).nullable().meta({
      description:
        'Ids of `assign_grants` that are grants of the application, all of which are now in the workspace; null if there are none',
    }),
    grants_removed: z.array(Id).nullable().meta({
      description: 'Ids of `remove_grants` that were in the workspace and left it; null if there are none',
    }),
  })
  .meta({ id: 'AssignedGrants', description: 'Result of an assignment by hand' })
export type AssignedGrants = z.output<typeof AssignedGrants>

export const AutoGrouping = z
  .object({
    after_created_at: z.int().min(0).max(lastSecond, { error: inSeconds }).nullish().meta({
      description: 'Only grants created at or after this time, in Unix seconds',
    }),
    invalid_also: z.boolean().nullish().meta({ description: '`true` includes invalid grants; default false' }),
    specific_domain: domain.nullish().meta({ description: 'Only grants with an address in this domain' }),
  })
  .meta({ id: 'AutoGrouping', description: 'Filters for grouping grants; none are required' })
export type AutoGrouping = z.output<typeof AutoGrouping>

export const AutoGroupingJob = z
  .object({
    job_id: Id.meta({ description: 'Id of the job. If it fails permanently, `GET /v3/admin/failed-jobs` lists it.' }),
    message: z.string().meta({ description: 'What happens next' }),
  })
  .meta({ id: 'AutoGroupingJob', description: 'A job in the background that groups grants' })
export type AutoGroupingJob = z.output<typeof AutoGroupingJob>

const at = '/v3/workspaces'
const byDomain = 'The path has its id or its domain.'

export const workspaces = {
  list: route({
    right: 'administration',
    method: 'GET',
    path: at,
    summary: 'List the workspaces of the application',
    description: 'Returns all of them without pages: the default workspace, then the others, oldest first.',
    audience: 'application',
    query: z.object(selectParam),
    returns: Workspace,
    list: 'whole',
  }),
  create: route({
    right: 'administration',
    method: 'POST',
    path: at,
    summary: 'Create a workspace',
    description: `Existing grants stay where they are until they are grouped or assigned. A domain has one workspace. An application can have ${limits.workspaces} workspaces.`,
    audience: 'application',
    query: z.object(selectParam),
    body: WorkspaceDraft,
    returns: Workspace,
    errors: ['conflict'],
  }),
  autoGroup: route({
    right: 'administration',
    method: 'POST',
    path: `${at}/auto-group`,
    summary: 'Group grants by their domain',
    description:
      'Starts a job in the background. It moves grants of the default workspace to the workspace of their domain, and creates a workspace for a domain that has none. Grants in other workspaces stay there, and workspaces with `auto_group` false get no grants.',
    audience: 'application',
    body: AutoGrouping,
    returns: AutoGroupingJob,
    errors: ['rate_limited'],
  }),
  get: route({
    right: 'administration',
    method: 'GET',
    path: `${at}/:workspace_id`,
    summary: 'Get one workspace',
    description: byDomain,
    audience: 'application',
    query: z.object(selectParam),
    returns: Workspace,
    errors: ['not_found'],
  }),
  update: route({
    right: 'administration',
    method: 'PATCH',
    path: `${at}/:workspace_id`,
    summary: 'Change a workspace',
    description:
      'The path has the id of the workspace, not its domain. The domain cannot change, and the default workspace has nothing to change.',
    audience: 'application',
    query: z.object(selectParam),
    body: WorkspaceChange,
    returns: Workspace,
    errors: ['not_found'],
  }),
  delete: route({
    right: 'administration',
    method: 'DELETE',
    path: `${at}/:workspace_id`,
    summary: 'Delete a workspace',
    description: `Its grants keep working and move to the default workspace, which cannot be deleted. ${byDomain} A request that times out has moved some of the grants: repeat it.`,
    audience: 'application',
    errors: ['not_found'],
  }),
  manualAssign: route({
    right: 'administration',
    method: 'POST',
    path: `${at}/:workspace_id/manual-assign`,
    summary: 'Assign grants to a workspace, or remove them from it',
    description: `Addresses of the grants do not matter. Ids of grants that do not exist are left out of the answer. ${byDomain}`,
    audience: 'application',
    body: WorkspaceAssignment,
    returns: AssignedGrants,
    errors: ['not_found'],
  }),
}
