/**
 * Mails about bookings, and their reminders. They are queued in the transaction of the change. The id of a job derives
 * from the booking, its revision, the kind and the address, so a change that is repeated after a crash queues nothing
 * twice. The mails are sent by `send-mail.ts`.
 */
import type { BookingObject, BookingReminder, Configuration } from '@waypost/contract'
import type { Clock } from '@waypost/platform/clock'
import type { DataSeals } from '@waypost/platform/crypto/data-seals'
import type { Database, Queries } from '@waypost/store/engine/database'
import { type GrantRecord, getGrant } from '@waypost/store/tables/grants/grants'
import { takeOutbox } from '@waypost/store/tables/notifications/outbox'
import { readBooking } from '@waypost/store/tables/scheduling/bookings'
import type { WorkflowRow } from '@waypost/store/tables/scheduling/workflows'
import type { Notify } from '../../grants/notify.ts'
import { openSealedJob, queueSealed } from '../../grants/queued-mail.ts'
import type { Sessions } from '../../grants/sessions.ts'
import type { JobHandler, JobHandlers } from '../../outbox/runner.ts'
import { sendIdOf } from '../../sending/ledger/send-keys.ts'
import { bookingObjectOf } from '../bookings/booking-notifications.ts'
import type { BookingChange, BookingRecord } from '../bookings/booking-record.ts'
import type { ChangeMails } from '../bookings/tools.ts'
import { type MailOptions, mailsOf, withdrawalMailsOf } from './change-mails.ts'
import { canSend, isBuiltInSent } from './mail-route.ts'
import { type MailJob, type SendMailOptions, sendMailHandler } from './send-mail.ts'
import { type WorkflowUse, workflowsFor } from './workflow-mail.ts'

export interface BookingMails extends ChangeMails {
  handlers: JobHandlers<'bookings.mail' | 'bookings.remind'>
}

interface BookingMailsOptions extends SendMailOptions, RemindOptions {
  clock: Clock
  seals: DataSeals
  sessions: Sessions
  /** The public address of this service. */
  baseUrl: string
}

export function createBookingMails(options: BookingMailsOptions): BookingMails {
  return {
    async queueBookingMails(tx, change) {
      await queueMails(options, tx, change)
      await queueWithdrawal(options, tx, change)
    },
    queueBookingReminders: (tx, booked) => queueReminders(options, tx, booked),
    handlers: { 'bookings.mail': sendMailHandler(options), 'bookings.remind': remindHandler(options) },
  }
}

/** The account whose calendar has the event, if it or the service can send mail. */
async function senderOf(
  { sessions, mailAddress }: BookingMailsOptions,
  tx: Queries,
  { applicationId, hostGrantId }: BookingRecord,
): Promise<{ account: GrantRecord; provider: ReturnType<Sessions['providerOf']> } | undefined> {
  const account = await getGrant(tx, applicationId, hostGrantId)
  if (!account) return undefined
  const provider = sessions.providerOf(account, 'events.create')
  return canSend(provider, account.grant) || mailAddress !== undefined ? { account, provider } : undefined
}

/** The workflows whose templates make the mails of a change, undefined for our own texts. Empty if none are sent. */
async function usesFor(
  options: BookingMailsOptions,
  tx: Queries,
  { record, configuration, kind }: Pick<BookingChange, 'record' | 'configuration' | 'kind'>,
): Promise<(WorkflowRow | undefined)[]> {
  const sender = await senderOf(options, tx, record)
  if (!sender) return []
  const owner = { applicationId: record.applicationId, grantId: record.grantId }
  const workflows = await workflowsFor(tx, owner, kind)
  if (workflows.length > 0) return workflows
  return isBuiltInSent(kind, configuration, sender.provider) ? [undefined] : []
}

const useOf = (workflow: WorkflowRow | undefined): WorkflowUse | undefined =>
  workflow && { id: workflow.id, grantId: workflow.grant_id }

async function queueMails(
  options: BookingMailsOptions,
  tx: Queries,
  change: BookingChange,
  reminder?: { mail: NonNullable<MailOptions['reminder']>; dueAt: number },
): Promise<void> {
  const { record } = change
  const uses = await usesFor(options, tx, change)
  const now = options.clock.now()
  for (const mail of mailsOf(change, { baseUrl: options.baseUrl, reminder: reminder?.mail })) {
    for (const workflow of uses) {
      const delayMs = (workflow?.delay ?? 0) * 60_000
      const job = { mail, workflow: useOf(workflow), isVoidable: delayMs > 0 || reminder !== undefined }
      await queueMail(options, tx, { job, record, dueAt: (reminder?.dueAt ?? now) + delayMs })
    }
  }
}

/**
 * Queues the mails that take the former event of a moved booking back. The former host sends them, because calendars
 * accept a cancellation from the organizer alone. They are always due, whatever happens to the booking later.
 */
