// What a guest has of an event: his copy. Everything under one UID is one set: an event that stands alone, or a series
// with its changed occurrences. A guest of the series has its master, without the occurrences that he is not invited to
// (EXDATE), and the changed ones that he is invited to; a guest of single occurrences has those alone (RFC 5546 §3.2.2).
import type { Event } from '@waypost/contract'
import type { Moment } from '../icalendar/icalendar.ts'
import { contentOf, statusOf } from '../icalendar/vevent.ts'
import { basicDate, basicUtc } from '../recurrence/series.ts'
import { dayOf } from '../timezones/dates.ts'
import { guestsOf, isMailAddress, type Sender, sameAddress, type Told } from './itip.ts'

/** An occurrence that is told by itself, with the slot that it has in its series. */
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
export interface CopyPart extends Told {
  /** Empty for the event or the series itself. */
  readonly key: string
  /** What a guest reads in it, his own answer and the guest list apart. */
  readonly content: string
}

/** A guest's copy; the first part is the event or the series itself where he is invited to it. */
export interface Copy {
  readonly main: CopyPart | undefined
  readonly occurrences: readonly CopyPart[]
}

/** The name of a slot among those of its series. */
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
  /** Everybody who is invited to any part, each once. */
  readonly guests: readonly string[]
  of(guest: string): Copy
}

/** The copies of all guests of a set; guests who are invited to the same parts have the same one. */
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

/** Who gets mail about an event, by the address in small letters: guests and rooms with an address, but neither the
 * organizer nor ourselves. */
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
