import type { Engine } from '../../engine/database.ts'
import { byBytes, metadataIndexes } from './forms.ts'

/**
 * Calendars and events of virtual accounts, and their invitation mails with the read position in the mailbox for
 * replies. Lists sort ids by their bytes, as the service compares them.
 *
 * Of the indexes over all events, only the primary key starts with the grant. With several, PostgreSQL picks any of
 * them for a lookup by id while it believes that the grant has few events: on a new table, and for an account newer
 * than its statistics.
 */
export const calendars = (engine: Engine): string => `
create table calendars (
  grant_id text not null,
  id ${byBytes[engine]} not null,
  application_id text not null,
  is_primary integer not null,
  timezone text not null,
  longest_seconds bigint not null,
  series_revision bigint not null,
  key1 text, key2 text, key3 text, key4 text, key5 text,
  created_at bigint not null,
  updated_at bigint not null,
  document text not null,
  series_lost bigint not null default 0,
  primary key (grant_id, id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);

create table events (
  grant_id text not null,
  id ${byBytes[engine]} not null,
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
  series_revision bigint,
  primary key (grant_id, id, application_id),
  foreign key (grant_id, calendar_id, application_id)
    references calendars (grant_id, id, application_id) on delete cascade
);
create index events_by_master on events (grant_id, master_id) where master_id is not null;
create index events_by_revision on events (calendar_id, grant_id, series_revision) where series_revision is not null;
create index events_by_slot on events (grant_id, calendar_id, slot_at) where slot_at is not null;
create index events_by_start on events (calendar_id, grant_id, kind, start_at, id);
create index events_by_uid on events (calendar_id, grant_id, ical_uid);
${metadataIndexes('events', (key) => `grant_id, calendar_id, ${key}`)}

create table invitations (
  grant_id text not null,
  event_id text not null,
  application_id text not null,
  uid text not null,
  state text not null,
  primary key (grant_id, event_id, application_id),
  foreign key (grant_id, event_id, application_id) references events (grant_id, id, application_id) on delete cascade
);
create index invitations_by_uid on invitations (uid);

create table reply_mailboxes (
  id text primary key,
  owner text,
  lease_until bigint,
  uid_validity bigint not null,
  last_uid bigint not null
);
`

/**
 * Contacts that the service stores itself, and their groups. Personal data is encrypted; searchable values are keyed
 * hashes. Ids sort by their bytes, as the service compares them. Pictures have a table of their own, because lists do
 * not contain them.
 */
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
