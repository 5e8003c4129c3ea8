/**
 * `Idempotency-Key`: the first request with a key claims it; a repetition is answered with what the first was answered.
 *
 *   claimed ──final answer kept (in the transaction of the change, where there is one)──▶ done
 *      ├─ the request failed for now (5xx, 401, 408, 429) and did nothing: the key is free again
 *      ├─ it failed for now, and a provider may have done what it asked for: left, to be repeated
 *      └─ the process died: left, once its node is taken for dead, or after the deadline of a request
 *
 * Whoever repeats a request that was left knows that it may be done already (`again`), and has the seed of the first try:
 * what it makes at a provider is named after it. docs/idempotency.md says what follows for each kind of change.
 *
 * A key is bound to the application (or the administrators), the grant in the path, the person who acts, and the payload.
 */
import { hash } from 'node:crypto'
import { limits } from '@waypost/contract'
import { ApiError } from '../../lib/api-error.ts'
import type { DataSeals } from '../../lib/crypto/data-seals.ts'
import type { SealContext, Secrets } from '../../lib/crypto/secrets.ts'
import { newId } from '../../lib/ids.ts'
import type { Once } from '../../providers/operations.ts'
import type { Database, Queries } from '../../store/engine/database.ts'
import {
  claimIdempotencyKey,
  completeIdempotencyKey,
  type IdempotencyAddress,
  type IdempotencyRow,
  idempotencyRowId,
  leaveIdempotencyKey,
  readIdempotencyKey,
  releaseIdempotencyKey,
  takeOverIdempotencyKey,
} from '../../store/tables/applications/idempotency-keys.ts'
import { liveNodes } from '../../store/tables/applications/nodes.ts'
import type { WireAnswer } from '../http/answer.ts'
import { inOnePiece } from '../http/http.ts'

export interface Attempt {
  /** Keeps the answer; throws when the key was taken over in the meantime, so that the transaction rolls back. */
  complete(queries: Queries, answer: WireAnswer): Promise<void>
  /** The request did nothing: the key is free. */
  release(): Promise<void>
  /** The request may have done what it asked for: whoever repeats it is told so. */
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

/** Claims the key of a request: a new attempt, or the answer that an earlier one was given. */
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
    // Under a key of ours: of a body with a weak password in it, a plain hash would let the password be guessed.
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
  // Earlier versions kept the plain hash.
  const isSame = row.request_hash === claimer.requestHash || row.request_hash === plainHash
  if (!expired && !isSame) throw new ApiError('invalid_idempotent_request')
  if (expired || (row.status === null && (await isAbandoned(database, row, by.now)))) {
    const taken = await takeOverIdempotencyKey(database, address, row.attempt, { ...claimer, expiredBefore })
    // Not taken: the attempt was answered in the meantime, or somebody was faster. Either way the row says more now.
    if (!taken) return claim(database, request, by)
    return { attempt: expired ? attempt(claimer.seed, false) : attempt(row.seed, true) }
  }
  if (row.status === null) throw new ApiError('concurrent_idempotent_request', undefined, { retryAfter: 1 })
  const body = by.secrets.open(row.sealed_body ?? '', sealContext(address))
  // The body is the first answer's to the letter, so its id is too: header and body always name the same request.
  const repeated = { 'x-request-id': JSON.parse(body).request_id, 'idempotent-response': 'true' }
  return { replay: { status: row.status, headers: { ...JSON.parse(row.headers ?? '{}'), ...repeated }, body } }
}

/** Whether the process that claimed a key can no longer be at work on it. */
async function isAbandoned(queries: Queries, row: IdempotencyRow, now: number): Promise<boolean> {
  if (now - row.created_at > limits.deadlineMs + 30_000) return true
  return !(await liveNodes(queries, now)).includes(row.owner)
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
    const kept = await completeIdempotencyKey(queries, address, id, {
      status: answer.status,
      headers: JSON.stringify(answer.headers),
      sealedBody: secrets.seal(inOnePiece(answer.body), sealContext(address)),
    })
    if (!kept) throw new ApiError('concurrent_idempotent_request')
  },
  async release() {
    await releaseIdempotencyKey(database, address, id)
  },
  async leave() {
    await leaveIdempotencyKey(database, address, id)
  },
})
