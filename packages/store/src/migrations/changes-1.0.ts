/** The steps of schema changes, and their progress. Version 0.1.0 does not read this table. */
export const schemaChanges = `
create table if not exists schema_changes (
  number integer not null,
  step text not null,
  kind text not null,
  name text not null,
  version text not null,
  compatible_from text not null,
  state text not null,
  runner text,
  leased_until bigint,
  started_at bigint,
  finished_at bigint,
  after_key text,
  done_rows bigint not null default 0,
  total_rows bigint not null default 0,
  primary key (number, step)
);
`

/** Jobs of the outbox that used all their attempts. They are in a table of their own, so that no node claims them. */
export const failedJobs = `
create table failed_jobs (
  id text not null,
  application_id text not null,
  grant_id text not null,
  kind text not null,
  payload text not null,
  attempts integer not null,
  created_at bigint not null,
  failed_at bigint not null,
  error text not null,
  sealed_message text not null,
  primary key (id, application_id)
);
create index failed_jobs_by_time on failed_jobs (failed_at, id);
create index failed_jobs_by_application on failed_jobs (application_id, failed_at, id);
create index failed_jobs_by_kind on failed_jobs (kind, failed_at, id);
create index failed_jobs_by_grant on failed_jobs (grant_id, failed_at, id);
`

/** Deleted calendars whose events are still being removed: since when, and whether their guests get a cancellation. */
export const removedCalendars = `
alter table calendars add column removed_at bigint;
alter table calendars add column tells_guests integer not null default 0;
`
