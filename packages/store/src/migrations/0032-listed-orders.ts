/** Indexes for the lists of administrators: applications by name, grants by last use, the audit log by action. */
import type { Engine } from '../engine/database.ts'

const nameOf: Record<Engine, string> = {
  sqlite: `lower(json_extract(branding, '$.name'))`,
  postgresql: `lower(cast(branding as json) ->> 'name')`,
}

export const listedOrders = (engine: Engine): string => `
alter table applications add column name_key text not null default '';
update applications set name_key = coalesce(${nameOf[engine]}, '');
create index applications_by_name on applications (name_key, id);
create index applications_by_creation on applications (created_at, id);

create index grant_uses_by_time on grant_uses (application_id, last_used_at, grant_id);

create index audit_by_action on audit (action, at, id);
create index audit_by_target on audit (target, at, id) where target is not null;
`
