/** Second factors of people: encrypted secrets of authenticator apps, the codes already used, and recovery codes. */
import { type Queries, sql } from '../../engine/database.ts'

const setPending = sql('people.setPendingTotp')`update people set sealed_pending_totp = $2 where id = $1`
const confirm = sql('people.confirmTotp')`update people
   set sealed_totp = $3, sealed_pending_totp = null, totp_step = $4, code_failures = 0,
   credentials = credentials + 1, updated_at = $5 where id = $1 and sealed_pending_totp = $2`
const clear = sql('people.clearTotp')`update people
   set sealed_totp = null, sealed_pending_totp = null, code_failures = 0,
   credentials = credentials + 1, updated_at = $2 where id = $1`
const takeStep = sql('people.takeTotpStep')`update people set totp_step = $2
   where id = $1 and totp_step < $2 and sealed_totp = $3`
const takeTry = sql('people.takeCodeTry')`update people
   set code_failures = case when code_failures_since <= $3 then 1 else code_failures + 1 end,
   code_failures_since = case when code_failures_since <= $3 then $2 else code_failures_since end
   where id = $1 and (code_failures < $4 or code_failures_since <= $3)`

export const writePendingTotp = (queries: Queries, id: string, sealed: string): Promise<number> =>
  queries.run(setPending, [id, sealed])
/** Activates the pending secret. False if another one was started in the meantime. */
export const confirmTotp = async (
  queries: Queries,
  id: string,
  { pending, sealed, step, now }: { pending: string; sealed: string; step: number; now: number },
): Promise<boolean> => (await queries.run(confirm, [id, pending, sealed, step, now])) === 1
export const clearTotp = (queries: Queries, id: string, now: number): Promise<number> => queries.run(clear, [id, now])
/** Marks the code of a time step as used. False if this or a later code was used before. */
export const takeTotpStep = async (
  queries: Queries,
  id: string,
  { step, sealed }: { step: number; sealed: string },
): Promise<boolean> => (await queries.run(takeStep, [id, step, sealed])) === 1
/**
 * Counts an attempt as wrong before the code is checked, so that parallel attempts count too. A sign-in resets the
 * count. False if there were `max` attempts and the count started after `since`.
 */
export const takeCodeTry = async (
  queries: Queries,
  id: string,
  { max, now, since }: { max: number; now: number; since: number },
): Promise<boolean> => (await queries.run(takeTry, [id, now, since, max])) === 1

const removeCodes = sql('recovery_codes.remove')`delete from recovery_codes where person_id = $1`
const insertCode = sql('recovery_codes.insert')`insert into recovery_codes (person_id, hash) values ($1, $2)`
const useCode = sql('recovery_codes.use')`delete from recovery_codes where person_id = $1 and hash = $2`
const listCodes = sql<{ hash: string }>('recovery_codes.list')`select hash from recovery_codes where person_id = $1`
const countCodes = sql<{ count: number }>('recovery_codes.count')`select count(*) as count from recovery_codes
   where person_id = $1`

/** Replaces all recovery codes. */
export async function writeRecoveryCodes(queries: Queries, id: string, hashes: readonly string[]): Promise<void> {
  await queries.run(removeCodes, [id])
  for (const hash of hashes) await queries.run(insertCode, [id, hash])
}
export const addRecoveryCode = (queries: Queries, id: string, hash: string): Promise<number> =>
  queries.run(insertCode, [id, hash])
/** The hashes of the unused recovery codes of a person. */
export const listRecoveryCodes = async (queries: Queries, id: string): Promise<string[]> =>
  (await queries.all(listCodes, [id])).map(({ hash }) => hash)
/** Uses a recovery code. False if it does not exist or was used before. */
export const useRecoveryCode = async (queries: Queries, id: string, hash: string): Promise<boolean> =>
  (await queries.run(useCode, [id, hash])) === 1
export const countRecoveryCodes = async (queries: Queries, id: string): Promise<number> =>
  Number((await queries.get(countCodes, [id]))?.count ?? 0)
