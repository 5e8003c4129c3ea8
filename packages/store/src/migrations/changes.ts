import { failedJobs, removedCalendars, schemaChanges } from './changes-1.0.ts'
import { bookings, groupEvents, schedulerConfigurations, workflows } from './changes-1.1.ts'
import { agents, approvals, credentialRequests, keyRights, mcpEnabled } from './changes-1.2.ts'
import { channels, serviceAccounts, triggersOnRequest, uploads, workspaces } from './changes-1.3.ts'
import { expand, index, type SchemaChange, type Step } from './schema-change.ts'

/** The version that brings a change, and the oldest version that it is compatible with. */
type Versions = Pick<SchemaChange, 'version' | 'compatibleFrom'>
const in10: Versions = { version: '1.0.0', compatibleFrom: '0.1.0' }
const in11: Versions = { version: '1.1.0', compatibleFrom: '1.0.0' }
const in12: Versions = { version: '1.2.0', compatibleFrom: '1.0.0' }
const in13: Versions = { version: '1.3.0', compatibleFrom: '1.0.0' }

const change = (number: number, name: string, versions: Versions, steps: readonly Step[]): SchemaChange => ({
  number,
  name,
  ...versions,
  steps: () => steps,
})

/**
 * In order of their numbers. A released change never changes. `migrate` creates the table of change 48 before it
 * looks at the list, because the steps of all others are recorded there.
 */
export const changes: readonly SchemaChange[] = [
  change(48, 'schema-changes', in10, [expand('tables', schemaChanges)]),
  change(49, 'failed-jobs', in10, [expand('tables', failedJobs)]),
  change(50, 'removed-calendars', in10, [
    expand('columns', removedCalendars, { calendars: 'access exclusive' }),
    index('calendars_removed', 'calendars', '(removed_at) where removed_at is not null'),
  ]),
  change(51, 'scheduler-configurations', in11, [
    expand('tables', schedulerConfigurations, { grants: 'share row exclusive' }),
  ]),
  change(52, 'bookings', in11, [expand('tables', bookings, { grants: 'share row exclusive' })]),
  change(53, 'group-events', in11, [
    expand('tables', groupEvents, {
      grants: 'share row exclusive',
      scheduler_configurations: 'share row exclusive',
    }),
  ]),
  change(54, 'workflows', in11, [
    expand('tables', workflows, { applications: 'share row exclusive', grants: 'share row exclusive' }),
    index('outbox_by_grant', 'outbox', '(grant_id, kind)'),
  ]),
  change(55, 'mcp-enabled', in12, [
    expand('columns', mcpEnabled, { applications: 'access exclusive' }),
    index('applications_mcp', 'applications', '(id) where mcp_enabled = 1'),
  ]),
  change(56, 'credential-requests', in12, [
    expand('tables', credentialRequests, { applications: 'share row exclusive' }),
  ]),
  change(57, 'key-rights', in12, [
    expand('columns and tables', keyRights, {
      api_keys: 'access exclusive',
      applications: 'share row exclusive',
    }),
  ]),
  change(58, 'agents', in12, [
    expand('tables', agents, { applications: 'share row exclusive', grants: 'share row exclusive' }),
  ]),
  change(59, 'approvals', in12, [
    expand('tables', approvals, { applications: 'share row exclusive', grants: 'share row exclusive' }),
  ]),
  change(60, 'channels', in13, [expand('columns', channels, { webhooks: 'access exclusive' })]),
  change(61, 'uploads', in13, [expand('tables', uploads, { applications: 'share row exclusive' })]),
  change(62, 'triggers-on-request', in13, [
    expand('columns and tables', triggersOnRequest, { grants: 'access exclusive' }),
  ]),
  change(63, 'workspaces', in13, [expand('tables', workspaces, { applications: 'share row exclusive' })]),
  change(64, 'service-accounts', in13, [expand('tables', serviceAccounts, {})]),
]
