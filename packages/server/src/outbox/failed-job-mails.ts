/**
 * Mails to the operator about jobs that failed permanently: at most one per kind and day, to the addresses of the
 * settings or else to the owners. A failed notice is not announced, so a broken mail server causes no further mails.
 */
import { newId } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import { claimUntil } from '@waypost/store/tables/applications/installation'
import { ownerAddresses } from '@waypost/store/tables/applications/people'
import { addToOutbox, type OutboxRow } from '@waypost/store/tables/notifications/outbox'
import { wordsOfJob } from './job-words.ts'

const noticeMs = 86_400_000

/** The addresses and the link of the notices. */
export interface OperatorMail {
  /** Empty for the owners. */
  to: readonly string[]
  dashboardUrl: string
}

interface NoticePayload {
  to: string
  subject: string
  text: string
  notice: 'failed job'
}

/** Whether a job is itself a notice about a failed job. */
function isNotice({ kind, payload }: Pick<OutboxRow, 'kind' | 'payload'>): boolean {
  if (kind !== 'mail.send') return false
  const { notice }: Partial<NoticePayload> = JSON.parse(payload)
  return notice === 'failed job'
}

/** Queues the mails about a failed job, in the transaction that records it. */
export async function announceFailedJob(
  tx: Queries,
  job: OutboxRow,
  { to, dashboardUrl, now }: OperatorMail & { now: number },
): Promise<void> {
  if (isNotice(job)) return
  const addresses = to.length > 0 ? to : await ownerAddresses(tx)
  if (addresses.length === 0) return
  if (!(await claimUntil(tx, `failed_job_told ${job.kind}`, { now, until: now + noticeMs }))) return
  const { purpose, remedy } = wordsOfJob(job.kind)
  const text = `A background job failed ${job.attempts} times and is not tried again.

Job: ${purpose}
Kind: ${job.kind}
Remedy: ${remedy}
Application: ${job.application_id}
Time: ${new Date(now).toISOString()}

The error, and Retry and Discard: ${dashboardUrl}/failed-jobs
Or use the command: waypost jobs list

Waypost sends this mail at most once a day for each kind of job. More jobs of this kind may fail meanwhile.
`
  for (const address of addresses) {
    const payload: NoticePayload = {
      to: address,
      subject: `Waypost: a job failed (${job.kind})`,
      text,
      notice: 'failed job',
    }
    const at = { id: newId(), applicationId: job.application_id, grantId: '', kind: 'mail.send' as const }
    await addToOutbox(tx, { ...at, payload: JSON.stringify(payload), dueAt: now, now })
  }
}
