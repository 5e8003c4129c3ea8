/**
 * Metadata of calendars and events of accounts that the service does not store itself. A calendar has an empty
 * `calendar_id`; an instance of a series refers to its master.
 */
export const objectMetadata = `
create table object_metadata (
  grant_id text not null references grants (id) on delete cascade,
  object text not null,
  calendar_id text not null,
  object_id text not null,
  application_id text not null,
  master_id text,
  made_at bigint not null,
  key1 text, key2 text, key3 text, key4 text, key5 text,
  updated_at bigint not null,
  document text not null,
  primary key (grant_id, object, calendar_id, object_id)
);
create index object_metadata_by_key1 on object_metadata (key1, grant_id) where key1 is not null;
create index object_metadata_by_key2 on object_metadata (key2, grant_id) where key2 is not null;
create index object_metadata_by_key3 on object_metadata (key3, grant_id) where key3 is not null;
create index object_metadata_by_key4 on object_metadata (key4, grant_id) where key4 is not null;
create index object_metadata_by_key5 on object_metadata (key5, grant_id) where key5 is not null;
`
