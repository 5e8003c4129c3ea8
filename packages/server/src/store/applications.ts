import { type Queries, sql } from './database.ts'

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

const insert = sql(
  'applications.insert',
  `insert into applications (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
)
const update = sql(
  'applications.update',
  `update applications set blocked = $2, domain = $3, branding = $4, hosted_authentication = $5, idp_settings = $6,
   additional_settings = $7, notification_stream_until = $8, notification_days = $9, updated_at = $10 where id = $1`,
)
const get = sql<ApplicationRow>('applications.get', `select ${columns} from applications where id = $1`)
const list = sql<ApplicationRow>('applications.list', `select ${columns} from applications order by created_at, id`)
const lock = sql('applications.lock', 'update applications set blocked = blocked where id = $1')
const clearOrigins = sql('origins.clear', 'delete from origins where application_id = $1')
const addOrigin = sql(
  'origins.add',
  'insert into origins (application_id, origin) values ($1, $2) on conflict do nothing',
)
const hasOrigin = sql('origins.has', 'select 1 as found from origins where origin = $1 limit 1')
const ownsOrigin = sql('origins.owns', 'select 1 as found from origins where origin = $1 and application_id = $2')

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
  ])
}

export async function updateApplication(queries: Queries, row: ApplicationRow): Promise<void> {
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
  ])
}

export const getApplication = (queries: Queries, id: string): Promise<ApplicationRow | undefined> =>
  queries.get(get, [id])
export const listApplications = (queries: Queries): Promise<ApplicationRow[]> => queries.all(list)

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

const keepStream = sql(
  'applications.keepStream',
  `update applications set notification_stream_until = $2
   where id = $1 and notification_stream_until > 0 and notification_stream_until < $2`,
)
const endStreams = sql(
  'applications.endStreams',
  'update applications set notification_stream_until = 0 where notification_stream_until > 0 and notification_stream_until <= $1',
)
/** A stream that is on for a time stays on until another time. */
export const keepNotificationStream = (queries: Queries, id: string, until: number): Promise<number> =>
  queries.run(keepStream, [id, until])
/** Switches streams off whose time is over. */
export const endNotificationStreams = (queries: Queries, now: number): Promise<number> => queries.run(endStreams, [now])

const countAsked = sql(
  'applications.countAsked',
  'update applications set asked_revision = asked_revision + 1 where id = $1',
)
/** Who asks for an application's notifications is another: what is kept is looked through. */
export const noteAskersChanged = (tx: Queries, id: string): Promise<number> => tx.run(countAsked, [id])

export interface NotificationKeeping {
  id: string
  notification_stream_until: number
  notification_days: number | null
  asked_revision: number
  checked_revision: number
}
const keeping = sql<NotificationKeeping>(
  'applications.keeping',
  'select id, notification_stream_until, notification_days, asked_revision, checked_revision from applications',
)
const checked = sql(
  'applications.checked',
  'update applications set checked_revision = $2 where id = $1 and checked_revision < $2',
)
/** What every application says of its notifications. */
export const listNotificationKeeping = (queries: Queries): Promise<NotificationKeeping[]> => queries.all(keeping)
/** What was kept before a change of who asks is looked through. */
export const noteChecked = (queries: Queries, id: string, revision: number): Promise<number> =>
  queries.run(checked, [id, revision])
