/**
 * What an Idempotency-Key stands for among sends.
 *
 * The id of a send that comes with a key follows from the key, so that a repetition finds what the first request began, also
 * where that one's node died before it could answer. After the time that keys are kept, a key names another send, and so does
 * the key of one that failed where nothing was sent and another try may succeed.
 */
import { limits } from '@waypost/contract'
import { ApiError, isFinal } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { DataSeals } from '../lib/crypto/data-seals.ts'
import { newId } from '../lib/ids.ts'
import type { Database } from '../store/engine/database.ts'
import type { GrantRecord } from '../store/tables/grants/grants.ts'
import { readSend, removeFailedSend, type WholeSendRow } from '../store/tables/mail/sends.ts'
import { sendIdOf } from './send-ids.ts'
import { errorOf } from './stored-error.ts'

/** What tells payloads of one key apart. */
export interface RequestHash {
  plain: string
  keyed: string
}

export interface SendKeyTools {
  database: Database
  clock: Clock
  seals: DataSeals
}

/** The id for a send, and what was written down under it already. */
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
    // It stands for nothing that was sent: the repetition is a first try.
    else await removeFailedSend(database, { applicationId: row.application_id, id })
  }
}

/** Hashed under a key of ours: of a short message a plain hash would let the text be guessed. */
export const requestHashOf = (
  { seals }: Pick<SendKeyTools, 'seals'>,
  { applicationId }: GrantRecord,
  plain: string,
): RequestHash => ({
  plain,
  keyed: seals.hash(plain, { table: 'sends', column: 'request_hash', application: applicationId }),
})

/** Refuses a key that was used for another payload. */
export function checkSamePayload({ request_hash: kept }: WholeSendRow, hash: RequestHash | undefined): void {
  // Earlier versions kept the plain hash.
  const isSame = kept === null || hash?.keyed === kept || hash?.plain === kept
  if (!isSame) throw new ApiError('invalid_idempotent_request')
}

/** Nothing was sent, and another try may end otherwise: the provider was not reached, or not ready. */
function isOpenToRetry(row: WholeSendRow): boolean {
  if (row.state !== 'failed' || row.schedule_id !== null) return false
  const error = errorOf(row)
  return !isFinal(error) && error.code !== 'outcome_unknown'
}
