/** Everything that a store holds, as text to be searched. */
import { type Database, sql } from '../../src/store/database.ts'

const names = {
  sqlite: "select name from sqlite_master where type = 'table' order by name",
  postgresql: "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
}

export const tableNames = async (database: Database): Promise<string[]> =>
  (await database.all(sql<{ name: string }>('', names[database.engine]))).map(({ name }) => name)

/** Every table with all its rows. */
export async function tablesAsText(database: Database): Promise<[table: string, rows: string][]> {
  const tables: [string, string][] = []
  for (const name of await tableNames(database)) {
    tables.push([name, JSON.stringify(await database.all(sql('', `select * from ${name}`)))])
  }
  return tables
}
