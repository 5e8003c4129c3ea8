/**
 * Every metric of the service itself, as data: `/metrics` and docs/generated/metrics.md are made from this table.
 * Labels are bounded by the code and the contract: never a tenant, an address, a path or an id.
 *
 * A figure of a node is counted by the node that answers. A figure of the installation is read from the store, so
 * every node reports the same value: take the maximum over nodes, not the sum. A figure of a machine is counted by the
 * supervisor of its processes (WAYPOST_WORKERS), and is there once, whichever process answers.
 */
export type Scope = 'node' | 'installation' | 'machine'

interface Described {
  readonly help: string
  readonly labels: readonly string[]
  readonly scope: Scope
}
export type Metric = Described &
  ({ readonly type: 'counter' | 'gauge' } | { readonly type: 'histogram'; readonly bounds: readonly number[] })

const counter = (help: string, ...labels: string[]): Metric => ({ type: 'counter', help, labels, scope: 'node' })
const gauge = (help: string, ...labels: string[]): Metric => ({ type: 'gauge', help, labels, scope: 'node' })
const stored = (help: string, ...labels: string[]): Metric => ({ type: 'gauge', help, labels, scope: 'installation' })
const supervised = (type: 'counter' | 'gauge', help: string, ...labels: string[]): Metric => ({
  type,
  help,
  labels,
  scope: 'machine',
})
const histogram = (help: string, bounds: readonly number[], ...labels: string[]): Metric => ({
  type: 'histogram',
  help,
  bounds,
  labels,
  scope: 'node',
})

/** Seconds. */
const ofAnswers = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 90]
const ofOthers = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 90]
const ofStore = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2, 10]

