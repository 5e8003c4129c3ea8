/**
 * Metadata of messages, and of calendars and events that the service does not store itself; and data of drafts that
 * the provider does not store. A row is found by its primary key or by one of the five keys. Those indexes start with
 * the value, so that only one index fits a lookup by id.
 *
 * In `object_metadata`, a calendar has an empty `calendar_id`, and an instance of a series refers to its master.
 */
import { metadataIndexes } from './forms.ts'

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
