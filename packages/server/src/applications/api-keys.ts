/**
 * API keys: `wpk_<environment>_<8 letters>_<43 of 256 random bits>_<check>`. The key is shown once. The store has
 * only its SHA-256, which is safe for 256 random bits. The check distinguishes a mistyped key from a revoked one
 * without a query.
 */
import { createHash, hash } from 'node:crypto'
import type { ApiKey, KeyCreator, NewApiKey } from '@waypost/contract'
import { seconds } from '../lib/clock.ts'
import { newId, newShortName, newToken } from '../lib/ids.ts'
import type { Queries } from '../store/engine/database.ts'
import { type ApiKeyRow, insertApiKey } from '../store/tables/applications/api-keys.ts'
import type { Acting } from './acting.ts'

/** The prefix of every key. */
export const keyPrefix = 'wpk_'

const day = 86_400_000

/** The stored form of a key. */
export const hashKey = (key: string): string => hash('sha256', key, 'hex')

function makeKey(environment: string): string {
  const body = `${keyPrefix}${environment}_${newShortName(8)}_${newToken()}`
  return `${body}_${createHash('sha256').update(body).digest('hex').slice(0, 6)}`
}

/**
 * The beginning of a key: enough to tell keys apart, too little to use. Only keys of our own form have a public part.
 */
const hintOf = (key: string): string => {
  const open = /^wpk_[a-z]+_[a-z2-9]{8}(?=_[\w-]{43}_[0-9a-f]{6}$)/.exec(key)?.[0]
  return `${open ?? key.slice(0, 4)}…`
}

const creatorOf = (row: ApiKeyRow): KeyCreator => ({
  type: row.creator ?? 'unknown',
  person_id: row.creator_person_id,
  name: row.creator_name,
})

export function apiKeyOf(row: ApiKeyRow, now: number): ApiKey {
  const expired = row.expires_at !== null && row.expires_at <= now
  return {
    id: row.id,
    application_id: row.application_id,
    name: row.name,
    hint: row.hint,
    permissions: ['all'],
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
  createdBy: KeyCreator
}

/** Creates and stores a key. The result is the only place that contains the key itself. */
export async function createApiKey(
  tx: Queries,
  applicationId: string,
  draft: ApiKeyDraft,
  now: number,
): Promise<NewApiKey> {
  const key = draft.key ?? makeKey(draft.environment)
  const row: ApiKeyRow = {
    id: newId(),
    application_id: applicationId,
    name: draft.name,
    hint: hintOf(key),
    hash: hashKey(key),
    expires_at: draft.expiresInDays ? now + draft.expiresInDays * day : null,
    revoked_at: null,
    last_used_at: null,
    created_at: now,
    updated_at: now,
    creator: draft.createdBy.type,
    creator_person_id: draft.createdBy.person_id,
    creator_name: draft.createdBy.name,
  }
  await insertApiKey(tx, row)
  return { ...apiKeyOf(row, now), api_key: key }
}

/** A key that no person created. */
export const createdBy = (type: Exclude<KeyCreator['type'], 'person'>): KeyCreator => ({
  type,
  person_id: null,
  name: null,
})

/** Creates a key and records the caller as its creator. */
export const createdByActing = ({ person }: Pick<Acting, 'person'>): KeyCreator =>
  person ? { type: 'person', person_id: person.id, name: person.name } : createdBy('installation')
