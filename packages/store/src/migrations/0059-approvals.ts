/**
 * Approvals: actions of restricted credentials that wait for a person. `approval_parts` has what may be large, in pieces:
 * the request, the whole text of the preview, and the response of the action.
 */
export const approvals = `
create table approvals (
  id text not null,
  application_id text not null references applications (id) on delete cascade,
  grant_id text,
  credential_type text not null,
  credential_id text not null,
  kind text not null,
  operation text not null,
  status text not null,
  bytes bigint not null,
  sealed_document text not null,
  sealed_outcome text,
  decided_at bigint,
  expires_at bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (id, application_id),
  foreign key (grant_id, application_id) references grants (id, application_id) on delete cascade
);
create index approvals_by_time on approvals (application_id, created_at, id);
create index approvals_of_grant on approvals (grant_id, created_at, id);
create index approvals_of_credential on approvals (credential_id, created_at, id);
create index approvals_open on approvals (application_id, credential_id) where status in ('pending', 'approved');
create index approvals_by_change on approvals (updated_at, id);

create table approval_parts (
  id text not null,
  application_id text not null,
  approval_id text not null,
  part text not null,
  piece integer not null,
  sealed_content text not null,
  primary key (id, application_id),
  foreign key (approval_id, application_id) references approvals (id, application_id) on delete cascade
);
create index approval_parts_of_approval on approval_parts (approval_id, application_id, part, piece);
`
