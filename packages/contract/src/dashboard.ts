/** What the dashboard is made of beside the other routes: who did what, and how the service fares. */
import { z } from 'zod'
import { choiceParam, cursorPaging, Id, integerParam, Timestamp, textParam, timeParam } from './fields.ts'
import { route } from './route.ts'

export const AuditEntry = z
  .object({
    id: Id.meta({ description: 'Id of the entry' }),
    at: Timestamp.meta({ description: 'When it was done, in Unix seconds' }),
    actor: z.enum(['session', 'password', 'command']).meta({
      description:
        'By what it was done: `session` the dashboard, `password` HTTP Basic credentials, `command` the command `waypost`',
    }),
    person_id: Id.nullable().meta({
      description:
        'Id of the person who did it; null for the password of the installation, one-time links and commands',
    }),
    person_name: z.string().nullable().meta({
      description: 'What the person was called then; stays when they are removed. Null where no person did it.',
    }),
    address: z
      .string()
      .nullable()
      .meta({ description: 'Network address that the request came from; null for a command' }),
    action: z.string().meta({
      description: 'Id of the route, such as `apiKeys.create`, also where a command did it',
    }),
    application_id: Id.nullable().meta({ description: 'Id of the application that it was about; null where none' }),
    target: z.string().nullable().meta({ description: 'Id of the object that it was about; null where none' }),
    status: z.int().meta({ description: 'HTTP status that it was answered with: 4xx where it was refused' }),
    grant_id: z.string().nullable().meta({ description: 'Id of the grant that it was about; null where none' }),
    kind: z.enum(['change', 'read']).meta({
      description: "`change`: something was changed, or tried to; `read`: a customer's data was read",
    }),
  })
  .meta({ id: 'AuditEntry', description: 'One thing that an administrator or a command did or tried to do' })
export type AuditEntry = z.output<typeof AuditEntry>

