/** Workflows: templates that replace the built-in mails about bookings. Rows go with the grant or the application. */
export const workflows = `
create table workflows (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  grant_id text,
  name text not null,
  template_id text not null,
  trigger_event text not null,
  delay integer not null,
  is_enabled integer not null,
  sender_name text,
  sender_email text,
  created_at bigint not null,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index workflows_of_application on workflows (application_id, created_at, id) where grant_id is null;
create index workflows_of_grant on workflows (grant_id, created_at, id) where grant_id is not null;
`
