/**
 * Idempotency-Keys of sends.
 *
 * The send id derives from the key. So a repetition finds the send of the first request, even if that node died
 * before it could answer. After the retention time of keys, the same key gets a new send. It also does if the first
 * send failed before anything was sent and a retry may succeed.
 */
import { limits } from '@waypost/contract'
import { ApiError, isFinal } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { newId } from '@waypost/platform/ids'
import type { Database } from '@waypost/store/engine/database'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { readSend, removeFailedSend, type WholeSendRow } from '@waypost/store/tables/mail/sends'
import { sendIdOf } from './send-ids.ts'
import { errorOf } from './stored-error.ts'

/** Hashes that distinguish payloads of one key. */
export interface RequestHash {
  plain: string
  keyed: string
}

export interface SendKeyTools {
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
