/** Additional routes of the dashboard: the audit log and the health of the service. */
import { z } from 'zod'
import { choiceParam, cursorPaging, Id, integerParam, Timestamp, textParam, timeParam } from './fields.ts'
import { route } from './route.ts'

export const AuditEntry = z
  .object({
    id: Id.meta({ description: 'Id of the entry' }),
    at: Timestamp.meta({ description: 'Time in Unix seconds' }),
    actor: z.enum(['session', 'password', 'command', 'service_account']).meta({
      description:
        'Origin: `session` for the dashboard, `password` for HTTP Basic credentials, `command` for the `waypost` command, `service_account` for a signed request',
    }),
    person_id: Id.nullable().meta({
      description:
        "Id of the person or service account; null for the installation's password, one-time links and commands",
    }),
    person_name: z.string().nullable().meta({
      description: 'Name of the person or service account at that time, retained after removal; null if neither did it',
    }),
    address: z.string().nullable().meta({ description: 'IP address of the request; null for a command' }),
    action: z.string().meta({
      description: 'Id of the route, such as `apiKeys.create`, also for commands',
    }),
    application_id: Id.nullable().meta({ description: 'Id of the affected application; null if none' }),
    target: z.string().nullable().meta({ description: 'Id of the affected object; null if none' }),
    status: z.int().meta({ description: 'HTTP status of the response: 4xx if refused' }),
    grant_id: z.string().nullable().meta({ description: 'Id of the affected grant; null if none' }),
    kind: z.enum(['change', 'read']).meta({
      description: '`change`: a change or attempted change; `read`: access to customer data',
    }),
  })
  .meta({ id: 'AuditEntry', description: 'An action or attempted action of an administrator or command' })
export type AuditEntry = z.output<typeof AuditEntry>

export const audit = {
  list: route({
    method: 'GET',
    path: '/v3/admin/audit',
    summary: 'List the audit log',
    description:
      "Newest first: all changes and attempted changes by administrators, service accounts and commands, sign-ins and failed sign-ins, and administrator access to customers' mail, calendars and contacts (recorded once per object within ten minutes). People with access to selected applications see only entries about these. Retention: one year, and at most 100,000 entries of changes, including 10,000 failed sign-ins, and 100,000 of access. With a selective filter, a page can be short or empty and still have a `next_cursor`.",
    audience: 'administrator',
    query: z.object({
      ...cursorPaging(),
      application_id: textParam().meta({ description: 'Only entries about this application' }),
      person_id: textParam().meta({ description: 'Only entries by this person or service account' }),
      action: textParam().meta({
        description:
          'Only this route id, such as `apiKeys.create`; with a trailing `*`, all ids with this prefix, such as `apiKeys.*`',
      }),
      grant_id: textParam().meta({ description: 'Only entries about the grant with this id' }),
      kind: choiceParam(['change', 'read']).meta({
        description: '`change`: changes; `read`: access to customer data; default: both',
      }),
      actor: choiceParam(['session', 'password', 'command', 'service_account']).meta({
        description: 'Only this origin',
      }),
      target: textParam().meta({ description: 'Only entries about the object with this id' }),
      outcome: choiceParam(['done', 'refused']).meta({
        description: '`done`: status below 400; `refused`: all others',
      }),
      since: timeParam().meta({ description: 'Only entries at or after this time, in Unix seconds' }),
      before: timeParam().meta({ description: 'Only entries before this time, in Unix seconds' }),
      order: choiceParam(['asc', 'desc']).meta({
        description: '`desc` (default): newest first; `asc`: oldest first',
      }),
    }),
    returns: AuditEntry,
    list: 'cursor',
  }),
}

