/**
 * Messages of the service while they wait in the outbox. An invitation contains event data, so it is sealed there.
 */

import { ApiError } from '@waypost/platform/api-error'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { SealContext } from '@waypost/platform/crypto/secrets'
import { newId } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import { addMailUse, readMailUse } from '@waypost/store/tables/mail/mail-use'
import { addToOutbox } from '@waypost/store/tables/notifications/outbox'

interface Queued {
  id: string
  application: string
  grant: string
  sealed: string
}

const contextOf = (application: string, row: string): SealContext => ({
  table: 'outbox',
  column: 'payload',
  application,
  row,
})

/** Writes a message to be sent, in the transaction of its change. */
export const queueMail = (
  tx: Queries,
  seals: DataSeals,
  { mail, ...job }: { applicationId: string; grantId: string; mail: object; now: number },
): Promise<void> => queueSealed(tx, seals, { ...job, id: newId(), kind: 'mail.send', dueAt: job.now, content: mail })

interface SealedJob {
  id: string
  applicationId: string
  grantId: string
  kind: string
  content: object
  dueAt: number
  now: number
}

/** Writes a job whose content belongs to an account. It is sealed in the outbox. */
export async function queueSealed(tx: Queries, seals: DataSeals, { content, ...job }: SealedJob): Promise<void> {
  const { id, applicationId, grantId } = job
  const sealed = seals.seal(JSON.stringify(content), contextOf(applicationId, id))
  const payload: Queued = { id, application: applicationId, grant: grantId, sealed }
  await addToOutbox(tx, { ...job, payload: JSON.stringify(payload) })
}

/** Opens a sealed job: its grant and its content. */
export async function openSealedJob<T>(
  seals: DataSeals,
  text: string,
): Promise<{ id: string; applicationId: string; grantId: string; content: T }> {
  const { id, application, grant, sealed }: Queued = JSON.parse(text)
  await seals.learn([sealed])
  const content: T = JSON.parse(seals.open(sealed, contextOf(application, id)))
  return { id, applicationId: application, grantId: grant, content }
}

/** The message of a job. Jobs of earlier versions and jobs without account data are not sealed. */
export function openQueuedMail<T>(seals: DataSeals, text: string): T {
  const payload = JSON.parse(text)
  const { id, application, sealed }: Partial<Queued> = payload
  if (id === undefined || application === undefined || sealed === undefined) return payload
  return JSON.parse(seals.open(sealed, contextOf(application, id)))
}

interface MailJobName {
  application_id: string
  id: string
}

/**
 * The left side of the Message-ID of a job's message. If the process ends before it learns that the message was sent,
 * the job sends it again under the same name. Nobody can guess the name, so an answer to it proves that the message was
 * received.
 */
export const mailIdOf = (seals: DataSeals, { application_id: application, id }: MailJobName): string =>
  seals.hash(id, { table: 'outbox', column: 'message_id', application }).slice(0, 32)

/** Writes the follow-up message of a job, after the job's own message was sent. A repeated job adds no second one. */
export async function queueNextMail(
  tx: Queries,
  seals: DataSeals,
  { job, payload, next, now }: { job: MailJobName; payload: string; next: object | undefined; now: number },
): Promise<void> {
  const { application, grant }: Partial<Queued> = JSON.parse(payload)
  if (next === undefined || application === undefined || grant === undefined) return
  const at = { applicationId: application, grantId: grant, id: `${job.id} next`, kind: 'mail.send' }
  await queueSealed(tx, seals, { ...at, content: next, dueAt: now, now })
}

const dayMs = 86_400_000

/**
 * Takes messages from the daily quota that an application may send through the operator's mail identity. Throws if there
 * are not enough left: they are counted in the transaction of the change that sends them, which is refused as a whole.
 */
export async function takeMails(
  tx: Queries,
  applicationId: string,
  { count, usual, now }: { count: number; usual: number; now: number },
): Promise<void> {
  const day = Math.floor(now / dayMs)
  const known = await readMailUse(tx, applicationId)
  const max = known?.per_day ?? usual
  if (await addMailUse(tx, applicationId, { day, count, max })) return
  const resets = (day + 1) * dayMs
  throw new ApiError(
    'mail_quota_reached',
    `the application may send ${max} messages a day through the service's own mail identity, ${known?.day === day ? known.used : 0} are used, and this needs ${count}: nothing was changed; the quota is renewed at ${new Date(resets).toISOString()}`,
    { retryAfter: Math.ceil((resets - now) / 1000) },
  )
}
