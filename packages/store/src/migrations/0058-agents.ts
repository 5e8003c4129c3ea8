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
