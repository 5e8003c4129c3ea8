/**
 * The states of a destination, as functions of the outcomes of its attempts and of the time.
 *
 *   active ⇄ failing ──▶ failed        pause and every way out of failed or pause are the client's
 *
 * The founding document gives the two limits (95 % over 15 minutes, then over 72 hours); the rest is chosen here.
 *
 * - Every attempt counts once, a retry too. Outcomes are counted in steps of 10 seconds of the clock.
 * - The period is the last 15 minutes, that is the 90 steps that end with the step of the outcome. Where fewer than 10
 *   attempts fall in it, the period is the last 10 attempts however old they are, so that a quiet dead destination is
 *   noticed too; 95 % of 10 are all 10.
 * - Nothing changes before 10 attempts were counted, nor before 15 minutes have passed since the first of them.
 * - active → failing when at least 95 % of the period failed.
 * - failing → active when less than 95 % of the same period failed. Counting then begins anew, so that a destination
 *   on the edge becomes failing, with an e-mail each time, at most once in 15 minutes and not with every attempt.
 * - failing → failed at the first outcome 72 hours or more after it became failing, when at least 95 % of all attempts
 *   since then failed; the one that made it failing belongs to what was before. When less than 95 % did, the
 *   destination stays failing and a new 72 hours begin with that outcome. Recovery is looked at first.
 * - Time judges too: a destination gets worse when its time has come, though no attempt ends then, because tries are far
 *   apart or there are none any more. It becomes failing as soon as the period that ends now failed, and failed when the
 *   72 hours are over, also where nothing was attempted in them. It gets better by an outcome alone.
 * - failed is never left here, and while failed or paused nothing counts. When the client sets `active` the destination
 *   starts with `fresh()`.
 * - The clock may step back: an outcome that lies before the last one counts at the time of the last one.
 */
import { z } from 'zod'

export type Status = 'active' | 'failing' | 'failed' | 'pause'

/** The state that a destination goes to by itself. */
export type Step = 'failing' | 'failed' | 'active'

/** How one attempt ended, and when, in milliseconds. */
export interface Outcome {
  at: number
  ok: boolean
}

interface Tally {
  attempts: number
  failed: number
}

/** What is remembered of the outcomes of one destination. It belongs to its caller, and `recordAttempt` changes it. */
export interface Health {
  /** Attempts counted since activation, up to 10: beyond, nobody asks. */
  seen: number
  /** Attempts that failed since the last success, up to 10. */
  inARow: number
  /** Times of the first and of the last outcome. */
  first: number
  last: number
  /** Attempts and failures of each step of the period; the step `n` of the clock has its place at `n % 90`. */
  attempts: number[]
  failed: number[]
  /** Their sum. */
  period: Tally
  /** What was counted in the 72 hours that began at `since`. */
  failing?: Tally & { since: number }
}

const stepLength = 10_000
const steps = 90
const fifteenMinutes = stepLength * steps
const seventyTwoHours = 72 * 3_600_000
const fewest = 10

/** The health of a destination that was just created or made active. */
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
// In whole numbers: 95 % are 19 of 20.
const mostFailed = ({ attempts, failed }: Tally): boolean => failed * 20 >= attempts * 19

/** Moves the period forward; what leaves it is forgotten. */
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

/** Whether the period failed, or undefined while that cannot be said. */
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

/** What 72 hours of failing come to: failed, or another 72 hours. */
function judgeFailing(health: Health, failing: Tally, at: number): Step | undefined {
  if (mostFailed(failing)) return 'failed'
  health.failing = { since: at, attempts: 0, failed: 0 }
  return undefined
}

/**
 * Counts the outcome of an attempt in `health`, in place, and returns the state that the destination goes to, or undefined
 * when it stays in the one it is in. Called for every attempt: it takes the same short time however many there were.
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
  // A destination whose health was lost while it was failing begins its 72 hours again.
  health.failing ??= { since: at, attempts: 0, failed: 0 }
  count(health.failing, outcome.ok)
  if (failed === undefined) return undefined
  if (!failed) {
    Object.assign(health, fresh(), { failing: undefined })
    return 'active'
  }
  return at - health.failing.since < seventyTwoHours ? undefined : judgeFailing(health, health.failing, at)
}

/** What the time alone makes of a destination, in place, as `recordAttempt` does. */
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

/** When `judgeByTime` has something to say, if no attempt ends until then; undefined where it never does. */
export function judgedAt(status: Status, health: Health): number | undefined {
  if (status === 'failing') return health.failing ? health.failing.since + seventyTwoHours : 0
  if (status !== 'active' || health.seen < fewest) return undefined
  const earliest = Math.max(health.first + fifteenMinutes, health.last)
  const left = { attempts: health.period.attempts, failed: health.period.failed }
  // The period moves on step by step, until nothing is left in it.
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
  /** Attempts and failures of the steps by turns, the oldest first, up to the step of `last`. */
  steps: z.array(Whole).max(2 * steps),
  failing: z.strictObject({ since: Whole, attempts: Whole, failed: Whole }).refine(isTally).optional(),
})

/** The text that is kept of a destination's health: less than 2 KB, and everything that counts after a restart. */
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

/** The health that a text tells of; a destination without one, or with one that cannot be read, starts fresh. */
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
