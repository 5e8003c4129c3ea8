/**
 * The day in the position of a notification. On PostgreSQL a position begins with the day that the notification was made
 * on, and a partition holds the positions of one day: whoever has a position, in the queue or in the log of attempts,
 * names the partition with it, and a day that nobody needs any more goes whole. Positions of stores from before, and those
 * of SQLite, have no day: they are smaller than those of any.
 */
export const dayMs = 86_400_000
/** So many positions has a day: enough for a billion an hour, and for days of three centuries below 2^53. */
export const positionsPerDay = 2 ** 36

/** The number of the day of a time, from 1970 on. */
export const dayOf = (milliseconds: number): number => Math.floor(milliseconds / dayMs)

/** Every position of this day or a later one is at least this. */
export const firstPositionOf = (day: number): number => day * positionsPerDay

/** Zero where the position has no day. */
export const dayOfPosition = (position: number): number => Math.floor(position / positionsPerDay)
