/** Installation, nodes, applications, keys, connectors, credentials, grants, billing, idempotency. */
export const firstTables = `
create table installation (
  name text primary key,
  value text not null
);

create table nodes (
  id text primary key,
  started_at bigint not null,
  seen_at bigint not null
);

create table applications (
  id text primary key,
  environment text not null,
  default_workspace_id text not null,
  grant_limit integer,
  blocked integer not null,
  domain text,
  branding text not null,
  hosted_authentication text not null,
  idp_settings text not null,
  additional_settings text not null,
  created_at bigint not null,
  updated_at bigint not null
);

create table api_keys (
  id text primary key,
  application_id text not null references applications (id) on delete cascade,
  name text not null,
  hint text not null,
  hash text not null unique,
  expires_at bigint,
  revoked_at bigint,
  last_used_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create index api_keys_by_application on api_keys (application_id, created_at);

create table redirect_uris (
  id text primary key,
  application_id text not null references applications (id) on delete cascade,
  platform text not null,
  url text not null,
  settings text not null,
  created_at bigint not null,
  updated_at bigint not null,
  unique (application_id, url)
);

create table origins (
  application_id text not null references applications (id) on delete cascade,
  origin text not null,
  primary key (origin, application_id)
);

create table connectors (
  id text primary key,
  application_id text not null references applications (id) on delete cascade,
  provider text not null,
  name text not null,
  settings text not null,
  sealed_settings text,
  scope text not null,
  active_credential_id text,
  created_at bigint not null,
  updated_at bigint not null,
  unique (application_id, provider)
);

create table credentials (
  id text primary key,
  application_id text not null references applications (id) on delete cascade,
  connector_id text not null references connectors (id) on delete cascade,
  name text not null,
  credential_type text not null,
  sealed_data text not null,
  fingerprint text not null,
  created_at bigint not null,
  updated_at bigint not null,
  unique (connector_id, name)
);

create table grants (
  id text primary key,
  application_id text not null references applications (id) on delete cascade,
  connector_id text not null,
  provider text not null,
  email_key text not null,
  external_id text,
  status text not null,
  blocked integer not null,
  ip text,
  account_id text,
  workspace_id text not null,
  credential_id text,
  sealed_credentials text,
  purge_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  document text not null,
  unique (application_id, email_key),
  unique (application_id, external_id)
);
create index grants_by_creation on grants (application_id, created_at, id);
create index grants_by_authentication on grants (application_id, updated_at, id);
create index grants_by_connector on grants (connector_id);
create index grants_to_purge on grants (purge_at);

create table billing_periods (
  application_id text not null references applications (id) on delete cascade,
  grant_id text not null,
  provider text not null,
  billed_from bigint not null,
  billed_until bigint,
  primary key (application_id, grant_id)
);

create table idempotency_keys (
  id text primary key,
  application_id text not null,
  request_hash text not null,
  owner text not null,
  attempt text not null,
  status integer,
  headers text,
  sealed_body text,
  created_at bigint not null
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
`
