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
