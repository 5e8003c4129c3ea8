/**
 * Outgoing messages, and bounces and complaints about them. A row of `sends` holds the state of a message. Its bytes
 * are stored in encrypted parts until it is sent and its copy is filed. `next_at` is the time at which a worker must
 * process the row, in any state, and null when nothing is left to do. So one index finds all work.
 */
export const sending = `
create table sends (
  id text not null,
  application_id text not null,
  grant_id text not null,
  state text not null,
  message_id text not null,
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
  sealed_error text,
  sealed_content text not null,
  created_at bigint not null,
  closed_at bigint,
  request_hash text,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index sends_by_grant on sends (grant_id, due_at);
create index sends_by_message on sends (message_id, grant_id);
create unique index sends_by_schedule on sends (schedule_id, application_id) where schedule_id is not null;
create index sends_closed on sends (closed_at) where closed_at is not null;
create index sends_next on sends (next_at, id) where next_at is not null;
create index sends_open on sends (grant_id, due_at, schedule_id) where schedule_id is not null and closed_at is null;
create index sends_scheduled on sends (grant_id, due_at, schedule_id) where schedule_id is not null;

create table send_sources (
  id text not null,
  application_id text not null,
  send_id text not null,
  piece integer not null,
  sealed_source text not null,
  primary key (id, application_id),
  foreign key (send_id, application_id) references sends (id, application_id) on delete cascade
);
create unique index send_sources_in_order on send_sources (send_id, piece, application_id);

create table send_reports (
  grant_id text not null,
  message_id text not null,
  kind text not null,
  recipient_hash text not null,
  application_id text not null,
  created_at bigint not null,
  sealed_report text not null,
  primary key (grant_id, message_id, kind, recipient_hash, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index send_reports_by_age on send_reports (created_at);

create table signatures (
  id text not null,
  application_id text not null,
  grant_id text not null,
  name text not null,
  body text not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index signatures_by_grant on signatures (grant_id, created_at, id);

create table templates (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  grant_id text,
  name text not null,
  subject text not null,
  body text not null,
  engine text not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index templates_of_application on templates (application_id, created_at, id) where grant_id is null;
create index templates_of_grant on templates (grant_id, created_at, id) where grant_id is not null;
`
