/**
 * The contents of notifications and of the log of deliveries are encrypted. They are stored only if a destination or
 * the stream needs them; each application can switch the stream on or off.
 *
 * Unencrypted values of an earlier version are encrypted at the next start (`clear_values`), because a script has no
 * key. Applications of an earlier version always had the stream: it stays on for a week, and permanently if it is
 * read in that time. `asked_revision` counts changes of subscriptions. `checked_revision` is the one up to which
 * unneeded notifications were deleted.
 */
import type { Engine } from '../engine/database.ts'

const now: Record<Engine, string> = {
  sqlite: `cast(strftime('%s', 'now') as integer) * 1000`,
  postgresql: `cast(extract(epoch from now()) * 1000 as bigint)`,
}
const week = 7 * 86_400_000

export const sealedNotifications = (engine: Engine): string => `
create table data_keys (
  id text primary key,
  sealed_key text not null,
  created_at bigint not null
);

alter table applications add column notification_stream_until bigint not null default 0;
alter table applications add column notification_days integer;
alter table applications add column asked_revision bigint not null default 1;
alter table applications add column checked_revision bigint not null default 0;
update applications set notification_stream_until = ${now[engine]} + ${week};

insert into installation (name, value) select 'clear_values', 'there are some' where exists (select 1 from applications);

alter table notifications rename column payload to sealed_payload;
alter table delivery_attempts rename column answer to sealed_answer;

drop index notifications_by_grant;
create index notifications_by_grant on notifications (grant_id, transaction_number, position);
`
