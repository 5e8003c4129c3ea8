/**
 * Applications can be found by a part of their name or id: an index contains each suffix of both
 * (`application-names.ts`).
 */
import type { Engine } from '../engine/database.ts'

const forms: Record<Engine, { text: string; table: string }> = {
  sqlite: { text: 'text', table: 'without rowid' },
  // Compared as bytes.
  postgresql: { text: 'text collate "C"', table: '' },
}

const endsOf = (column: string): string => `
  with recursive ends (application_id, rest) as (
    select id, ${column} from applications where ${column} <> ''
    union all select application_id, substr(rest, 2) from ends where length(rest) > 1)
  select substr(rest, 1, 64), application_id from ends`

export const nameParts = (engine: Engine): string => `
create table application_names (
  part ${forms[engine].text} not null,
  application_id text not null,
  primary key (part, application_id)
) ${forms[engine].table};
insert into application_names (part, application_id) ${endsOf('name_key')} where true on conflict do nothing;
insert into application_names (part, application_id) ${endsOf('id')} where true on conflict do nothing;
`
