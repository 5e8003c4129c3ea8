/** The one place where a provider's refusal of the credentials makes a grant invalid. */
import { ApiError } from '../lib/api-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { DataSeals } from '../lib/crypto/data-seals.ts'
import type { Secrets } from '../lib/crypto/secrets.ts'
import type { Log } from '../lib/log.ts'
import type { Database } from '../store/engine/database.ts'
import { eventMessageContext } from '../store/tables/grants/grant-events.ts'
import type { GrantRecord } from '../store/tables/grants/grants.ts'
import { wordsOf } from './error-words.ts'
import { loseAccess, needGrant } from './grants.ts'
import type { Notify } from './notify.ts'

interface Judging {
  database: Database
  secrets: Secrets
  seals: DataSeals
  log: Log
  notify: Notify
  clock: Clock
}

/** Answers the error as it is; where it says that the provider refused, the grant is invalid now. */
export async function judgeRefusal(
  { database, secrets, seals, log, notify, clock }: Judging,
  record: GrantRecord,
  { error, requestId }: { error: unknown; requestId: string | undefined },
): Promise<unknown> {
  if (!(error instanceof ApiError) || error.code !== 'grant_invalid') return error
  const { applicationId, grant } = record
  await database.transaction(async (tx) => {
    const now = await needGrant(tx, applicationId, grant.id).catch(() => undefined)
    // Somebody may have authenticated it anew, or noticed before us.
    if (now?.status !== 'valid' || now.sealedCredentials !== record.sealedCredentials) return
    const sealedMessage = seals.seal(wordsOf(error), eventMessageContext(applicationId, grant.id))
    const expiry = { reason: 'credentials_refused', sealedMessage } as const
    await loseAccess(tx, now, expiry, { secrets, log, notify, now: clock.now(), requestId })
  })
  return error
}
