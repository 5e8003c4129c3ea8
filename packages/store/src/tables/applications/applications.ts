import { type Engine, insertingRows, type Queries, type Statement, sql, statedLimit } from '../../engine/database.ts'
import { among, type Condition, equal, type KeysetPage, type KeysetPosition, readKeyset } from '../../engine/keyset.ts'
import { named, nullable, number, type RowOf, table, text } from '../../engine/table.ts'

const applications = table('applications', {
  id: text,
  environment: text,
  default_workspace_id: text,
  grant_limit: nullable(number),
  blocked: number,
  domain: nullable(text),
  branding: text,
  hosted_authentication: text,
  idp_settings: text,
  additional_settings: text,
  /** The notification stream is on until this time. */
  notification_stream_until: number,
  /** The retention of notifications in days; null means the default of the installation. */
  notification_days: nullable(number),
  /** Whether the MCP endpoint serves the application: 1 or 0. */
  mcp_enabled: number,
  created_at: number,
  updated_at: number,
})
export type ApplicationRow = RowOf<typeof applications>

const { columns, values, set } = applications

type NamedRow = ApplicationRow & { name_key: string }
const insert = named<NamedRow>('applications.insert')`insert into applications (${columns}, name_key)
   values (${values}, :name_key)`
const update = named<NamedRow>('applications.update')`update applications
   set ${set('blocked', 'domain', 'branding', 'hosted_authentication', 'idp_settings')},
   ${set('additional_settings', 'notification_stream_until', 'notification_days', 'mcp_enabled', 'updated_at')},
   name_key = :name_key where id = :id`
const get = applications.select('get')`where id = $1`
const nameKey = sql<{ name_key: string }>('applications.nameKey')`select name_key from applications where id = $1`
const list = applications.select('list')`order by created_at, id`
const lockRow = applications.update('lock')`set blocked = blocked where id = $1`
// Every machine has a copy of this table, and a write of any row would lock all of them against all other writes.
// All nodes use the coordinator, so a lock there is enough.
const lockName = sql('applications.lockName')`select pg_advisory_xact_lock(hashtextextended(id, 7294154))
   from applications where id = $1`
const lock: Statement<unknown> = { ...lockRow, distributed: lockName }
const clearOrigins = sql('origins.clear')`delete from origins where application_id = $1`
const addOrigin = sql('origins.add')`insert into origins (application_id, origin) values ($1, $2)
   on conflict do nothing`
const hasOrigin = sql('origins.has')`select 1 as found from origins where origin = $1 limit 1`
const ownsOrigin = sql('origins.owns')`select 1 as found from origins where origin = $1 and application_id = $2`

/** The name in the form that is used for comparison and sorting. */
const nameKeyOf = ({ branding }: ApplicationRow): string => String(JSON.parse(branding).name ?? '').toLowerCase()

export async function insertApplication(queries: Queries, row: ApplicationRow): Promise<void> {
  const name = nameKeyOf(row)
  await queries.run(...insert({ ...row, name_key: name }))
  await indexName(queries, row.id, { name })
}

/** Must run in a transaction, because the index of names changes with the name. */
export async function updateApplication(queries: Queries, row: ApplicationRow): Promise<void> {
  const former = (await queries.get(nameKey, [row.id]))?.name_key
  const name = nameKeyOf(row)
  await queries.run(...update({ ...row, name_key: name }))
  await indexName(queries, row.id, { name, former })
}

export const getApplication = (queries: Queries, id: string): Promise<ApplicationRow | undefined> =>
  queries.get(get, [id])
export const listApplications = (queries: Queries): Promise<ApplicationRow[]> => queries.all(list)

const mcpEnabled = sql<{ id: string }>('applications.mcpEnabled')`select id from applications where mcp_enabled = 1
   order by id limit 2`
/** The only application that the MCP endpoint serves; undefined if there are none or several. */
export async function onlyMcpApplication(queries: Queries): Promise<string | undefined> {
  const [only, second] = await queries.all(mcpEnabled)
  return second ? undefined : only?.id
}

