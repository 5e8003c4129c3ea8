/** Access to an application, and its connections to providers. */
export const access = `
create table api_keys (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  name text not null,
  hint text not null,
  hash text not null,
  expires_at bigint,
  revoked_at bigint,
  last_used_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  creator text,
  creator_person_id text,
  creator_name text,
  primary key (id, application_id)
);
create index api_keys_by_application on api_keys (application_id, created_at);
create index api_keys_by_creator on api_keys (creator_person_id) where creator_person_id is not null;
create unique index api_keys_by_hash on api_keys (hash, application_id);

create table redirect_uris (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  platform text not null,
  url text not null,
  settings text not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (id, application_id),
  unique (application_id, url)
);

create table origins (
  application_id text not null references applications (id) on delete cascade,
  origin text not null,
  primary key (origin, application_id)
);

create table connectors (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  provider text not null,
  name text not null,
  settings text not null,
  sealed_settings text,
  scope text not null,
  active_credential_id text,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (id, application_id),
  unique (application_id, provider)
);

create table credentials (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  connector_id text not null,
  name text not null,
  credential_type text not null,
  sealed_data text not null,
  fingerprint text not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (id, application_id),
  foreign key (connector_id, application_id) references connectors (id, application_id) on delete cascade
);
create unique index credentials_by_name on credentials (connector_id, name, application_id);
`
