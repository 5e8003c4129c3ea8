/**
 * Programs that sign requests to administration routes. Nonces refer to no account, so that a request and the removal of
 * its account never conflict; they expire after minutes.
 */
export const serviceAccounts = `
create table service_accounts (
  id text primary key,
  name text not null,
  permissions text not null,
  applications text,
  public_key text not null,
  blocked integer not null default 0,
  expires_at bigint,
  last_used_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create table service_account_nonces (
  service_account_id text not null,
  nonce text not null,
  expires_at bigint not null,
  primary key (service_account_id, nonce)
);
create index service_account_nonces_by_expiry on service_account_nonces (expires_at);
`
