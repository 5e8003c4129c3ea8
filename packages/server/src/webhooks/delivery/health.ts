/**
 * The states of a destination, as functions of the outcomes of its attempts and of time.
 *
 *   active ⇄ failing ──▶ failed        only the client sets pause, and only the client leaves failed or pause
 *
 * The API defines the two limits (95 % over 15 minutes, then over 72 hours). The rest is decided here.
 *
 * - Every attempt counts once, including retries. Outcomes are counted in steps of 10 seconds.
 * - The period is the last 15 minutes: the 90 steps that end with the step of the outcome. If fewer than 10 attempts
 *   fall in it, the period is the last 10 attempts, whatever their age, so that a dead destination with little traffic is
 *   noticed too. 95 % of 10 means all 10.
 * - Nothing changes before 10 attempts were counted, nor before 15 minutes have passed since the first of them.
 * - active → failing when at least 95 % of the period failed.
 * - failing → active when less than 95 % of the same period failed. Counting then starts over, so that a destination at
 *   the limit becomes failing, with an email each time, at most once in 15 minutes.
 * - failing → failed at the first outcome 72 hours or more after it became failing, if at least 95 % of all attempts
 *   since then failed. The outcome that made it failing does not count. If less than 95 % failed, the destination stays
 *   failing and a new 72 hours start with that outcome. Recovery is checked first.
 * - Time alone can also make the state worse, because retries may be far apart or over. A destination becomes failing as
 *   soon as the period that ends now failed. It becomes failed when the 72 hours are over, even without attempts in them.
 *   Only an outcome improves the state.
 * - failed is never left here, and while failed or paused nothing counts. When the client sets `active`, the destination
 *   starts with `fresh()`.
 * - The clock may step back: an outcome before the last one counts at the time of the last one.
 */
import { z } from 'zod'

export type Status = 'active' | 'failing' | 'failed' | 'pause'

/** The state that a destination changes to by itself. */
export type Step = 'failing' | 'failed' | 'active'

/** The outcome of one attempt, and its time in milliseconds. */
export interface Outcome {
  at: number
  ok: boolean
}

interface Tally {
  attempts: number
  failed: number
}

/** The recorded outcomes of one destination. The caller owns it, and `recordAttempt` changes it. */
export interface Health {
  /** Attempts counted since activation, up to 10. */
  seen: number
  /** Consecutive failures, up to 10. */
  inARow: number
  /** Times of the first and last outcome. */
  first: number
  last: number
  /** Attempts and failures per step of the period. Step `n` of the clock is stored at `n % 90`. */
  attempts: number[]
  failed: number[]
  /** Their sum. */
  period: Tally
  /** The counts of the 72 hours that started at `since`. */
  failing?: Tally & { since: number }
}

const stepLength = 10_000
const steps = 90
const fifteenMinutes = stepLength * steps
const seventyTwoHours = 72 * 3_600_000
const fewest = 10

/** The health of a destination that was just created or activated. */
export const fresh = (): Health => ({
  seen: 0,
  inARow: 0,
  first: 0,
  last: 0,
  attempts: new Array(steps).fill(0),
  failed: new Array(steps).fill(0),
  period: { attempts: 0, failed: 0 },
})

const stepOf = (at: number): number => Math.floor(at / stepLength)
// In whole numbers: 95 % is 19 of 20.
const mostFailed = ({ attempts, failed }: Tally): boolean => failed * 20 >= attempts * 19

/** Moves the period forward and drops what leaves it. */
function advance(health: Health, at: number): void {
  const end = stepOf(at)
  for (let step = Math.max(stepOf(health.last), end - steps) + 1; step <= end; step++) {
    const place = step % steps
    health.period.attempts -= health.attempts[place] ?? 0
    health.period.failed -= health.failed[place] ?? 0
    health.attempts[place] = 0
    health.failed[place] = 0
  }
  health.last = at
}

function count(tally: Tally, ok: boolean): void {
  tally.attempts += 1
  if (!ok) tally.failed += 1
}

/** Whether the period failed. Undefined while it cannot be decided. */
function judgePeriod({ seen, first, inARow, period }: Health, at: number): boolean | undefined {
  if (seen < fewest || at - first < fifteenMinutes) return undefined
  return period.attempts < fewest ? inARow === fewest : mostFailed(period)
}

function countOutcome(health: Health, at: number, ok: boolean): void {
  advance(health, at)
  if (health.seen === 0) health.first = at
  if (health.seen < fewest) health.seen += 1
  health.inARow = ok ? 0 : Math.min(fewest, health.inARow + 1)
  const place = stepOf(at) % steps
  health.attempts[place] = (health.attempts[place] ?? 0) + 1
  if (!ok) health.failed[place] = (health.failed[place] ?? 0) + 1
  count(health.period, ok)
}

