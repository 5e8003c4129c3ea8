/**
 * When an undelivered notification is retried.
 *
 * There are 8 attempts: immediately, then 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h after the previous one. Each
 * delay is randomized by ±20 %, so that deliveries that failed together do not return together. The delays of 10 h
 * are only ever lengthened, so that the attempts span more than a day (26 h to 33 h) in every case.
 *
 * If a receiver responds 429 or 503 with Retry-After (RFC 9110, 10.2.3), the service waits that long, but not less
 * than the delay, nor more than an hour or twice the delay, whichever is longer; randomized up to 20 % longer, within
 * the same bounds. Retry-After on other statuses and unreadable values are ignored. 410 ends the retries.
 */
const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** The delay before each attempt, and its minimum as a share. */
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
const max = 1.2

export interface Tried {
  /** Attempts since the notification was queued, or queued again by a replay. */
  tries: number
  /** When the last attempt ended, in milliseconds. */
  now: number
  /** The response status. Undefined if there was no response. */
  status?: number
  /** The Retry-After header, unparsed. */
  retryAfter?: string
  /** A random number from 0 up to, not including, 1. */
  random: number
}

export type NextTry = { dueAt: number } | { over: true }

/** When the next attempt is due, or that there is none. */
export function nextTry({ tries, now, status, retryAfter, random }: Tried): NextTry {
  const next = waits[tries]
  if (status === 410 || !next) return { over: true }
  const { wait, least } = next
  const requested = status === 429 || status === 503 ? parseRetryAfter(retryAfter, now) : undefined
  const drawn =
    requested === undefined
      ? wait * (least + (max - least) * random)
      : Math.min(Math.max(2 * wait, hour), Math.max(wait, requested) * (1 + (max - 1) * random))
  return { dueAt: now + Math.round(drawn) }
}

// The three date formats of HTTP (RFC 9110, 5.6.7). The second and third are obsolete but must be accepted.
const dates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/** The delay of a Retry-After in milliseconds. Undefined if it cannot be read, 0 for a date in the past. */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  const value = text?.trim() ?? ''
  // Hundreds of digits give Infinity, which is fine because the delay is bounded.
  if (/^\d+$/.test(value)) return Number(value) * second
  if (!dates.some((form) => form.test(value))) return undefined
  const at = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
