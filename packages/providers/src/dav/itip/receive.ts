/**
 * Applies received mails about events to the account's calendar, if the calendar server does not do so itself. The
 * rules are pure (`formats/itip/request.ts`, `cancel.ts`, `reply.ts`). This file finds the event by UID and writes it
 * conditionally. After a concurrent change, it is read and decided again.
 */

import { createHash } from 'node:crypto'
import { type CalendarObject, eventsOf, readCalendarObject } from '@waypost/formats/icalendar/calendar-object'
import { ContentTooLarge, checkChangeable } from '@waypost/formats/icalendar/content-lines'
import { applyCancel } from '@waypost/formats/itip/cancel'
import { invitationsFor } from '@waypost/formats/itip/invitations'
import { sameAddress } from '@waypost/formats/itip/itip'
import type { ItipMail } from '@waypost/formats/itip/mail'
import type { ItipContext, Outcome } from '@waypost/formats/itip/objects'
import { applyReply } from '@waypost/formats/itip/reply'
import { applyRequest } from '@waypost/formats/itip/request'
import { RecurrenceTooLarge } from '@waypost/formats/recurrence/steps'
import { ApiError } from '@waypost/platform/api-error'
import type { Provider } from '../../provider.ts'
import { ifNotFound } from '../../shared/named-objects.ts'
import { guardOf } from '../caldav/event-writes.ts'
import { listCollections, placeAt, serviceOf } from '../caldav/known-calendars.ts'
import type { CalendarPlace } from '../caldav/mapping/calendar.ts'
import { groupOf } from '../caldav/mapping/event.ts'
import { type Self, selfOf, setOf } from '../caldav/scheduling.ts'
import type { CalDavTraits } from '../caldav/traits.ts'
import type { DavObject } from '../client.ts'
import { resourceId } from '../ids.ts'
import { isChangedMeanwhile } from '../writes.ts'
import { canSend, isMade, type MailingSession, markOf, senderOf } from './mail.ts'

/** How often a mail is decided again after concurrent changes. */
const maxTries = 4

type Decided = Outcome | { readonly change: 'resend' }

interface FoundObject {
  place: CalendarPlace
  stored: DavObject
  object: CalendarObject
}

interface Meant {
  uid: string
  /** The guest that requests the invitation again (REFRESH). */
  guest?: string
  decide(stored: CalendarObject | undefined, zone: string): Decided
}

/** Applies a mail, for accounts of one provider. */
const receiver =
  <S extends MailingSession>(traits: CalDavTraits<S>) =>
  async (session: S, mail: ItipMail): Promise<void> => {
    const self = await selfOf(session)
    // A server with scheduling reads its mail itself (RFC 6638); applying it twice would undo the server's work.
    if (self.home.schedules) return
    if (mail.method !== 'REPLY' && isTooLong(session, mail.ics)) return
    for (const meant of meaningOf(session, mail, self)) await apply(session, traits, self, meant)
  }

/** Whether a text has more lines than an event that can be changed. */
function isTooLong({ io, grant }: MailingSession, ics: string): boolean {
  try {
    checkChangeable(ics)
    return false
  } catch (error) {
    if (!(error instanceof ContentTooLarge)) throw error
    io.log.warn({ grant_id: grant.id, problem: error.message }, 'a mail is about too large an event')
    return true
  }
}

/** The event of a mail, and the decision about it. */
function meaningOf({ io }: MailingSession, mail: ItipMail, { addresses }: Self): Meant[] {
  const now = io.clock.now()
  const context = (zone: string, sender?: string): ItipContext => ({ addresses, sender, zone, now })
  if (mail.method === 'REPLY') {
    return mail.replies.map((reply) => ({
      uid: reply.uid,
      guest: reply.attendee,
      decide: (stored, zone) => applyReply(stored, reply, context(zone)),
    }))
  }
  const sent = readCalendarObject(mail.ics)
  if (!sent || sent.uid === '') return []
  const rule = mail.method === 'REQUEST' ? applyRequest : applyCancel
  return [{ uid: sent.uid, decide: (stored, zone) => rule(stored, sent, context(zone, mail.sender)) }]
}

