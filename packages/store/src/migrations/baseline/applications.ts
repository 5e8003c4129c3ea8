/**
 * Applications, their figures, limits and jobs. `application_names` finds them by a part of their name or id: it
 * contains each suffix of both (`application-names.ts`). The number of grants per state, and of grants whose billing
 * started or ended per month, is stored (`application-counts.ts`). `asked_revision` counts changes of subscriptions.
 * `checked_revision` is the one up to which unneeded notifications were deleted.
 */
import type { Engine } from '../../engine/database.ts'
import { byBytes, withoutRowid } from './forms.ts'

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
