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

/**
 * The history of each grant and its calls per hour. Deleting a grant deletes its `grant_events`: without the
 * application in the index by grant, SQLite would search all events of the application for them.
 */
export const grantHistory = `
create table grant_uses (
  grant_id text not null,
  application_id text not null,
  last_used_at bigint not null,
  primary key (grant_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index grant_uses_by_time on grant_uses (application_id, last_used_at, grant_id);

create table grant_errors (
  id text not null,
  application_id text not null,
  grant_id text not null,
  at bigint not null,
  operation text not null,
  type text not null,
  sealed_message text not null,
  request_id text,
  refused integer not null default 0,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index grant_errors_by_application on grant_errors (application_id, at, id) where refused = 0;
create index grant_errors_by_grant on grant_errors (grant_id, at, id);

create table grant_events (
  id text not null,
  application_id text not null,
  grant_id text not null,
  at bigint not null,
  kind text not null,
  reason text,
  sealed_message text,
  request_id text,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index grant_events_by_application on grant_events (application_id, at, id);
create index grant_events_by_grant on grant_events (grant_id, application_id, at, id);
create index grant_events_expired on grant_events (application_id, at, id) where kind = 'expired';
create index grant_events_to_purge on grant_events (at, id) where kind <> 'created';

create table grant_calls (
  grant_id text not null,
  hour bigint not null,
  route text not null,
  application_id text not null,
  requests integer not null,
  refused integer not null,
  errors integer not null,
  milliseconds bigint not null,
  last_at bigint not null,
  last_request_id text not null,
  primary key (grant_id, hour, route, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index grant_calls_by_hour on grant_calls (hour);
`

/**
 * Hosted sign-in and the tokens that the service issues. Only hashes of secrets are stored: browser cookies, the
 * state of a provider's redirect, codes, tokens.
 *
 * A code holds the encrypted account that signed in until it is exchanged for tokens. Until then, an existing grant
 * of the address stays as it is. All tokens from one code or one request form a family and are revoked together.
 */
export const signIn = `
create table login_sessions (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  cookie_hash text not null,
  request text not null,
  provider text,
  email text,
  state_hash text,
  sealed_verifier text,
  state_expires_at bigint,
  tries integer not null default 0,
  created_at bigint not null,
  expires_at bigint not null,
  ended_at bigint,
  primary key (id, application_id)
);
create index login_sessions_by_expiry on login_sessions (expires_at);
create unique index login_sessions_by_state on login_sessions (state_hash, application_id);

create table authorization_codes (
  id text not null,
  application_id text not null,
  grant_id text not null,
  hash text not null,
  redirect_uri text not null,
  code_challenge text,
  code_challenge_method text,
  sealed_account text not null,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  replayed_at bigint,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index authorization_codes_by_expiry on authorization_codes (expires_at);
create index authorization_codes_by_grant on authorization_codes (grant_id);
create unique index authorization_codes_by_hash on authorization_codes (hash, application_id);

create table access_tokens (
  id text not null,
  application_id text not null,
  grant_id text not null,
  family text not null,
  kind text not null,
  hash text not null,
  created_at bigint not null,
  expires_at bigint,
  used_at bigint not null,
  revoked_at bigint,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index access_tokens_by_expiry on access_tokens (expires_at);
create index access_tokens_by_family on access_tokens (family);
create index access_tokens_by_grant on access_tokens (grant_id);
create unique index access_tokens_by_hash on access_tokens (hash, application_id);
create index access_tokens_by_revocation on access_tokens (revoked_at) where revoked_at is not null;
`

/**
 * Watched grants, the nodes that watch them, and the cursor of each.
 *
 * A grant belongs to one of 4,096 shards, which the nodes share. `nudges`: change notifications that reached a node
 * which does not watch the grant.
 */
export const watching = `
create table watches (
  grant_id text not null,
  application_id text not null,
  sealed_cursor text not null,
  synced_at bigint,
  authenticated_at bigint not null,
  told_from bigint not null,
  primary key (grant_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);

create table watch_failures (
  grant_id text not null,
  application_id text not null,
  failures integer not null,
  next_try_at bigint not null,
  primary key (grant_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index watch_failures_by_application on watch_failures (application_id, failures);

create table watch_shards (
  shard integer primary key,
  owner text,
  epoch bigint not null
);

create table nudges (
  grant_id text not null,
  application_id text not null,
  shard integer not null,
  renews_push integer not null default 0,
  primary key (grant_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index nudges_by_shard on nudges (shard);

insert into watch_shards (shard, owner, epoch)
with recursive numbers (number) as (select 0 union all select number + 1 from numbers where number < 4095)
select number, null, 0 from numbers;
`