export const audit = {
  list: route({
    method: 'GET',
    path: '/v3/admin/audit',
    summary: "List who changed what, and who read customers' data",
    description:
      'The newest first: everything that an administrator or a command changed or tried to, sign-ins and failed sign-ins too, and what administrators read of the mail, calendars and contacts of customers: once for the same object in ten minutes. Who reaches single applications alone sees what is about these. Kept for a year, and up to 100,000 entries of changes, of which 10,000 of failed sign-ins, and 100,000 of what was read. A page may hold few or none and still have a `next_cursor` where a filter finds little.',
    audience: 'administrator',
    query: z.object({
      ...cursorPaging(),
      application_id: textParam().meta({ description: 'About this application alone' }),
      person_id: textParam().meta({ description: 'Done by this person alone' }),
      action: textParam().meta({
        description:
          'Of this route alone, by its id, such as `apiKeys.create`; with a `*` at its end all that begin so, such as `apiKeys.*`',
      }),
      grant_id: textParam().meta({ description: 'About this grant alone, by its id' }),
      kind: choiceParam(['change', 'read']).meta({
        description: "`change`: what was changed; `read`: what was read of customers' data; both when absent",
      }),
      actor: choiceParam(['session', 'password', 'command']).meta({ description: 'Done by this way alone' }),
      target: textParam().meta({ description: 'About the object with this id alone' }),
      outcome: choiceParam(['done', 'refused']).meta({
        description: '`done`: answered with less than 400; `refused`: all others',
      }),
      since: timeParam().meta({ description: 'At this time or later, in Unix seconds' }),
      before: timeParam().meta({ description: 'Before this time, in Unix seconds' }),
      order: choiceParam(['asc', 'desc']).meta({
        description: '`desc`, the newest first, when absent; `asc` the oldest first',
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
          id: Id.meta({ description: 'Id of the node: another one after each start' }),
          started_at: Timestamp.meta({ description: 'When it was started, in Unix seconds' }),
          seen_at: Timestamp.meta({ description: 'When it last said that it runs, in Unix seconds' }),
          roles: z.array(z.enum(['api', 'worker', 'deliverer', 'watcher'])).meta({
            description:
              '`api`: it answers requests; `worker`: it delivers, sends and looks for changes; `deliverer` and `watcher`: one half of that alone',
          }),
          watched_grants: z.int().meta({ description: 'How many grants it looks for changes of' }),
          version: z.string().meta({ description: 'Version that it runs; empty of a node that does not say' }),
          host: z.string().meta({ description: 'Name of its machine; empty of a node that does not say' }),
          stale: z.boolean().meta({
            description:
              'Whether it has not said for 15 seconds that it runs: it is taken for dead, and forgotten five minutes after',
          }),
        }),
      )
      .meta({ description: 'The processes that share the store, those too that went silent lately' }),
    outbox_jobs: z.int().meta({ description: 'Jobs that are still to be done at providers and elsewhere' }),
    deliveries_waiting: z.int().meta({ description: 'Notifications that wait for a destination, counted for each' }),
    sends_waiting: z
      .int()
      .meta({ description: 'Messages that are to be sent, now or at their time; 100000 where it is more' }),
    grants: z
      .object({
        valid: z.int().meta({ description: 'Grants that work' }),
        invalid: z.int().meta({ description: 'Grants whose users must authenticate again' }),
      })
      .meta({ description: 'Grants of all applications by their state' }),
    destinations: z
      .object({
        active: z.int().meta({ description: 'Destinations that are sent to' }),
        failing: z.int().meta({ description: 'Destinations that are sent to though most attempts fail' }),
        failed: z.int().meta({ description: 'Destinations that are not sent to any more, because attempts failed' }),
        pause: z.int().meta({ description: 'Destinations that their application paused' }),
      })
      .meta({ description: 'Webhook destinations of all applications by their state; 100000 where it is more' }),
  })
  .meta({ id: 'ServiceHealth', description: 'How the service fares now' })
export type ServiceHealth = z.output<typeof ServiceHealth>

export const HealthFigures = z
  .object({
    at: Timestamp.meta({ description: 'Beginning of the minute, or of the five minutes, in Unix seconds' }),
    requests: z.int().meta({ description: 'Requests that were answered' }),
    errors: z.int().meta({ description: 'Those of them that were answered with 5xx' }),
    latency_p50_ms: z.number().nullable().meta({
      description: 'Milliseconds within which half of the requests were answered; null where there were none',
    }),
    latency_p95_ms: z.number().nullable().meta({
      description: 'Milliseconds within which 95 % of the requests were answered; null where there were none',
    }),
    deliveries: z.int().meta({ description: 'Attempts to deliver a notification that succeeded' }),
    delivery_failures: z.int().meta({ description: 'Attempts to deliver a notification that failed' }),
    delivery_p50_ms: z.number().nullable().meta({
      description: 'Milliseconds within which half of the attempts to deliver ended; null where there were none',
    }),
    provider_errors: z.int().meta({ description: 'Errors that providers caused' }),
    watched_grants: z.int().meta({ description: 'Grants whose changes were looked for at the end of that time' }),
    memory_bytes: z.int().meta({ description: 'Memory that the processes held at the end of that time, in bytes' }),
  })
  .meta({ id: 'HealthFigures', description: 'How the service fared in one step of time' })
export type HealthFigures = z.output<typeof HealthFigures>

export const health = {
  get: route({
    method: 'GET',
    path: '/v3/admin/health',
    summary: 'Tell how the service fares now',
    description: 'Nodes, what waits to be done, and grants and destinations by their state, over all applications.',
    audience: 'administrator',
    returns: ServiceHealth,
  }),
  series: route({
    method: 'GET',
    path: '/v3/admin/health/series',
    summary: 'Tell how the service fared, over time',
    description:
      'All nodes together or one of them, the oldest first, up to now: by the minute, over more than 8 hours by five minutes. Kept for 48 hours. Percentiles are right to within a fifth.',
    audience: 'administrator',
    query: z.object({
      hours: integerParam({ min: 1, max: 48 }).meta({ description: 'How many hours back, up to 48; 6 when absent' }),
      node_id: textParam().meta({ description: 'Of this node alone; all together when absent' }),
    }),
    returns: HealthFigures,
    list: 'whole',
  }),
}
