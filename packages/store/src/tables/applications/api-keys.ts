import type { KeyCreator } from '@waypost/contract'
import { batched } from '../../engine/batch-loader.ts'
import { type Queries, sql } from '../../engine/database.ts'
import { nullable, number, type RowOf, table, text, word } from '../../engine/table.ts'
import type { ApplicationRow } from './applications.ts'

const apiKeys = table('api_keys', {
  id: text,
  application_id: text,
  name: text,
  hint: text,
  hash: text,
  expires_at: nullable(number),
  revoked_at: nullable(number),
  last_used_at: nullable(number),
  created_at: number,
  updated_at: number,
  /** What created the key; null if that was not recorded. */
  creator: nullable(word<KeyCreator['type']>()),
  creator_person_id: nullable(text),
  /** The name of the person at that time. It stays when the person is deleted. */
  creator_name: nullable(text),
  /** The rights of a restricted key as JSON; null for a key with all rights. */
  rights: nullable(text),
})
export type ApiKeyRow = RowOf<typeof apiKeys>

const insert = apiKeys.insert()
const list = apiKeys.select('list')`where application_id = $1 order by created_at, id`
const get = apiKeys.select('get')`where application_id = $1 and id = $2`
const revoke = apiKeys.update('revoke')`set revoked_at = $3, updated_at = $3
   where application_id = $1 and id = $2 and revoked_at is null`
const change = apiKeys.update('change')`set name = $3, rights = $4, updated_at = $5
   where application_id = $1 and id = $2 and revoked_at is null`
const touch = apiKeys.update('touch')`set last_used_at = $3 where application_id = $1 and id = $2`

export interface KeyHolder {
  key_id: string
  expires_at: number | null
  revoked_at: number | null
  application_id: string
  environment: ApplicationRow['environment']
  default_workspace_id: string
  grant_limit: number | null
  blocked: number
  additional_settings: string
  mcp_enabled: number
}
/** The columns and tables that find the holder of a key. */
export const holderColumns = `k.id as key_id, k.expires_at, k.revoked_at, a.id as application_id, a.environment,
   a.default_workspace_id, a.grant_limit, a.blocked, a.additional_settings, a.mcp_enabled`
export const holderTables = 'api_keys k join applications a on a.id = k.application_id'
const holder = batched(
  sql<KeyHolder>('api_keys.holder')`select ${holderColumns} from ${holderTables} where k.hash = $1`,
)

export interface RestrictedHolder extends KeyHolder {
  key_name: string
  rights: string
}
const restrictedHolder = sql<RestrictedHolder>('api_keys.restrictedHolder')`select ${holderColumns}, k.name as key_name,
   k.rights from ${holderTables} where k.hash = $1 and k.rights is not null`
/** The application whose restricted key has this hash, including revoked and expired keys. */
export const findRestrictedHolder = (queries: Queries, hash: string): Promise<RestrictedHolder | undefined> =>
  queries.get(restrictedHolder, [hash])

export async function insertApiKey(queries: Queries, row: ApiKeyRow): Promise<void> {
  await queries.run(...insert(row))
}

const ofCreator = apiKeys.select('ofCreator')`where creator_person_id = $1 and revoked_at is null
   and (expires_at is null or expires_at > $2) order by created_at, id`
const anyOfCreator = sql<{ id: string }>('api_keys.anyOfCreator')`select id from api_keys where creator_person_id = $1
   limit 1`
/** Whether a person ever created a key, valid or not. */
export const hasCreatedKeys = async (queries: Queries, personId: string): Promise<boolean> =>
  (await queries.get(anyOfCreator, [personId])) !== undefined
/** The keys that a person created, in any application, and that are still valid. */
export const listKeysOfCreator = (queries: Queries, personId: string, now: number): Promise<ApiKeyRow[]> =>
  queries.all(ofCreator, [personId, now])

export const listApiKeys = (queries: Queries, applicationId: string): Promise<ApiKeyRow[]> =>
  queries.all(list, [applicationId])
export const getApiKey = (queries: Queries, applicationId: string, id: string): Promise<ApiKeyRow | undefined> =>
  queries.get(get, [applicationId, id])
/** Returns the number of revoked keys: 0 if there is no such key or it was revoked before. */
export const revokeApiKey = (queries: Queries, applicationId: string, id: string, now: number): Promise<number> =>
  queries.run(revoke, [applicationId, id, now])
/** Changes the name and the rights of a key. Returns 0 if there is no such key or it is revoked. */
export const changeApiKey = (
  queries: Queries,
  { application_id, id, name, rights, updated_at }: ApiKeyRow,
): Promise<number> => queries.run(change, [application_id, id, name, rights, updated_at])
export const touchApiKey = (
  queries: Queries,
  key: { applicationId: string; id: string },
  now: number,
): Promise<number> => queries.run(touch, [key.applicationId, key.id, now])

/** The application whose key has this hash, including revoked and expired keys. */
export const findKeyHolder = (queries: Queries, hash: string): Promise<KeyHolder | undefined> =>
  queries.get(holder, [hash])
