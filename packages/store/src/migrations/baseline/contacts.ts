/**
 * Contacts that the service stores itself, and their groups. Personal data is encrypted; searchable values are keyed
 * hashes. Ids sort by their bytes, as the service compares them. Pictures have a table of their own, because lists do
 * not contain them.
 */
import type { Engine } from '../../engine/database.ts'
import { byBytes } from './forms.ts'

export const contacts = (engine: Engine): string => `
create table contact_groups (
  grant_id text not null,
  id ${byBytes[engine]} not null,
  application_id text not null,
  name_hash text not null,
  sealed_name text not null,
  primary key (grant_id, id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create unique index contact_groups_by_name on contact_groups (grant_id, name_hash, application_id);

create table contacts (
  grant_id text not null,
  id ${byBytes[engine]} not null,
  application_id text not null,
  source text not null,
  email_hash text,
  phone_hash text,
  group_id text,
  met_at bigint not null,
  named_at bigint not null,
  sealed_contact text not null,
  primary key (grant_id, id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index contacts_by_email on contacts (grant_id, email_hash, id) where email_hash is not null;
create index contacts_by_group on contacts (grant_id, group_id, id) where group_id is not null;
create index contacts_by_meeting on contacts (grant_id, met_at, id) where source = 'inbox';
create index contacts_by_phone on contacts (grant_id, phone_hash, id) where phone_hash is not null;
create index contacts_by_source on contacts (grant_id, source, id);
create unique index contacts_met on contacts (grant_id, email_hash, application_id) where source = 'inbox';

create table contact_pictures (
  grant_id text not null,
  contact_id ${byBytes[engine]} not null,
  application_id text not null,
  key_hash text not null,
  sealed_picture text not null,
  primary key (grant_id, contact_id, application_id),
  foreign key (grant_id, contact_id, application_id)
    references contacts (grant_id, id, application_id) on delete cascade
);
create unique index contact_pictures_by_key on contact_pictures (key_hash, application_id);
`
