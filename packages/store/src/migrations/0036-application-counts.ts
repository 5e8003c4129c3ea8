/**
 * The number of grants per state, and of grants whose billing started or ended per month, is stored
 * (`application-counts.ts`) instead of counted, because counting grew with the grants. Existing rows are counted once
 * here.
 */
import type { Engine } from '../engine/database.ts'

const monthOf: Record<Engine, (time: string) => string> = {
  sqlite: (time) => `strftime('%Y-%m', ${time} / 1000, 'unixepoch')`,
  postgresql: (time) => `to_char(to_timestamp(${time} / 1000) at time zone 'UTC', 'YYYY-MM')`,
}

export const applicationCounts = (engine: Engine): string => `
create table application_counts (
  application_id text not null references applications (id) on delete cascade,
  name text not null,
  id text not null,
  amount bigint not null,
  primary key (application_id, name, id)
);
create index application_counts_by_name on application_counts (name, amount);
create index application_counts_changed on application_counts (application_id, name, id) where id <> 'sum';

insert into application_counts (application_id, name, id, amount)
  select application_id, 'grants/' || provider || '/' || status || '/' || blocked, 'sum', count(*)
  from grants group by application_id, provider, status, blocked;
insert into application_counts (application_id, name, id, amount)
  select application_id, 'billed/' || provider || '/' || ${monthOf[engine]('billed_from')} as name, 'sum', count(*)
  from billing_periods group by application_id, name;
insert into application_counts (application_id, name, id, amount)
  select application_id, 'ended/' || provider || '/' || ${monthOf[engine]('billed_until')} as name, 'sum', count(*)
  from billing_periods where billed_until is not null group by application_id, name;

drop index grants_by_state;

-- Pages past an offset are found without reading the grants before them.
drop index grants_by_creation;
create index grants_by_creation on grants (application_id, created_at, id) where status <> 'unverified';
drop index grants_by_authentication;
create index grants_by_authentication on grants (application_id, updated_at, id) where status <> 'unverified';
`
