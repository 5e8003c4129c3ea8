/**
 * Outgoing messages. A row holds the state of a message. Its bytes are stored in encrypted parts until it is sent and
 * its copy is filed. `next_at` is the time at which a worker must process the row, in any state, and null when
 * nothing is left to do. So one index finds all work.
 */
export const sending = `
create table sends (
  id text primary key,
  application_id text not null,
  grant_id text not null references grants (id) on delete cascade,
  state text not null,
  message_id text not null,
  sender text not null,
  recipients text not null,
  schedule_id text,
  due_at bigint not null,
  next_at bigint,
  owner text,
  attempt text,
  tries integer not null,
  began_at bigint,
  filing text not null,
  filing_tries integer not null,
  provider_id text,
  error text,
  facts text not null,
  created_at bigint not null,
  closed_at bigint
);
create index sends_next on sends (next_at, id) where next_at is not null;
create index sends_by_grant on sends (grant_id, due_at);
create unique index sends_by_schedule on sends (schedule_id) where schedule_id is not null;
create index sends_by_message on sends (message_id, grant_id);
create index sends_closed on sends (closed_at) where closed_at is not null;

create table send_sources (
  id text primary key,
  application_id text not null,
  send_id text not null references sends (id) on delete cascade,
  piece integer not null,
  sealed_source text not null
);
create unique index send_sources_in_order on send_sources (send_id, piece);
`
