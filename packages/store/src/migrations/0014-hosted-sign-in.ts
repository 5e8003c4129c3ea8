/**
 * Hosted sign-in and the tokens that the service issues. Only hashes of secrets are stored: browser cookies, the
 * state of a provider's redirect, codes, tokens.
 *
 * A code holds the encrypted account that signed in until it is exchanged for tokens. Until then, an existing grant
 * of the address stays as it is. All tokens from one code or one request form a family and are revoked together.
 */
export const hostedSignIn = `
create table login_sessions (
  id text primary key,
  application_id text not null references applications (id) on delete cascade,
  cookie_hash text not null,
  request text not null,
  provider text,
  email text,
  state_hash text unique,
  sealed_verifier text,
  state_expires_at bigint,
  tries integer not null default 0,
  created_at bigint not null,
  expires_at bigint not null,
  ended_at bigint
);
create index login_sessions_by_expiry on login_sessions (expires_at);

create table authorization_codes (
  id text primary key,
  application_id text not null,
  grant_id text not null references grants (id) on delete cascade,
  hash text not null unique,
  redirect_uri text not null,
  code_challenge text,
  code_challenge_method text,
  sealed_account text not null,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  replayed_at bigint
);
create index authorization_codes_by_grant on authorization_codes (grant_id);
create index authorization_codes_by_expiry on authorization_codes (expires_at);

create table access_tokens (
  id text primary key,
  application_id text not null,
  grant_id text not null references grants (id) on delete cascade,
  family text not null,
  kind text not null,
  hash text not null unique,
  created_at bigint not null,
  expires_at bigint,
  used_at bigint not null,
  revoked_at bigint
);
create index access_tokens_by_grant on access_tokens (grant_id);
create index access_tokens_by_family on access_tokens (family);
create index access_tokens_by_expiry on access_tokens (expires_at);
`
