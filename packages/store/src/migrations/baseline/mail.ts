import { metadataIndexes } from './forms.ts'

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

/**
 * Metadata of messages, and of calendars and events that the service does not store itself; and data of drafts that
 * the provider does not store. A row is found by its primary key or by one of the five keys. Those indexes start with
 * the value, so that only one index fits a lookup by id.
 *
 * In `object_metadata`, a calendar has an empty `calendar_id`, and an instance of a series refers to its master.
 */
export const metadata = `
create table message_metadata (
  grant_id text not null,
  message_id text not null,
  application_id text not null,
  key1 text, key2 text, key3 text, key4 text, key5 text,
  updated_at bigint not null,
  document text not null,
  primary key (grant_id, message_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
${metadataIndexes('message_metadata', (key) => `${key}, grant_id, updated_at, message_id`)}

create table object_metadata (
  grant_id text not null,
  object text not null,
  calendar_id text not null,
  object_id text not null,
  application_id text not null,
  master_id text,
  made_at bigint not null,
  key1 text, key2 text, key3 text, key4 text, key5 text,
  updated_at bigint not null,
  document text not null,
  primary key (grant_id, object, calendar_id, object_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
${metadataIndexes('object_metadata', (key) => `${key}, grant_id, object, calendar_id, updated_at, object_id`)}

create table draft_notes (
  grant_id text not null,
  draft_id text not null,
  application_id text not null,
  key1 text, key2 text, key3 text, key4 text, key5 text,
  updated_at bigint not null,
  document text not null,
  primary key (grant_id, draft_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
`

/**
 * Tracked messages: the options and counts of each. There is one row per message and one per link, no matter how
 * often they are visited. `sealed_recents` holds the last 50 visits as JSON. Rows are deleted with their grant; then
 * the links lead nowhere.
 *
 * A seal is the hash of a token. `message_id` is the API id, which exists once the message is sent. `held_after` is
 * set if visits were counted while the grant was invalid and are not reported yet: the authentication before them.
 */
export const tracking = `
create table tracked_messages (
  send_id text not null,
  application_id text not null,
  grant_id text not null,
  mime_id text not null,
  message_id text,
  sealed_facts text not null,
  thread_replies integer not null,
  created_at bigint not null,
  sent_at bigint,
  open_seal text,
  opens integer not null default 0,
  opened_at bigint,
  sealed_recents text not null default '[]',
  flagged integer not null default 0,
  held_after bigint,
  replies integer not null default 0,
  reply_ids text not null default '[]',
  primary key (send_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index tracked_messages_by_age on tracked_messages (created_at);
create index tracked_messages_by_message_id on tracked_messages (grant_id, message_id) where message_id is not null;
create index tracked_messages_by_mime_id on tracked_messages (grant_id, mime_id);
create index tracked_messages_held on tracked_messages (grant_id) where held_after is not null;

create table tracked_links (
  send_id text not null,
  link_index integer not null,
  application_id text not null,
  grant_id text not null,
  sealed_url text not null,
  seal text not null,
  clicks integer not null default 0,
  clicked_at bigint,
  sealed_recents text not null default '[]',
  flagged integer not null default 0,
  held_after bigint,
  primary key (send_id, link_index, application_id),
  foreign key (send_id, application_id) references tracked_messages (send_id, application_id) on delete cascade
);
create index tracked_links_held on tracked_links (grant_id) where held_after is not null;
`
