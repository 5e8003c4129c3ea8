import { type Queries, sql } from '../../engine/database.ts'
import { nullable, number, type RowOf, table, text } from '../../engine/table.ts'

const codes = table('authorization_codes', {
  id: text,
  application_id: text,
  grant_id: text,
  hash: text,
  redirect_uri: text,
  code_challenge: nullable(text),
  code_challenge_method: nullable(text),
  /** The account that signed in, as JSON. */
  sealed_account: text,
  created_at: number,
  expires_at: number,
  used_at: nullable(number),
  replayed_at: nullable(number),
})
export type AuthorizationCodeRow = RowOf<typeof codes>

type CodeAddress = Pick<AuthorizationCodeRow, 'application_id' | 'id'>

const insert = codes.insert()
const byHash = codes.select('byHash')`where hash = $1`
const use = codes.update('use')`set used_at = $3 where application_id = $1 and id = $2 and used_at is null`
const replay = codes.update('replay')`set replayed_at = $3 where application_id = $1 and id = $2`
const lock = sql<{ replayed_at: number | null }>('authorization_codes.lock', { locks: ['authorization_codes'] })`
   select replayed_at from authorization_codes where application_id = $1 and id = $2`
const purge = codes.delete('purge')`where expires_at < $1`

export const insertAuthorizationCode = (queries: Queries, row: AuthorizationCodeRow): Promise<number> =>
  queries.run(...insert(row))
export const findAuthorizationCode = (queries: Queries, hash: string): Promise<AuthorizationCodeRow | undefined> =>
  queries.get(byHash, [hash])
/** Uses a code. False if it was used before. */
export const useAuthorizationCode = async (queries: Queries, code: CodeAddress, now: number): Promise<boolean> =>
  (await queries.run(use, [code.application_id, code.id, now])) === 1
/** Records that a code was presented a second time. */
export const replayAuthorizationCode = (queries: Queries, code: CodeAddress, now: number): Promise<number> =>
  queries.run(replay, [code.application_id, code.id, now])
/** Whether a code was presented a second time. This cannot change until the transaction ends. */
export const wasReplayed = async (tx: Queries, code: CodeAddress): Promise<boolean> =>
  (await tx.get(lock, [code.application_id, code.id]))?.replayed_at != null
export const purgeAuthorizationCodes = (queries: Queries, before: number): Promise<number> =>
  queries.run(purge, [before])
