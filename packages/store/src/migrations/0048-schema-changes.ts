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
