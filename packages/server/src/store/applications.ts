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
  created_at: number
  updated_at: number
}

const columns =
  'id, environment, default_workspace_id, grant_limit, blocked, domain, branding, hosted_authentication, idp_settings, additional_settings, created_at, updated_at'

const insert = sql(
  'applications.insert',
  `insert into applications (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
)
const update = sql(
  'applications.update',
  `update applications set blocked = $2, domain = $3, branding = $4, hosted_authentication = $5, idp_settings = $6,
   additional_settings = $7, updated_at = $8 where id = $1`,
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
