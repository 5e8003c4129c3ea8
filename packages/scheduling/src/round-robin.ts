/**
 * Round-robin order. Every booking of a group carries the group's id in the metadata key `key5`. Participants who
 * were never booked come first, then those whose last booking is oldest.
 */

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
