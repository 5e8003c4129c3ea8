/** Calendars and events of virtual accounts, and the outbox of jobs. */
export const calendars = `
create table calendars (
  grant_id text not null references grants (id) on delete cascade,
  id text not null,
  application_id text not null,
  is_primary integer not null,
  timezone text not null,
  longest_seconds bigint not null,
  series_revision bigint not null,
  key1 text, key2 text, key3 text, key4 text, key5 text,
  created_at bigint not null,
  updated_at bigint not null,
  document text not null,
  primary key (grant_id, id)
);

create table events (
  grant_id text not null,
  id text not null,
  application_id text not null,
  calendar_id text not null,
  kind text not null,
  master_id text,
  slot text,
  slot_at bigint,
  start_at bigint not null,
  end_at bigint not null,
  series text,
  ical_uid text not null,
  key1 text, key2 text, key3 text, key4 text, key5 text,
  created_at bigint not null,
  updated_at bigint not null,
  document text not null,
  primary key (grant_id, id),
  foreign key (grant_id, calendar_id) references calendars (grant_id, id) on delete cascade
);
create index events_by_start on events (grant_id, calendar_id, kind, start_at, id);
create index events_by_uid on events (grant_id, calendar_id, ical_uid);
create index events_by_slot on events (grant_id, calendar_id, slot_at) where slot_at is not null;
create index events_by_master on events (grant_id, master_id) where master_id is not null;
create index events_by_key1 on events (grant_id, calendar_id, key1) where key1 is not null;
create index events_by_key2 on events (grant_id, calendar_id, key2) where key2 is not null;
create index events_by_key3 on events (grant_id, calendar_id, key3) where key3 is not null;
create index events_by_key4 on events (grant_id, calendar_id, key4) where key4 is not null;
create index events_by_key5 on events (grant_id, calendar_id, key5) where key5 is not null;

create table outbox (
  id text primary key,
  application_id text not null,
  grant_id text not null,
  kind text not null,
  payload text not null,
  attempts integer not null,
  due_at bigint not null,
  owner text,
  lease_until bigint,
  created_at bigint not null
);
create index outbox_by_due on outbox (due_at, id);
`
