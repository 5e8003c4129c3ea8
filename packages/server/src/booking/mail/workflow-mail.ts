/** Mails of workflows: the application's template instead of the built-in texts. */
import { limits, type WorkflowTrigger } from '@waypost/contract'
import { oneLine } from '@waypost/formats/icalendar/icalendar'
import { plainText } from '@waypost/formats/icalendar/vevent'
import type { MailText } from '@waypost/formats/itip/invitation-text'
import { ApiError } from '@waypost/platform/api-error'
import type { Log } from '@waypost/platform/log'
import type { Queries } from '@waypost/store/engine/database'
import { getTemplate, type TemplateRow } from '@waypost/store/tables/mail/templates'
import {
  enabledWorkflows,
  getWorkflow,
  type WorkflowOwner,
  type WorkflowRow,
} from '@waypost/store/tables/scheduling/workflows'
import { parseTemplate, renderTemplate } from '../../sending/compose/template.ts'
import type { BookingMailKind } from '../bookings/booking-record.ts'
import { type BookingMail, isGuest, type MailPerson, shownKind } from './booking-mail.ts'
import { nameOf } from './mail-text.ts'
import { timeParts } from './mail-times.ts'

/** The workflows that replace the built-in mails of a kind: those of the grant, or else those of the application. */
export async function workflowsFor(
  queries: Queries,
  { applicationId, grantId }: { applicationId: string; grantId: string },
  kind: BookingMailKind,
): Promise<WorkflowRow[]> {
  const trigger = triggerOf[kind]
  const ofGrant = await enabledWorkflows(queries, { applicationId, grantId }, trigger)
  return ofGrant.length > 0 ? ofGrant : enabledWorkflows(queries, { applicationId, grantId: null }, trigger)
}

/** Names a workflow in a job that waits. */
export interface WorkflowUse {
  id: string
  /** The grant that the workflow belongs to, or null. */
  grantId: string | null
}

interface WorkflowMail {
  /** Undefined if the template is gone or cannot be rendered: the built-in text is sent. */
  text: MailText | undefined
  senderName: string | undefined
}

/** The text of a workflow's mail, or undefined if the workflow was deleted or turned off meanwhile. */
export async function workflowMailOf(
  { queries, log }: { queries: Queries; log: Log },
  { applicationId, use, mail }: { applicationId: string; use: WorkflowUse; mail: BookingMail },
): Promise<WorkflowMail | undefined> {
  const owner: WorkflowOwner = { applicationId, grantId: use.grantId }
  const workflow = await getWorkflow(queries, owner, use.id)
  if (workflow?.is_enabled !== 1) return undefined
  const template = await getTemplate(queries, owner, workflow.template_id)
  const facts = { workflow_id: workflow.id, template_id: workflow.template_id }
  if (!template) log.warn(facts, 'the template of a workflow is gone; the built-in mail is sent')
  return {
    text:
      template &&
      renderedOr(template, mail, (error) => {
        log.warn({ ...facts, error }, 'the template of a workflow cannot be rendered; the built-in mail is sent')
      }),
    senderName: workflow.sender_name ?? undefined,
  }
}

function renderedOr(
  { subject, body, engine }: TemplateRow,
  mail: BookingMail,
  failed: (error: ApiError) => void,
): MailText | undefined {
  const variables = variablesOf(mail)
  try {
    const line = renderTemplate(parseTemplate(subject, engine, 'subject'), { variables, strict: false, html: false })
    const html = renderTemplate(parseTemplate(body, engine, 'body'), { variables, strict: false, html: true })
    return { subject: oneLine(line).slice(0, limits.subjectLength), html, text: plainText(html) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    failed(error)
    return undefined
  }
}

/** The notification that goes with each kind of mail. */
const triggerOf: Readonly<Record<BookingMailKind, WorkflowTrigger>> = {
  confirmed: 'booking.created',
  requested: 'booking.pending',
  rescheduled: 'booking.rescheduled',
  declined: 'booking.cancelled',
  cancelled: 'booking.cancelled',
  reminder: 'booking.reminder',
}

const personOf = (person: MailPerson) => ({ name: nameOf(person), email: person.email })
const absent = { reschedule: '', cancel: '', confirm: '', decline: '' }

/**
 * The variables of the templates of workflows (docs/scheduling-mail.md lists them). The names of the notification
 * are there too (`booking_id`, `booking_info.title`), so that templates for its payload can be used. Pure.
 */
function variablesOf(mail: BookingMail): Record<string, unknown> {
  const { booking, recipient, previous, answers, links } = mail
  const fields = Object.fromEntries(answers.map(({ key, value }) => [key, value]))
  const participants = [mail.guest, ...mail.companions, mail.organizer, ...mail.hosts].map(personOf)
  return {
    kind: shownKind(mail),
    recipient: {
      ...personOf(recipient),
      is_guest: isGuest(recipient),
      is_host: !isGuest(recipient),
      language: recipient.language,
    },
    booking: {
      id: booking.id,
      ref: booking.reference,
      title: booking.title,
      description: booking.description,
      location: booking.location,
      conference_url: booking.conferenceUrl,
      reason: mail.reason,
      cancellation_policy: mail.cancellationPolicy,
      minutes_before: mail.minutesBefore ?? 0,
    },
    guest: personOf(mail.guest),
    additional_guests: mail.companions.map(personOf),
    organizer: personOf(mail.organizer),
    time: timeParts(booking, recipient),
    former_time: previous === undefined ? null : timeParts(previous, recipient),
    links: { ...absent, ...links },
    fields,
    booking_id: booking.id,
    configuration_id: booking.configurationId,
    booking_ref: booking.reference,
    booking_info: {
      title: booking.title,
      start_time: booking.start,
      end_time: booking.end,
      duration: Math.round((booking.end - booking.start) / 60),
      location: booking.location,
      participants,
      additional_fields: fields,
      cancellation_reason: mail.reason,
      ...(previous === undefined ? {} : { old_start_time: previous.start, old_end_time: previous.end }),
    },
  }
}
