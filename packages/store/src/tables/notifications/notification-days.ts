/**
 * The day within the position of a notification. On PostgreSQL a position starts with the creation day, and each
 * partition holds the positions of one day. So a position, in the queue or in the log of attempts, identifies its
 * partition, and an expired day is dropped as a whole. Positions from older stores and those of SQLite have no day;
 * they are smaller than all others.
 */
export const dayMs = 86_400_000
/** Positions per day: enough for a billion per hour, and for three centuries of days below 2^53. */
export const positionsPerDay = 2 ** 36

/** Days since 1970. */
export const dayOf = (milliseconds: number): number => Math.floor(milliseconds / dayMs)

/** The smallest position of a day. */
export const firstPositionOf = (day: number): number => day * positionsPerDay

/** 0 if the position has no day. */
export const dayOfPosition = (position: number): number => Math.floor(position / positionsPerDay)
