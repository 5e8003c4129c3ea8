/** Calendars and events created by an import from v2. A repeated import may change and delete only these. */
export const importedObjects = `
create table imported_objects (
  grant_id text not null references grants (id) on delete cascade,
  kind text not null,
  id text not null,
  application_id text not null,
  source_updated_at bigint,
  imported_at bigint not null,
  primary key (grant_id, kind, id)
);
`
