/**
 * Access tokens of accounts at their providers; one node at a time fetches each. Work at a provider after the
 * deletion of a grant is in the outbox. `nudges`: change notifications that reached a node which does not watch the
 * grant.
 */
export const providerTokens = `
create table provider_tokens (
  id text primary key references grants (id) on delete cascade,
  application_id text not null,
  sealed_tokens text not null,
  generation bigint not null,
  used_until bigint not null,
  claim text,
  claimed_until bigint,
  updated_at bigint not null
);

create table nudges (
  grant_id text primary key references grants (id) on delete cascade,
  shard integer not null
);
create index nudges_by_shard on nudges (shard);
create index grants_by_address on grants (email_key);
`
