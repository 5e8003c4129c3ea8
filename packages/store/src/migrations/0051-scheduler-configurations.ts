/** Configurations of booking pages, and the sessions that open private ones. */
export const schedulerConfigurations = `
create table scheduler_configurations (
  id text not null,
  application_id text not null,
  grant_id text not null,
  slug text,
  name text not null,
  type text not null,
  requires_session_auth integer not null,
  sealed_document text not null,
  created_at bigint not null,
  updated_at bigint not null,
  removed_at bigint,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create unique index scheduler_configurations_by_slug on scheduler_configurations (slug, application_id)
  where slug is not null and removed_at is null;
create index scheduler_configurations_by_grant on scheduler_configurations (grant_id, application_id, created_at, id);
create index scheduler_configurations_by_time on scheduler_configurations (application_id, created_at, id);
create index scheduler_configurations_removed on scheduler_configurations (removed_at) where removed_at is not null;

create table scheduler_sessions (
  hash text not null,
  application_id text not null,
  configuration_id text not null,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (hash, application_id),
  foreign key (configuration_id, application_id)
    references scheduler_configurations (id, application_id) on delete cascade
);
create index scheduler_sessions_by_configuration
  on scheduler_sessions (configuration_id, application_id, expires_at);
create index scheduler_sessions_by_end on scheduler_sessions (expires_at);
`
