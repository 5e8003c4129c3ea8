/** Answers to invitations: sets the account's PARTSTAT. The server notifies the organizer, or we send a mail. */
import type { Rsvp, RsvpResult } from '@waypost/contract'
import { setAttendeeStatus } from '@waypost/formats/icalendar/calendar-object-changes'
import { ApiError } from '@waypost/platform/api-error'
import { momentOf } from '../../calendar/series.ts'
import type { Operations } from '../../operations.ts'
import type { DavSession } from '../session.ts'
import { type Located, locate } from './event-objects.ts'
import { guardOf, putObject, rewriting } from './event-writes.ts'
import { optionsOf } from './events.ts'
import { hostOf, needStanding, needWritable, type Self, selfOf } from './scheduling.ts'
import type { CalDavTraits } from './traits.ts'

const notInvited = (): ApiError =>
  new ApiError('invalid_request', 'this account is not invited to the event: it has nothing to answer')

/** The operation that answers invitations, for accounts of one provider. */
export function rsvpOperation<S extends DavSession>(
  traits: CalDavTraits<S>,
): NonNullable<Operations<S>['events']['rsvp']> {
  async function answered(session: S, located: Located, answer: Rsvp, self: Self): Promise<Located> {
    needStanding(located)
    if (hostOf(located, self) === undefined) {
      throw new ApiError('invalid_request', 'the account organizes this event: it has nothing to answer')
    }
    needWritable(located)
    const { object, place, stored } = located
    const { status, comment } = answer
    const slot = located.what === 'occurrence' ? { slot: located.slot } : {}
    const given = { addresses: self.addresses, status, ...(comment ? { comment } : {}), ...slot }
    const text = setAttendeeStatus(object, given, optionsOf(session, place, { self }))
    if (text === undefined) throw notInvited()
    await putObject(session, { url: stored.href, text, guard: await guardOf(session, stored, true) })
    return located
  }

  /** Sends a mail to the organizer if the server does not notify them. */
  async function tellOrganizer(session: S, located: Located, answer: Rsvp, self: Self): Promise<RsvpResult> {
    const { event, group } = located
    const guest = event.participants.find(({ email }) => self.addresses.includes(email?.toLowerCase() ?? ''))
    if (!traits.mail || !guest?.email) return { mail: 'not sent: the account has no mail server' }
    const { main } = group.read
    return traits.mail.tellOrganizer(session, {
      event,
      guest: { email: guest.email, name: guest.name },
      answer,
      ...(located.what === 'occurrence' && main ? { occurrence: momentOf(main.when, located.slot) } : {}),
    })
  }

  return async (session, at, answer) => {
    const [first, self] = await Promise.all([locate(session, traits, at), selfOf(session)])
    const located = await rewriting(session, first, (latest) => answered(session, latest, answer, self))
    if (!self.home.schedules) return at.skip_email ? {} : tellOrganizer(session, located, answer, self)
    return at.skip_email ? { mail: 'the calendar server notifies the organizer itself' } : {}
  }
}