export interface ApplicationSearch {
  /** A part of the name or the id. */
  text?: string | undefined
  ids?: readonly string[] | undefined
  environment?: string | undefined
  blocked?: boolean | undefined
}
const foundIn: Record<Engine, string> = { sqlite: 'instr', postgresql: 'strpos' }

/** The filters. No index supports them in the order of the list. */
function conditionsOf(engine: Engine, { text, ids, environment, blocked }: ApplicationSearch): Condition[] {
  const has = (column: string, part: string): string => `${foundIn[engine]}(${column}, ${part}) > 0`
  const conditions: Condition[] = []
  if (text !== undefined) {
    conditions.push((bind) => {
      const part = bind(text.toLowerCase())
      return `(${has('name_key', part)} or ${has('id', part)})`
    })
  }
  if (ids) conditions.push(among('id', ids))
  conditions.push(...equal('environment', environment))
  conditions.push(...equal('blocked', blocked === undefined ? undefined : Number(blocked)))
  return conditions
}

/** Replaces the search text by the matching ids, if they are few. */
async function narrowed(queries: Queries, search: ApplicationSearch): Promise<ApplicationSearch> {
  if (!search.text || search.ids) return search
  const ids = await applicationsNamed(queries, search.text.toLowerCase())
  if (!ids || ids.length === 0) return { ...search, ids }
  // Repeated ids pad the list to a few lengths, so that few texts are prepared.
  const padded = Array.from({ length: statedLimit(ids.length) }, (_, index) => ids[index] ?? ids[0] ?? '')
  return { ...search, ids: padded }
}

/** One page of an administrator's search for applications. */
export async function searchApplications(
  queries: Queries,
  engine: Engine,
  requested: { search: ApplicationSearch; sort: 'created_at' | 'name'; order: 'asc' | 'desc' },
  page: { after?: KeysetPosition | undefined; limit: number },
): Promise<KeysetPage<ApplicationRow>> {
  const search = await narrowed(queries, requested.search)
  const where = conditionsOf(engine, search)
  const part = {
    name: 'applications.search',
    keys: [requested.sort === 'name' ? 'name_key' : 'created_at', 'id'],
    order: requested.order,
    walk: { from: 'applications', where: [] },
    read: { columns, from: 'applications', where },
    // With a list of ids, the rows are found directly.
    sparse: where.length > 0 && search.ids === undefined,
  }
  return readKeyset(queries, [part], page)
}

/** Locks the application until the transaction ends. False if it does not exist. */
export const lockApplication = async (tx: Queries, id: string): Promise<boolean> => (await tx.run(lock, [id])) === 1

/** Replaces the origins from which browsers may call the API for an application. */
export async function replaceOrigins(tx: Queries, applicationId: string, origins: Iterable<string>): Promise<void> {
  await tx.run(clearOrigins, [applicationId])
  for (const origin of new Set(origins)) await tx.run(addOrigin, [applicationId, origin])
}

export const isKnownOrigin = async (queries: Queries, origin: string): Promise<boolean> =>
  (await queries.get(hasOrigin, [origin])) !== undefined
export const isOriginOf = async (queries: Queries, applicationId: string, origin: string): Promise<boolean> =>
  (await queries.get(ownsOrigin, [origin, applicationId])) !== undefined

const keepStream = applications.update('keepStream')`set notification_stream_until = $2
   where id = $1 and notification_stream_until > 0 and notification_stream_until < $2`
const extendStream = applications.update('extendStream')`set notification_stream_until = $2
   where id = $1 and notification_stream_until < $2`
const endStreams = applications.update('endStreams')`set notification_stream_until = 0
   where notification_stream_until > 0 and notification_stream_until <= $1`
/** Extends a notification stream that is on for a limited time. */
export const keepNotificationStream = (queries: Queries, id: string, until: number): Promise<number> =>
  queries.run(keepStream, [id, until])
/** Switches a notification stream on for a limited time, unless it is on for longer. */
export const extendNotificationStream = (queries: Queries, id: string, until: number): Promise<number> =>
  queries.run(extendStream, [id, until])
