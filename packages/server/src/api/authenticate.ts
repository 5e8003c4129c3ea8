/**
 * Who calls: an application by its API key, a grant of one by an access token, or the administrator by password or
 * session, naming an application where one is needed.
 */

import type { Acting, AdminAuthentication, Visitor } from '../applications/admin-authentication.ts'
import { hashKey } from '../applications/api-keys.ts'
import { isAccessToken } from '../grants/access-tokens.ts'
import type { PathLocator } from '../grants/locator.ts'
import type { Owner } from '../grants/verify-credentials.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import { findTokenHolder } from '../store/access-tokens.ts'
import { findKeyHolder, type KeyHolder } from '../store/api-keys.ts'
import { getApplication } from '../store/applications.ts'
import type { Queries } from '../store/database.ts'
import { findKeyHolderAndGrant, type GrantRecord } from '../store/grants.ts'
import type { KeyUse } from '../telemetry/key-use.ts'

/**
 * `settings` is the document of `applications/settings.ts`, read only where one of them counts. With an access token
 * `grantId` is the one grant that the caller may use; `acting` is there where the administrator calls for the application.
 */
export type Caller = Owner & {
  environment: string
  settings: string
  keyId?: string
  grantId?: string
  acting?: Acting
}

export interface Authentication {
  queries: Queries
  admin: AdminAuthentication
  keyUse: KeyUse
  clock: Clock
}

const bearer = { 'www-authenticate': 'Bearer' }
const unauthorized = (message?: string): ApiError => new ApiError('unauthorized', message, { headers: bearer })

/** Who calls, and what was found on the way: the grant that the path names, where one look told both. */
export interface Admitted {
  caller: Caller
  named?: { record: GrantRecord | undefined }
}

/** The application that a request is made for; `grant` is how its path names one. */
export async function authenticateApplication(
  authentication: Authentication,
  request: Request,
  { address, grant }: { address: string; grant?: PathLocator | undefined },
): Promise<Admitted> {
  const header = request.headers.get('authorization')
  if (!header && authentication.admin.hasCookie(visitorOf(request, address))) {
    return { caller: await administratorFor(authentication, request, address) }
  }
  if (!header) throw unauthorized('no credential: send "Authorization: Bearer <API key>"')
  if (/^basic /i.test(header)) return { caller: await administratorFor(authentication, request, address) }
  const key = bearerOf(request)
  if (!key) throw unauthorized('the Authorization header must read "Bearer <API key>"')
  if (grant === undefined || grant.by === 'me' || isAccessToken(key)) {
    return { caller: await holderOf(authentication, key) }
  }
  const { holder, record } = await findKeyHolderAndGrant(authentication.queries, hashKey(key), grant)
  return { caller: callerOf(authentication, holder), named: { record } }
}

/** What a request of an OAuth client shows: an empty text where it is no bearer, undefined where it shows nothing. */
export const shownBy = (request: Request): string | undefined =>
  request.headers.has('authorization') ? (bearerOf(request) ?? '') : undefined

/** What a request shows as bearer. */
const bearerOf = (request: Request): string | undefined =>
  /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1]

/** The application, or its grant, that a key or an access token is of. */
export async function holderOf(
  authentication: Pick<Authentication, 'queries' | 'keyUse' | 'clock'>,
  key: string,
): Promise<Caller> {
  return (isAccessToken(key) && (await tokenHolder(authentication, key))) || keyHolder(authentication, key)
}

async function tokenHolder(
  { queries, clock }: Pick<Authentication, 'queries' | 'clock'>,
  token: string,
): Promise<Caller | undefined> {
  const holder = await findTokenHolder(queries, hashKey(token))
  if (!holder) return undefined
  const expired = holder.expires_at !== null && holder.expires_at <= clock.now()
  if (expired || holder.revoked_at !== null) throw unauthorized('the access token is expired or revoked')
  refuseBlocked(holder)
  return { ...ownerOf(holder), grantId: holder.grant_id }
}

const refuseBlocked = ({ blocked }: { blocked: number }): void => {
  if (blocked === 1) throw new ApiError('resource_blocked', 'the application is blocked by the administrator')
}

interface ApplicationFacts {
  application_id: string
  default_workspace_id: string
  grant_limit: number | null
  environment: string
  additional_settings: string
}

const ownerOf = (row: ApplicationFacts): Caller => ({
  id: row.application_id,
  workspaceId: row.default_workspace_id,
  grantLimit: row.grant_limit,
  environment: row.environment,
  settings: row.additional_settings,
})

const keyHolder = async (
  authentication: Pick<Authentication, 'queries' | 'keyUse' | 'clock'>,
  key: string,
): Promise<Caller> => callerOf(authentication, await findKeyHolder(authentication.queries, hashKey(key)))

function callerOf({ keyUse, clock }: Pick<Authentication, 'keyUse' | 'clock'>, holder: KeyHolder | undefined): Caller {
  const now = clock.now()
  const dead = !holder || holder.revoked_at !== null || (holder.expires_at !== null && holder.expires_at <= now)
  if (dead) throw unauthorized()
  refuseBlocked(holder)
  keyUse.note(holder.key_id, now)
  return { ...ownerOf(holder), keyId: holder.key_id }
}

async function administratorFor(authentication: Authentication, request: Request, address: string): Promise<Caller> {
  const acting = await authenticateAdministrator(authentication, request, address)
  const id = request.headers.get('x-waypost-application')
  if (!id) {
    throw new ApiError('invalid_request', 'x-waypost-application: name the application that you act for', {
      validationErrors: { 'x-waypost-application': 'is required with administrator credentials' },
    })
  }
  const row = await getApplication(authentication.queries, id)
  if (!row) throw new ApiError('not_found', 'no application with this id')
  return { ...ownerOf({ ...row, application_id: row.id }), acting }
}

/**
 * In whose name a request of an administrator comes: by password, or by a session. An API key never opens an
 * administrator's route, and where a request shows any credential, its cookies do not count.
 */
export const authenticateAdministrator = (
  { admin }: Pick<Authentication, 'admin'>,
  request: Request,
  address: string,
): Promise<Acting> => administratorOf(admin, visitorOf(request, address))

/** The same, of what is asked of a request. */
export async function administratorOf(admin: AdminAuthentication, visitor: Visitor): Promise<Acting> {
  const { address } = visitor
  const header = visitor.header('authorization')
  if (header === null && admin.hasCookie(visitor)) return admin.needSession(visitor)
  const encoded = /^basic +(\S+) *$/i.exec(header ?? '')?.[1]
  if (!encoded) throw new ApiError('administrator_required')
  const [user, ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const tried = user === 'admin' ? password.join(':') : undefined
  const guesser = admin.guesserOf(visitor)
  if (await admin.tryPassword(tried, { actor: 'password', guesser })) return { actor: 'password', address, guesser }
  throw new ApiError('administrator_required', 'wrong administrator password')
}

export const visitorOf = ({ method, headers }: Request, address: string): Visitor => ({
  method,
  address,
  header: (name) => headers.get(name),
})
