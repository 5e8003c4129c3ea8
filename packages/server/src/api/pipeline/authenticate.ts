/**
 * Finds the caller: an application by its API key, a grant by an access token, or an administrator by password or session.
 * An administrator names the application in `x-waypost-application`.
 */

import type { Grant } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { JsonText } from '@waypost/platform/json/values'
import type { Queries } from '@waypost/store/engine/database'
import { findKeyHolder, findRestrictedHolder, type KeyHolder } from '@waypost/store/tables/applications/api-keys'
import { getApplication } from '@waypost/store/tables/applications/applications'
import { findTokenHolder } from '@waypost/store/tables/grants/access-tokens'
import { findKeyHolderAndDocument, findKeyHolderAndGrant, type GrantRecord } from '@waypost/store/tables/grants/grants'
import type { Acting } from '../../applications/acting.ts'
import type { AdminAuthentication } from '../../applications/admin-authentication.ts'
import { bearerIn, hashKey, hashRestrictedKey, isRestrictedKey } from '../../applications/api-keys.ts'
import { readRights } from '../../applications/key-rights.ts'
import type { Visitor } from '../../applications/own-page.ts'
import { reaches } from '../../applications/rights.ts'
import { needNoActionFirst } from '../../applications/second-factor-policy.ts'
import { isAccessToken } from '../../grants/access-tokens.ts'
import { type Caller, ownerOf } from '../../grants/caller.ts'
import type { PathLocator } from '../../grants/locator.ts'
import type { KeyUse } from '../../telemetry/credential-log.ts'
import type { HttpRequest } from '../http/http.ts'

export interface Authentication {
  queries: Queries
  admin: AdminAuthentication
  keyUse: KeyUse
  clock: Clock
}

const bearer = { 'www-authenticate': 'Bearer' }
export const unauthorized = (message?: string): ApiError => new ApiError('unauthorized', message, { headers: bearer })

/** The document of the grant that a path names. */
export interface FoundDocument {
  document: JsonText<Grant> | undefined
}

/** The caller, and the grant or document that the path names where one statement read both. */
export interface Authenticated {
  caller: Caller
  named?: { record: GrantRecord | undefined }
  found?: FoundDocument
}

/** Finds the application that a request is made for. `grant` is how its path names a grant; `wants` is what to read of it. */
export async function authenticateApplication(
  authentication: Authentication,
  request: HttpRequest,
  { address, grant, wants }: { address: string; grant: PathLocator | undefined; wants: 'record' | 'document' },
): Promise<Authenticated> {
  const header = request.header('authorization')
  const asAdministrator = async (): Promise<Authenticated> => ({
    caller: await administratorFor(authentication, request, address),
  })
  if (!header && authentication.admin.hasCookie(visitorOf(request, address))) return asAdministrator()
  if (!header) throw unauthorized('no credential: send "Authorization: Bearer <API key>"')
  if (/^basic /i.test(header)) return asAdministrator()
  const key = bearerIn(header)
  if (!key) throw unauthorized('the Authorization header must read "Bearer <API key>"')
  if (isRestrictedKey(key)) return { caller: await restrictedHolder(authentication, key) }
  const hash = hashKey(key)
  if (isAccessToken(key)) return { caller: await holderOf(authentication, key, hash) }
  if (grant === undefined || grant.by === 'me') {
    return { caller: await keyHolder(authentication, hash) }
  }
  if (wants === 'document') {
    const { holder, document } = await findKeyHolderAndDocument(authentication.queries, hash, grant)
    return { caller: callerOf(authentication, holder), found: { document } }
  }
  const { holder, record } = await findKeyHolderAndGrant(authentication.queries, hash, grant)
  return { caller: callerOf(authentication, holder), named: { record } }
}

/** The application and the rights of a restricted key. They are read at every request, so that changes take effect at once. */
export async function restrictedHolder(
  authentication: Pick<Authentication, 'queries' | 'keyUse' | 'clock'>,
  key: string,
): Promise<Caller> {
  const holder = await findRestrictedHolder(authentication.queries, hashRestrictedKey(key))
  const caller = callerOf(authentication, holder)
  if (!holder) throw unauthorized()
  const { key_id: id, key_name: name, rights } = holder
  return { ...caller, credential: { type: 'api_key', id, name, rights: readRights(rights) } }
}

