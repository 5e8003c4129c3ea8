/**
 * The history of each grant and its calls per hour. Deleting a grant deletes its `grant_events`: without the
 * application in the index by grant, SQLite would search all events of the application for them.
 */
export const grantHistory = `
create table grant_uses (
  grant_id text not null,
  application_id text not null,
  last_used_at bigint not null,
  primary key (grant_id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index grant_uses_by_time on grant_uses (application_id, last_used_at, grant_id);

create table grant_errors (
  id text not null,
  application_id text not null,
  grant_id text not null,
  at bigint not null,
  operation text not null,
  type text not null,
  sealed_message text not null,
  request_id text,
  refused integer not null default 0,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index grant_errors_by_application on grant_errors (application_id, at, id) where refused = 0;
create index grant_errors_by_grant on grant_errors (grant_id, at, id);

create table grant_events (
  id text not null,
  application_id text not null,
  grant_id text not null,
  at bigint not null,
  kind text not null,
  reason text,
  sealed_message text,
  request_id text,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index grant_events_by_application on grant_events (application_id, at, id);
create index grant_events_by_grant on grant_events (grant_id, application_id, at, id);
create index grant_events_expired on grant_events (application_id, at, id) where kind = 'expired';
create index grant_events_to_purge on grant_events (at, id) where kind <> 'created';

create table grant_calls (
  grant_id text not null,
  hour bigint not null,
  route text not null,
  application_id text not null,
  requests integer not null,
  refused integer not null,
  errors integer not null,
  milliseconds bigint not null,
  last_at bigint not null,
  last_request_id text not null,
  primary key (grant_id, hour, route, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index grant_calls_by_hour on grant_calls (hour);
`
