import type { Queries } from '../../engine/database.ts'
import { nullable, number, type RowOf, table, text } from '../../engine/table.ts'

/** The progress of a user through the hosted sign-in. `request` is the application's request as JSON. */
const sessions = table('login_sessions', {
  id: text,
  application_id: text,
  cookie_hash: text,
  request: text,
  /** The provider that the user chose or the application requested. */
  provider: nullable(text),
  /** The address that the user entered or the application hinted at. */
  email: nullable(text),
  state_hash: nullable(text),
  sealed_verifier: nullable(text),
  state_expires_at: nullable(number),
  tries: number,
  created_at: number,
  expires_at: number,
  ended_at: nullable(number),
})
export type LoginSessionRow = RowOf<typeof sessions>

type SessionAddress = Pick<LoginSessionRow, 'application_id' | 'id'>

const insert = sessions.insert()
const open = sessions.select('open')`where id = $1 and cookie_hash = $2 and ended_at is null and expires_at > $3`
const byId = sessions.select('get')`where id = $1`
const changeRequest = sessions.update('changeRequest')`set request = $3 where application_id = $1 and id = $2`
const byState = sessions.select('byState')`where state_hash = $1 and cookie_hash = $2 and ended_at is null
   and state_expires_at > $3`
const choose = sessions.update('choose')`set provider = $3, email = $4 where application_id = $1 and id = $2`
const leave = sessions.update('leave')`set provider = $3, state_hash = $4, sealed_verifier = $5, state_expires_at = $6
   where application_id = $1 and id = $2`
const takeState = sessions.update('takeState')`set state_hash = null, sealed_verifier = null, state_expires_at = null
   where application_id = $1 and id = $2 and state_hash = $3`
const countTry = sessions.update('countTry')`set tries = tries + 1
   where application_id = $1 and id = $2 and ended_at is null and tries < $3`
const end = sessions.update('end')`set ended_at = $3 where application_id = $1 and id = $2 and ended_at is null`
const purge = sessions.delete('purge')`where expires_at < $1`

export const insertLoginSession = (queries: Queries, row: LoginSessionRow): Promise<number> =>
  queries.run(...insert(row))
/** An active session, for the browser that started it. */
export const openLoginSession = (
  queries: Queries,
  at: { id: string; cookieHash: string; now: number },
): Promise<LoginSessionRow | undefined> => queries.get(open, [at.id, at.cookieHash, at.now])
/** A session in any state, for any caller: used to report which application it belonged to. */
export const getLoginSession = (queries: Queries, id: string): Promise<LoginSessionRow | undefined> =>
  queries.get(byId, [id])
/** Changes the stored request, for example after the user chose another language. */
export const changeSessionRequest = (queries: Queries, session: SessionAddress, request: string): Promise<number> =>
  queries.run(changeRequest, [session.application_id, session.id, request])
/** The session to which a provider redirects the user, for the browser that started it. */
export const findSessionByState = (
  queries: Queries,
  at: { stateHash: string; cookieHash: string; now: number },
): Promise<LoginSessionRow | undefined> => queries.get(byState, [at.stateHash, at.cookieHash, at.now])
export const chooseInSession = (
  queries: Queries,
  session: SessionAddress,
  chosen: { provider: string | null; email: string | null },
): Promise<number> => queries.run(choose, [session.application_id, session.id, chosen.provider, chosen.email])
/** Records that the user continues on a provider's own page. */
export const leaveForProvider = (
  queries: Queries,
  session: SessionAddress,
  left: { provider: string; stateHash: string; sealedVerifier: string; expiresAt: number },
): Promise<number> =>
  queries.run(leave, [
    session.application_id,
    session.id,
    left.provider,
    left.stateHash,
    left.sealedVerifier,
    left.expiresAt,
  ])
/** Uses a state, which is valid once. False if it was used before. */
export const claimState = async (queries: Queries, session: SessionAddress, stateHash: string): Promise<boolean> =>
  (await queries.run(takeState, [session.application_id, session.id, stateHash])) === 1
/** Counts an attempt with credentials. False if there were already `max`. */
export const countTryInSession = async (queries: Queries, session: SessionAddress, max: number): Promise<boolean> =>
  (await queries.run(countTry, [session.application_id, session.id, max])) === 1
/** Ends a session. False if it has already ended. */
export const endLoginSession = async (queries: Queries, session: SessionAddress, now: number): Promise<boolean> =>
  (await queries.run(end, [session.application_id, session.id, now])) === 1
export const purgeLoginSessions = (queries: Queries, before: number): Promise<number> => queries.run(purge, [before])
