import { type Queries, sql } from '../../engine/database.ts'

export interface AuthorizationCodeRow {
  id: string
  application_id: string
  grant_id: string
  hash: string
  redirect_uri: string
  code_challenge: string | null
  code_challenge_method: string | null
  /** The account that signed in, as JSON. */
  sealed_account: string
  created_at: number
  expires_at: number
  used_at: number | null
  replayed_at: number | null
}

type CodeAddress = Pick<AuthorizationCodeRow, 'application_id' | 'id'>

const columns =
  'id, application_id, grant_id, hash, redirect_uri, code_challenge, code_challenge_method, sealed_account, created_at, expires_at, used_at, replayed_at'

const insert = sql({
  name: 'authorization_codes.insert',
  text: `insert into authorization_codes (${columns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
  writes: ['authorization_codes'],
})
const byHash = sql<AuthorizationCodeRow>({
  name: 'authorization_codes.byHash',
  text: `select ${columns} from authorization_codes where hash = $1`,
  reads: ['authorization_codes'],
})
const use = sql({
  name: 'authorization_codes.use',
  text: 'update authorization_codes set used_at = $3 where application_id = $1 and id = $2 and used_at is null',
  writes: ['authorization_codes'],
})
const replay = sql({
  name: 'authorization_codes.replay',
  text: 'update authorization_codes set replayed_at = $3 where application_id = $1 and id = $2',
  writes: ['authorization_codes'],
})
const lock = sql<{ replayed_at: number | null }>({
  name: 'authorization_codes.lock',
  text: 'select replayed_at from authorization_codes where application_id = $1 and id = $2',
  locks: ['authorization_codes'],
})
const purge = sql({
  name: 'authorization_codes.purge',
  text: 'delete from authorization_codes where expires_at < $1',
  writes: ['authorization_codes'],
})

export const insertAuthorizationCode = (queries: Queries, row: AuthorizationCodeRow): Promise<number> =>
  queries.run(insert, [
    row.id,
    row.application_id,
    row.grant_id,
    row.hash,
    row.redirect_uri,
    row.code_challenge,
    row.code_challenge_method,
    row.sealed_account,
    row.created_at,
    row.expires_at,
    row.used_at,
    row.replayed_at,
  ])
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
