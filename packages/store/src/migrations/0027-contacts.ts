/**
 * Contacts that the service stores itself, and their groups. Personal data is encrypted; searchable values are keyed
 * hashes. Ids sort by their bytes, as the service compares them.
 */
import type { Engine } from '../engine/database.ts'

export const contacts = (engine: Engine): string => {
  const id = engine === 'postgresql' ? 'text collate "C"' : 'text'
  return `
create table contact_groups (
  grant_id text not null references grants (id) on delete cascade,
  id ${id} not null,
  application_id text not null,
  name_hash text not null,
  sealed_name text not null,
  primary key (grant_id, id)
);
create unique index contact_groups_by_name on contact_groups (grant_id, name_hash);

create table contacts (
  grant_id text not null references grants (id) on delete cascade,
  id ${id} not null,
  application_id text not null,
  source text not null,
  email_hash text,
  phone_hash text,
  group_id text,
  met_at bigint not null,
  named_at bigint not null,
  sealed_contact text not null,
  primary key (grant_id, id)
);
create index contacts_by_source on contacts (grant_id, source, id);
create index contacts_by_email on contacts (grant_id, email_hash, id) where email_hash is not null;
create index contacts_by_phone on contacts (grant_id, phone_hash, id) where phone_hash is not null;
create index contacts_by_group on contacts (grant_id, group_id, id) where group_id is not null;
create unique index contacts_met on contacts (grant_id, email_hash) where source = 'inbox';
create index contacts_by_meeting on contacts (grant_id, met_at, id) where source = 'inbox';
`
}
