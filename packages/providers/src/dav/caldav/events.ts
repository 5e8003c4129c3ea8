/** Events of an account: the objects of its calendars, which are patched and never rewritten completely. */
import type { Event, EventChange, Rsvp, RsvpResult } from '@waypost/contract'
import {
  type ChangeOptions,
  cancelOccurrence,
  changeEvent,
  changeOccurrence,
  newCalendarObject,
  setAttendeeStatus,
} from '@waypost/formats/icalendar/calendar-object-changes'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import { reportDropped } from '../../calendar/dropped-occurrences.ts'
import { momentOf, notTooDense } from '../../calendar/series.ts'
import type { Once, Operations } from '../../operations.ts'
import type { DavObject } from '../client.ts'
import type { DavSession } from '../session.ts'
import { isChangedMeanwhile } from '../writes.ts'
import { eventLists } from './event-lists.ts'
import { inspectEvent, type Located, locate, locateIn, openObject, type StoredObject } from './event-objects.ts'
import { asCreateRefusal, guardOf, putObject, rewriting } from './event-writes.ts'
import { calendarPlace, serviceOf } from './known-calendars.ts'
import { withPointEnds } from './mapping/accepted-text.ts'
import type { CalendarPlace } from './mapping/calendar.ts'
import { toFieldChange, toNewEvent } from './mapping/event-change.ts'
import { readPartsOf } from './object-reading.ts'
import {
  agentFor,
  checkSilentDeletion,
  hostOf,
  type Notifying,
  needOrganizer,
  needStanding,
  needWritable,
  notifying,
  reportedChange,
  type Self,
  selfOf,
  telling,
} from './scheduling.ts'
import type { CalDavTraits } from './traits.ts'

/** The options for changes of objects. */
export const optionsOf = (
  session: DavSession,
  place: CalendarPlace,
  { self }: Pick<Notifying<DavSession>, 'self'>,
): ChangeOptions => ({
  zone: place.zone,
  now: session.io.clock.now(),
  addresses: self.addresses,
  organizer: { email: self.addresses[0] ?? session.grant.email, name: null },
})

/** Parses a new text; a series with too many occurrences for a list is rejected. */
function opened(session: DavSession, stored: DavObject, place: CalendarPlace): StoredObject {
  const object = openObject(session, stored, place)
  const { series } = object.group.read
  if (series) notTooDense(series)
  return object
}

/** Some services cannot turn a series into a single event. */
function checkSeriesEnd({ recurrence }: EventChange, { what }: Located, { endsSeries, title }: CalDavTraits): void {
  if (endsSeries || what !== 'series' || recurrence === undefined || (recurrence?.length ?? 0) > 0) return
  throw invalidField('recurrence', `a series at ${title} cannot become a single event: delete it and create one`)
}

