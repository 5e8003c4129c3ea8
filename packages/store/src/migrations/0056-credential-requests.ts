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
