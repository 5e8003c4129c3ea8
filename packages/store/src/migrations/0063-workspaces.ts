/**
 * Workspaces. The default one of an application has no row: its id is `applications.default_workspace_id`, and grants of
 * all versions refer to it. Deleted workspaces leave no grants behind, so no foreign key is needed.
 */
export const workspaces = `
create table workspaces (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  name text not null,
  domain text,
  auto_group integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (id, application_id)
);
create unique index workspaces_by_domain on workspaces (application_id, domain);
create index workspaces_by_creation on workspaces (application_id, created_at, id);
`
