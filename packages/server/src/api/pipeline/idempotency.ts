/**
 * `Idempotency-Key`: the first request with a key claims it. A retry receives the answer of the first request.
 *
 *   claimed ──final answer stored (in the transaction of the change, if there is one)──▶ done
 *      ├─ a temporary failure (5xx, 401, 408, 429) without effect: the key is released
 *      ├─ a temporary failure after a provider was called: the key is left for a retry
 *      └─ the process died: left, once its node counts as dead, or after the deadline of a request
 *
 * A retry of a request that was left knows that the change may have happened (`again`). It has the seed of the first
 * attempt, from which the names of objects at the provider are derived. docs/idempotency.md describes each kind of
 * change.
 *
 * A key is bound to the application (or the administrators), the grant in the path, the acting person, and the
 * payload.
 */
import { hash } from 'node:crypto'
import { limits } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { SealContext, Secrets } from '@waypost/platform/crypto/secrets'
import { newId } from '@waypost/platform/ids'
import type { Once } from '@waypost/providers/operations'
import type { Database, Queries } from '@waypost/store/engine/database'
import {
  claimIdempotencyKey,
  completeIdempotencyKey,
  type IdempotencyAddress,
  idempotencyRowId,
  leaveIdempotencyKey,
  readIdempotencyKey,
  releaseIdempotencyKey,
  takeOverIdempotencyKey,
} from '@waypost/store/tables/applications/idempotency-keys'
import { isAbandoned } from '../../outbox/recorded-work.ts'
import type { WireAnswer } from '../http/answer.ts'

export interface Attempt {
  /** Stores the answer. Throws if the key was taken over meanwhile, so that the transaction rolls back. */
  complete(queries: Queries, answer: WireAnswer): Promise<void>
  /** The request had no effect: the key is free again. */
  release(): Promise<void>
  /** The request may have had an effect: a retry knows that. */
  leave(): Promise<void>
  readonly once: Once
}

export interface IdempotentRequest {
  applicationId: string
  scope: string
  key: string
  method: string
  path: string
  body: string
}

const hour = 3_600_000
const hashedAt = { table: 'idempotency_keys', column: 'request_hash' }

/** Claims the key of a request: returns a new attempt, or the answer of an earlier one. */
export async function claim(
  database: Database,
  request: IdempotentRequest,
  by: { node: string; now: number; secrets: Secrets; seals: Pick<DataSeals, 'hash'> },
): Promise<{ attempt: Attempt } | { replay: WireAnswer }> {
  if (request.key.length > limits.idempotencyKeyLength) throw new ApiError('invalid_idempotency_key')
  const address: IdempotencyAddress = {
    applicationId: request.applicationId,
    scope: request.scope,
    key: request.key,
  }
  const plainHash = hash('sha256', `${request.method} ${request.path}\n${request.body}`, 'hex')
  const claimer = {
    // Keyed hash: a plain hash of a body with a weak password would allow guessing the password.
    requestHash: by.seals.hash(plainHash, { ...hashedAt, application: request.applicationId }),
    owner: by.node,
    attempt: newId(),
    now: by.now,
    seed: newId(),
  }
  const attempt = (seed: string, again: boolean): Attempt => {
    const once = { name: hash('sha256', `${idempotencyRowId(address)} ${seed}`, 'hex'), again }
    return attemptOf(database, address, { id: claimer.attempt, once, secrets: by.secrets })
  }
  if (await claimIdempotencyKey(database, address, claimer)) return { attempt: attempt(claimer.seed, false) }
  const row = await readIdempotencyKey(database, address)
  if (!row) return claim(database, request, by)
  const expiredBefore = by.now - limits.idempotencyHours * hour
  const expired = row.created_at < expiredBefore
  // Earlier versions stored the plain hash.
  const isSame = row.request_hash === claimer.requestHash || row.request_hash === plainHash
  if (!expired && !isSame) throw new ApiError('invalid_idempotent_request')
  const owner = { node: row.owner, since: row.created_at }
  if (expired || (row.status === null && (await isAbandoned(database, owner, by.now)))) {
    const taken = await takeOverIdempotencyKey(database, address, row.attempt, { ...claimer, expiredBefore })
    // The attempt was answered meanwhile, or another request was faster. In both cases the row has changed.
    if (!taken) return claim(database, request, by)
    return { attempt: expired ? attempt(claimer.seed, false) : attempt(row.seed, true) }
  }
  if (row.status === null) throw new ApiError('concurrent_idempotent_request', undefined, { retryAfter: 1 })
  const body = by.secrets.open(row.sealed_body ?? '', sealContext(address))
  // The body is byte for byte that of the first answer, so the header names the same request id.
  const repeated = { 'x-request-id': JSON.parse(body).request_id, 'idempotent-response': 'true' }
  return { replay: { status: row.status, headers: { ...JSON.parse(row.headers ?? '{}'), ...repeated }, body } }
}

const sealContext = (address: IdempotencyAddress): SealContext => ({
  table: 'idempotency_keys',
  column: 'sealed_body',
  application: address.applicationId,
  row: idempotencyRowId(address),
})

const attemptOf = (
  database: Database,
  address: IdempotencyAddress,
  { id, once, secrets }: { id: string; once: Once; secrets: Secrets },
): Attempt => ({
  once,
  async complete(queries, answer) {
    const retained = await completeIdempotencyKey(queries, address, id, {
      status: answer.status,
      headers: JSON.stringify(answer.headers),
      sealedBody: secrets.seal(answer.body, sealContext(address)),
    })
    if (!retained) throw new ApiError('concurrent_idempotent_request')
  },
  async release() {
    await releaseIdempotencyKey(database, address, id)
  },
  async leave() {
    await leaveIdempotencyKey(database, address, id)
  },
})
