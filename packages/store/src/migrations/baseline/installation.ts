/** The installation, its nodes, their figures per minute, and the data keys. */
export const installation = `
create table installation (
  name text primary key,
  value text not null
);

create table installation_counts (
  name text primary key,
  amount bigint not null
);

create table nodes (
  id text primary key,
  started_at bigint not null,
  seen_at bigint not null,
  delivers integer not null default 0,
  roles text not null default '',
  watched_grants integer not null default 0,
  version text not null default '',
  host text not null default '',
  leases integer not null default 0
);

create table health_figures (
  at bigint not null,
  node_id text not null,
  requests integer not null,
  errors integer not null,
  latencies text not null,
  deliveries integer not null,
  delivery_failures integer not null,
  delivery_latencies text not null,
  provider_errors integer not null,
  watched_grants integer not null,
  memory_bytes bigint not null default 0,
  primary key (at, node_id)
);

create table data_keys (
  id text primary key,
  sealed_key text not null,
  created_at bigint not null
);
`

/**
 * People who administer the service, their sessions and one-time links, stored as hashes only, and the audit log. An
 * audit entry retains the name of the person, also after the person is deleted.
 */
export const administration = `
create table people (
  id text primary key,
  email text not null unique,
  name text not null,
  role text not null,
  applications text,
  blocked integer not null default 0,
  password_hash text,
  issuer text,
  subject text,
  sealed_totp text,
  sealed_pending_totp text,
  totp_step bigint not null default 0,
  code_failures integer not null default 0,
  code_failures_since bigint not null default 0,
  invitation_hash text unique,
  invitation_expires_at bigint,
  credentials integer not null default 0,
  signed_in_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index people_by_subject on people (issuer, subject);

create table recovery_codes (
  person_id text not null references people (id) on delete cascade,
  hash text not null,
  primary key (person_id, hash)
);

create table admin_sessions (
  id text primary key,
  hash text not null unique,
  signed_in_at bigint not null,
  seen_at bigint not null,
  expires_at bigint not null,
  person_id text references people (id) on delete cascade,
  way text not null default 'password',
  address text,
  user_agent text
);
create index admin_sessions_by_person on admin_sessions (person_id);

create table admin_links (
  hash text primary key,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);

create table audit (
  id text primary key,
  at bigint not null,
  actor text not null,
  address text,
  action text not null,
  application_id text,
  target text,
  status integer not null,
  grant_id text,
  kind text not null default 'change',
  person_id text,
  person_name text
);
create index audit_by_action on audit (action, at, id);
create index audit_by_application on audit (application_id, at, id);
create index audit_by_grant on audit (grant_id, at, id) where grant_id is not null;
create index audit_by_kind on audit (kind, at, id);
create index audit_by_person on audit (person_id, at, id) where person_id is not null;
create index audit_by_target on audit (target, at, id) where target is not null;
create index audit_by_time on audit (at, id);
create index audit_refused on audit (at, id) where status = 401;
`
