/** The seats of a group event, as arithmetic about the people of an event. */
import { emailKey } from '@waypost/platform/email-key'

export interface SeatPerson {
  email: string
  name?: string | null | undefined
}

/** A guest of an event as the calendar has it. */
export interface EventPerson {
  email?: string | undefined
  name?: string | null
  comment?: string | null
  phone_number?: string | null
  status?: string
}

const keysOf = (people: readonly { email?: string | undefined }[]): Set<string> =>
  new Set(people.flatMap(({ email }) => (email === undefined ? [] : [emailKey(email)])))

/** The guests of an event who count: neither hosts nor people who declined. */
const counted = (guests: readonly EventPerson[], hosts: readonly SeatPerson[]): EventPerson[] => {
  const free = keysOf(hosts)
  return guests.filter(({ email, status }) => status !== 'no' && !(email !== undefined && free.has(emailKey(email))))
}

/** The number of guests who have no booking: they were invited in the calendar itself, and take seats too. */
export function othersAmong(
  guests: readonly EventPerson[],
  { hosts, booked }: { hosts: readonly SeatPerson[]; booked: readonly SeatPerson[] },
): number {
  const seated = keysOf(booked)
  return counted(guests, hosts).filter(({ email }) => email === undefined || !seated.has(emailKey(email))).length
}

/**
 * The seats that are taken, as far as the numbers alone tell: everybody who booked, or everybody who is in the
 * calendar, whichever is more. The exact number needs the names of those who booked.
 */
export const takenSeats = (
  guests: readonly EventPerson[],
  { hosts, booked }: { hosts: readonly SeatPerson[]; booked: number },
): number => Math.max(booked, counted(guests, hosts).length)

interface Invited {
  email: string
  name?: string
  comment?: string
  phone_number?: string
}

/**
 * The guests of an event after some join and others leave; undefined if nothing changes. A person who both joins and
 * leaves stays.
 */
export function guestsAfter(
  guests: readonly EventPerson[],
  { join, leave }: { join: readonly SeatPerson[]; leave: readonly SeatPerson[] },
): Invited[] | undefined {
  const joining = keysOf(join)
  const leaving = keysOf(leave).difference(joining)
  const staying = guests.filter(({ email }) => email !== undefined && !leaving.has(emailKey(email)))
  const present = keysOf(guests)
  const added = new Map(
    join.filter(({ email }) => !present.has(emailKey(email))).map((one) => [emailKey(one.email), one]),
  )
  if (added.size === 0 && staying.length === guests.length) return undefined
  return [...staying, ...added.values()].map(invitedOf)
}

const invitedOf = ({ email = '', name, comment, phone_number }: EventPerson): Invited => ({
  email,
  ...(name ? { name } : {}),
  ...(comment ? { comment } : {}),
  ...(phone_number ? { phone_number } : {}),
})
