/**
 * Jobs that failed permanently: what is kept of the error, how the API and the commands show them, and the mails to the
 * operator. There is at most one mail per kind and day, to the addresses of the settings or else to the owners. A failed
 * notice is not announced, so a broken mail server causes no further mails.
 */
import type { FailedJob } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { newId } from '@waypost/platform/ids'
import type { Queries } from '@waypost/store/engine/database'
import { claimUntil } from '@waypost/store/tables/applications/installation'
import { ownerAddresses } from '@waypost/store/tables/applications/people'
import type { FailedJobRow } from '@waypost/store/tables/notifications/failed-jobs'
import { addToOutbox, type JobKind, type OutboxRow } from '@waypost/store/tables/notifications/outbox'

export const failedJobOf = (row: FailedJobRow): FailedJob => ({
  id: row.id,
  application_id: row.application_id,
  grant_id: row.grant_id === '' ? null : row.grant_id,
  kind: row.kind,
  error: row.error,
  message: row.message,
  ...wordsOfJob(row.kind),
  attempts: row.attempts,
  created_at: seconds(row.created_at),
  failed_at: seconds(row.failed_at),
})

interface JobWords {
  purpose: string
  remedy: string
}

const words: Readonly<Record<JobKind, JobWords>> = {
  'approvals.execute': {
    purpose: 'Carry out an approved action whose process was interrupted',
    remedy: 'Check that the account can be reached and that its grant is valid, then retry.',
  },
  'approvals.expire': {
    purpose: 'End an approval that nobody decided in time',
    remedy: 'Check that the store works with "waypost doctor", then retry.',
  },
  'approvals.mail': {
    purpose: 'Send a mail to the owner of an account about an action that waits for approval',
    remedy: 'Check that the store works with "waypost doctor", then retry. The action waits in the dashboard as well.',
  },
  'bookings.mail': {
    purpose: 'Send a mail about a booking to a guest or a host',
    remedy:
      "Check that the grant of the organizer is valid, or that the application has not used up its mails through the service's own identity today, then retry.",
  },
  'bookings.settle': {
    purpose: 'Complete an interrupted change of a booking in the calendar of its host',
    remedy: 'Check that the account of the host can be reached and that its grant is valid, then retry.',
  },
  'bookings.remove': {
    purpose: 'Remove the event of a cancelled or moved booking from the calendar of its host',
    remedy: 'Check that the grant of the host is valid and may change the calendar, then retry.',
  },
  'bookings.remind': {
    purpose: 'Notify the application of a booking that begins soon',
    remedy: 'Check that the store works with "waypost doctor", then retry.',
  },
  'calendars.remove': {
    purpose: 'Remove the events of a deleted calendar, and notify their guests',
    remedy: 'The calendar is already invisible. Retry when the cause is fixed: the removal continues where it stopped.',
  },
  'invitations.check': {
    purpose: 'Find out whether an interrupted change of an event was made, and notify its guests',
    remedy: 'Check that the account can be reached and that its grant is valid, then retry.',
  },
  'invitations.send': {
    purpose: 'Notify the guests of an event by mail from the account',
    remedy: 'Check that the grant is valid and that its mail server accepts mail, then retry.',
  },
  'itip.receive': {
    purpose: 'Apply an invitation, change or answer from a received mail to the calendar of the account',
    remedy: 'Check that the calendar of the account can be reached and that its grant is valid, then retry.',
  },
  'mail.send': {
    purpose: 'Send a mail of the service: to guests of virtual calendars, or a notice about the service',
    remedy: 'Check WAYPOST_SMTP_URL and WAYPOST_MAIL_FROM with "waypost doctor", then retry.',
  },
  'provider.revoke': {
    purpose: "End the service's access at the provider after a grant was deleted",
    remedy:
      'Check that the provider can be reached and that the client secret of the connector is valid, then retry. Otherwise the user can remove the access in the settings of their account.',
  },
  'store.leftovers': {
    purpose: 'Delete remaining rows of a deleted grant or destination',
    remedy: 'Check that the store works with "waypost doctor", then retry.',
  },
  'workspaces.group': {
    purpose: 'Group the grants of an application into workspaces by the domain of their addresses',
    remedy: 'Check that the store works with "waypost doctor", then retry: the job continues where it stopped.',
  },
}

const others: JobWords = {
  purpose: 'A job of another version of Waypost',
  remedy: 'Retry it while a node of that version runs.',
}

/** The purpose and the remedy of a kind. A job may come from another version. */
export const wordsOfJob = (kind: string): JobWords => (Object.hasOwn(words, kind) ? words[kind as JobKind] : others)

interface JobError {
  /** A name to group by: that of the error table, a system code such as `ECONNREFUSED`, or the class. */
  error: string
  message: string
}

const maxName = 64
const maxMessage = 500

/**
 * Messages of our own errors contain no secrets, but those of libraries and servers may quote an address with its
 * password or a header.
 */
const cleanText = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]+/gu, ' ')
    .replaceAll(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1…@')
    .replaceAll(/\b(https?:\/\/[^\s?#]+)[?#]\S*/gi, '$1?…')
    .replaceAll(/\b(bearer|basic)\s+\S+/gi, '$1 …')
    .replaceAll(/[A-Za-z0-9_+/=~.-]{40,}/g, '…')

const bounded = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max - 1)}…`)

const nameOf = (error: Error): string => {
  if (error instanceof ApiError) return error.code
  if ('reason' in error && typeof error.reason === 'string') return error.reason
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.name
}

/** The name and the message of an error, without credentials and of bounded length. */
export function jobErrorOf(error: unknown): JobError {
  if (!(error instanceof Error)) return { error: 'unknown', message: 'the job threw a value that is not an error' }
  return {
    error: bounded(nameOf(error).replaceAll(/[^\w.-]+/g, '_'), maxName),
    message: bounded(cleanText(error.message).trim() || nameOf(error), maxMessage),
  }
}

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
