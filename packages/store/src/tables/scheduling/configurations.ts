/** Configurations of booking pages. The document is sealed, because it names people and their calendars. */
import { type Database, dynamic, type Queries, type Statement, sql, type Value } from '../../engine/database.ts'
import { named, nullable, number, type RowOf, table, text } from '../../engine/table.ts'
import { type GrantScope, scopedRows } from '../grants/grant-scope.ts'
import { type After, firstPage } from '../mail/signatures.ts'

const configurations = table('scheduler_configurations', {
  id: text,
  application_id: text,
  /** The grant that owns the configuration. */
  grant_id: text,
  slug: nullable(text),
  name: text,
  type: text,
  /** 1 for a private configuration. */
  requires_session_auth: number,
  sealed_document: text,
  created_at: number,
  updated_at: number,
  /** Set for a deleted configuration that still has upcoming bookings. */
  removed_at: nullable(number),
})
export type ConfigurationRow = RowOf<typeof configurations>

/** Where a configuration is: its application, the grant that owns it, and its id. */
export interface ConfigurationPlace {
  applicationId: string
  grantId: string
}

const { columns, set } = configurations
const insert = configurations.insert()

type ChangedConfiguration = Omit<ConfigurationRow, 'grant_id' | 'created_at' | 'removed_at'>
const update = named<ChangedConfiguration>('scheduler_configurations.update')`update scheduler_configurations set
   ${set('slug', 'name', 'type', 'requires_session_auth', 'sealed_document', 'updated_at')}
   where application_id = :application_id and id = :id and removed_at is null`
const listOfGrant = configurations.select('listOfGrant')`where application_id = $1 and grant_id = $2
   and removed_at is null and (created_at, id) > ($3, $4) order by created_at, id limit $5`
const plain = 'application_id = $1 and removed_at is null'
const matching = `${plain}
   and (lower(name) like $5 escape $7 or lower(slug) like $5 escape $7 or id = $6 or grant_id in (
     select id from grants where application_id = $1 and email_key like $5 escape $7))`
const listText = (where: string): string =>
  `select ${columns} from scheduler_configurations where ${where} and (created_at, id) > ($2, $3) order by created_at, id limit $4`
const list = sql<ConfigurationRow>('scheduler_configurations.list')`${listText(plain)}`
const search = sql<ConfigurationRow>('scheduler_configurations.search')`${listText(matching)}`
/** The same for a caller who may see some grants only. */
const scopedList = (where: readonly string[]): Statement<ConfigurationRow> =>
  dynamic({ name: 'scheduler_configurations.scoped', text: listText(where.join(' and ')) })
const count = configurations.count('count')`where application_id = $1 and grant_id = $2 and removed_at is null`
const get = configurations.select('get')`where application_id = $1 and id = $2`
const bySlug = configurations.select('bySlug')`where application_id = $1 and slug = $2 and removed_at is null`
const byId = configurations.select('byId')`where id = $1`
const lock = configurations.update('lock')`set updated_at = updated_at
   where application_id = $1 and id = $2 and removed_at is null`
const close = configurations.update('close')`set removed_at = $3
   where application_id = $1 and id = $2 and removed_at is null`
const unneeded = sql<{ application_id: string; id: string }>('scheduler_configurations.unneeded')`
   select application_id, id from scheduler_configurations where removed_at is not null and not exists (
     select 1 from bookings where bookings.application_id = scheduler_configurations.application_id
     and bookings.configuration_id = scheduler_configurations.id and bookings.end_time > $1 and bookings.status <> 'cancelled') limit 100`
const remove = configurations.delete('remove')`where application_id = $1 and id = $2`

export interface ConfigurationPage {
  after: After | undefined
  limit: number
}

export const insertConfiguration = async (tx: Queries, row: ConfigurationRow): Promise<void> =>
  void (await tx.run(...insert(row)))
export const updateConfiguration = (tx: Queries, row: ChangedConfiguration): Promise<number> => tx.run(...update(row))
/** The configurations of a grant, in order of creation. */
export const listConfigurationsOfGrant = (
  queries: Queries,
  { applicationId, grantId }: ConfigurationPlace,
  { after = firstPage, limit }: ConfigurationPage,
): Promise<ConfigurationRow[]> => queries.all(listOfGrant, [applicationId, grantId, after.createdAt, after.id, limit])
/** Those of an application. `words` filters by name, slug, id and the address of the owner. */
export const listConfigurations = (
  queries: Queries & Pick<Database, 'engine'>,
  applicationId: string,
  {
    after = firstPage,
    limit,
    words,
    scope,
  }: ConfigurationPage & { words: string | undefined; scope?: GrantScope | undefined },
): Promise<ConfigurationRow[]> => {
  const page = [applicationId, after.createdAt, after.id, limit]
  const part = words === undefined ? undefined : `%${words.toLowerCase().replace(/[!%_]/g, '!$&')}%`
  const sought = part === undefined ? [] : [part, (words ?? '').toLowerCase(), '!']
  const values: Value[] = [...page, ...sought]
  const conditions = scopedRows(queries.engine, applicationId, scope)
  if (conditions.length === 0) return queries.all(part === undefined ? list : search, values)
  const where = conditions.map((condition) => condition((value) => `$${values.push(value)}`))
  return queries.all(scopedList([part === undefined ? plain : matching, ...where]), values)
}
export const countConfigurations = async (
  queries: Queries,
  { applicationId, grantId }: ConfigurationPlace,
): Promise<number> => (await queries.get(count, [applicationId, grantId]))?.n ?? 0
/** Also finds a removed configuration, which still has bookings. */
export const getConfiguration = (
  queries: Queries,
  applicationId: string,
  id: string,
): Promise<ConfigurationRow | undefined> => queries.get(get, [applicationId, id])
export const getConfigurationBySlug = (
  queries: Queries,
  applicationId: string,
  slug: string,
): Promise<ConfigurationRow | undefined> => queries.get(bySlug, [applicationId, slug])
/** For guests, who name a configuration and no application. Also finds a removed one. */
export const getConfigurationOfAny = (queries: Queries, id: string): Promise<ConfigurationRow | undefined> =>
  queries.get(byId, [id])
/** Locks a configuration until the transaction ends. False if there is none, or it was deleted. */
export const lockConfiguration = async (tx: Queries, applicationId: string, id: string): Promise<boolean> =>
  (await tx.run(lock, [applicationId, id])) === 1
/** Closes the page of a configuration that still has upcoming bookings. */
export const closeConfiguration = async (
  tx: Queries,
  { applicationId, id, now }: { applicationId: string; id: string; now: number },
): Promise<boolean> => (await tx.run(close, [applicationId, id, now])) === 1
export const removeConfiguration = async (tx: Queries, applicationId: string, id: string): Promise<boolean> =>
  (await tx.run(remove, [applicationId, id])) === 1

/** Removes deleted configurations whose last booking has ended, some at a time; `now` in seconds. */
export async function purgeConfigurations(queries: Queries, now: number): Promise<void> {
  for (const { application_id, id } of await queries.all(unneeded, [now]))
    await queries.run(remove, [application_id, id])
}
