/**
 * Where each table is in a store that Citus distributes over several PostgreSQL servers (ADR 0035). All nodes connect
 * to the coordinator, so tables that only it holds are read without a worker.
 */
export type Placement =
  /** Divided by `application_id`. The rows of one application are together on one worker. */
  | 'distributed'
  /** A copy on every server. Written on all of them with two-phase commit. */
  | 'reference'
  /** On the coordinator, known to Citus: a transaction that also writes rows of a worker uses two-phase commit. */
  | 'coordinator'
  /** On the coordinator, unknown to Citus: never written together with rows that a worker has. */
  | 'local'

export interface PlacedTable {
  placement: Placement
  why: string
}

const ofApplication: PlacedTable = { placement: 'distributed', why: 'rows of one application' }
const queued: PlacedTable = { placement: 'distributed', why: 'written in the transaction of the change it belongs to' }
const withGrant: PlacedTable = { placement: 'distributed', why: 'rows of one grant, removed with it' }
const before = (what: string): PlacedTable => ({
  placement: 'coordinator',
  why: `${what} is looked up before the application is known`,
})
const local = (why: string): PlacedTable => ({ placement: 'local', why })

/** Every table of the store. A test compares it with the tables that exist. */
export const tablePlacement: Readonly<Record<string, PlacedTable>> = {
  applications: { placement: 'reference', why: 'every table refers to it, every request reads it, few change it' },

  access_tokens: before('the hash of a token'),
  agent_codes: before('the hash of a code'),
  agent_tokens: before('the hash of a token'),
  api_keys: before('the hash of a key'),
  login_sessions: before('the id or the state of a sign-in'),
  origins: before('the origin of a preflight request'),
  application_names: { placement: 'coordinator', why: 'administrators search all applications by name' },
  audit: { placement: 'coordinator', why: 'one order for the whole installation, written together with the change' },
  installation_counts: {
    placement: 'coordinator',
    why: 'sums over all applications, written together with the counts',
  },

  agents: ofApplication,
  application_counts: ofApplication,
  application_figures: ofApplication,
  approval_parts: ofApplication,
  approvals: ofApplication,
  billing_periods: ofApplication,
  connectors: ofApplication,
  credential_messages: ofApplication,
  credential_requests: ofApplication,
  credentials: ofApplication,
  grants: ofApplication,
  idempotency_keys: ofApplication,
  mail_use: ofApplication,
  redirect_uris: ofApplication,
  templates: ofApplication,
  upload_chunks: ofApplication,
  upload_holds: ofApplication,
  uploads: ofApplication,
  webhooks: ofApplication,
  workflows: ofApplication,
  workspaces: ofApplication,

  deliveries: queued,
  delivery_attempts: queued,
  delivery_leases: queued,
  notifications: queued,
  notification_sequences: queued,
  outbox: queued,
  failed_jobs: queued,

  agent_grants: withGrant,
  authorization_codes: withGrant,
  booking_hosts: withGrant,
  bookings: withGrant,
  calendars: withGrant,
  contact_groups: withGrant,
  contact_pictures: withGrant,
  contacts: withGrant,
  draft_notes: withGrant,
  events: withGrant,
  grant_calls: withGrant,
  grant_errors: withGrant,
  grant_events: withGrant,
  grant_uses: withGrant,
  group_events: withGrant,
  group_seats: withGrant,
  imported_objects: withGrant,
  invitations: withGrant,
  message_metadata: withGrant,
  message_places: withGrant,
  nudges: withGrant,
  object_metadata: withGrant,
  provider_tokens: withGrant,
  scheduler_configurations: withGrant,
  scheduler_sessions: withGrant,
  scheduler_hosts: withGrant,
  send_reports: withGrant,
  send_sources: withGrant,
  sends: withGrant,
  signatures: withGrant,
  tracked_links: withGrant,
  tracked_messages: withGrant,
  watch_failures: withGrant,
  watches: withGrant,

  admin_links: local('for who administers the installation'),
  admin_sessions: local('goes with its person'),
  agent_clients: local('OAuth clients that register before any application is known'),
  data_keys: local('keys of the installation, read by every node'),
  health_figures: local('figures of nodes, which serve all applications'),
  installation: local('facts of the installation, a few rows'),
  migrations: local('the form of the store'),
  nodes: local('the processes that run now, a row each'),
  people: local('who administers the installation'),
  recovery_codes: local('goes with its person'),
  reply_mailboxes: local("the installation's own mailbox"),
  service_accounts: local('who administers the installation'),
  service_account_nonces: local('of signed requests of the last minutes'),
  schema_changes: local('the form of the store, a row for each step'),
  watch_shards: local('who has which part of the watched grants, a fixed number of rows'),
}

/** References that a distributed store cannot have: from the coordinator to rows of a worker. */
export const givenUpReferences: readonly { table: string; to: string; instead: string }[] = [
  { table: 'access_tokens', to: 'grants', instead: 'the statements that remove a grant remove its tokens' },
]
