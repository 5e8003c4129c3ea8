/**
 * When a notification that was not delivered is tried again.
 *
 * There are 8 tries: at once, then 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h after the try before. Each wait is drawn
 * from ±20 % around that, so that what failed together does not come back together; the waits of 10 h are only ever
 * lengthened, so that the tries span more than a day (26 h to 33 h) whatever was drawn.
 *
 * A receiver that answers 429 or 503 with Retry-After (RFC 9110, 10.2.3) is left alone for as long as it asks, but not
 * for less than the wait, nor for more than an hour or twice the wait, whichever is longer; drawn up to 20 % longer,
 * within the same bounds. Every other use of Retry-After and every value that cannot be read is ignored. 410 means that
 * nobody wants it any more: no more tries.
 */
const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The wait before each try, and the least share of it that is kept. */
const waits: readonly { wait: number; least: number }[] = [
  { wait: 0, least: 1 },
  { wait: 5 * second, least: 0.8 },
  { wait: 5 * minute, least: 0.8 },
  { wait: 30 * minute, least: 0.8 },
  { wait: 2 * hour, least: 0.8 },
  { wait: 5 * hour, least: 0.8 },
  { wait: 10 * hour, least: 1 },
  { wait: 10 * hour, least: 1 },
]
const most = 1.2

/** How often a notification is tried before it counts as failed. */
export const allTries = waits.length

export interface Tried {
  /** Tries made since the notification was queued, or queued again by a replay. */
  tries: number
  /** When the last of them ended, in milliseconds. */
  now: number
  /** The receiver's status; none when there was no answer. */
  status?: number
  /** The receiver's Retry-After header, as it came. */
  retryAfter?: string
  /** A number drawn from 0 up to, not including, 1. */
  random: number
}

export type NextTry = { dueAt: number } | { over: true }

/** When the next try is due, or that there is none. */
export function nextTry({ tries, now, status, retryAfter, random }: Tried): NextTry {
  const next = waits[tries]
  if (status === 410 || !next) return { over: true }
  const { wait, least } = next
  const asked = status === 429 || status === 503 ? parseRetryAfter(retryAfter, now) : undefined
  const drawn =
    asked === undefined
      ? wait * (least + (most - least) * random)
      : Math.min(Math.max(2 * wait, hour), Math.max(wait, asked) * (1 + (most - 1) * random))
  return { dueAt: now + Math.round(drawn) }
}

// The three forms of a date in HTTP (RFC 9110, 5.6.7); the second and the third are obsolete, and still to be accepted.
const dates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/** Milliseconds that a Retry-After asks to wait, or undefined when it cannot be read; a date that has passed asks for none. */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  const value = text?.trim() ?? ''
  // Infinity, for a row of hundreds of digits, is as good a number as any: the wait is bounded.
  if (/^\d+$/.test(value)) return Number(value) * second
  if (!dates.some((form) => form.test(value))) return undefined
  const at = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
