/**
 * A second implementation of the states of a destination, written from the rules without regard to speed or memory:
 * it stores every outcome since activation and evaluates all of them each time.
 */
import type { Outcome, Status, Step } from '../../src/webhooks/delivery/health.ts'

const minutes = (value: number): number => value * 60_000
const hours = (value: number): number => minutes(value * 60)

export class NaiveHealth {
  status: Status = 'active'
  /** Number of evaluations with exactly 95 %, and of 72-hour periods that ended without a failed destination. */
  edges = 0
  secondPeriods = 0
  /** Number of periods that extended beyond 15 minutes, and of those that did not. */
  reachedBack = 0
  withinPeriod = 0
  #outcomes: Outcome[] = []
  #sinceFailing: Outcome[] = []
  #failingAt = 0

  setByClient(status: 'active' | 'pause'): void {
    this.status = status
    this.#outcomes = []
    this.#sinceFailing = []
  }

  record(outcome: Outcome): Step | undefined {
    if (this.status === 'failed' || this.status === 'pause') return undefined
    const at = Math.max(outcome.at, this.#outcomes.at(-1)?.at ?? 0)
    this.#outcomes.push({ at, ok: outcome.ok })
    if (this.status === 'failing') this.#sinceFailing.push({ at, ok: outcome.ok })
    const next = this.#judge(at)
    if (next) this.status = next
    if (next === 'active') this.setByClient('active')
    if (next === 'failing') {
      this.#failingAt = at
      this.#sinceFailing = []
    }
    return next
  }

  #judge(at: number): Step | undefined {
    const [first] = this.#outcomes
    if (!first || this.#outcomes.length < 10 || at < first.at + minutes(15)) return undefined
    const share = failedShare(this.#period(at))
    if (share === 0.95) this.edges += 1
    if (this.status === 'active') return share >= 0.95 ? 'failing' : undefined
    if (share < 0.95) return 'active'
    if (at < this.#failingAt + hours(72)) return undefined
    if (failedShare(this.#sinceFailing) >= 0.95) return 'failed'
    this.secondPeriods += 1
    this.#failingAt = at
    this.#sinceFailing = []
    return undefined
  }

  #period(at: number): Outcome[] {
    // The ten-second step of `at` ends the period.
    const end = at - (at % 10_000) + 10_000
    const period = this.#outcomes.slice(this.#outcomes.findLastIndex((outcome) => outcome.at < end - minutes(15)) + 1)
    if (period.length >= 10) {
      this.withinPeriod += 1
      return period
    }
    this.reachedBack += 1
    return this.#outcomes.slice(-10)
  }
}

function failedShare(outcomes: Outcome[]): number {
  let failed = 0
  for (const { ok } of outcomes) if (!ok) failed += 1
  return failed / outcomes.length
}
