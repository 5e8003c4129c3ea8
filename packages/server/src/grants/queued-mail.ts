/**
 * Messages of the service while they wait in the outbox. An invitation contains event data, so it is sealed there.
 */
import type { DataSeals } from '../lib/crypto/data-seals.ts'
import type { SealContext } from '../lib/crypto/secrets.ts'
import { newId } from '../lib/ids.ts'
import type { Queries } from '../store/engine/database.ts'
import { addToOutbox } from '../store/tables/notifications/outbox.ts'

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

export interface SealedJob {
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

/** Writes the follow-up message of a job, after the job's own message was sent. */
export async function queueNextMail(
  tx: Queries,
  seals: DataSeals,
  { payload, next, now }: { payload: string; next: object | undefined; now: number },
): Promise<void> {
  const { application, grant }: Partial<Queued> = JSON.parse(payload)
  if (next === undefined || application === undefined || grant === undefined) return
  await queueMail(tx, seals, { applicationId: application, grantId: grant, mail: next, now })
}
