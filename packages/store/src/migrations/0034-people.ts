/**
 * People who administer the service. A session records its person, the method of sign-in and the address. An audit
 * entry retains the name of the person, also after the person is deleted.
 */
export const people = `
create table people (
  id text primary key,
  email text not null unique,
  name text not null,
  role text not null,
  applications text,
  blocked integer not null default 0,
  password_hash text,
  issuer text,
  subject text,
  sealed_totp text,
  sealed_pending_totp text,
  totp_step bigint not null default 0,
  code_failures integer not null default 0,
  code_failures_since bigint not null default 0,
  invitation_hash text unique,
  invitation_expires_at bigint,
  credentials integer not null default 0,
  signed_in_at bigint,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index people_by_subject on people (issuer, subject);

create table recovery_codes (
  person_id text not null references people (id) on delete cascade,
  hash text not null,
  primary key (person_id, hash)
);

alter table admin_sessions add column person_id text references people (id) on delete cascade;
alter table admin_sessions add column way text not null default 'password';
alter table admin_sessions add column address text;
alter table admin_sessions add column user_agent text;
create index admin_sessions_by_person on admin_sessions (person_id);

alter table audit add column person_id text;
alter table audit add column person_name text;
create index audit_by_person on audit (person_id, at, id) where person_id is not null;
`