/** Switches off expired notification streams. */
export const endNotificationStreams = (queries: Queries, now: number): Promise<number> => queries.run(endStreams, [now])

const countRequested = applications.update('countAsked')`set asked_revision = asked_revision + 1 where id = $1`
/** Records that the subscriptions of an application changed, so that housekeeping checks its stored notifications. */
export const noteAskersChanged = (tx: Queries, id: string): Promise<number> => tx.run(countRequested, [id])

export interface NotificationKeeping {
  id: string
  notification_stream_until: number
  notification_days: number | null
  asked_revision: number
}
/** Applications per page. */
export const keepingPage = 200
const unchecked = sql<NotificationKeeping>('applications.unchecked')`
   select id, notification_stream_until, notification_days, asked_revision from applications
   where id > $1 and checked_revision < asked_revision order by id limit ${keepingPage}`
const retainedDays = sql<{ longest: number | null; shortest: number | null }>('applications.keptDays')`
   select (select max(notification_days) from applications where notification_days is not null) as longest,
   (select min(notification_days) from applications where notification_days is not null) as shortest`
const checked = applications.update('checked')`set checked_revision = $2 where id = $1 and checked_revision < $2`
/** A page of applications, after an id, whose subscriptions changed since their notifications were last checked. */
export const listUnchecked = (queries: Queries, after: string): Promise<NotificationKeeping[]> =>
  queries.all(unchecked, [after])
/** The longest and the shortest retention of all applications. `days` is the default for those without a setting. */
export async function retainedDaysOf(queries: Queries, days: number): Promise<{ longest: number; shortest: number }> {
  const { longest, shortest } = (await queries.get(retainedDays)) ?? {}
  return { longest: Math.max(longest ?? days, days), shortest: Math.min(shortest ?? days, days) }
}
/** Records that the stored notifications were checked against this revision of the subscriptions. */
export const noteChecked = (queries: Queries, id: string, revision: number): Promise<number> =>
  queries.run(checked, [id, revision])

// Finds applications by a part of their name or id. Each suffix of both is an index entry, and each part is the
// prefix of a suffix. So a rare text is found without a scan of all applications.

/** The stored length of a suffix. For a longer search text, the caller compares the rest. */
const maxPartLength = 64
/** The maximum number of entries to read. With more matches, a few segments of the full list fill a page. */
const maxFound = 1_000

const add = sql('application_names.add')`insert into application_names (application_id, part) values ($1, $2)
   on conflict do nothing`
const remove = sql('application_names.remove')`delete from application_names where application_id = $1 and part = $2`
const having = sql<{ id: string }>('application_names.having')`select application_id as id from application_names
   where part >= $1 and part < $2 limit ${maxFound}`

function partsOf(...texts: readonly string[]): Set<string> {
  const parts = new Set<string>()
  for (const text of texts) {
    const letters = Array.from(text)
    for (const from of letters.keys()) parts.add(letters.slice(from, from + maxPartLength).join(''))
  }
  return parts
}

/** Indexes the name of a new or renamed application. */
export async function indexName(
  tx: Queries,
  id: string,
  { name, former }: { name: string; former?: string | undefined },
): Promise<void> {
  if (name === former) return
  const parts = partsOf(name, id)
  if (former !== undefined) {
    for (const part of partsOf(former)) if (!parts.has(part)) await tx.run(remove, [id, part])
  }
  const rows = [...parts].map((part) => [id, part] as const)
  // Two batch sizes, so that few texts are prepared.
  while (rows.length > 0) {
    const piece = rows.splice(0, rows.length >= 16 ? 16 : 1)
    await tx.run(insertingRows('application_names.addAll', add, piece), piece.flat())
  }
}

/** The ids of all applications with this text in their name or id. Undefined if there are too many. */
export async function applicationsNamed(queries: Queries, text: string): Promise<string[] | undefined> {
  const part = Array.from(text).slice(0, maxPartLength).join('')
  const found = await queries.all(having, [part, `${part}\u{10FFFF}`])
  return found.length === maxFound ? undefined : [...new Set(found.map(({ id }) => id))]
}