export const metricTable = {
  waypost_build_info: gauge(
    'Always 1; the version of the service, of Node, and the kind of store',
    'version',
    'node',
    'store',
  ),

  waypost_http_requests_total: counter('Requests answered, by route and status', 'route', 'status'),
  waypost_http_request_seconds: histogram('Time from a request to its answer, by route', ofAnswers, 'route'),
  waypost_http_errors_total: counter(
    'Requests answered with an error, by its name in docs/generated/errors.md: rejected credentials, rate limits and all others',
    'error',
  ),
  waypost_requests_under_way: gauge('Requests that this node is at work on'),
  waypost_requests_waiting: gauge('Requests that wait for their turn'),
  waypost_load_refusals_total: counter(
    'Requests refused before anything was done for them: the node is overloaded, an application has its share, or a visitor is beyond the limit of its address',
    'reason',
  ),
  waypost_mcp_calls_total: counter(
    'Calls of MCP tools, by outcome: ok, error, refused (a right is missing), approval (waits for a person) or question (the person at the client is asked)',
    ...['tool', 'outcome'],
  ),
  waypost_mcp_streams: gauge('Open streams of MCP clients that listen to changes'),
  waypost_live_streams: gauge('Open live streams of notifications'),
  waypost_csp_reports_total: counter('Reports of browsers that refused something to the dashboard'),

  waypost_provider_operations_total: counter(
    'Operations at providers and on virtual calendars, by outcome: ok, or the name of the error',
    ...['provider', 'operation', 'outcome'],
  ),
  waypost_provider_operation_seconds: histogram('Time that operations took, by provider', ofOthers, 'provider'),
  waypost_provider_requests_total: counter(
    'HTTP requests to providers, by the class of the status (4xx without 401 and 429, which have their own) or unanswered',
    ...['provider', 'status'],
  ),
  waypost_provider_request_seconds: histogram('Time until providers had answered over HTTP', ofOthers, 'provider'),
  waypost_token_refreshes_total: counter(
    'Access tokens asked for at providers: refreshed, refused (the account is lost) or failed',
    ...['provider', 'outcome'],
  ),
  waypost_grants: stored('Grants, by provider and state', 'provider', 'state'),

  waypost_deliveries_waiting: stored(
    'Notifications that wait for delivery, each counted by destination; 100000 where it is more',
  ),
  waypost_deliveries_oldest_waiting_seconds: stored(
    'For how long the delivery that is due for longest has been due; destinations that are paused or failed do not count',
  ),
  waypost_destinations: stored('Webhook destinations, by state; 100000 where it is more', 'state'),
  waypost_delivery_attempts_total: counter('Attempts to deliver a notification, by outcome', 'outcome'),
  waypost_delivery_attempt_seconds: histogram('Time that attempts took, by outcome', ofOthers, 'outcome'),

  waypost_watched_grants: gauge('Grants whose changes this node looks for'),
  waypost_watches: gauge(
    'The same by what they do: waiting for a change, due for a look, looking, resting after a failure',
    'state',
  ),
  waypost_watch_oldest_due_seconds: gauge('For how long the look that is due for longest has been due'),
  waypost_watch_looks_total: counter(
    'Looks for changes, by outcome: ok, or the name of the error',
    'provider',
    'outcome',
  ),
  waypost_watch_look_seconds: histogram('Time that looks for changes took', ofOthers, 'provider'),

  waypost_sends_total: counter(
    'Messages by how an attempt to send them, or the search for one, ended: sent, failed, postponed, unknown, found, given_up, resent',
    'outcome',
  ),
  waypost_approvals_total: counter(
    'Approvals by how they ended: executed, failed, rejected, drafted, expired',
    'outcome',
  ),
  waypost_approvals_open: stored(
    'Actions that wait for the approval of a person, or are carried out; 100000 where it is more',
  ),
  waypost_outbox_jobs: stored('Jobs that wait or are under way; 100000 where it is more'),
  waypost_jobs_failed_total: counter('Jobs that used all their attempts and are not tried again, by kind', 'kind'),
  waypost_failed_jobs: stored(
    'Failed jobs that wait to be retried or discarded, by kind; 10000 in all where it is more',
    'kind',
  ),
  waypost_events_to_remove: stored(
    'Events of deleted virtual calendars and accounts that wait to be removed in batches; 100000 where it is more',
  ),
  waypost_queue_due: stored('What is due in the queues, by kind of job; 10000 where it is more', 'kind'),
  waypost_queue_oldest_seconds: stored('For how long the oldest of it has been due', 'kind'),

  waypost_store_seconds: histogram(
    'Time until the store had answered: single reads and writes, and whole transactions',
    ofStore,
    'kind',
  ),
  waypost_store_statements_total: counter('Statements run, by name', 'statement'),
  waypost_store_statement_seconds_total: counter('Time that statements took, by name', 'statement'),
  waypost_store_retries_total: counter('Transactions begun again, because others held what they needed'),
  waypost_store_connections: gauge('Connections to PostgreSQL for writes, by state; nothing on SQLite', 'state'),
  waypost_store_connections_waiting: gauge('Who waits for a connection to PostgreSQL; nothing on SQLite'),
  waypost_store_unanswered: gauge('What PostgreSQL was asked and has not answered yet; 0 on SQLite'),
  waypost_schema_steps_unfinished: stored(
    'Steps of schema changes that have begun and are not done, by kind; a contract step waits for older nodes to end',
    'kind',
  ),
  waypost_schema_backfill_rows: stored(
    'Rows of backfills that are not done: done so far, and in total, by the number of the schema change',
    'change',
    'state',
  ),
  waypost_last_backup_timestamp_seconds: stored(
    'When `waypost backup` last ended well, in Unix time; nothing before the first',
  ),

  waypost_threads: gauge(
    'Threads that read messages (parse), write them (compose) and read what providers answer (answers), by state',
    'pool',
    'state',
  ),
  waypost_thread_jobs_waiting: gauge('Batches that wait for a thread', 'pool'),
  waypost_thread_failures_total: counter(
    'Messages and answers given up: they took too long (deadline), or a thread died of them (crashed)',
    'pool',
    'reason',
  ),
  waypost_processes: supervised(
    'gauge',
    'Processes of the machine by state, with WAYPOST_WORKERS; nothing for a single process',
    'state',
  ),
  waypost_processes_replaced_total: supervised(
    'counter',
    'Processes that the supervisor replaced: they crashed, did not answer (hang), or were asked to at SIGHUP (reload)',
    'reason',
  ),
  waypost_supervisor_resident_memory_bytes: supervised('gauge', 'Resident memory of the supervisor'),
  waypost_clock_difference_seconds: gauge('How far the clock of the machine is ahead of the one the service goes by'),
  waypost_log_suppressed_total: counter('Refused requests that were not logged one by one, because there were many'),
  waypost_trace_spans_total: counter(
    'Spans of traces: exported, or dropped because the receiver was away or slow',
    'outcome',
  ),
} as const satisfies Record<`waypost_${string}`, Metric>

export type MetricName = keyof typeof metricTable
