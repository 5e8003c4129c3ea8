import { type Queries, sql } from './database.ts'

const read = sql<{ value: string }>('installation.read', 'select value from installation where name = $1')
const insert = sql(
  'installation.insert',
  'insert into installation (name, value) values ($1, $2) on conflict (name) do nothing',
)
const write = sql(
  'installation.write',
  'insert into installation (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
)

/** Facts of the installation: its organization, its administrator, the check value of its key. */
export type Fact =
  | 'organization_id'
  | 'administrator'
  /** When an administrator first signed in to the dashboard. */
  | 'administrator_seen'
  | 'key_check'
  | 'sandbox_application_id'

export const readFact = async (queries: Queries, name: Fact): Promise<string | undefined> =>
  (await queries.get(read, [name]))?.value

/** Keeps the first value; answers the one that stands. */
export async function keepFact(queries: Queries, name: Fact, value: string): Promise<string> {
  await queries.run(insert, [name, value])
  return (await readFact(queries, name)) ?? value
}

export const writeFact = (queries: Queries, name: Fact, value: string): Promise<number> =>
  queries.run(write, [name, value])
