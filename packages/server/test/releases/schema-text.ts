/** The schema of a store as lines of text, to be compared. Partitions are named after days, and left out. */
import type { Database } from '@waypost/store/engine/database'
import { sql } from '@waypost/testing/statement'

const partitions = `select inhrelid from pg_inherits`
const texts: Record<Database['engine'], readonly string[]> = {
  sqlite: [`select type || ' ' || name || ' ' || coalesce(sql, '') as line from sqlite_master`],
  postgresql: [
    `select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
       || case when a.attnotnull then ' not null' else '' end || ' ' || cast(a.attidentity as text)
       || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
       || coalesce(' collate ' || (select collname from pg_collation l where l.oid = a.attcollation), '') as line
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
       and not a.attisdropped and c.oid not in (${partitions})`,
    `select pg_get_indexdef(x.indexrelid) || case when x.indisvalid then '' else ' invalid' end as line
       from pg_index x join pg_class c on c.oid = x.indrelid
       where c.relnamespace = 'public'::regnamespace and c.oid not in (${partitions})`,
    `select c.relname || ' ' || f.conname || ' ' || pg_get_constraintdef(f.oid) as line
       from pg_constraint f join pg_class c on c.oid = f.conrelid
       where c.relnamespace = 'public'::regnamespace and c.oid not in (${partitions})`,
    `select 'trigger ' || t.tgname || ' on ' || c.relname as line
       from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where not t.tgisinternal and c.relnamespace = 'public'::regnamespace and c.oid not in (${partitions})`,
    `select p.proname || ' ' || p.prosrc as line from pg_proc p where p.pronamespace = 'public'::regnamespace`,
  ],
}

/** Without differences of layout, and without the quotes that SQLite adds to the new name of a table. */
const formOf = (line: string): string =>
  line
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1')

export async function schemaText(database: Database): Promise<string[]> {
  const lines: string[] = []
  for (const text of texts[database.engine]) {
    const rows = await database.all(sql<{ line: string }>('', text))
    lines.push(...rows.map(({ line }) => formOf(line)))
  }
  return lines.toSorted()
}
