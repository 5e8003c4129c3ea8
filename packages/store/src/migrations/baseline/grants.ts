/**
 * Grants, and the access tokens of their accounts, which one node at a time fetches. `imported_objects`: calendars and
 * events created by an import from v2. A repeated import may change and delete only these.
 */
export const grants = `
create table grants (
  id text not null,
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
  shard integer,
  watched integer not null default 0,
  watch_mark integer not null default 0,
  primary key (id, application_id),
  unique (application_id, email_key),
  unique (application_id, external_id)
);
create index grants_by_account_id on grants (application_id, account_id, created_at, id);
create index grants_by_address on grants (email_key);
create index grants_by_authentication on grants (application_id, updated_at, id) where status <> 'unverified';
create index grants_by_connector on grants (connector_id);
create index grants_by_connector_id on grants (application_id, connector_id, created_at, id);
create index grants_by_creation on grants (application_id, created_at, id) where status <> 'unverified';
create index grants_by_ip on grants (application_id, ip, created_at, id);
create index grants_by_provider on grants (application_id, provider, created_at, id);
create index grants_by_status on grants (application_id, status, created_at, id);
create index grants_by_workspace_id on grants (application_id, workspace_id, created_at, id);
create index grants_to_purge on grants (purge_at);
create index grants_watched on grants (provider, shard, watch_mark) where watched = 1;

create table provider_tokens (
  id text not null,
  application_id text not null,
  sealed_tokens text not null,
  generation bigint not null,
  used_until bigint not null,
  claim text,
  claimed_until bigint,
  updated_at bigint not null,
  primary key (id, application_id),
  foreign key (id, application_id) references grants (id, application_id) on delete cascade
);

create table imported_objects (
  grant_id text not null,
  kind text not null,
  id text not null,
  application_id text not null,
  source_updated_at bigint,
  imported_at bigint not null,
  primary key (grant_id, kind, id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
`