/** The application, or its grant, that a key with all rights or an access token belongs to. */
export async function holderOf(
  authentication: Pick<Authentication, 'queries' | 'keyUse' | 'clock'>,
  key: string,
  hash = hashKey(key),
): Promise<Caller> {
  return (isAccessToken(key) && (await tokenHolder(authentication, hash))) || keyHolder(authentication, hash)
}

async function tokenHolder(
  { queries, clock }: Pick<Authentication, 'queries' | 'clock'>,
  hash: string,
): Promise<Caller | undefined> {
  const holder = await findTokenHolder(queries, hash)
  if (!holder) return undefined
  const expired = holder.expires_at !== null && holder.expires_at <= clock.now()
  if (expired || holder.revoked_at !== null) throw unauthorized('the access token is expired or revoked')
  refuseBlocked(holder)
  return { ...ownerOf(holder), grantId: holder.grant_id }
}

export const refuseBlocked = ({ blocked }: { blocked: number }): void => {
  if (blocked === 1) throw new ApiError('resource_blocked', 'the application is blocked by the administrator')
}

const keyHolder = async (
  authentication: Pick<Authentication, 'queries' | 'keyUse' | 'clock'>,
  hash: string,
): Promise<Caller> => callerOf(authentication, await findKeyHolder(authentication.queries, hash))

function callerOf({ keyUse, clock }: Pick<Authentication, 'keyUse' | 'clock'>, holder: KeyHolder | undefined): Caller {
  const now = clock.now()
  const dead = !holder || holder.revoked_at !== null || (holder.expires_at !== null && holder.expires_at <= now)
  if (dead) throw unauthorized()
  refuseBlocked(holder)
  keyUse.note({ applicationId: holder.application_id, id: holder.key_id }, now)
  return ownerOf(holder, holder.key_id)
}

async function administratorFor(
  authentication: Authentication,
  request: HttpRequest,
  address: string,
): Promise<Caller> {
  const acting = await authenticateAdministrator(authentication.admin, visitorOf(request, address))
  const id = request.header('x-waypost-application')
  if (!id) {
    throw new ApiError('invalid_request', 'x-waypost-application: name the application that you act for', {
      validationErrors: { 'x-waypost-application': 'is required with administrator credentials' },
    })
  }
  // An application without a right looks like one that does not exist.
  const row = reaches(acting.rights, id) ? await getApplication(authentication.queries, id) : undefined
  if (!row) throw new ApiError('not_found', 'no application with this id')
  return { ...ownerOf({ ...row, application_id: row.id }), acting }
}

/**
 * Finds the administrator of a request, by password or by session. An API key never opens an administrator's route.
 * Cookies count only in requests that carry no other credential.
 */
export async function authenticateAdministrator(admin: AdminAuthentication, visitor: Visitor): Promise<Acting> {
  const header = visitor.header('authorization')
  if (header === null && admin.hasCookie(visitor)) return admin.needSession(visitor)
  const encoded = /^basic +(\S+) *$/i.exec(header ?? '')?.[1]
  if (!encoded) throw new ApiError('administrator_required')
  const [user = '', ...words] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const password = words.join(':')
  const email = user === 'admin' ? undefined : user
  const guesser = admin.guesserOf(visitor, email)
  const by = { actor: 'password', guesser } as const
  if (email === undefined) {
    if (!(await admin.tryPassword(password, by))) {
      throw new ApiError('administrator_required', 'wrong administrator password')
    }
    return { ...by, address: visitor.address, ...(await admin.standingOf(null, 'password')) }
  }
  const person = await admin.tryPerson({ email, password }, by)
  if (!person) throw new ApiError('administrator_required', 'wrong address or password')
  return { ...by, address: visitor.address, ...(await admin.standingOf(person, 'password')) }
}

/** The same for a page outside the contract. Refuses administrators who have a required action, such as a new password. */
export async function administratorOf(admin: AdminAuthentication, visitor: Visitor): Promise<Acting> {
  const acting = await authenticateAdministrator(admin, visitor)
  needNoActionFirst(acting.requiredAction)
  return acting
}

const visitorOf = (request: HttpRequest, address: string): Visitor => ({
  method: request.method,
  address,
  header: (name) => request.header(name),
})