async function apply<S extends MailingSession>(
  session: S,
  traits: CalDavTraits<S>,
  self: Self,
  meant: Meant,
): Promise<void> {
  for (let left = maxTries; ; left -= 1) {
    try {
      const found = await findEvent(session, traits, meant.uid)
      const decided = meant.decide(found?.object, found?.place.zone ?? 'UTC')
      if (decided.change === 'write') await write(session, traits, { ...meant, found, text: decided.text, self })
      else if (decided.change === 'resend' && found) await resend(session, found, meant.guest ?? '')
      else session.io.log.info({ grant_id: session.grant.id, ...decided }, 'a mail about an event changes nothing')
      return
    } catch (error) {
      if (error instanceof ContentTooLarge || error instanceof RecurrenceTooLarge) {
        session.io.log.warn(
          { grant_id: session.grant.id, problem: error.message },
          'a mail is about too large an event',
        )
        return
      }
      if (!isChangedMeanwhile(error) || left <= 1) throw error
    }
  }
}

/** The event with a UID, in any calendar. */
async function findEvent<S extends MailingSession>(
  session: S,
  traits: CalDavTraits<S>,
  uid: string,
): Promise<FoundObject | undefined> {
  const { client } = serviceOf(session)
  for (const { href } of await listCollections(session, traits)) {
    for (const stored of await client.query(href, { uid })) {
      checkChangeable(stored.data)
      const object = readCalendarObject(stored.data)
      if (object?.uid === uid) return { place: await placeAt(session, href), stored, object }
    }
  }
  return undefined
}

interface Writing extends Meant {
  found: FoundObject | undefined
  text: string
  self: Self
}

async function write<S extends MailingSession>(
  session: S,
  traits: CalDavTraits<S>,
  { uid, found, text, self }: Writing,
): Promise<void> {
  const { client } = serviceOf(session)
  if (found) {
    await client.put(found.stored.href, text, await guardOf(session, found.stored, false))
    return
  }
  const calendar = await inboxCalendar(session, traits, self)
  // The same event always gets the same name, so that two nodes, or one node after a crash, create it only once.
  const name = createHash('sha256').update(uid).digest('hex').slice(0, 32)
  await client.put(`${calendar}${name}.ics`, text, { ifNoneMatch: '*' })
}

/** The calendar for invitations: the server's default calendar, or else the first writable one. */
async function inboxCalendar<S extends MailingSession>(
  session: S,
  traits: CalDavTraits<S>,
  { home }: Self,
): Promise<string> {
  const urls = (await listCollections(session, traits)).map(({ href }) => href)
  for (const url of [home.defaultCalendar, ...urls]) {
    const place = url === undefined ? undefined : await placeAt(session, url).catch(ifNotFound(undefined))
    if (place && !place.readOnly) return place.url
  }
  throw new ApiError('provider_refused', 'the account has no calendar that it may write to')
}

/** Sends one guest their complete copy of the event again. */
async function resend(session: MailingSession, { place, stored, object }: FoundObject, guest: string): Promise<void> {
  const id = resourceId(place.url, stored.href, '.ics')
  const after = setOf(groupOf(eventsOf(object, place), id, { grant: session.grant, place }))
  if (!after || !(await canSend(session))) return
  const now = session.io.clock.now()
  const mails = invitationsFor({ ...senderOf(session, after), after, now }).filter(({ to }) => sameAddress(to, guest))
  if (mails.length === 0) return
  const held = await session.io.accountMail.hold(mails, markOf({ url: stored.href, text: stored.data }))
  await held.release()
}

/** The iTIP part of an adapter: scheduling by mail for accounts whose calendar server has no scheduling. */
export const itipOf = <S extends MailingSession>(traits: CalDavTraits<S>): NonNullable<Provider<S>['itip']> => ({
  isMade,
  receive: receiver(traits),
})
