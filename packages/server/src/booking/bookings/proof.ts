/** What the salt of a booking reference proves about its holder. */
import { timingSafeEqual } from 'node:crypto'
import type { BookingRecord } from './record.ts'

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** `organizer` may confirm; `guest` received the booking's link. Takes the same time for every salt of a length. */
export function provedBy({ details }: Pick<BookingRecord, 'details'>, salt: string): 'organizer' | 'guest' | undefined {
  const isOrganizer = isSame(salt, details.salt)
  const isGuest = isSame(salt, details.guestSalt)
  return isOrganizer ? 'organizer' : isGuest ? 'guest' : undefined
}
