/**
 * Calendar objects in received mail (RFC 6047). They are recorded in the transaction that reports the messages, and
 * applied to the account's calendar afterwards, in order of arrival per grant. The calendar server then reports the
 * result like any other change.
 */
import { errors } from '@waypost/contract'
import type { ItipMail } from '@waypost/formats/itip/mail'
import { ApiError } from '@waypost/platform/api-error'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import { newOrderedId } from '@waypost/platform/ids'
import type { Log } from '@waypost/platform/log'
import type { Database, Queries } from '@waypost/store/engine/database'
import { type GrantRecord, getGrant } from '@waypost/store/tables/grants/grants'
import { hasEarlierJob } from '@waypost/store/tables/notifications/outbox'
import { openSealedJob, queueSealed } from '../grants/queued-mail.ts'
import type { Sessions } from '../grants/sessions.ts'
import { JobDeferred, type JobHandlers } from '../outbox/runner.ts'

const itipKind = 'itip.receive'
/** Time between checks whether earlier mails are applied. */
const orderMs = 500

/** Records the calendar objects of mails. */
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

export const itipHandlers = (options: ItipJobOptions): JobHandlers<typeof itipKind> => ({
  [itipKind]: async (payload, signal) => {
    const { database, seals, sessions } = options
    const { content, ...job } = await openSealedJob<{ mails: readonly ItipMail[] }>(seals, payload)
    const { applicationId, grantId } = job
    // A cancellation must not overtake its invitation, because the event would be unknown.
    if (await hasEarlierJob(database, { ...job, kind: itipKind })) throw new JobDeferred(orderMs)
    const record = await getGrant(database, applicationId, grantId)
    if (!record || !sessions.providerOf(record, 'events.update').itip) return
    for (const mail of content.mails) await receive(options, sessions.usable(record), mail, signal)
  },
})

/** Applies one mail. A temporary failure is retried; a permanent one is skipped so that it does not block others. */
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
    log.warn(facts, 'a calendar object in a mail could not be applied and is skipped')
  }
}

/** A refused login is also temporary: the user may sign in again to the account or to its calendars. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError &&
  (errors[error.code].temporary || error.code === 'grant_invalid' || isPassing(error.cause))
