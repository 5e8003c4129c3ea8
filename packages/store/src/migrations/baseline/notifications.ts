/**
 * Notifications, their destinations, and deliveries. A notification is stored once, with a short queue row per
 * destination. Delivered rows leave the queue and remain in the log of attempts.
 *
 * On PostgreSQL, notifications and attempts are partitioned by day (`day-partitions.ts`). The queue is not: it
 * contains only waiting and failed deliveries, is read by the next attempt across all days, and each read would have
 * to search every partition. SQLite has no partitions, and its rowid is the position.
 */
import type { Engine } from '../../engine/database.ts'
import { positionsPerDay } from '../../tables/notifications/day-partitions.ts'
import { withoutRowid } from './forms.ts'

/** The names of constraints on PostgreSQL come from an earlier name of the table. */
const leaseKeys: Record<Engine, { primary: string; foreign: string }> = {
  sqlite: { primary: 'primary key', foreign: 'foreign key' },
  postgresql: {
    primary: 'constraint lanes_pkey primary key',
    foreign: 'constraint lanes_webhook_id_application_id_fkey foreign key',
  },
}

const content = `
  id text not null,
  application_id text not null,
  grant_id text not null,
  sequence bigint not null,
  type text not null,
  source text not null,
  bytes integer not null,
  created_at bigint not null,
  sealed_payload text not null`

/**
 * Rows of concurrent transactions do not become visible in the order of their numbers. So readers on PostgreSQL sort
 * by the transaction number first, and stop at the oldest open transaction. SQLite has one writer at a time.
 *
 * SQLite assumes ten rows per application, and would read all of them instead of looking up a hundred by position.
 * The statistics describe large tables; nothing else writes them.
 */
const days: Record<Engine, { notifications: string; attempts: string; end: string }> = {
  sqlite: {
    notifications: `
create table notifications (
  position integer primary key autoincrement,
  transaction_number bigint not null default 0,${content}
);
create unique index notifications_by_id on notifications (application_id, id);`,
    attempts: '',
    end: `
analyze sqlite_schema;
insert into sqlite_stat1 (tbl, idx, stat) values
  ('notifications', 'notifications_by_id', '1000000 100000 1'),
  ('notifications', 'notifications_by_application', '1000000 100000 100000 1'),
  ('notifications', 'notifications_by_grant', '1000000 100 100 1');
analyze sqlite_schema;`,
  },
  postgresql: {
    notifications: `
create sequence notification_positions as bigint maxvalue ${positionsPerDay - 1} cycle;
create table notifications (
  position bigint not null default nextval('notification_positions'),
  transaction_number bigint not null default (pg_current_xact_id()::text::bigint),${content},
  primary key (application_id, position)
) partition by range (position);`,
    attempts: ' partition by range (notification)',
    end: `
create table notifications_default partition of notifications default;
create unique index notifications_default_by_id on notifications_default (application_id, id);
create table delivery_attempts_default partition of delivery_attempts default;`,
  },
}

/** The complete order of the log, so that sorted partitions are merged instead of sorted again. */
const newestFirst = 'at, notification, attempt'

export const notifications = (engine: Engine): string => `
create table webhooks (
  id text not null,
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
  document text not null,
  primary key (id, application_id)
);
create index webhooks_by_status on webhooks (status);
create unique index webhooks_by_url on webhooks (application_id, webhook_url);

create table delivery_leases (
  webhook_id text not null,
  application_id text not null,
  owner text,
  epoch bigint not null,
  lease_until bigint not null,
  health text,
  judge_at bigint default 0,
  retry_at bigint,
  ${leaseKeys[engine].primary} (webhook_id, application_id),
  ${leaseKeys[engine].foreign} (webhook_id, application_id) references webhooks (id, application_id) on delete cascade
);
create index delivery_leases_to_judge on delivery_leases (judge_at) where judge_at is not null;
create index delivery_leases_to_retry on delivery_leases (retry_at) where retry_at is not null;

create table notification_sequences (
  grant_id text not null,
  application_id text not null,
  last bigint not null,
  primary key (grant_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
${days[engine].notifications}
create index notifications_by_application on notifications (application_id, transaction_number, position);
create index notifications_by_grant on notifications (grant_id, transaction_number, position);

create table deliveries (
  application_id text not null,
  notification bigint not null,
  webhook_id text not null,
  state text not null,
  attempts integer not null,
  tries integer not null,
  due_at bigint not null,
  bytes integer not null,
  primary key (application_id, notification, webhook_id)
)${withoutRowid[engine]};
create index deliveries_failed on deliveries (webhook_id, notification) where state = 'failed';
create index deliveries_new on deliveries (webhook_id) where state = 'waiting' and tries = 0;
create index deliveries_waiting on deliveries (webhook_id, due_at, notification) where state = 'waiting';

create table delivery_attempts (
  application_id text not null,
  notification bigint not null,
  webhook_id text not null,
  attempt integer not null,
  at bigint not null,
  latency_ms integer not null,
  status integer,
  error text,
  sealed_answer text,
  primary key (application_id, notification, webhook_id, attempt)
)${days[engine].attempts};
create index delivery_attempts_by_time on delivery_attempts (webhook_id, ${newestFirst});
create index delivery_attempts_delivered on delivery_attempts (application_id, webhook_id, ${newestFirst})
  where status >= 200 and status < 300;
create index delivery_attempts_failed on delivery_attempts (application_id, webhook_id, ${newestFirst})
  where status is null or status < 200 or status >= 300;
${days[engine].end}
`
