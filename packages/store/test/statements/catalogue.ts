/** The catalog of a store: columns, unique keys, and references of its tables. */

import { sql } from '@waypost/testing/statement'
import type { Database, Row } from '../../src/engine/database.ts'

export interface CatalogueTable {
  name: string
  columns: { name: string; type: string; required: boolean; generated: boolean }[]
  /** Primary keys, unique constraints and unique indexes, by name. */
  uniqueKeys: Map<string, string[]>
  /** Every index, including those of keys. */
  indexes: Set<string>
  references: { columns: string[]; table: string; to: string[] }[]
}
export type Catalogue = Map<string, CatalogueTable>

interface Texts {
  columns: string
  indexes: string
  references: string
}
const texts: Record<Database['engine'], Texts> = {
  sqlite: {
    columns: `select m.name as table_name, c.name, lower(c.type) as type, max(c."notnull", c.pk > 0) as required,
       lower(c.type) = 'integer' and c.pk = 1 and m.sql like '%autoincrement%' as generated
       from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite_%'`,
    // A key of one integer is the row id of SQLite, and not an index (the position of a notification).
    indexes: `select m.name as table_name, l.name as index_name, l."unique" as is_unique, i.name as column_name
       from sqlite_master m join pragma_index_list(m.name) l join pragma_index_info(l.name) i
       where m.type = 'table' and m.name not like 'sqlite_%'`,
    references: `select m.name as table_name, f.id as number, f."from" as column_name, f."table" as parent, f."to" as parent_column
       from sqlite_master m join pragma_foreign_key_list(m.name) f where m.type = 'table' order by m.name, f.id, f.seq`,
  },
  postgresql: {
    columns: `select c.relname as table_name, a.attname as name, format_type(a.atttypid, null) as type,
       cast(a.attnotnull as integer) as required, cast(a.attidentity <> '' as integer) as generated
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped`,
    indexes: `select c.relname as table_name, i.relname as index_name, cast(x.indisunique as integer) as is_unique,
       a.attname as column_name
       from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
       cross join lateral unnest(x.indkey) with ordinality as k (number, place)
       join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
       where c.relnamespace = 'public'::regnamespace and not c.relispartition order by c.relname, i.relname, k.place`,
    references: `select c.relname as table_name, cast(f.oid as bigint) as number, a.attname as column_name, p.relname as parent,
       b.attname as parent_column
       from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class p on p.oid = f.confrelid
       cross join lateral unnest(f.conkey, f.confkey) with ordinality as k (number, parent_number, place)
       join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
       join pg_attribute b on b.attrelid = p.oid and b.attnum = k.parent_number
       where f.contype = 'f' and c.relnamespace = 'public'::regnamespace and not c.relispartition
       order by c.relname, f.oid, k.place`,
  },
}

export async function readCatalogue(database: Database): Promise<Catalogue> {
  const requested = texts[database.engine]
  const read = (text: string): Promise<Row[]> => database.all(sql('', text))
  const tables: Catalogue = new Map()
  const tableOf = (row: Row): CatalogueTable => {
    const name = String(row.table_name)
    const known = tables.get(name)
    if (known) return known
    const fresh = { name, columns: [], uniqueKeys: new Map(), indexes: new Set<string>(), references: [] }
    tables.set(name, fresh)
    return fresh
  }
  for (const row of await read(requested.columns)) {
    const { name, type, required, generated } = row
    tableOf(row).columns.push({
      ...{
        name: String(name),
        type: String(type),
        required: Number(required) === 1,
        generated: Number(generated) === 1,
      },
    })
  }
  for (const row of await read(requested.indexes)) {
    const { indexes, uniqueKeys } = tableOf(row)
    const name = String(row.index_name)
    indexes.add(name)
    if (Number(row.is_unique) === 1) uniqueKeys.set(name, [...(uniqueKeys.get(name) ?? []), String(row.column_name)])
  }
  const numbers = new Map<string, CatalogueTable['references'][number]>()
  for (const row of await read(requested.references)) {
    const key = `${row.table_name} ${row.number}`
    const reference = numbers.get(key) ?? { columns: [], table: String(row.parent), to: [] }
    if (!numbers.has(key)) tableOf(row).references.push(reference)
    numbers.set(key, reference)
    reference.columns.push(String(row.column_name))
    reference.to.push(String(row.parent_column))
  }
  return tables
}

/** Tables of the installation: in a distributed store, each of these is in one place. */
export const installationTables: Record<string, string> = {
  migrations: 'the form of the store itself',
  schema_changes: 'the form of the store itself: a row for each step',
  installation: 'facts of the installation, a few rows',
  installation_counts: 'sums over all applications: a row for each name that is counted',
  nodes: 'the processes that run now: a row each, which other tables are compared with',
  watch_shards: 'who has which part of the watched grants: a fixed number of rows, shared by all applications',
  data_keys: 'keys of the installation, read by every node',
  health_figures: 'figures of nodes, which serve all applications',
  reply_mailboxes: "the installation's own mailbox",
  people: 'who administers the installation, over applications',
  recovery_codes: 'goes with its person',
  service_accounts: 'programs that administer the installation, over applications',
  service_account_nonces: 'goes with its service account',
  admin_sessions: 'goes with its person',
  admin_links: 'for who administers the installation',
  agent_clients: 'OAuth clients that register before any application is known',
  audit: 'what was done in the whole installation, in one order; an entry may be of no application',
}

/** The distribution column of a tenant's table. */
export const distributedBy = (table: string): string => (table === 'applications' ? 'id' : 'application_id')
