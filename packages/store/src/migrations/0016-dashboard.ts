/**
 * Data of the dashboard: sessions of the administrator and one-time links, stored as hashes only; the audit log; last
 * uses, last errors and failing watches of grants; and figures per node and minute.
 */
export const dashboard = `
create table admin_sessions (
  id text primary key,
  hash text not null unique,
  signed_in_at bigint not null,
  seen_at bigint not null,
  expires_at bigint not null
);

create table admin_links (
  hash text primary key,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);

create table audit (
  id text primary key,
  at bigint not null,
  actor text not null,
  address text,
  action text not null,
  application_id text,
  target text,
  status integer not null
);
create index audit_by_time on audit (at, id);
create index audit_by_application on audit (application_id, at, id);
create index audit_refused on audit (at, id) where status = 401;

create table grant_uses (
  grant_id text primary key references grants (id) on delete cascade,
  application_id text not null,
  last_used_at bigint not null
);

create table grant_errors (
  id text primary key,
  application_id text not null,
  grant_id text not null references grants (id) on delete cascade,
  at bigint not null,
  operation text not null,
  type text not null,
  message text not null,
  request_id text
);
create index grant_errors_by_grant on grant_errors (grant_id, at, id);

create table watch_failures (
  grant_id text primary key references grants (id) on delete cascade,
  application_id text not null,
  failures integer not null,
  next_try_at bigint not null
);

create table health_figures (
  at bigint not null,
  node_id text not null,
  requests integer not null,
  errors integer not null,
  latencies text not null,
  deliveries integer not null,
  delivery_failures integer not null,
  delivery_latencies text not null,
  provider_errors integer not null,
  watched_grants integer not null,
  primary key (at, node_id)
);

alter table nodes add column roles text not null default '';
alter table nodes add column watched_grants integer not null default 0;
`
