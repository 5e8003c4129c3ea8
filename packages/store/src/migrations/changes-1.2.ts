/** Whether the MCP endpoint serves an application. */
export const mcpEnabled = `
alter table applications add column mcp_enabled integer not null default 0;
`

/**
 * The requests of restricted API keys and of agents, without bodies. The table refers to no key: in a distributed
 * store, keys are on another machine.
 */
export const credentialRequests = `
create table credential_requests (
  credential_id text not null,
  at bigint not null,
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  method text not null,
  operation text not null,
  tool text,
  status integer not null,
  error text,
  grant_id text,
  primary key (credential_id, at, id, application_id)
);
create index credential_requests_by_time on credential_requests (at);
create index credential_requests_by_grant on credential_requests (grant_id) where grant_id is not null;
`

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

/**
 * Agents: MCP clients that somebody connected through OAuth, the grants that each may use, their tokens and codes,
 * and the clients that registered themselves. Only hashes of tokens and codes are stored. Tokens and codes are found by
 * their hash before the application is known, so they refer to no row of the application except itself.
 */
export const agents = `
create table agent_clients (
  id text not null primary key,
  name text not null,
  client_uri text,
  redirect_uris text not null,
  created_at bigint not null,
  expires_at bigint not null
);
create index agent_clients_by_end on agent_clients (expires_at);

create table agents (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  client_id text not null,
  name text not null,
  client_uri text,
  connected_by text not null,
  connector text not null,
  consent text not null,
  rights text not null,
  created_at bigint not null,
  updated_at bigint not null,
  expires_at bigint not null,
  last_used_at bigint,
  disconnected_at bigint,
  primary key (id, application_id)
);
create index agents_by_time on agents (application_id, created_at, id);
create index agents_by_client on agents (client_id, application_id);
create index agents_by_end on agents (expires_at);

create table agent_grants (
  agent_id text not null,
  grant_id text not null,
  application_id text not null,
  primary key (agent_id, grant_id, application_id),
  foreign key (agent_id, application_id) references agents (id, application_id) on delete cascade,
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index agent_grants_by_grant on agent_grants (grant_id, application_id);

create table agent_codes (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  hash text not null,
  client_id text not null,
  redirect_uri text not null,
  resource text not null,
  code_challenge text not null,
  consent text not null,
  agent_id text,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  primary key (id, application_id)
);
create unique index agent_codes_by_hash on agent_codes (hash, application_id);
create index agent_codes_by_end on agent_codes (expires_at);

create table agent_tokens (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  agent_id text not null,
  family text not null,
  kind text not null,
  hash text not null,
  resource text not null,
  created_at bigint not null,
  expires_at bigint not null,
  revoked_at bigint,
  primary key (id, application_id)
);
create unique index agent_tokens_by_hash on agent_tokens (hash, application_id);
create index agent_tokens_by_agent on agent_tokens (agent_id);
create index agent_tokens_by_end on agent_tokens (expires_at);
`

/**
 * Approvals: actions of restricted credentials that wait for a person. `approval_parts` has what may be large, in pieces:
 * the request, the whole text of the preview, and the response of the action.
 */
export const approvals = `
create table approvals (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  grant_id text,
  credential_type text not null,
  credential_id text not null,
  kind text not null,
  operation text not null,
  status text not null,
  bytes bigint not null,
  sealed_document text not null,
  sealed_outcome text,
  decided_at bigint,
  expires_at bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index approvals_by_time on approvals (application_id, created_at, id);
create index approvals_of_grant on approvals (grant_id, created_at, id);
create index approvals_of_credential on approvals (credential_id, created_at, id);
create index approvals_open on approvals (application_id, credential_id) where status in ('pending', 'approved');
create index approvals_by_change on approvals (updated_at, id);

create table approval_parts (
  id text not null,
  application_id text not null,
  approval_id text not null,
  part text not null,
  piece integer not null,
  sealed_content text not null,
  primary key (id, application_id),
  foreign key (approval_id, application_id) references approvals (id, application_id) on delete cascade
);
create index approval_parts_of_approval on approval_parts (approval_id, application_id, part, piece);
`
