/** The only place where a provider's refusal of credentials makes a grant invalid. */
import { ApiError } from '@waypost/platform/api-error'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Secrets } from '@waypost/platform/crypto/secrets'
import type { Log } from '@waypost/platform/log'
import type { Database } from '@waypost/store/engine/database'
import { eventMessageContext } from '@waypost/store/tables/grants/grant-events'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { wordsAboutAccount } from './error-words.ts'
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

/** Returns the error unchanged. If it is a refusal of the credentials, the grant becomes invalid. */
export async function judgeRefusal(
  { database, secrets, seals, log, notify, clock }: Judging,
  record: GrantRecord,
  { error, requestId }: { error: unknown; requestId: string | undefined },
): Promise<unknown> {
  if (!(error instanceof ApiError) || error.code !== 'grant_invalid') return error
  const { applicationId, grant } = record
  await database.transaction(async (tx) => {
    const now = await needGrant(tx, applicationId, grant.id).catch(() => undefined)
    // It may have been re-authenticated or marked invalid in the meantime.
    if (now?.status !== 'valid' || now.sealedCredentials !== record.sealedCredentials) return
    const sealedMessage = seals.seal(wordsAboutAccount(error, grant), eventMessageContext(applicationId, grant.id))
    const expiry = { reason: 'credentials_refused', sealedMessage } as const
    await loseAccess(tx, now, expiry, { secrets, log, notify, now: clock.now(), requestId })
  })
  return error
}
