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
