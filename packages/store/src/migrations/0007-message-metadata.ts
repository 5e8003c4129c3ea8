/**
 * Metadata of messages, which no provider stores. A row is found by its primary key or by one of the five keys. Those
 * indexes start with the value, so that only one index fits a lookup by id.
 */
export const messageMetadata = `
create table message_metadata (
  grant_id text not null references grants (id) on delete cascade,
  message_id text not null,
  application_id text not null,
  key1 text, key2 text, key3 text, key4 text, key5 text,
  updated_at bigint not null,
  document text not null,
  primary key (grant_id, message_id)
);
create index message_metadata_by_key1 on message_metadata (key1, grant_id) where key1 is not null;
create index message_metadata_by_key2 on message_metadata (key2, grant_id) where key2 is not null;
create index message_metadata_by_key3 on message_metadata (key3, grant_id) where key3 is not null;
create index message_metadata_by_key4 on message_metadata (key4, grant_id) where key4 is not null;
create index message_metadata_by_key5 on message_metadata (key5, grant_id) where key5 is not null;
`
