/**
 * What mails that came say about events of the account (RFC 6047): written down in the transaction that tells of the
 * messages, and done in the account's calendar afterwards, the mails of a grant in the order in which they came. What is
 * done shows at the calendar server, and is told from there like any other change.
 */
import { errors } from '@waypost/contract'
import type { ItipMail } from '../formats/itip/mail.ts'
import { openSealedJob, queueSealed } from '../grants/queued-mail.ts'
import type { Sessions } from '../grants/sessions.ts'
import { ApiError } from '../lib/api-error.ts'
import type { DataSeals } from '../lib/crypto/data-seals.ts'
import { newOrderedId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import { JobDeferred, type JobHandlers } from '../outbox/runner.ts'
import type { Database, Queries } from '../store/engine/database.ts'
import { type GrantRecord, getGrant } from '../store/tables/grants/grants.ts'
import { hasEarlierJob } from '../store/tables/notifications/outbox.ts'

const itipKind = 'itip.receive'
/** Between two looks whether the mails before these are done with. */
const orderMs = 500

/** Writes down what mails say about events. */
export async function queueItip(
  tx: Queries,
  seals: DataSeals,
  { applicationId, grantId, now }: { applicationId: string; grantId: string; now: number },
  mails: readonly ItipMail[],
): Promise<void> {
  if (mails.length === 0) return
  const job = { applicationId, grantId, id: newOrderedId(), kind: itipKind, dueAt: now, now }
  await queueSealed(tx, seals, { ...job, content: { mails } })
}

export interface ItipJobOptions {
  database: Database
  seals: DataSeals
  log: Log
  sessions: Sessions
}

export const itipHandlers = (options: ItipJobOptions): JobHandlers => ({
  [itipKind]: async (payload, signal) => {
    const { database, seals, sessions } = options
    const { content, ...job } = await openSealedJob<{ mails: readonly ItipMail[] }>(seals, payload)
    const { applicationId, grantId } = job
    // A cancellation that overtakes its invitation would be about an event that nobody knows yet.
    if (await hasEarlierJob(database, { ...job, kind: itipKind })) throw new JobDeferred(orderMs)
    const record = await getGrant(database, applicationId, grantId)
    if (!record || !sessions.providerOf(record, 'events.update').itip) return
    for (const mail of content.mails) await receive(options, sessions.usable(record), mail, signal)
  },
})

/** Does what one mail says. What cannot be done now is tried again; what never can be is passed over, for the sake of others. */
async function receive(
  { database, sessions, log }: ItipJobOptions,
  record: GrantRecord,
  mail: ItipMail,
  signal: AbortSignal,
): Promise<void> {
  const provider = sessions.providerOf(record, 'events.update')
  const use = { queries: database, signal: () => signal, responseHeaders: {} }
  try {
    await provider.itip?.receive(sessions.open(record, 'events.update', use), mail)
  } catch (error) {
    const judged = await sessions.judge(record, error)
    if (signal.aborted || isPassing(judged)) throw judged
    const facts = { grant_id: record.grant.id, method: mail.method, error: judged }
    log.warn(facts, 'what a mail says about an event could not be done and is passed over')
  }
}

/** Also that a login is refused passes, when somebody signs in anew: to the account, or to its calendars alone. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError &&
  (errors[error.code].temporary || error.code === 'grant_invalid' || isPassing(error.cause))
