/** Refuses a PostgreSQL database that has the tables of another program, as `sqlite-file.ts` refuses such a file. */
import { type Database, type Queries, sql } from './database.ts'
import { UnusableStore } from './sqlite-file.ts'

// Tables of extensions belong to nobody.
const poll = sql<{ database: string; columns: string | null; tables: string | null }>('pg_class.owner')`
   select current_database() as database,
   (select string_agg(a.attname, ' ') from pg_attribute a join pg_class c on c.oid = a.attrelid
   where c.relnamespace = to_regnamespace(current_schema()) and c.relname = 'migrations' and a.attnum > 0) as columns,
   (select string_agg(c.relname, ',' order by c.relname) from pg_class c
   where c.relnamespace = to_regnamespace(current_schema()) and c.relkind in ('r', 'p') and not exists (select 1
   from pg_depend d where d.classid = cast('pg_class' as regclass) and d.objid = c.oid and d.deptype = 'e')) as tables`

/** The database is empty, or ours. Many programs have a table `migrations`, with other columns. */
export async function refuseForeignDatabase({ engine }: Pick<Database, 'engine'>, queries: Queries): Promise<void> {
  if (engine !== 'postgresql') return
  const found = await queries.get(poll)
  const columns = found?.columns?.split(' ') ?? []
  if (!found?.tables || (columns.includes('number') && columns.includes('applied_at'))) return
  const names = found.tables.split(',')
  const some = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
  throw new UnusableStore(
    `the PostgreSQL database ${found.database} is a database of another program: it has the tables ${some}`,
    'make a database for Waypost alone (createdb waypost), and name it in DATABASE_URL',
  )
}
