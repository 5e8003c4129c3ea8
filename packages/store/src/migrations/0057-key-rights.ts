/**
 * The rights of restricted API keys, as JSON; null for keys with all rights. Restricted keys have a hash of their own form,
 * so that nodes of the previous version do not find them.
 *
 * `credential_messages` counts the messages of restricted credentials in slots of five minutes. The row of slot 0 is locked
 * while a credential counts.
 */
export const keyRights = `
alter table api_keys add column rights text;
create table credential_messages (
  application_id text not null references applications (id) on delete cascade,
  credential_id text not null,
  slot bigint not null,
  amount integer not null,
  primary key (application_id, credential_id, slot)
);
`