async function queueWithdrawal(options: BookingMailsOptions, tx: Queries, change: BookingChange): Promise<void> {
  const { before, record, configuration } = change
  if (before === undefined || change.withdrawn === undefined) return
  const uses = await usesFor(options, tx, { record: before, configuration, kind: 'rescheduled' })
  if (uses.length === 0) return
  const dueAt = options.clock.now()
  const sent = { ...before, revision: record.revision }
  for (const mail of withdrawalMailsOf(change, options)) {
    const job = { mail, workflow: useOf(uses[0]), isVoidable: false }
    await queueMail(options, tx, { job, record: sent, dueAt })
  }
}

/** The same booking, revision, kind, address, workflow and reminder always give the same job. */
function queueMail(
  { seals, clock }: BookingMailsOptions,
  tx: Queries,
  { job, record, dueAt }: { job: MailJob; record: BookingRecord; dueAt: number },
): Promise<void> {
  const { mail, workflow } = job
  const at = { applicationId: record.applicationId, grantId: record.hostGrantId }
  const address = mail.recipient.email.toLowerCase()
  const parts = [record.id, record.revision, mail.kind, address, workflow?.id ?? '', mail.minutesBefore ?? '']
  if (mail.withdrawn) parts.push('withdrawn')
  const id = sendIdOf(at, JSON.stringify(['booking mail', ...parts]))
  return queueSealed(tx, seals, { ...at, id, kind: 'bookings.mail', content: job, dueAt, now: clock.now() })
}

/** The reminders of a group event replace those of its configuration. */
const remindersOf = (
  { type, group_booking, event_booking }: Configuration,
  { group }: BookingRecord['details'],
): readonly BookingReminder[] => {
  if (group && group.reminders.length > 0) return group.reminders
  return (type === 'group' ? group_booking?.reminders : event_booking.reminders) ?? []
}

async function queueReminders(
  options: BookingMailsOptions,
  tx: Queries,
  { record, configuration, event }: Pick<BookingChange, 'record' | 'configuration' | 'event'>,
): Promise<void> {
  const now = options.clock.now()
  for (const reminder of remindersOf(configuration, record.details)) {
    const minutesBefore = reminder.minutes_before_event
    const dueAt = record.startTime * 1000 - minutesBefore * 60_000
    // A booking at short notice has reminders whose time has passed.
    if (dueAt <= now) continue
    if (reminder.type === 'webhook') {
      await queueNotification(options, tx, { record, configuration }, { minutesBefore, dueAt })
      continue
    }
    const mail = { recipients: reminder.recipient ?? 'all', subject: reminder.email_subject ?? '', minutesBefore }
    await queueMails(options, tx, { record, configuration, event, kind: 'reminder' }, { mail, dueAt })
  }
}

/** Queues the notification of a reminder. Its content is that of the booking as it is now. */
async function queueNotification(
  { seals, clock, baseUrl }: BookingMailsOptions,
  tx: Queries,
  { record, configuration }: Pick<BookingChange, 'record' | 'configuration'>,
  { minutesBefore, dueAt }: { minutesBefore: number; dueAt: number },
): Promise<void> {
  const host = await getGrant(tx, record.applicationId, record.hostGrantId)
  if (!host) return
  const { provider } = host.grant
  const at = { applicationId: record.applicationId, grantId: record.grantId }
  const id = sendIdOf(at, JSON.stringify(['booking reminder', record.id, record.revision, minutesBefore]))
  const object = bookingObjectOf({ record, configuration, baseUrl, provider })
  const content: ReminderJob = { revision: record.revision, provider, object }
  await queueSealed(tx, seals, { ...at, id, kind: 'bookings.remind', content, dueAt, now: clock.now() })
}

interface RemindOptions {
  database: Database
  clock: Clock
  seals: DataSeals
  notify: Notify
}

/** The content of a reminder's job. */
interface ReminderJob {
  revision: number
  provider: string
  /** As of the change that set the time of the booking. */
  object: BookingObject
}

/**
 * Reminders for applications: the notification `booking.reminder`, once, at its time. The job removes itself in the
 * transaction that writes the notification. A job of a booking that changed since, or has begun, writes none.
 */
const remindHandler =
  ({ database, clock, seals, notify }: RemindOptions): JobHandler =>
  async (payload) => {
    const { id, applicationId, grantId, content } = await openSealedJob<ReminderJob>(seals, payload)
    const { object, revision, provider } = content
    const secondsLeft = object.booking_info.start_time - Math.floor(clock.now() / 1000)
    if (secondsLeft <= 0) return
    await database.transaction(async (tx) => {
      const booking = await readBooking(tx, { applicationId, id: object.booking_id })
      if (booking?.revision !== revision || !(await takeOutbox(tx, { applicationId, id }))) return
      const booking_info = { ...object.booking_info, time_until_event: secondsLeft }
      await notify(tx, {
        applicationId,
        grantId,
        provider,
        trigger: 'booking.reminder',
        object: { ...object, booking_info },
      })
    })
  }
