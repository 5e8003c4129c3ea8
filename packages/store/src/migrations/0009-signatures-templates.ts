/** Signatures and templates, and data of drafts that the provider does not store: metadata, tracking. */
export const signaturesTemplates = `
create table signatures (
  id text primary key,
  application_id text not null,
  grant_id text not null references grants (id) on delete cascade,
  name text not null,
  body text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index signatures_by_grant on signatures (grant_id, created_at, id);

create table templates (
  id text primary key,
  application_id text not null references applications (id) on delete cascade,
  grant_id text references grants (id) on delete cascade,
  name text not null,
  subject text not null,
  body text not null,
  engine text not null,
  created_at bigint not null,
  updated_at bigint not null
);
create index templates_of_application on templates (application_id, created_at, id) where grant_id is null;
create index templates_of_grant on templates (grant_id, created_at, id) where grant_id is not null;

create table draft_notes (
  grant_id text not null references grants (id) on delete cascade,
  draft_id text not null,
  application_id text not null,
  key1 text, key2 text, key3 text, key4 text, key5 text,
  updated_at bigint not null,
  document text not null,
  primary key (grant_id, draft_id)
);
`