export const ServiceHealth = z
  .object({
    nodes: z
      .array(
        z.object({
          id: Id.meta({ description: 'Id of the node; a new one after each start' }),
          started_at: Timestamp.meta({ description: 'Start time in Unix seconds' }),
          seen_at: Timestamp.meta({ description: 'Time of the last heartbeat in Unix seconds' }),
          roles: z.array(z.enum(['api', 'worker', 'deliverer', 'watcher'])).meta({
            description:
              '`api`: handles requests; `worker`: delivers, sends and watches for changes; `deliverer` and `watcher`: only one of these parts',
          }),
          watched_grants: z.int().meta({ description: 'Number of grants that it watches' }),
          version: z.string().meta({ description: 'Version of the node; empty if it does not report it' }),
          host: z.string().meta({
            description:
              'Host name, with # and the number of the process where several share a port; empty if the node does not report it',
          }),
          stale: z.boolean().meta({
            description:
              'Whether the last heartbeat is more than 15 seconds old. The node is considered dead and is removed after five minutes',
          }),
        }),
      )
      .meta({ description: 'Processes that share the store, including those that stopped recently' }),
    outbox_jobs: z.int().meta({ description: 'Number of pending jobs' }),
    failed_jobs: z.int().meta({
      description: 'Number of jobs that failed permanently and wait to be retried or discarded; capped at 10000',
    }),
    deliveries_waiting: z
      .int()
      .meta({ description: 'Number of notifications waiting for a destination, counted per destination' }),
    sends_waiting: z.int().meta({ description: 'Number of messages to be sent now or on schedule; capped at 100000' }),
    grants: z
      .object({
        valid: z.int().meta({ description: 'Number of valid grants' }),
        invalid: z.int().meta({ description: 'Number of grants whose users must authenticate again' }),
      })
      .meta({ description: 'Grants of all applications by status' }),
    destinations: z
      .object({
        active: z.int().meta({ description: 'Number of active destinations' }),
        failing: z.int().meta({ description: 'Number of destinations with mostly failed attempts' }),
        failed: z.int().meta({ description: 'Number of destinations stopped because of failed attempts' }),
        pause: z.int().meta({ description: 'Number of paused destinations' }),
      })
      .meta({ description: 'Webhook destinations of all applications by status; capped at 100000' }),
  })
  .meta({ id: 'ServiceHealth', description: 'Current health of the service' })
export type ServiceHealth = z.output<typeof ServiceHealth>

export const HealthFigures = z
  .object({
    at: Timestamp.meta({ description: 'Start of the minute or five minutes, in Unix seconds' }),
    requests: z.int().meta({ description: 'Number of requests' }),
    errors: z.int().meta({ description: 'Number of requests that failed with 5xx' }),
    latency_p50_ms: z.number().nullable().meta({
      description: 'Median response time in milliseconds; null without requests',
    }),
    latency_p95_ms: z.number().nullable().meta({
      description: '95th percentile of the response time in milliseconds; null without requests',
    }),
    deliveries: z.int().meta({ description: 'Number of successful delivery attempts' }),
    delivery_failures: z.int().meta({ description: 'Number of failed delivery attempts' }),
    delivery_p50_ms: z.number().nullable().meta({
      description: 'Median duration of delivery attempts in milliseconds; null without attempts',
    }),
    provider_errors: z.int().meta({ description: 'Number of errors caused by providers' }),
    watched_grants: z.int().meta({ description: 'Number of watched grants at the end of the step' }),
    memory_bytes: z.int().meta({ description: 'Memory of the processes at the end of the step, in bytes' }),
  })
  .meta({ id: 'HealthFigures', description: 'Health figures of one time step' })
export type HealthFigures = z.output<typeof HealthFigures>

export const health = {
  get: route({
    method: 'GET',
    path: '/v3/admin/health',
    summary: 'Get the current health of the service',
    description: 'Returns nodes, queues, and grants and destinations by status, for all applications.',
    audience: 'administrator',
    returns: ServiceHealth,
  }),
  series: route({
    method: 'GET',
    path: '/v3/admin/health/series',
    summary: 'Get the health of the service over time',
    description:
      'For all nodes together or one node, oldest first, up to now. Steps are one minute, or five minutes for more than 8 hours. Figures are retained for 48 hours. Percentiles are accurate to within 20 %.',
    audience: 'administrator',
    query: z.object({
      hours: integerParam({ min: 1, max: 48 }).meta({ description: 'Number of hours, up to 48; default 6' }),
      node_id: textParam().meta({ description: 'Only this node; default: all together' }),
    }),
    returns: HealthFigures,
    list: 'whole',
  }),
}
