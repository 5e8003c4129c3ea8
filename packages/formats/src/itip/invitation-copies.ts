/**
 * The copy of an event that each guest has. Everything under one UID is one set: a single event, or a series with its
 * changed occurrences. A guest of the series has its master, with EXDATE for the occurrences without an invitation,
 * and the changed occurrences with an invitation. A guest of single occurrences has only those (RFC 5546 §3.2.2).
 */
import type { Event } from '@waypost/contract'
import type { Moment } from '../icalendar/icalendar.ts'
import { contentOf, statusOf } from '../icalendar/vevent.ts'
import { basicDate, basicUtc } from '../recurrence/series.ts'
import { dayOf } from '../timezones/dates.ts'
import { guestsOf, isMailAddress, type Sender, sameAddress, type VeventSource } from './itip.ts'

/** A changed occurrence with its slot in the series. */
export interface ChangedOccurrence {
  readonly slot: Moment
  readonly event: Event
}

/** Everything under one UID. */
export interface EventSet {
  readonly main: Event
  readonly overrides: readonly ChangedOccurrence[]
}

/** One VEVENT of a copy. */
export interface CopyPart extends VeventSource {
  /** Empty for the event or the series itself. */
  readonly key: string
  /** The content that a guest sees, except the guest's own answer and the guest list. */
  readonly content: string
}

/** A guest's copy. `main` is the event or the series, if the guest is invited to it. */
export interface Copy {
  readonly main: CopyPart | undefined
  readonly occurrences: readonly CopyPart[]
}

/** The key of a slot within its series. */
export const slotName = (slot: Moment): string => ('date' in slot ? basicDate(dayOf(slot.date)) : basicUtc(slot.time))

/** The highest SEQUENCE under a UID. */
export const sequenceOf = ({ main, overrides }: EventSet): number =>
  Math.max(0, ...[main, ...overrides.map(({ event }) => event)].map(({ sequence }) => sequence ?? 0))

export const partsOf = ({ main, occurrences }: Copy): readonly CopyPart[] =>
  main === undefined ? occurrences : [main, ...occurrences]

export const isSameCopy = (a: Copy, b: Copy): boolean => {
  const [first, second] = [partsOf(a), partsOf(b)]
  return first.length === second.length && first.every((part, index) => isSamePart(part, second[index]))
}

export const isSamePart = (a: CopyPart, b: CopyPart | undefined): boolean => a.key === b?.key && a.content === b.content

const nothing: Copy = { main: undefined, occurrences: [] }

export interface Copies {
  /** The address of every guest of any part, without duplicates. */
  readonly guests: readonly string[]
  of(guest: string): Copy
}

/** The copies of all guests of a set. Guests with the same invitations share one copy. */
export function copiesOf(set: EventSet | undefined, sender: Sender): Copies {
  if (set === undefined) return { guests: [], of: () => nothing }
  const overrides = set.overrides
    .map((one) => ({ ...one, key: slotName(one.slot), invited: invitedTo(one.event, sender) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  const invited = invitedTo(set.main, sender)
  const guests = new Map([invited, ...overrides.map((one) => one.invited)].flatMap((each) => [...each]))
  const parts = overrides.map(({ event, slot, key }) => ({ event, slot, key, content: contentKey(event, slot) }))
  const known = new Map<string, Copy>()
  const make = (isInvited: boolean, isIn: readonly boolean[]): Copy => {
    const occurrences = parts.filter((_, index) => isIn[index])
    if (!isInvited) return { main: undefined, occurrences }
    const event = without(
      set.main,
      parts.filter((_, index) => !isIn[index]),
    )
    return { main: { event, key: '', content: contentKey(event, undefined) }, occurrences }
  }
  return {
    guests: [...guests.values()],
    of(guest) {
      const address = guest.toLowerCase()
      const isInvited = invited.has(address)
      const isIn = overrides.map((one) => one.invited.has(address))
      const signature = JSON.stringify([isInvited, isIn])
      const copy = known.get(signature) ?? make(isInvited, isIn)
      known.set(signature, copy)
      return copy
    },
  }
}

/**
 * The recipients of mail about an event, keyed by lower-case address: guests and rooms with an address, except the
 * organizer and the sender.
 */
function invitedTo(event: Event, { organizer, sentBy }: Sender): Map<string, string> {
  if (event.status === 'cancelled') return new Map()
  const senders = [organizer.email, sentBy, event.organizer?.email].filter((email) => email !== undefined)
  const addresses = guestsOf(event)
    .map(({ email }) => email)
    .filter((email) => isMailAddress(email) && !senders.some((each) => sameAddress(each, email)))
  return new Map(addresses.map((email) => [email.toLowerCase(), email]))
}

/** The series without some of its slots. */
function without(main: Event, parts: readonly { readonly slot: Moment; readonly key: string }[]): Event {
  if (parts.length === 0) return main
  const lines = parts.map(({ slot, key }) => `EXDATE${'date' in slot ? ';VALUE=DATE' : ''}:${key}`)
  return { ...main, recurrence: [...(main.recurrence ?? []), ...lines] }
}

const contentKey = (event: Event, slot: Moment | undefined): string =>
  JSON.stringify([contentOf(event, slot), statusOf(event), event.hide_participants])
