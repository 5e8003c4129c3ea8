/**
 * API keys: `wpk_<environment>_<8 letters>_<43 of 256 random bits>_<check>`. The key is shown once. The store has
 * only its SHA-256, which is safe for 256 random bits. The check distinguishes a mistyped key from a revoked one
 * without a query. Keys with limited rights start with `wprk_`.
 */
import { createHash, hash } from 'node:crypto'
import type { ApiKey, KeyCreator, KeyRights, NewApiKey, PersonKeys } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { newId, newShortName, newToken } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import {
  type ApiKeyRow,
  changeApiKey,
  getApiKey,
  hasCreatedKeys,
  insertApiKey,
  listKeysOfCreator,
  revokeApiKey,
} from '@waypost/store/tables/applications/api-keys'
import { getPerson } from '@waypost/store/tables/applications/people'
import type { Acting } from './acting.ts'
import { type AuditFacts, keepAudit } from './audit.ts'
import { readRights } from './key-rights.ts'

/** The prefixes of keys with all rights, and of restricted ones. */
export const keyPrefix = 'wpk_'
export const restrictedPrefix = 'wprk_'

const day = 86_400_000

/** The stored form of a key. */
export const hashKey = (key: string): string => hash('sha256', key, 'hex')

/**
 * The stored form of a restricted key. Version 1.1.0 hashes every key without the word, so that its nodes do not find
 * restricted keys and cannot ignore their rights.
 */
export const hashRestrictedKey = (key: string): string => hash('sha256', `restricted ${key}`, 'hex')

export const isRestrictedKey = (key: string): boolean => key.startsWith(restrictedPrefix)

function makeKey(prefix: string, environment: string): string {
  const body = `${prefix}${environment}_${newShortName(8)}_${newToken()}`
  return `${body}_${createHash('sha256').update(body).digest('hex').slice(0, 6)}`
}

/**
 * The beginning of a key: enough to tell keys apart, too little to use. Only keys of our own form have a public part.
 */
const hintOf = (key: string): string => {
  const open = /^wpr?k_[a-z]+_[a-z2-9]{8}(?=_[\w-]{43}_[0-9a-f]{6}$)/.exec(key)?.[0]
  return `${open ?? key.slice(0, 4)}…`
}

const creatorOf = (row: ApiKeyRow): KeyCreator => ({
  type: row.creator ?? 'unknown',
  person_id: row.creator_person_id,
  name: row.creator_name,
})

export function apiKeyOf(row: ApiKeyRow, now: number): ApiKey {
  const expired = row.expires_at !== null && row.expires_at <= now
  const rights = row.rights === null ? null : readRights(row.rights)
  return {
    id: row.id,
    application_id: row.application_id,
    name: row.name,
    hint: row.hint,
    permissions: rights ? rights.operations : ['all'],
    rights,
    status: row.revoked_at !== null ? 'revoked' : expired ? 'expired' : 'active',
    expires_in: row.expires_at === null ? null : Math.max(0, Math.ceil((row.expires_at - now) / day)),
    expires_at: row.expires_at === null ? null : seconds(row.expires_at),
    last_used_at: row.last_used_at === null ? null : seconds(row.last_used_at),
    created_by: creatorOf(row),
    created_at: seconds(row.created_at),
    updated_at: seconds(row.updated_at),
  }
}

export interface ApiKeyDraft {
  name: string
  expiresInDays?: number | null
  environment: string
  /** The key itself, if the operator chose it. */
  key?: string
  /** Checked by `needValidRights`. Without them the key has all rights. */
  rights?: KeyRights | null | undefined
  createdBy: KeyCreator
}

/** Creates and stores a key. The result is the only place that contains the key itself. */
export async function createApiKey(
  tx: Queries,
  applicationId: string,
  draft: ApiKeyDraft,
  now: number,
): Promise<NewApiKey> {
  const { rights } = draft
  const key = draft.key ?? makeKey(rights ? restrictedPrefix : keyPrefix, draft.environment)
  const row: ApiKeyRow = {
    id: newId(),
    application_id: applicationId,
    name: draft.name,
    hint: hintOf(key),
    hash: rights ? hashRestrictedKey(key) : hashKey(key),
    expires_at: draft.expiresInDays ? now + draft.expiresInDays * day : null,
    revoked_at: null,
    last_used_at: null,
    created_at: now,
    updated_at: now,
    creator: draft.createdBy.type,
    creator_person_id: draft.createdBy.person_id,
    creator_name: draft.createdBy.name,
    rights: rights ? JSON.stringify(rights) : null,
  }
  await insertApiKey(tx, row)
  return { ...apiKeyOf(row, now), api_key: key }
}

