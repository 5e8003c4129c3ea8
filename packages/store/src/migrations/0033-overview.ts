/**
 * Data for the overview of an application without reading its grants or notifications: the history of each grant, its
 * calls per hour, figures of applications by provider; and details of nodes.
 */
export const overview = `
create table grant_events (
  id text primary key,
  application_id text not null,
  grant_id text not null references grants (id) on delete cascade,
  at bigint not null,
  kind text not null,
  reason text,
  sealed_message text,
  request_id text
);
create index grant_events_by_grant on grant_events (grant_id, at, id);
create index grant_events_by_application on grant_events (application_id, at, id);
create index grant_events_expired on grant_events (application_id, at, id) where kind = 'expired';
create index grant_events_to_purge on grant_events (at, id) where kind <> 'created';
insert into grant_events (id, application_id, grant_id, at, kind)
  select id, application_id, id, created_at, 'created' from grants where status <> 'unverified';

create table grant_calls (
  grant_id text not null references grants (id) on delete cascade,
  hour bigint not null,
  route text not null,
  application_id text not null,
  requests integer not null,
  refused integer not null,
  errors integer not null,
  milliseconds bigint not null,
  last_at bigint not null,
  last_request_id text not null,
  primary key (grant_id, hour, route)
);
create index grant_calls_by_hour on grant_calls (hour);

alter table grant_errors add column refused integer not null default 0;
create index grant_errors_by_application on grant_errors (application_id, at, id) where refused = 0;

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

create index watch_failures_by_application on watch_failures (application_id, failures);

alter table nodes add column version text not null default '';
alter table nodes add column host text not null default '';
alter table health_figures add column memory_bytes bigint not null default 0;
`
