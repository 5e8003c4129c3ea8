/**
 * Round-robin order. Every booking of a group carries the group's id in the metadata key `key5`. Participants who
 * were never booked come first, then those whose last booking is oldest.
 */

/** The fields of an event that may be a booking of a group. */
export interface Booking {
  readonly id: string
  /** The series that an instance belongs to. */
  readonly master_event_id?: string | null
  readonly metadata?: Readonly<Record<string, string>> | null
  readonly status?: string | null
  readonly created_at?: number | null
  readonly start_time: number
}

/** When the last booking of the group was made, in Unix seconds. Undefined without a group or a booking. */
export function lastBookedAt(events: readonly Booking[], groupId: string | undefined): number | undefined {
  if (groupId === undefined) return undefined
  // A series is one booking, made when its first part was.
  const bookings = new Map<string, number>()
  for (const event of events) {
    if (event.metadata?.key5 !== groupId || event.status === 'cancelled') continue
    const id = event.master_event_id ?? event.id
    const time = event.created_at ?? event.start_time
    bookings.set(id, Math.min(time, bookings.get(id) ?? time))
  }
  let last: number | undefined
  for (const time of bookings.values()) last = Math.max(time, last ?? time)
  return last
}

export interface Candidate {
  readonly email: string
  /** Unix seconds of the last booking. Absent if there was none. */
  readonly lastBooked?: number | undefined
  /** Milliseconds of the last booking that our store knows. Decides between bookings of the same second. */
  readonly lately?: number | undefined
}

/** The candidates in booking order: never booked first, then the longest waiting. Ties are broken by address. */
export const inTurn = <C extends Candidate>(candidates: readonly C[]): C[] =>
  candidates.toSorted(
    (a, b) =>
      compare(a.lastBooked ?? Number.NEGATIVE_INFINITY, b.lastBooked ?? Number.NEGATIVE_INFINITY) ||
      compare(a.lately ?? Number.NEGATIVE_INFINITY, b.lately ?? Number.NEGATIVE_INFINITY) ||
      compare(a.email.toLowerCase(), b.email.toLowerCase()) ||
      compare(a.email, b.email),
  )

/** The first half of the order, rounded up. */
export const fairHalf = <C>(inOrder: readonly C[]): C[] => inOrder.slice(0, Math.ceil(inOrder.length / 2))

const compare = <V extends string | number>(a: V, b: V): number => (a < b ? -1 : a > b ? 1 : 0)