/** Changes the name or the rights of a key. A key with all rights keeps them. */
export async function updateApiKey(
  tx: Queries,
  at: { applicationId: string; id: string },
  change: { name?: string | undefined; rights?: KeyRights | undefined },
  now: number,
): Promise<ApiKey> {
  const row = await getApiKey(tx, at.applicationId, at.id)
  if (!row) throw new ApiError('not_found', 'no API key with this id')
  if (change.rights && row.rights === null) throw keepsAllRights()
  const changed: ApiKeyRow = {
    ...row,
    name: change.name ?? row.name,
    rights: change.rights ? JSON.stringify(change.rights) : row.rights,
    updated_at: now,
  }
  if ((await changeApiKey(tx, changed)) === 0) throw new ApiError('not_found', 'this API key is revoked')
  return apiKeyOf(changed, now)
}

const keepsAllRights = (): ApiError =>
  new ApiError(
    'conflict',
    'rights: this key has all rights and keeps them; create a restricted key, then revoke this one',
    { validationErrors: { rights: 'cannot be given to a key that has all rights' } },
  )

/** A key that no person created. */
export const createdBy = (type: Exclude<KeyCreator['type'], 'person'>): KeyCreator => ({
  type,
  person_id: null,
  name: null,
})

/** Creates a key and records the caller as its creator. */
export function createdByActing({ person, serviceAccount }: Pick<Acting, 'person' | 'serviceAccount'>): KeyCreator {
  if (serviceAccount) return { ...createdBy('service_account'), name: serviceAccount.name }
  return person ? { type: 'person', person_id: person.id, name: person.name } : createdBy('installation')
}

/** The person who revokes the keys that another one created, for the audit. They stay valid otherwise. */
export type Revoker = Pick<AuditFacts, 'actor' | 'address' | 'person'>

/** Throws if there is no such person and never was one who created a key. */
export async function needKeyCreator(queries: Queries, personId: string): Promise<void> {
  if ((await getPerson(queries, personId)) || (await hasCreatedKeys(queries, personId))) return
  throw new ApiError('not_found', 'no person with this id, and no API key created by one')
}

/** The valid keys of a person, in a transaction. If a revoker is given, they are revoked. */
export async function keysOfPerson(
  tx: Queries,
  personId: string,
  { revoker, now }: { revoker?: Revoker | undefined; now: number },
): Promise<PersonKeys> {
  const rows = await listKeysOfCreator(tx, personId, now)
  if (!revoker) return { api_keys: rows.map((row) => apiKeyOf(row, now)), api_keys_revoked: false }
  for (const { id, application_id: applicationId } of rows) {
    await revokeApiKey(tx, applicationId, id, now)
    const { actor, address, person } = revoker
    await keepAudit(tx, {
      actor,
      address,
      person,
      action: 'apiKeys.delete',
      applicationId,
      target: id,
      status: 200,
      now,
    })
  }
  const revoked = rows.map((row) => apiKeyOf({ ...row, revoked_at: now, updated_at: now }, now))
  return { api_keys: revoked, api_keys_revoked: true }
}

/** Whether an API key was sent as the id. It is neither looked up nor repeated. */
export const looksLikeKey = (id: string): boolean => id.startsWith(keyPrefix) || isRestrictedKey(id)

/** The error for an id that no application has. */
export const noApplication = (id: string): string =>
  looksLikeKey(id)
    ? 'this is an API key: send the id of the application (GET /v3/applications), and the key as client_secret'
    : 'no application has this id: see application_id in GET /v3/applications'

/** The token of an Authorization header with the scheme Bearer. */
export const bearerIn = (authorization: string | null | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
