/**
 * Determines the organizer of an event, and which party notifies guests of a change: the server, our mail, or none.
 */

import type { ChangeOptions } from '@waypost/formats/icalendar/calendar-object-changes'
import { userAddress } from '@waypost/formats/icalendar/calendar-users'
import type { ComponentNode } from '@waypost/formats/icalendar/content-lines'
import { ContentLine } from '@waypost/formats/icalendar/content-lines'
import type { EventSet } from '@waypost/formats/itip/invitation-copies'
import { ApiError } from '@waypost/platform/api-error'
import { hasGuests, momentOf, withOverride } from '../../calendar/series.ts'
import type { Notify } from '../../operations.ts'
import { notFound } from '../../shared/named-objects.ts'
import type { DavSession, Home } from '../session.ts'
import type { Located, StoredObject } from './event-objects.ts'
import { homeOf } from './known-calendars.ts'
import type { EventGroup } from './timeline.ts'
import type { CalDavTraits, ReportedChange } from './traits.ts'

/** The account as organizers and guests see it. */
export interface Self {
  home: Home
  /** In lower case; the first one is used in invitations. */
  addresses: readonly string[]
}

export async function selfOf(session: DavSession): Promise<Self> {
  const home = await homeOf(session)
  const own = session.grant.email.toLowerCase()
  // Servers accept invitations only from addresses that they have on record.
  const addresses =
    home.addresses.length === 0 || home.addresses.includes(own) ? [own, ...home.addresses] : home.addresses
  return { home, addresses: [...new Set([...addresses, own])] }
}

/** The organizer's address in lower case; undefined if there is none. */
function organizerIn(node: ComponentNode | undefined): string | undefined {
  const line = node?.line('ORGANIZER')
  return line && (userAddress(line) ?? line.value.replace(/^mailto:/i, '')).toLowerCase()
}

/** The components for an id: the override of an occurrence, and its series. */
function nodesOf({ object, read, ...located }: Located): (ComponentNode | undefined)[] {
  if (located.what !== 'occurrence') return [object.master]
  return [read.overrides.find(({ slot }) => slot === located.slot)?.node, object.master]
}

/** The organizer of the event if it is another person; undefined for the account's own event. */
export function hostOf(located: Located, { addresses }: Self): string | undefined {
  const organizer = nodesOf(located)
    .map(organizerIn)
    .find((address) => address !== undefined)
  return organizer === undefined || addresses.includes(organizer) ? undefined : organizer
}

/** Rejects changes by a guest, who has only a copy. */
export function needOrganizer(located: Located, self: Self): void {
  if (hostOf(located, self) === undefined) return
  throw new ApiError('invalid_request', 'only the organizer can change this event; answer it with send-rsvp')
}

export function needWritable({ place }: Pick<StoredObject, 'place'>): void {
  if (!place.readOnly) return
  throw new ApiError('invalid_request', 'the event is read-only: the account may not write to this calendar')
}

/** A cancelled event can only be read. */
export function needStanding({ event }: Located): void {
  if (event.status === 'cancelled') throw notFound('event')
}

/** Whether the server notifies guests of an event itself. */
function isReported(object: StoredObject['object'], { addresses }: Self): boolean {
  const nodes = [...(object.master ? [object.master] : []), ...object.overrides]
  return nodes.some((node) =>
    node.items.some(
      (item) =>
        item.name === 'ATTENDEE' &&
        item instanceof ContentLine &&
        !/^(?:NONE|CLIENT)$/i.test(item.parameter('SCHEDULE-AGENT') ?? '') &&
        !addresses.includes(userAddress(item)?.toLowerCase() ?? ''),
    ),
  )
}

export interface Telling {
  self: Self
  traits: CalDavTraits
  notify: boolean | undefined
}

/**
 * Which party notifies the guests of a change. If the server does and the client wants no notification, new guests
 * get SCHEDULE-AGENT=NONE. Guests that the server has already invited are notified in any case: NONE would cancel
 * their invitation (RFC 6638 §3.2.1.2).
 */
export function agentFor(
  session: DavSession,
  object: StoredObject['object'] | undefined,
  { self, traits, notify }: Telling,
): Pick<ChangeOptions, 'scheduleAgent'> {
  if (!self.home.schedules || traits.alwaysTells) return {}
  if (notify !== false) return { scheduleAgent: 'SERVER' }
  if (!object || !isReported(object, self)) return { scheduleAgent: 'NONE' }
  tellIgnored(session)
  return {}
}

const tellIgnored = ({ io }: DavSession): void => io.setResponseHeader('x-ignored-fields', 'notify_participants')

/** Guests that the server has invited are notified of a deletion, regardless of the client's request. */
export function checkSilentDeletion(session: DavSession, located: Located, { self, traits, notify }: Telling): void {
  if (notify !== false || !self.home.schedules || traits.alwaysTells || hostOf(located, self) !== undefined) return
  if (isReported(located.object, self)) tellIgnored(session)
}

/** Everything under the UID of an object; undefined if the account has only single occurrences of a series. */
export function setOf({ read: { main, overrides }, event }: EventGroup): EventSet | undefined {
  if (!main) return undefined
  return {
    main: event(main),
    overrides: overrides.map(({ slot, fields }) => ({ slot: momentOf(main.when, slot), event: event(fields, slot) })),
  }
}

/** The change to report to guests by mail; undefined if there are no guests. */
export function reportedChange(
  url: string,
  { before, after, text }: { before?: Located; after?: EventGroup; text?: string },
): ReportedChange | undefined {
  const was = before && setOf(before.group)
  const sets = { before: was, after: after && setOf(after) }
  if (!hasGuests(sets.before) && !hasGuests(sets.after)) return undefined
  const isOccurrence = before?.what === 'occurrence'
  const reported = was && isOccurrence ? withOverride(was, momentOf(was.main.when, before.slot), before.event) : was
  return {
    url,
    ...(text === undefined ? {} : { text }),
    ...(reported ? { before: reported } : {}),
    ...(sets.after ? { after: sets.after } : {}),
    ...(was && isOccurrence ? { occurrence: momentOf(was.main.when, before.slot) } : {}),
  }
}

/** Applies a change, and sends mails about it if the server sends none. */
export function telling<S extends DavSession, T>(
  session: S,
  { self, traits, notify }: Notifying<S>,
  change: ReportedChange | undefined,
  write: () => Promise<T>,
): Promise<T> {
  const isOurs = !self.home.schedules && notify !== false
  return isOurs && change && traits.mail ? traits.mail.telling(session, change, write) : write()
}

export interface Notifying<S extends DavSession> extends Telling {
  traits: CalDavTraits<S>
}

export const notifying = <S extends DavSession>(
  traits: CalDavTraits<S>,
  self: Self,
  { notify_participants: notify }: Notify,
): Notifying<S> => ({ traits, self, notify })
