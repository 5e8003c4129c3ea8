/**
 * Idempotency-Keys of sends.
 *
 * The send id derives from the key. So a repetition finds the send of the first request, even if that node died
 * before it could answer. After the retention time of keys, the same key gets a new send. It also does if the first
 * send failed before anything was sent and a retry may succeed.
 */

import { createHash } from 'node:crypto'
import { limits } from '@waypost/contract'
import { ApiError, isFinal } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { sha256Of } from '@waypost/platform/crypto/digest'
import { newId, newToken } from '@waypost/platform/ids'
import type { Once } from '@waypost/providers/operations'
import type { Database } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { readSend, removeFailedSend, type WholeSendRow } from '@waypost/store/tables/mail/sends'
import type { SendOrder } from '../sending.ts'
import { errorOf } from './states.ts'

/** Hashes that distinguish payloads of one key. */
export interface RequestHash {
  plain: string
  keyed: string
}

interface SendKeyTools {
  database: Database
  clock: Clock
  seals: DataSeals
}

/** The send id of a key, and the row recorded under it, if any. */
export async function findByKey(
  { database, clock, seals }: SendKeyTools,
  record: GrantRecord,
  key: string | undefined,
): Promise<{ id: string; row?: WholeSendRow }> {
  if (key === undefined) return { id: newId() }
  const at = { applicationId: record.applicationId, grantId: record.grant.id }
  const oldest = clock.now() - limits.idempotencyHours * 3_600_000
  let after: number | undefined
  for (;;) {
    const id = sendIdOf(at, key, after)
    const row = await readSend(database, { applicationId: at.applicationId, id }, seals)
    if (!row) return { id }
    if (row.created_at < oldest) after = row.created_at
    else if (!isOpenToRetry(row)) return { id, row }
    // Nothing was sent under this key, so the repetition counts as a first try.
    else await removeFailedSend(database, { applicationId: row.application_id, id })
  }
}

/** Hashed with a secret key: a plain hash would allow guessing a short message. */
export const requestHashOf = (
  { seals }: Pick<SendKeyTools, 'seals'>,
  { applicationId }: GrantRecord,
  plain: string,
): RequestHash => ({
  plain,
  keyed: seals.hash(plain, { table: 'sends', column: 'request_hash', application: applicationId }),
})

/** Rejects a key that was used with another payload. */
export function checkSamePayload({ request_hash: retained }: WholeSendRow, hash: RequestHash | undefined): void {
  // Earlier versions stored the plain hash.
  const isSame = retained === null || hash?.keyed === retained || hash?.plain === retained
  if (!isSame) throw new ApiError('invalid_idempotent_request')
}

/** Nothing was sent, and a retry may succeed: the provider was unreachable or not ready. */
function isOpenToRetry(row: WholeSendRow): boolean {
  if (row.state !== 'failed' || row.schedule_id !== null) return false
  const error = errorOf(row)
  return !isFinal(error) && error.code !== 'outcome_unknown'
}

/** The send id of an Idempotency-Key. `after` is the start time of an earlier send with the same key. */
export function sendIdOf(at: { applicationId: string; grantId: string }, key: string, after?: number): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([at.applicationId, at.grantId, key, after ?? null]))
    .digest('hex')
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(12, 16),
    digest.slice(16, 20),
    digest.slice(20, 32),
  ].join('-')
}

/** A hash that distinguishes payloads of one key. */
export const hashOf = (parts: readonly (string | Uint8Array)[]): Promise<string> =>
  sha256Of(parts.flatMap((part) => [`${part.length}:`, part]))

/**
 * Hash of the content of a message, without the signature: each request reads the signature again, and it may have
 * changed.
 */
export function hashOfMessage(given: SendOrder['content']): Promise<string> {
  if ('mime' in given) return hashOf(['mime', given.mime])
  const files = given.files.flatMap(({ filename, contentType, contentId = '', content, upload }) => [
    ...[filename, contentType, contentId],
    upload ? `upload ${upload.id}` : content,
  ])
  return hashOf(['message', JSON.stringify(given.request), ...files])
}

/**
 * A Message-ID that cannot be guessed, so a later reference to it proves knowledge of the message. Under a key, every
 * try gets the same one.
 */
export const newMessageId = ({ grant }: GrantRecord, once?: Once): string => {
  const domain = /@([\w.-]+)$/.exec(grant.email ?? '')?.[1] ?? 'localhost'
  return `${(once?.name ?? newToken()).slice(0, 32)}@${domain}`
}

export const accountOf = ({ grant }: GrantRecord): { email: string; name: string | null } => ({
  email: grant.email ?? '',
  name: grant.name ?? null,
})