/** The result of 72 hours of failing: failed, or another 72 hours. */
function judgeFailing(health: Health, failing: Tally, at: number): Step | undefined {
  if (mostFailed(failing)) return 'failed'
  health.failing = { since: at, attempts: 0, failed: 0 }
  return undefined
}

/**
 * Counts the outcome of an attempt in `health`, in place. Returns the new state of the destination, or undefined if
 * it does not change. Takes constant time.
 */
export function recordAttempt(status: Status, health: Health, outcome: Outcome): Step | undefined {
  if (status === 'failed' || status === 'pause') return undefined
  const at = Math.max(outcome.at, health.last)
  countOutcome(health, at, outcome.ok)
  const failed = judgePeriod(health, at)
  if (status === 'active') {
    if (!failed) return undefined
    health.failing = { since: at, attempts: 0, failed: 0 }
    return 'failing'
  }
  // A destination whose health was lost while it was failing starts its 72 hours again.
  health.failing ??= { since: at, attempts: 0, failed: 0 }
  count(health.failing, outcome.ok)
  if (failed === undefined) return undefined
  if (!failed) {
    Object.assign(health, fresh(), { failing: undefined })
    return 'active'
  }
  return at - health.failing.since < seventyTwoHours ? undefined : judgeFailing(health, health.failing, at)
}

/** Applies the passage of time to a destination, in place, as `recordAttempt` does. */
export function judgeByTime(status: Status, health: Health, now: number): Step | undefined {
  const at = Math.max(now, health.last)
  if (status === 'active') {
    if (health.seen < fewest) return undefined
    advance(health, at)
    if (!judgePeriod(health, at)) return undefined
    health.failing = { since: at, attempts: 0, failed: 0 }
    return 'failing'
  }
  if (status !== 'failing') return undefined
  health.failing ??= { since: at, attempts: 0, failed: 0 }
  return at - health.failing.since < seventyTwoHours ? undefined : judgeFailing(health, health.failing, at)
}

/** When `judgeByTime` will change the state if no attempt ends before. Undefined if it never does. */
export function judgedAt(status: Status, health: Health): number | undefined {
  if (status === 'failing') return health.failing ? health.failing.since + seventyTwoHours : 0
  if (status !== 'active' || health.seen < fewest) return undefined
  const earliest = Math.max(health.first + fifteenMinutes, health.last)
  const left = { attempts: health.period.attempts, failed: health.period.failed }
  // The period moves on step by step until it is empty.
  for (let end = stepOf(health.last); end <= stepOf(health.last) + steps; end++) {
    if (end > stepOf(health.last)) {
      left.attempts -= health.attempts[end % steps] ?? 0
      left.failed -= health.failed[end % steps] ?? 0
    }
    const at = Math.max(earliest, end * stepLength)
    const isFailed = left.attempts < fewest ? health.inARow === fewest : mostFailed(left)
    if (isFailed && stepOf(at) === end) return at
  }
  return undefined
}

const Whole = z.int().nonnegative()
const isTally = ({ attempts, failed }: Tally): boolean => failed <= attempts
const Stored = z.strictObject({
  seen: Whole.max(fewest),
  inARow: Whole.max(fewest),
  first: Whole,
  last: Whole,
  /** Attempts and failures of the steps, alternating, oldest first, up to the step of `last`. */
  steps: z.array(Whole).max(2 * steps),
  failing: z.strictObject({ since: Whole, attempts: Whole, failed: Whole }).refine(isTally).optional(),
})

/** The stored form of a destination's health: less than 2 KB, with everything that counts after a restart. */
export function serializeHealth(health: Health): string {
  const { seen, inARow, first, last, failing } = health
  const end = stepOf(last)
  const counts: number[] = []
  for (let step = end - steps + 1; step <= end; step++) {
    const place = (step + steps) % steps
    const attempts = health.attempts[place] ?? 0
    if (attempts > 0 || counts.length > 0) counts.push(attempts, health.failed[place] ?? 0)
  }
  return JSON.stringify({ seen, inARow, first, last, steps: counts, failing } satisfies z.infer<typeof Stored>)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a stored health. A missing or unreadable one starts fresh. */
export function parseHealth(text: string | null): Health {
  const parsed = Stored.safeParse(text === null ? undefined : jsonOf(text))
  if (!parsed.success) return fresh()
  const { seen, inARow, first, last, steps: counts, failing } = parsed.data
  if (counts.length % 2 !== 0 || first > last) return fresh()
  const health: Health = { ...fresh(), seen, inARow, first, last, failing }
  for (let index = 0; index < counts.length; index += 2) {
    const tally = { attempts: counts[index] ?? 0, failed: counts[index + 1] ?? 0 }
    if (!isTally(tally)) return fresh()
    const place = (stepOf(last) - (counts.length - index) / 2 + 1 + steps) % steps
    health.attempts[place] = tally.attempts
    health.failed[place] = tally.failed
    health.period.attempts += tally.attempts
    health.period.failed += tally.failed
  }
  return health
}
