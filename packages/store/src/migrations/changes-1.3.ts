/**
 * Channels are destinations with another transport than a webhook. `settings` says where a channel publishes, as JSON;
 * null for webhooks. `tables/notifications/webhooks.ts` says how nodes of 1.2.0 are kept from delivering to channels.
 */
export const channels = `
alter table webhooks add column transport text not null default 'webhook';
alter table webhooks add column settings text;
`

/**
 * Large files on their way. `upload_chunks` has their bytes, encrypted, in rows of less than 1 MiB. `upload_holds` says who
 * still needs an upload that has expired: a message that waits to be sent, or an approval. Uploads refer to no grant: their
 * rows are large, so they are removed in small steps after the grant (`uploads.ts`).
 */
export const uploads = `
create table uploads (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  grant_id text not null,
  state text not null,
  put_id text,
  declared_size bigint,
  size bigint,
  sealed_file text not null,
  expires_at bigint not null,
  created_at bigint not null,
  primary key (id, application_id)
);
create index uploads_of_application on uploads (application_id, expires_at);
create index uploads_of_grant on uploads (grant_id);
create index uploads_by_expiry on uploads (expires_at, id) where state <> 'expired';
create index uploads_expired on uploads (expires_at) where state = 'expired';

create table upload_chunks (
  id text not null,
  application_id text not null,
  upload_id text not null,
  put_id text not null,
  piece integer not null,
  sealed_bytes text not null,
  primary key (id, application_id),
  foreign key (upload_id, application_id) references uploads (id, application_id) on delete cascade
);
create unique index upload_chunks_in_order on upload_chunks (upload_id, application_id, put_id, piece);

create table upload_holds (
  upload_id text not null,
  holder text not null,
  application_id text not null,
  held_until bigint not null,
  primary key (upload_id, holder, application_id),
  foreign key (upload_id, application_id) references uploads (id, application_id) on delete cascade
);
create index upload_holds_of_holder on upload_holds (holder, application_id);
`

/**
 * For triggers on request: the places of messages, so that a deletion is not mistaken for a move, and when the mail of an
 * account was read for the first time.
 */
export const triggersOnRequest = `
alter table grants add column first_read_at bigint;
create table message_places (
  application_id text not null,
  grant_id text not null,
  folder text not null,
  place text not null,
  name text not null,
  message_id text not null,
  received_at bigint not null,
  primary key (grant_id, folder, place, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index message_places_by_name on message_places (grant_id, name);
create index message_places_by_age on message_places (grant_id, received_at);
`

/**
 * Workspaces. The default one of an application has no row: its id is `applications.default_workspace_id`, and grants of
 * all versions refer to it. Deleted workspaces leave no grants behind, so no foreign key is needed.
 */
export const workspaces = `
create table workspaces (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  name text not null,
  domain text,
  auto_group integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (id, application_id)
);
create unique index workspaces_by_domain on workspaces (application_id, domain);
create index workspaces_by_creation on workspaces (application_id, created_at, id);
`

/**
 * Programs that sign requests to administration routes. Nonces refer to no account, so that a request and the removal of
 * its account never conflict; they expire after minutes.
 */
export const serviceAccounts = `
create table service_accounts (
  id text primary key,
  name text not null,
  permissions text not null,
  applications text,
  public_key text not null,
  blocked integer not null default 0,
  expires_at bigint,
  last_used_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create table service_account_nonces (
  service_account_id text not null,
  nonce text not null,
  expires_at bigint not null,
  primary key (service_account_id, nonce)
);
create index service_account_nonces_by_expiry on service_account_nonces (expires_at);
`
