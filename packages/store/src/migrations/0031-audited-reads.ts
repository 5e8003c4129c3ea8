/** Administrators' access to customer data is audited too, by grant. */
export const auditedReads = `
alter table audit add column grant_id text;
alter table audit add column kind text not null default 'change';
create index audit_by_grant on audit (grant_id, at, id) where grant_id is not null;
create index audit_by_kind on audit (kind, at, id);
`
