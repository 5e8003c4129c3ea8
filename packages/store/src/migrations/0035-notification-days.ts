/**
 * Notifications, the queue of deliveries and the log of attempts: every key contains the application. On PostgreSQL,
 * notifications and attempts are partitioned by day (`notification-days.ts`). Existing rows become a partition of
 * their own, which empties as they expire: indexes are built for it, and nothing is copied.
 *
 * The queue is not partitioned: it contains only waiting and failed deliveries, is read by the next attempt across
 * all days, and each read would have to search every partition. A notification is unique per destination, so that a
 * delivery needs no number of its own.
 *
 * SQLite has no partitions, and its rowid is the position: positions stay as they are. The queue and the log are
 * rewritten.
 */
import type { Engine } from '../engine/database.ts'
import { positionsPerDay } from '../tables/notifications/notification-days.ts'

const queueColumns = `
  application_id text not null,
  notification bigint not null,
  webhook_id text not null,
  state text not null,
  attempts integer not null,
  tries integer not null,
  due_at bigint not null,
  bytes integer not null`
const attemptColumns = `
  application_id text not null,
  notification bigint not null,
  webhook_id text not null,
  attempt integer not null,
  at bigint not null,
  latency_ms integer not null,
  status integer,
  error text,
  sealed_answer text,
  primary key (application_id, notification, webhook_id, attempt)`

const queueIndexes = `
create index deliveries_waiting on deliveries (webhook_id, due_at, notification) where state = 'waiting';
create index deliveries_failed on deliveries (webhook_id, notification) where state = 'failed';`
const delivered = 'where status >= 200 and status < 300'
const failed = 'where status is null or status < 200 or status >= 300'
// The complete order of the log, so that sorted partitions are merged instead of sorted again.
const newestFirst = 'at, notification, attempt'
const attemptIndexes = `
create index delivery_attempts_by_time on delivery_attempts (webhook_id, ${newestFirst});
create index delivery_attempts_delivered on delivery_attempts (application_id, webhook_id, ${newestFirst}) ${delivered};
create index delivery_attempts_failed on delivery_attempts (application_id, webhook_id, ${newestFirst}) ${failed};`

// Applications with their own retention, and those whose subscriptions changed since their notifications were
// checked.
const applicationIndexes = `
create index applications_keeping on applications (notification_days) where notification_days is not null;
create index applications_unchecked on applications (id) where checked_revision < asked_revision;`

/**
 * SQLite assumes ten rows per application, and would read all of them instead of looking up a hundred by position.
 * These statistics describe large tables; nothing else writes them.
 */
const shape = `
analyze sqlite_schema;
insert into sqlite_stat1 (tbl, idx, stat) values
  ('notifications', 'notifications_by_id', '1000000 100000 1'),
  ('notifications', 'notifications_by_application', '1000000 100000 100000 1'),
  ('notifications', 'notifications_by_grant', '1000000 100 100 1');
analyze sqlite_schema;`

const sqlite = `${applicationIndexes}

drop index notifications_by_id;
create unique index notifications_by_id on notifications (application_id, id);

drop index deliveries_by_notification;
drop index deliveries_waiting;
drop index deliveries_failed;
alter table deliveries rename to former_deliveries;
create table deliveries (${queueColumns},
  primary key (application_id, notification, webhook_id)
) without rowid;
insert into deliveries (application_id, notification, webhook_id, state, attempts, tries, due_at, bytes)
  select application_id, notification, webhook_id, state, attempts, tries, due_at, bytes from former_deliveries;
drop table former_deliveries;
${queueIndexes}

drop index delivery_attempts_by_time;
drop index delivery_attempts_delivered;
drop index delivery_attempts_failed;
alter table delivery_attempts rename to former_attempts;
create table delivery_attempts (${attemptColumns}
);
insert into delivery_attempts
  (application_id, notification, webhook_id, attempt, at, latency_ms, status, error, sealed_answer)
  select application_id, notification, webhook_id, attempt, at, latency_ms, status, error, sealed_answer
  from former_attempts order by application_id, notification, webhook_id, attempt;
drop table former_attempts;
${attemptIndexes}
${shape}
`

/** Existing rows become the partition of positions without a day, unless there are none. */
const attachFormer = (table: string): string => `
do $$ begin
  if exists (select 1 from ${table}_undated) then
    alter table ${table} attach partition ${table}_undated for values from (minvalue) to (${positionsPerDay});
  else
    drop table ${table}_undated;
  end if;
end $$;`

const postgresql = `${applicationIndexes}

set local statement_timeout = 0;

alter table notifications alter column position drop identity;
create sequence notification_positions as bigint maxvalue ${positionsPerDay - 1} cycle;
select setval('notification_positions', (select coalesce(max(position), 0) + 1 from notifications), false);
alter table notifications rename to notifications_undated;
alter table notifications_undated drop constraint notifications_pkey;
alter table notifications_undated alter column position set default nextval('notification_positions');
drop index notifications_by_id;
alter index notifications_by_application rename to notifications_undated_by_application;
alter index notifications_by_grant rename to notifications_undated_by_grant;
alter table notifications_undated add constraint notifications_undated_pkey primary key (application_id, position);
create unique index notifications_undated_by_id on notifications_undated (application_id, id);
create table notifications (like notifications_undated including defaults,
  primary key (application_id, position)
) partition by range (position);
create index notifications_by_application on notifications (application_id, transaction_number, position);
create index notifications_by_grant on notifications (grant_id, transaction_number, position);
${attachFormer('notifications')}
create table notifications_default partition of notifications default;
create unique index notifications_default_by_id on notifications_default (application_id, id);

alter table deliveries drop constraint deliveries_pkey;
drop index deliveries_by_notification;
alter table deliveries drop column id;
alter table deliveries add primary key (application_id, notification, webhook_id);
${queueIndexes}

alter table delivery_attempts rename to delivery_attempts_undated;
alter table delivery_attempts_undated drop constraint delivery_attempts_pkey;
drop index delivery_attempts_by_time;
drop index delivery_attempts_delivered;
drop index delivery_attempts_failed;
alter table delivery_attempts_undated add constraint delivery_attempts_undated_pkey
  primary key (application_id, notification, webhook_id, attempt);
create table delivery_attempts (${attemptColumns}
) partition by range (notification);
${attemptIndexes}
${attachFormer('delivery_attempts')}
create table delivery_attempts_default partition of delivery_attempts default;
`

export const notificationDays = (engine: Engine): string => (engine === 'sqlite' ? sqlite : postgresql)