/** The event operations of a provider, without answers to invitations, which not every provider has. */
export function eventOperations<S extends DavSession>(traits: CalDavTraits<S>) {
  /** Adds an end for servers that reject events without one. */
  const complete = (text: string): string => (traits.needsEnds ? withPointEnds(text) : text)

  /** Writes a changed text over the object that was read, and returns the new object. */
  async function write(session: S, located: Located, made: string, notified: Notifying<S>): Promise<StoredObject> {
    const { stored, place } = located
    const text = complete(made)
    const after = opened(session, { ...stored, data: text }, place)
    if (text === stored.data) return after
    const guard = await guardOf(session, stored, hostOf(located, notified.self) !== undefined)
    const reported = reportedChange(stored.href, { before: located, after: after.group, text })
    const put = await telling(session, notified, reported, () => putObject(session, { url: stored.href, text, guard }))
    return openObject(session, put, place)
  }

  async function changed(session: S, located: Located, change: EventChange, notified: Notifying<S>): Promise<Event> {
    needStanding(located)
    needOrganizer(located, notified.self)
    needWritable(located)
    checkSeriesEnd(change, located, traits)
    const { object, place, event } = located
    const fields = toFieldChange(change, {
      owner: session.grant.email,
      guests: event.participants,
      isScheduled: notified.self.home.schedules,
      traits,
    })
    const options = { ...optionsOf(session, place, notified), ...agentFor(session, object, notified) }
    if (located.what !== 'occurrence') {
      const { text, dropped } = changeEvent(object, fields, options)
      const after = await write(session, located, text, notified)
      reportDropped(session, dropped)
      return locateIn(after, undefined).event
    }
    const text = changeOccurrence(object, located.slot, { change: fields, options })
    return locateIn(await write(session, located, text, notified), located.slot).event
  }

  async function deleteObject(session: S, located: Located, notified: Notifying<S>): Promise<void> {
    const { stored } = located
    const isGuest = hostOf(located, notified.self) !== undefined
    const guard = await guardOf(session, stored, isGuest)
    const reported = isGuest ? undefined : reportedChange(stored.href, { before: located })
    const scheduleReply = notified.notify !== false
    readPartsOf(session).forget()
    await telling(session, notified, reported, () =>
      serviceOf(session).client.delete(stored.href, guard, { scheduleReply }),
    )
  }

  async function deleteOccurrence(
    session: S,
    located: Located & { what: 'occurrence' },
    notified: Notifying<S>,
  ): Promise<void> {
    needStanding(located)
    const text = cancelOccurrence(located.object, located.slot, optionsOf(session, located.place, notified))
    if (text === undefined) return deleteObject(session, located, notified)
    await write(session, located, text, notified)
  }

  /** Returns the object that an earlier attempt created. */
  const madeBefore = (session: S, url: string, once: Once | undefined) => async (error: unknown) => {
    // The name is unique to this request.
    if (once && isChangedMeanwhile(error)) return serviceOf(session).client.get(url)
    throw error
  }

  return {
    ...eventLists(traits),
    get: (session, at) => inspectEvent(session, traits, at),
    async create(session, at, draft) {
      const [place, self] = await Promise.all([calendarPlace(session, traits, at.calendar_id), selfOf(session)])
      needWritable({ place })
      const notified = notifying(traits, self, at)
      const fields = toNewEvent(draft, {
        owner: session.grant.email,
        guests: [],
        isScheduled: self.home.schedules,
        traits,
      })
      const uid = at.once?.name ?? newId()
      const agent = agentFor(session, undefined, notified)
      const text = complete(newCalendarObject(fields, { ...optionsOf(session, place, notified), ...agent, uid }))
      const url = `${place.url}${uid}.ics`
      const { group } = opened(session, { href: url, data: text }, place)
      const reported = reportedChange(url, { after: group, text })
      const put = () => putObject(session, { url, text, guard: { ifNoneMatch: '*' } })
      try {
        const made = await telling(session, notified, reported, put).catch(madeBefore(session, url, at.once))
        return locateIn(openObject(session, made, place, at), undefined).event
      } catch (error) {
        throw await asCreateRefusal(session, place.url, error)
      }
    },
    async update(session, at, change) {
      const [located, self] = await Promise.all([locate(session, traits, at), selfOf(session)])
      const notified = notifying(traits, self, at)
      return rewriting(session, located, (latest) => changed(session, latest, change, notified))
    },
    async delete(session, at) {
      const [located, self] = await Promise.all([locate(session, traits, at), selfOf(session)])
      const notified = notifying(traits, self, at)
      needWritable(located)
      checkSilentDeletion(session, located, notified)
      await rewriting(session, located, (latest) =>
        latest.what === 'occurrence'
          ? deleteOccurrence(session, latest, notified)
          : deleteObject(session, latest, notified),
      )
    },
  } satisfies Operations<S>['events']
}

const notInvited = (): ApiError =>
  new ApiError('invalid_request', 'this account is not invited to the event: it has nothing to answer')

/**
 * The operation that answers invitations: it sets the account's PARTSTAT. The server notifies the organizer, or we send
 * a mail.
 */
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
