import type { Engine } from '../../engine/database.ts'
import { byBytes, withoutRowid } from './forms.ts'

/**
 * Applications, their figures, limits and jobs. `application_names` finds them by a part of their name or id: it
 * contains each suffix of both (`applications.ts`). The number of grants per state, and of grants whose billing
 * started or ended per month, is stored (`application-counts.ts`). `asked_revision` counts changes of subscriptions.
 * `checked_revision` is the one up to which unneeded notifications were deleted.
 */
export const applications = (engine: Engine): string => `
create table applications (
  id text primary key,
  environment text not null,
  default_workspace_id text not null,
  grant_limit integer,
  blocked integer not null,
  domain text,
  branding text not null,
  hosted_authentication text not null,
  idp_settings text not null,
  additional_settings text not null,
  created_at bigint not null,
  updated_at bigint not null,
  notification_stream_until bigint not null default 0,
  notification_days integer,
  asked_revision bigint not null default 1,
  checked_revision bigint not null default 0,
  name_key text not null default ''
);
create index applications_by_creation on applications (created_at, id);
create index applications_by_name on applications (name_key, id);
create index applications_keeping on applications (notification_days) where notification_days is not null;
create index applications_streaming on applications (notification_stream_until) where notification_stream_until > 0;
create index applications_unchecked on applications (id) where checked_revision < asked_revision;

create table application_names (
  part ${byBytes[engine]} not null,
  application_id text not null,
  primary key (part, application_id)
)${withoutRowid[engine]};

create table application_counts (
  application_id text not null references applications (id) on delete cascade,
  name text not null,
  id text not null,
  amount bigint not null,
  primary key (application_id, name, id)
);
create index application_counts_changed on application_counts (application_id, name, id) where id <> 'sum';

create table application_figures (
  application_id text not null references applications (id) on delete cascade,
  at bigint not null,
  provider text not null,
  node_id text not null,
  requests integer not null,
  refused integer not null,
  errors integer not null,
  provider_errors integer not null,
  latencies text not null,
  primary key (application_id, at, provider, node_id)
);
create index application_figures_by_time on application_figures (at);

create table billing_periods (
  application_id text not null references applications (id) on delete cascade,
  grant_id text not null,
  provider text not null,
  billed_from bigint not null,
  billed_until bigint,
  primary key (application_id, grant_id)
);

create table idempotency_keys (
  id text not null,
  application_id text not null,
  request_hash text not null,
  owner text not null,
  attempt text not null,
  status integer,
  headers text,
  sealed_body text,
  created_at bigint not null,
  seed text not null default '',
  primary key (id, application_id)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table mail_use (
  application_id text primary key references applications (id) on delete cascade,
  per_day integer,
  day integer not null,
  used integer not null
);

create table outbox (
  id text not null,
  application_id text not null,
  grant_id text not null,
  kind text not null,
  payload text not null,
  attempts integer not null,
  due_at bigint not null,
  owner text,
  lease_until bigint,
  created_at bigint not null,
  primary key (id, application_id)
);
create index outbox_by_due on outbox (due_at, id);
`

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
