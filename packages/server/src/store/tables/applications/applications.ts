import { type Engine, type Queries, sql, statedLimit } from '../../engine/database.ts'
import { type Condition, type KeysetPage, type KeysetPosition, readKeyset } from '../../engine/keyset.ts'
import { applicationsNamed, indexName } from './application-names.ts'

export interface ApplicationRow {
  id: string
  environment: string
  default_workspace_id: string
  grant_limit: number | null
  blocked: number
  domain: string | null
  branding: string
  hosted_authentication: string
  idp_settings: string
  additional_settings: string
  /** Until when the stream of notifications is on. */
  notification_stream_until: number
  /** How long notifications are kept; as the settings of the installation say where it is null. */
  notification_days: number | null
  created_at: number
  updated_at: number
}

const columns =
  'id, environment, default_workspace_id, grant_limit, blocked, domain, branding, hosted_authentication, idp_settings, additional_settings, notification_stream_until, notification_days, created_at, updated_at'

const insert = sql({
  name: 'applications.insert',
  text: `insert into applications (${columns}, name_key) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
  writes: ['applications'],
})
const update = sql({
  name: 'applications.update',
  text: `update applications set blocked = $2, domain = $3, branding = $4, hosted_authentication = $5, idp_settings = $6,
   additional_settings = $7, notification_stream_until = $8, notification_days = $9, updated_at = $10, name_key = $11 where id = $1`,
  writes: ['applications'],
})
const get = sql<ApplicationRow>({
  name: 'applications.get',
  text: `select ${columns} from applications where id = $1`,
  reads: ['applications'],
})
const nameKey = sql<{ name_key: string }>({
  name: 'applications.nameKey',
  text: 'select name_key from applications where id = $1',
  reads: ['applications'],
})
const list = sql<ApplicationRow>({
  name: 'applications.list',
  text: `select ${columns} from applications order by created_at, id`,
  reads: ['applications'],
})
const lock = sql({
  name: 'applications.lock',
  text: 'update applications set blocked = blocked where id = $1',
  writes: ['applications'],
})
const clearOrigins = sql({
  name: 'origins.clear',
  text: 'delete from origins where application_id = $1',
  writes: ['origins'],
})
const addOrigin = sql({
  name: 'origins.add',
  text: 'insert into origins (application_id, origin) values ($1, $2) on conflict do nothing',
  writes: ['origins'],
})
const hasOrigin = sql({
  name: 'origins.has',
  text: 'select 1 as found from origins where origin = $1 limit 1',
  reads: ['origins'],
})
const ownsOrigin = sql({
  name: 'origins.owns',
  text: 'select 1 as found from origins where origin = $1 and application_id = $2',
  reads: ['origins'],
})

/** The name in the form in which names are compared and put in order. */
const nameKeyOf = ({ branding }: ApplicationRow): string => String(JSON.parse(branding).name ?? '').toLowerCase()

export async function insertApplication(queries: Queries, row: ApplicationRow): Promise<void> {
  await queries.run(insert, [
    row.id,
    row.environment,
    row.default_workspace_id,
    row.grant_limit,
    row.blocked,
    row.domain,
    row.branding,
    row.hosted_authentication,
    row.idp_settings,
    row.additional_settings,
    row.notification_stream_until,
    row.notification_days,
    row.created_at,
    row.updated_at,
    nameKeyOf(row),
  ])
  await indexName(queries, row.id, { name: nameKeyOf(row) })
}

/** Within a transaction: the index of names changes with the name. */
export async function updateApplication(queries: Queries, row: ApplicationRow): Promise<void> {
  const former = (await queries.get(nameKey, [row.id]))?.name_key
  await queries.run(update, [
    row.id,
    row.blocked,
    row.domain,
    row.branding,
    row.hosted_authentication,
    row.idp_settings,
    row.additional_settings,
    row.notification_stream_until,
    row.notification_days,
    row.updated_at,
    nameKeyOf(row),
  ])
  await indexName(queries, row.id, { name: nameKeyOf(row), former })
}

export const getApplication = (queries: Queries, id: string): Promise<ApplicationRow | undefined> =>
  queries.get(get, [id])
export const listApplications = (queries: Queries): Promise<ApplicationRow[]> => queries.all(list)

export interface ApplicationSearch {
  /** A part of the name or the id. */
  text?: string | undefined
  ids?: readonly string[] | undefined
  environment?: string | undefined
  blocked?: boolean | undefined
}
const foundIn: Record<Engine, string> = { sqlite: 'instr', postgresql: 'strpos' }

/** What is asked for; no index has it in the order of a list. */
function conditionsOf(engine: Engine, { text, ids, environment, blocked }: ApplicationSearch): Condition[] {
  const has = (column: string, part: string): string => `${foundIn[engine]}(${column}, ${part}) > 0`
  const conditions: Condition[] = []
  if (text !== undefined) {
    conditions.push((bind) => {
      const part = bind(text.toLowerCase())
      return `(${has('name_key', part)} or ${has('id', part)})`
    })
  }
  if (ids) conditions.push((bind) => (ids.length > 0 ? `id in (${ids.map(bind).join(', ')})` : 'false'))
  if (environment !== undefined) conditions.push((bind) => `environment = ${bind(environment)}`)
  if (blocked !== undefined) conditions.push((bind) => `blocked = ${bind(blocked ? 1 : 0)}`)
  return conditions
}

/** The same with the ids of those that the text is a part of, where they are few. */
async function narrowed(queries: Queries, search: ApplicationSearch): Promise<ApplicationSearch> {
  if (!search.text || search.ids) return search
  const ids = await applicationsNamed(queries, search.text.toLowerCase())
  if (!ids || ids.length === 0) return { ...search, ids }
  // Some stand there twice, so that the texts are few.
  const padded = Array.from({ length: statedLimit(ids.length) }, (_, index) => ids[index] ?? ids[0] ?? '')
  return { ...search, ids: padded }
}

/** Applications as administrators look for them, one page. */
export async function searchApplications(
  queries: Queries,
  engine: Engine,
  asked: { search: ApplicationSearch; sort: 'created_at' | 'name'; order: 'asc' | 'desc' },
  page: { after?: KeysetPosition | undefined; limit: number },
): Promise<KeysetPage<ApplicationRow>> {
  const search = await narrowed(queries, asked.search)
  const where = conditionsOf(engine, search)
  const part = {
    name: 'applications.search',
    keys: [asked.sort === 'name' ? 'name_key' : 'created_at', 'id'],
    order: asked.order,
    walk: { from: 'applications', tables: ['applications'], where: [] },
    read: { columns, from: 'applications', tables: ['applications'], where },
    // Those with known ids are few, and found by them.
    sparse: where.length > 0 && search.ids === undefined,
  }
  return readKeyset(queries, [part], page)
}

/** Holds back other transactions that lock the same application until this one ends; false when there is none. */
export const lockApplication = async (tx: Queries, id: string): Promise<boolean> => (await tx.run(lock, [id])) === 1

/** Replaces the origins from which browsers may call in the name of an application. */
export async function replaceOrigins(tx: Queries, applicationId: string, origins: Iterable<string>): Promise<void> {
  await tx.run(clearOrigins, [applicationId])
  for (const origin of new Set(origins)) await tx.run(addOrigin, [applicationId, origin])
}

export const isKnownOrigin = async (queries: Queries, origin: string): Promise<boolean> =>
  (await queries.get(hasOrigin, [origin])) !== undefined
export const isOriginOf = async (queries: Queries, applicationId: string, origin: string): Promise<boolean> =>
  (await queries.get(ownsOrigin, [origin, applicationId])) !== undefined

const keepStream = sql({
  name: 'applications.keepStream',
  text: `update applications set notification_stream_until = $2
   where id = $1 and notification_stream_until > 0 and notification_stream_until < $2`,
  writes: ['applications'],
})
const endStreams = sql({
  name: 'applications.endStreams',
  text: 'update applications set notification_stream_until = 0 where notification_stream_until > 0 and notification_stream_until <= $1',
  writes: ['applications'],
})
/** A stream that is on for a time stays on until another time. */
export const keepNotificationStream = (queries: Queries, id: string, until: number): Promise<number> =>
  queries.run(keepStream, [id, until])
/** Switches streams off whose time is over. */
export const endNotificationStreams = (queries: Queries, now: number): Promise<number> => queries.run(endStreams, [now])

const countAsked = sql({
  name: 'applications.countAsked',
  text: 'update applications set asked_revision = asked_revision + 1 where id = $1',
  writes: ['applications'],
})
/** Who asks for an application's notifications is another: what is kept is looked through. */
export const noteAskersChanged = (tx: Queries, id: string): Promise<number> => tx.run(countAsked, [id])

export interface NotificationKeeping {
  id: string
  notification_stream_until: number
  notification_days: number | null
  asked_revision: number
}
/** So many applications are read at once. */
export const keepingPage = 200
const unchecked = sql<NotificationKeeping>({
  name: 'applications.unchecked',
  text: `select id, notification_stream_until, notification_days, asked_revision from applications
   where id > $1 and checked_revision < asked_revision order by id limit ${keepingPage}`,
  reads: ['applications'],
})
const keptDays = sql<{ longest: number | null; shortest: number | null }>({
  name: 'applications.keptDays',
  text: `select (select max(notification_days) from applications where notification_days is not null) as longest,
   (select min(notification_days) from applications where notification_days is not null) as shortest`,
  reads: ['applications'],
})
const checked = sql({
  name: 'applications.checked',
  text: 'update applications set checked_revision = $2 where id = $1 and checked_revision < $2',
  writes: ['applications'],
})
/** Applications that changed what they keep, a page of them behind an id. */
export const listUnchecked = (queries: Queries, after: string): Promise<NotificationKeeping[]> =>
  queries.all(unchecked, [after])
/** The most and the fewest days that any application keeps, where those that say nothing keep so many. */
export async function keptDaysOf(queries: Queries, days: number): Promise<{ longest: number; shortest: number }> {
  const { longest, shortest } = (await queries.get(keptDays)) ?? {}
  return { longest: Math.max(longest ?? days, days), shortest: Math.min(shortest ?? days, days) }
}
/** What was kept before a change of who asks is looked through. */
export const noteChecked = (queries: Queries, id: string, revision: number): Promise<number> =>
  queries.run(checked, [id, revision])
