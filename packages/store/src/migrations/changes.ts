import { schemaChanges } from './0048-schema-changes.ts'
import { failedJobs } from './0049-failed-jobs.ts'
import { removedCalendars } from './0050-removed-calendars.ts'
import { schedulerConfigurations } from './0051-scheduler-configurations.ts'
import { bookings } from './0052-bookings.ts'
import { groupEvents } from './0053-group-events.ts'
import { workflows } from './0054-workflows.ts'
import { mcpEnabled } from './0055-mcp-enabled.ts'
import { credentialRequests } from './0056-credential-requests.ts'
import { keyRights } from './0057-key-rights.ts'
import { agents } from './0058-agents.ts'
import { approvals } from './0059-approvals.ts'
import { channels } from './0060-channels.ts'
import { uploads } from './0061-uploads.ts'
import { triggersOnRequest } from './0062-triggers-on-request.ts'
import { workspaces } from './0063-workspaces.ts'
import { serviceAccounts } from './0064-service-accounts.ts'
import { expand, index, type SchemaChange } from './schema-change.ts'

/**
 * In order of their numbers. A released change never changes. `migrate` creates the table of change 48 before it
 * looks at the list, because the steps of all others are recorded there.
 */
export const changes: readonly SchemaChange[] = [
  {
    ...{ number: 48, name: 'schema-changes', version: '1.0.0', compatibleFrom: '0.1.0' },
    steps: () => [expand('tables', schemaChanges)],
  },
  {
    ...{ number: 49, name: 'failed-jobs', version: '1.0.0', compatibleFrom: '0.1.0' },
    steps: () => [expand('tables', failedJobs)],
  },
  {
    ...{ number: 50, name: 'removed-calendars', version: '1.0.0', compatibleFrom: '0.1.0' },
    steps: () => [
      expand('columns', removedCalendars, { calendars: 'access exclusive' }),
      index('calendars_removed', 'calendars', '(removed_at) where removed_at is not null'),
    ],
  },
  {
    ...{ number: 51, name: 'scheduler-configurations', version: '1.1.0', compatibleFrom: '1.0.0' },
    steps: () => [expand('tables', schedulerConfigurations, { grants: 'share row exclusive' })],
  },
  {
    ...{ number: 52, name: 'bookings', version: '1.1.0', compatibleFrom: '1.0.0' },
    steps: () => [expand('tables', bookings, { grants: 'share row exclusive' })],
  },
  {
    ...{ number: 53, name: 'group-events', version: '1.1.0', compatibleFrom: '1.0.0' },
    steps: () => [
      expand('tables', groupEvents, {
        grants: 'share row exclusive',
        scheduler_configurations: 'share row exclusive',
      }),
    ],
  },
  {
    ...{ number: 54, name: 'workflows', version: '1.1.0', compatibleFrom: '1.0.0' },
    steps: () => [
      expand('tables', workflows, { applications: 'share row exclusive', grants: 'share row exclusive' }),
      index('outbox_by_grant', 'outbox', '(grant_id, kind)'),
    ],
  },
  {
    ...{ number: 55, name: 'mcp-enabled', version: '1.2.0', compatibleFrom: '1.0.0' },
    steps: () => [
      expand('columns', mcpEnabled, { applications: 'access exclusive' }),
      index('applications_mcp', 'applications', '(id) where mcp_enabled = 1'),
    ],
  },
  {
    ...{ number: 56, name: 'credential-requests', version: '1.2.0', compatibleFrom: '1.0.0' },
    steps: () => [expand('tables', credentialRequests, { applications: 'share row exclusive' })],
  },
  {
    ...{ number: 57, name: 'key-rights', version: '1.2.0', compatibleFrom: '1.0.0' },
    steps: () => [
      expand('columns and tables', keyRights, {
        api_keys: 'access exclusive',
        applications: 'share row exclusive',
      }),
    ],
  },
  {
    ...{ number: 58, name: 'agents', version: '1.2.0', compatibleFrom: '1.0.0' },
    steps: () => [expand('tables', agents, { applications: 'share row exclusive', grants: 'share row exclusive' })],
  },
  {
    ...{ number: 59, name: 'approvals', version: '1.2.0', compatibleFrom: '1.0.0' },
    steps: () => [expand('tables', approvals, { applications: 'share row exclusive', grants: 'share row exclusive' })],
  },
  {
    ...{ number: 60, name: 'channels', version: '1.3.0', compatibleFrom: '1.0.0' },
    steps: () => [expand('columns', channels, { webhooks: 'access exclusive' })],
  },
  {
    ...{ number: 61, name: 'uploads', version: '1.3.0', compatibleFrom: '1.0.0' },
    steps: () => [expand('tables', uploads, { applications: 'share row exclusive' })],
  },
  {
    ...{ number: 62, name: 'triggers-on-request', version: '1.3.0', compatibleFrom: '1.0.0' },
    steps: () => [expand('columns and tables', triggersOnRequest, { grants: 'access exclusive' })],
  },
  {
    ...{ number: 63, name: 'workspaces', version: '1.3.0', compatibleFrom: '1.0.0' },
    steps: () => [expand('tables', workspaces, { applications: 'share row exclusive' })],
  },
  {
    ...{ number: 64, name: 'service-accounts', version: '1.3.0', compatibleFrom: '1.0.0' },
    steps: () => [expand('tables', serviceAccounts, {})],
  },
]
