/**
 * Sends invitations and answers through the account's own mail server, for calendar servers that send none. The mails
 * are stored before the change and sent after it. If the outcome of the change is unknown, `Provider.itip.isMade`
 * decides.
 */

import { errors, type RsvpResult } from '@waypost/contract'
import { readCalendarObject } from '@waypost/formats/icalendar/calendar-object'
import { isNewer, type Version, versionOf } from '@waypost/formats/icalendar/versions'
import type { EventSet } from '@waypost/formats/itip/invitation-copies'
import { type Invitation, invitationsFor, replyMailFor } from '@waypost/formats/itip/invitations'
import { isMailAddress, type Sender, sameAddress } from '@waypost/formats/itip/itip'
import { ApiError } from '@waypost/platform/api-error'
import { isNotFound } from '../../shared/named-objects.ts'
import { serviceOf } from '../caldav/known-calendars.ts'
import type { ReportedAnswer, ReportedChange, SchedulingMail } from '../caldav/traits.ts'
import { providerStatus } from '../errors.ts'
import type { DavSession } from '../session.ts'

/** A session of an account with calendars and possibly an SMTP server. */
export interface MailingSession extends DavSession {
  accounts(): Promise<{ smtp?: unknown }>
}

const noServer =
  'the account has no mail server to send by: authenticate it again with smtp_host, and smtp_port, smtp_username and smtp_password where they differ'

export const schedulingMail: SchedulingMail<MailingSession> = { telling, tellOrganizer }

async function telling<T>(session: MailingSession, change: ReportedChange, write: () => Promise<T>): Promise<T> {
  const mails = mailsOf(session, change)
  if (mails.length === 0) return write()
  const { io } = session
  if (!(await canSend(session))) {
    const written = await write()
    io.setResponseHeader('x-waypost-mail', `not sent: ${noServer}`)
    return written
  }
  const held = await io.accountMail.hold(mails, markOf(change))
  const written = await write().catch(async (error: unknown) => {
    if (isRefused(error)) await held.drop()
    throw error
  })
  await held.release()
  const count = mails.reduce((sum, { next }) => sum + (next ? 2 : 1), 0)
  io.setResponseHeader('x-waypost-mail', `queued: ${count}`)
  return written
}

/** Whether the server refused the change. After any other error, the change may have been applied. */
function isRefused(error: unknown): boolean {
  const status = providerStatus(error)
  if (status !== undefined) return status < 500 && status !== 408
  return error instanceof ApiError && (error.code === 'conflict' || !errors[error.code].temporary)
}

export const canSend = async (session: MailingSession): Promise<boolean> =>
  (await session.accounts()).smtp !== undefined

/** The sender: the event's organizer, and the account's own address if it sends on their behalf. */
export const senderOf = ({ grant }: DavSession, { main }: EventSet): Sender => ({
  organizer: main.organizer ?? { email: grant.email, name: null },
  sentBy: grant.email,
})

function mailsOf(session: MailingSession, { before, after, text, occurrence }: ReportedChange): Invitation[] {
  const reported = after ?? before
  if (!reported) return []
  const stamped = Math.max(written(text)?.stamp ?? 0, ...stampsOf(before).map((stamp) => stamp + 1))
  return invitationsFor({
    ...senderOf(session, reported),
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
    ...(occurrence ? { occurrence } : {}),
    // No two mails about an event have the same time, so that calendars can tell which is newer.
    now: Math.max(text === undefined ? session.io.clock.now() : 0, stamped * 1000),
  })
}

const stampsOf = (set: EventSet | undefined): number[] =>
  set ? [set.main, ...set.overrides.map(({ event }) => event)].map(({ updated_at: at }) => at ?? 0) : []

/** The newest version in a text. */
function written(text: string | undefined): Version | undefined {
  const object = text === undefined ? undefined : readCalendarObject(text)
  if (!object) return undefined
  const versions = [...(object.master ? [object.master] : []), ...object.overrides].map(versionOf)
  return versions.reduce<Version | undefined>(
    (newest, one) => (!newest || isNewer(one, newest) ? one : newest),
    undefined,
  )
}

/** Identifies a change on the server: the newest version of the written text, or no version for a deletion. */
interface Mark {
  url: string
  version?: Version
}

export function markOf({ url, text }: Pick<ReportedChange, 'url' | 'text'>): string {
  const version = written(text)
  const mark: Mark = version ? { url, version } : { url }
  return JSON.stringify(mark)
}

/** Whether a change is in effect on the server. If the event was changed again since, it is not. */
export async function isMade(session: DavSession, mark: string): Promise<boolean> {
  const { url, version }: Mark = JSON.parse(mark)
  try {
    const there = written((await serviceOf(session).client.get(url)).data)
    return version !== undefined && there?.sequence === version.sequence && there.stamp === version.stamp
  } catch (error) {
    if (!isNotFound(error)) throw error
    return version === undefined
  }
}

async function tellOrganizer(
  session: MailingSession,
  { event, guest, answer, occurrence }: ReportedAnswer,
): Promise<RsvpResult> {
  const { grant, io } = session
  const organizer = event.organizer?.email ?? ''
  if (!isMailAddress(organizer) || sameAddress(organizer, grant.email)) {
    return { mail: 'not sent: the organizer has no mail address of its own' }
  }
  if (!(await canSend(session)))
    return { send_ics_error: { type: errors.not_supported_by_provider.type, message: noServer } }
  const mail = replyMailFor(event, guest, answer.status, {
    comment: answer.comment ?? null,
    now: io.clock.now(),
    sentBy: grant.email,
    ...(occurrence ? { recurrenceId: occurrence } : {}),
  })
  try {
    await io.accountMail.send(mail)
    return { mail: 'sent' }
  } catch (error) {
    // The answer is already stored in the calendar, so a failed mail is reported in addition.
    if (!(error instanceof ApiError)) throw error
    return { send_ics_error: { type: errors[error.code].type, message: error.message } }
  }
}
