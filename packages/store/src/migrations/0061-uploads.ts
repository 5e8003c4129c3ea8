/**
 * Large files on their way. `upload_chunks` has their bytes, encrypted, in rows of less than 1 MiB. `upload_holds` says who
 * still needs an upload that has expired: a message that waits to be sent, or an approval. Uploads refer to no grant: their
 * rows are large, so they are removed in small steps after the grant (`uploads.ts`).
 */
export const uploads = `
create table uploads (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  grant_id text not null,
  state text not null,
  put_id text,
  declared_size bigint,
  size bigint,
  sealed_file text not null,
  expires_at bigint not null,
  created_at bigint not null,
  primary key (id, application_id)
);
create index uploads_of_application on uploads (application_id, expires_at);
create index uploads_of_grant on uploads (grant_id);
create index uploads_by_expiry on uploads (expires_at, id) where state <> 'expired';
create index uploads_expired on uploads (expires_at) where state = 'expired';

create table upload_chunks (
  id text not null,
  application_id text not null,
  upload_id text not null,
  put_id text not null,
  piece integer not null,
  sealed_bytes text not null,
  primary key (id, application_id),
  foreign key (upload_id, application_id) references uploads (id, application_id) on delete cascade
);
create unique index upload_chunks_in_order on upload_chunks (upload_id, application_id, put_id, piece);

create table upload_holds (
  upload_id text not null,
  holder text not null,
  application_id text not null,
  held_until bigint not null,
  primary key (upload_id, holder, application_id),
  foreign key (upload_id, application_id) references uploads (id, application_id) on delete cascade
);
create index upload_holds_of_holder on upload_holds (holder, application_id);
`
