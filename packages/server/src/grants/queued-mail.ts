/** The service's own mails while they wait in the outbox: an invitation repeats an event, so it stands there sealed. */
import type { DataSeals } from '../lib/data-seals.ts'
import { newId } from '../lib/ids.ts'
import type { SealContext } from '../lib/secrets.ts'
import type { Queries } from '../store/database.ts'
import { addToOutbox } from '../store/outbox.ts'

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

/** Writes a mail that is to be sent, in the transaction of what it tells of. */
export async function queueMail(
  tx: Queries,
  seals: DataSeals,
  { applicationId, grantId, mail, now }: { applicationId: string; grantId: string; mail: object; now: number },
): Promise<void> {
  const id = newId()
  const sealed = seals.seal(JSON.stringify(mail), contextOf(applicationId, id))
  const payload: Queued = { id, application: applicationId, grant: grantId, sealed }
  const job = { id, applicationId, grantId, kind: 'mail.send', dueAt: now, now }
  await addToOutbox(tx, { ...job, payload: JSON.stringify(payload) })
}

/** The mail of a job; those that a version before wrote, and those without anything of an account, are not sealed. */
export function openQueuedMail<T>(seals: DataSeals, text: string): T {
  const payload = JSON.parse(text)
  const { id, application, sealed }: Partial<Queued> = payload
  if (id === undefined || application === undefined || sealed === undefined) return payload
  return JSON.parse(seals.open(sealed, contextOf(application, id)))
}

/** Writes the mail that was to leave after the one of a job, once that has left. */
export async function queueNextMail(
  tx: Queries,
  seals: DataSeals,
  { payload, next, now }: { payload: string; next: object | undefined; now: number },
): Promise<void> {
  const { application, grant }: Partial<Queued> = JSON.parse(payload)
  if (next === undefined || application === undefined || grant === undefined) return
  await queueMail(tx, seals, { applicationId: application, grantId: grant, mail: next, now })
}
