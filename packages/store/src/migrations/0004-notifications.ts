/**
 * Notifications, their destinations, and deliveries. A notification is stored once, with a short queue row per
 * destination. Delivered rows leave the queue and remain in the log of attempts.
 */
import type { Engine } from '../engine/database.ts'

// Rows of concurrent transactions do not become visible in the order of their numbers. So readers on PostgreSQL sort
// by the transaction number first, and stop at the oldest open transaction. SQLite has one writer at a time.
const numbered: Record<Engine, { position: string; transaction: string }> = {
  sqlite: { position: 'integer primary key autoincrement', transaction: 'bigint not null default 0' },
  postgresql: {
    position: 'bigint generated always as identity primary key',
    transaction: 'bigint not null default (pg_current_xact_id()::text::bigint)',
  },
}

export const notifications = (engine: Engine): string => `
create table webhooks (
  id text primary key,
  application_id text not null references applications (id) on delete cascade,
  webhook_url text not null,
  status text not null,
  triggers text not null,
  sealed_secret text not null,
  sealed_previous_secret text,
  previous_secret_until bigint,
  revision bigint not null,
  status_updated_at bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  document text not null
);
create unique index webhooks_by_url on webhooks (application_id, webhook_url);

alter table nodes add column delivers integer not null default 0;

create table lanes (
  webhook_id text primary key references webhooks (id) on delete cascade,
  application_id text not null,
  owner text,
  epoch bigint not null,
  lease_until bigint not null,
  health text
);

create table notifications (
  position ${numbered[engine].position},
  transaction_number ${numbered[engine].transaction},
  id text not null,
  application_id text not null,
  grant_id text not null,
  sequence bigint not null,
  type text not null,
  source text not null,
  bytes integer not null,
  created_at bigint not null,
  payload text not null
);
create unique index notifications_by_id on notifications (id);
create index notifications_by_application on notifications (application_id, transaction_number, position);
create index notifications_by_grant on notifications (grant_id, position);

create table notification_sequences (
  grant_id text primary key references grants (id) on delete cascade,
  application_id text not null,
  last bigint not null
);

create table deliveries (
  id ${numbered[engine].position},
  webhook_id text not null,
  application_id text not null,
  notification bigint not null,
  state text not null,
  attempts integer not null,
  tries integer not null,
  due_at bigint not null,
  bytes integer not null
);
create unique index deliveries_by_notification on deliveries (notification, webhook_id);
create index deliveries_waiting on deliveries (webhook_id, due_at, id) where state = 'waiting';
create index deliveries_failed on deliveries (webhook_id, notification) where state = 'failed';

create table delivery_attempts (
  webhook_id text not null,
  notification bigint not null,
  attempt integer not null,
  application_id text not null,
  at bigint not null,
  latency_ms integer not null,
  status integer,
  error text,
  answer text,
  primary key (notification, webhook_id, attempt)
);
create index delivery_attempts_by_time on delivery_attempts (webhook_id, at);
`
