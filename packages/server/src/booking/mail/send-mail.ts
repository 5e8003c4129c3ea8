/**
 * Sends one queued mail about a booking, once. The job removes itself in the transaction that gives the mail to the
 * send ledger of the account, or to the queue of the service's own identity if the account has no mail. If the node
 * dies before that, the job runs again; after it, the job is gone.
 */
import { isMailAddress } from '@waypost/formats/itip/itip'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Log } from '@waypost/platform/log'
import type { Database } from '@waypost/store/engine/database'
import { type GrantRecord, getGrant } from '@waypost/store/tables/grants/grants'
import { takeOutbox } from '@waypost/store/tables/notifications/outbox'
import { readBooking } from '@waypost/store/tables/scheduling/bookings'
import { openSealedJob, queueSealed, takeMails } from '../../grants/queued-mail.ts'
import type { Sessions } from '../../grants/sessions.ts'
import type { JobHandler } from '../../outbox/runner.ts'
import type { Sender } from '../../sending/delivery/sender.ts'
import { composeInvitation } from '../../sending/event-mail/invitation-mail.ts'
import type { Ledger } from '../../sending/ledger/ledger.ts'
import { accountOf, newMessageId, sendIdOf } from '../../sending/ledger/send-keys.ts'
import type { BookingMail } from './booking-mail.ts'
import { withEvent } from './mail-event.ts'
import { canSend } from './mail-route.ts'
import { mailTextOf } from './mail-text.ts'
import { type WorkflowUse, workflowMailOf } from './workflow-mail.ts'

/** The content of a job. */
export interface MailJob {
  mail: BookingMail
  /** The workflow whose template is used instead of the built-in texts. */
  workflow: WorkflowUse | undefined
  /** The mail waits for a time, and is not sent if the booking changes before. */
  isVoidable: boolean
}

export interface SendMailOptions {
  database: Database
  clock: Clock
  log: Log
  seals: DataSeals
  sessions: Sessions
  ledger: Pick<Ledger, 'accept'>
  sender: Pick<Sender, 'wake'>
  /** The address of the service's own mail identity, if it has one. */
  mailAddress: string | undefined
  /** Messages per day that an application may send through it. */
  mailPerDay: number
}

interface OpenMailbox {
  id: string
  applicationId: string
  grantId: string
  content: MailJob
}

export const sendMailHandler =
  (options: SendMailOptions): JobHandler =>
  async (payload) => {
    const job = await openSealedJob<MailJob>(options.seals, payload)
    const account = await getGrant(options.database, job.applicationId, job.grantId)
    if (!account || (await isVoid(options, job))) return
    const words = await wordsOf(options, job)
    if (!words) return
    const provider = options.sessions.providerOf(account, 'events.create')
    if (canSend(provider, account.grant)) await sendByAccount(options, { job, account, ...words })
    else if (options.mailAddress !== undefined) await sendByService(options, options.mailAddress, { job, ...words })
  }

/** Whether the booking changed since a mail was queued for later. */
async function isVoid({ database, clock }: SendMailOptions, { applicationId, content }: OpenMailbox): Promise<boolean> {
  if (!content.isVoidable) return false
  const { id, revision, start } = content.mail.booking
  if (content.mail.kind === 'reminder' && start * 1000 <= clock.now()) return true
  const row = await readBooking(database, { applicationId, id })
  return row?.revision !== revision
}

interface Words {
  text: ReturnType<typeof mailTextOf>
  senderName: string | undefined
}

/** The built-in text or that of the workflow. Undefined if the workflow was deleted or turned off. */
async function wordsOf(
  { database, log }: SendMailOptions,
  { applicationId, content }: OpenMailbox,
): Promise<Words | undefined> {
  const { mail, workflow } = content
  if (!workflow) return { text: mailTextOf(mail), senderName: undefined }
  const own = await workflowMailOf({ queries: database, log }, { applicationId, use: workflow, mail })
  return own && { text: own.text ?? mailTextOf(mail), senderName: own.senderName }
}

async function sendByAccount(
  options: SendMailOptions,
  { job, account, text, senderName }: Words & { job: OpenMailbox; account: GrantRecord },
): Promise<void> {
  const { database, clock, ledger, sender } = options
  const { mail } = job.content
  const now = clock.now()
  const message = withEvent({ to: mail.recipient.email, ...text }, mail, { now })
  const own = accountOf(account)
  const composed = await composeInvitation(message, {
    account: { email: own.email, name: senderName ?? own.name },
    messageId: newMessageId(account),
    date: new Date(now),
  })
  const at = { applicationId: job.applicationId, grantId: job.grantId }
  const facts = { subject: text.subject, to: [{ email: mail.recipient.email }] }
  await database.transaction(async (tx) => {
    if (!(await takeOutbox(tx, { applicationId: job.applicationId, id: job.id }))) return
    const id = sendIdOf(at, job.id)
    await ledger.accept(tx, { ...at, id, dueAt: now, facts, mail: composed, queued: true })
  })
  sender.wake()
}

/** Replies go to the organizer, because the service does not read them for bookings. */
async function sendByService(
  { database, clock, seals, mailPerDay: usual }: SendMailOptions,
  address: string,
  { job, text }: Words & { job: OpenMailbox },
): Promise<void> {
  const { mail } = job.content
  const { applicationId, grantId } = job
  const now = clock.now()
  const { email } = mail.organizer
  const replyTo = isMailAddress(email) ? { replyTo: email } : {}
  const written = { to: mail.recipient.email, ...text, ...replyTo }
  const message = withEvent(written, mail, { sentBy: address, now })
  await database.transaction(async (tx) => {
    if (!(await takeOutbox(tx, { applicationId, id: job.id }))) return
    await takeMails(tx, applicationId, { count: 1, usual, now })
    const id = sendIdOf({ applicationId, grantId }, job.id)
    await queueSealed(tx, seals, { applicationId, grantId, id, kind: 'mail.send', content: message, dueAt: now, now })
  })
}
