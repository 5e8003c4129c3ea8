import { hash } from 'node:crypto'
import { type Queries, sql } from '../../engine/database.ts'

export interface IdempotencyRow {
  request_hash: string
  owner: string
  attempt: string
  status: number | null
  headers: string | null
  /** Encrypted, because a response may contain secrets that are shown only once. */
  sealed_body: string | null
  created_at: number
  /** The same for every attempt of the request, also when another node takes the key over. */
  seed: string
}
export interface IdempotencyAddress {
  applicationId: string
  /** The grant of the request, or an empty string. */
  scope: string
  key: string
}

/** The id of the row. A hash, because clients choose arbitrary keys, and grants may use the same ones. */
export const idempotencyRowId = (address: IdempotencyAddress): string =>
  hash('sha256', JSON.stringify([address.applicationId, address.scope, address.key]), 'hex')

const claim = sql('idempotency_keys.claim')`insert into idempotency_keys (id, application_id, request_hash, owner,
   attempt, status, headers, sealed_body, created_at, seed)
   values ($1, $2, $3, $4, $5, null, null, null, $6, $7) on conflict (id, application_id) do nothing`
const read = sql<IdempotencyRow>('idempotency_keys.read')`
   select request_hash, owner, attempt, status, headers, sealed_body, created_at, seed from idempotency_keys
   where id = $1 and application_id = $2`
const takeOver = sql('idempotency_keys.takeOver')`update idempotency_keys
   set owner = $4, attempt = $5, request_hash = $6, status = null, headers = null,
   sealed_body = null, created_at = $7, seed = case when created_at < $8 then $9 else seed end
   where id = $1 and application_id = $2 and attempt = $3 and (status is null or created_at < $8)`
const complete = sql('idempotency_keys.complete')`update idempotency_keys
   set status = $4, headers = $5, sealed_body = $6
   where id = $1 and application_id = $2 and attempt = $3 and status is null`
const release = sql('idempotency_keys.release')`delete from idempotency_keys
   where id = $1 and application_id = $2 and attempt = $3 and status is null`
const leave = sql('idempotency_keys.leave')`update idempotency_keys set owner = $4
   where id = $1 and application_id = $2 and attempt = $3 and status is null`
const purge = sql('idempotency_keys.purge')`delete from idempotency_keys where created_at < $1`
const abandon = sql('idempotency_keys.abandon')`update idempotency_keys set owner = $1 where status is null`

/** No node has this id. */
const nobody = ''

const at = (address: IdempotencyAddress): [string, string] => [idempotencyRowId(address), address.applicationId]

/** Claims a key. False if it is taken. */
export const claimIdempotencyKey = async (
  queries: Queries,
  address: IdempotencyAddress,
  by: { requestHash: string; owner: string; attempt: string; now: number; seed: string },
): Promise<boolean> =>
  (await queries.run(claim, [...at(address), by.requestHash, by.owner, by.attempt, by.now, by.seed])) === 1
export const readIdempotencyKey = (
  queries: Queries,
  address: IdempotencyAddress,
): Promise<IdempotencyRow | undefined> => queries.get(read, at(address))
/**
 * Takes a key over from a dead or expired attempt. False if it has a response by now, or another request was faster.
 */
export const takeOverIdempotencyKey = async (
  queries: Queries,
  address: IdempotencyAddress,
  from: string,
  by: { requestHash: string; owner: string; attempt: string; now: number; expiredBefore: number; seed: string },
): Promise<boolean> =>
  (await queries.run(takeOver, [
    ...at(address),
    from,
    by.owner,
    by.attempt,
    by.requestHash,
    by.now,
    by.expiredBefore,
    by.seed,
  ])) === 1
/** Stores the response of an attempt. False if the attempt no longer owns the key. */
export const completeIdempotencyKey = async (
  queries: Queries,
  address: IdempotencyAddress,
  attempt: string,
  answer: { status: number; headers: string; sealedBody: string },
): Promise<boolean> =>
  (await queries.run(complete, [...at(address), attempt, answer.status, answer.headers, answer.sealedBody])) === 1
/**
 * Lets a retry of the request take the key over at once. The seed stays, because the attempt may have had effects.
 */
export const leaveIdempotencyKey = (queries: Queries, address: IdempotencyAddress, attempt: string): Promise<number> =>
  queries.run(leave, [...at(address), attempt, nobody])
/** Deletes the key of an attempt that had no effect. */
export const releaseIdempotencyKey = (
  queries: Queries,
  address: IdempotencyAddress,
  attempt: string,
): Promise<number> => queries.run(release, [...at(address), attempt])
export const purgeIdempotencyKeys = (queries: Queries, before: number): Promise<number> => queries.run(purge, [before])
/** Frees the keys of requests that a dead process was running. Only for a store without other processes. */
export const abandonIdempotencyKeys = (queries: Queries): Promise<number> => queries.run(abandon, [nobody])
