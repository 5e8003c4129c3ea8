/** Who calls: an application by its API key, or the administrator by password, naming an application where one is needed. */
import type { Administrator } from '../applications/administrator.ts'
import { hashKey } from '../applications/api-keys.ts'
import type { Owner } from '../grants/grants.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import { findKeyHolder } from '../store/api-keys.ts'
import { getApplication } from '../store/applications.ts'
import type { Queries } from '../store/database.ts'

/** `settings` is the document of `applications/settings.ts`, read only where one of them counts. */
export type Caller = Owner & { environment: string; settings: string; keyId?: string }

/** Remembers which keys were used when; written to the store now and then, not at every request. */
export interface KeyUse {
  note(keyId: string, now: number): void
}

export interface Authentication {
  queries: Queries
  administrator: Administrator
  keyUse: KeyUse
  clock: Clock
  /** Throws when an address sent too many wrong administrator passwords; answers what counts one more. */
  countFailure(address: string): () => void
}

const bearer = { 'www-authenticate': 'Bearer' }
const unauthorized = (message?: string): ApiError => new ApiError('unauthorized', message, { headers: bearer })

/** The application that a request is made for. */
export async function authenticateApplication(
  authentication: Authentication,
  request: Request,
  address: string,
): Promise<Caller> {
  const header = request.headers.get('authorization')
  if (!header) throw unauthorized('no credential: send "Authorization: Bearer <API key>"')
  if (/^basic /i.test(header)) return administratorFor(authentication, request, address)
  const key = /^bearer +(\S+) *$/i.exec(header)?.[1]
  if (!key) throw unauthorized('the Authorization header must read "Bearer <API key>"')
  return holderOf(authentication, key)
}

async function holderOf({ queries, keyUse, clock }: Authentication, key: string): Promise<Caller> {
  const holder = await findKeyHolder(queries, hashKey(key))
  const now = clock.now()
  const dead = !holder || holder.revoked_at !== null || (holder.expires_at !== null && holder.expires_at <= now)
  if (dead) throw unauthorized()
  if (holder.blocked === 1) throw new ApiError('resource_blocked', 'the application is blocked by the administrator')
  keyUse.note(holder.key_id, now)
  return {
    id: holder.application_id,
    workspaceId: holder.default_workspace_id,
    grantLimit: holder.grant_limit,
    environment: holder.environment,
    settings: holder.additional_settings,
    keyId: holder.key_id,
  }
}

async function administratorFor(authentication: Authentication, request: Request, address: string): Promise<Caller> {
  await authenticateAdministrator(authentication, request, address)
  const id = request.headers.get('x-waypost-application')
  if (!id) {
    throw new ApiError('invalid_request', 'x-waypost-application: name the application that you act for', {
      validationErrors: { 'x-waypost-application': 'is required with administrator credentials' },
    })
  }
  const row = await getApplication(authentication.queries, id)
  if (!row) throw new ApiError('not_found', 'no application with this id')
  return {
    id: row.id,
    workspaceId: row.default_workspace_id,
    grantLimit: row.grant_limit,
    environment: row.environment,
    settings: row.additional_settings,
  }
}

/** Throws unless the request carries the administrator's password. An API key never opens an administrator's route. */
export async function authenticateAdministrator(
  { administrator, countFailure }: Authentication,
  request: Request,
  address: string,
): Promise<void> {
  const encoded = /^basic +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (!encoded) throw new ApiError('administrator_required')
  const [user, ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const right = await inTurn(address, async () => {
    const countThis = countFailure(address)
    if (user === 'admin' && (await administrator.verify(password.join(':')))) return true
    countThis()
    return false
  })
  if (!right) throw new ApiError('administrator_required', 'wrong administrator password')
}

/** The last attempt of each address that is under way. */
const underWay = new Map<string, Promise<boolean>>()

/** Tries the passwords of an address one by one: guesses sent side by side would all be tried before the first counts. */
async function inTurn(address: string, attempt: () => Promise<boolean>): Promise<boolean> {
  const turn = (underWay.get(address) ?? Promise.resolve()).then(attempt, attempt)
  underWay.set(address, turn)
  try {
    return await turn
  } finally {
    if (underWay.get(address) === turn) underWay.delete(address)
  }
}
