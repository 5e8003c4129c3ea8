import { batched } from '../../engine/batch-loader.ts'
import { type Queries, sql } from '../../engine/database.ts'
import { nullable, number, type RowOf, table, text, word } from '../../engine/table.ts'

const tokens = table('access_tokens', {
  id: text,
  application_id: text,
  grant_id: text,
  /** Tokens issued from one code, or by one request, form a family and are revoked together. */
  family: text,
  kind: word<'access' | 'refresh'>(),
  hash: text,
  created_at: number,
  expires_at: nullable(number),
  /** The last use of a refresh token. */
  used_at: number,
  revoked_at: nullable(number),
})
export type AccessTokenRow = RowOf<typeof tokens>

const insert = tokens.insert()
const byHash = tokens.select('byHash')`where hash = $1`
const use = tokens.update('use')`set used_at = $3, revoked_at = $4
   where application_id = $1 and id = $2 and revoked_at is null`
const revokeFamily = tokens.update('revokeFamily')`set revoked_at = $3
   where application_id = $1 and family = $2 and revoked_at is null`
const purge = tokens.delete('purge')`where expires_at < $1 or revoked_at < $1`

export interface TokenHolder {
  grant_id: string
  expires_at: number | null
  revoked_at: number | null
  application_id: string
  default_workspace_id: string
  grant_limit: number | null
  environment: string
  additional_settings: string
  blocked: number
}
const holder = batched(
  sql<TokenHolder>('access_tokens.holder')`
   select t.grant_id, t.expires_at, t.revoked_at, a.id as application_id, a.default_workspace_id, a.grant_limit,
       a.environment, a.additional_settings, a.blocked
     from access_tokens t join applications a on a.id = t.application_id where t.hash = $1 and t.kind = 'access'`,
)

export const insertAccessToken = (queries: Queries, row: AccessTokenRow): Promise<number> => queries.run(...insert(row))
export const findAccessToken = (queries: Queries, hash: string): Promise<AccessTokenRow | undefined> =>
  queries.get(byHash, [hash])
/** Records a use, with `revokedAt` if it was the last one. False if the token is already revoked. */
export const useRefreshToken = async (
  queries: Queries,
  token: Pick<AccessTokenRow, 'application_id' | 'id'>,
  { now, revokedAt }: { now: number; revokedAt: number | null },
): Promise<boolean> => (await queries.run(use, [token.application_id, token.id, now, revokedAt])) === 1
export const revokeTokenFamily = (
  queries: Queries,
  of: Pick<AccessTokenRow, 'application_id' | 'family'>,
  now: number,
): Promise<number> => queries.run(revokeFamily, [of.application_id, of.family, now])
/** The holder of an access token. Refresh tokens give no access. */
export const findTokenHolder = (queries: Queries, hash: string): Promise<TokenHolder | undefined> =>
  queries.get(holder, [hash])
export const purgeAccessTokens = (queries: Queries, before: number): Promise<number> => queries.run(purge, [before])
