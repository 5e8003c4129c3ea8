/**
 * Processes that fail: how the supervisor finds those whose event loop no longer runs, and how long it waits before it
 * replaces one that crashed.
 */

import { randomInt } from 'node:crypto'
import type { SupervisedProcess } from './supervised-process.ts'

/** How often a process says that it runs. */
export const beatMs = 1_000
/** Its leases last 15 seconds; a node that is silent for this long answers nobody. */
const hangMs = 10_000
/** A process that starts may load and compile code for long, in one go. */
const startMs = 60_000
/** If the supervisor itself did not run for longer than this, the machine slept or was busy, and silence says nothing. */
const lateMs = 3_000

interface SilenceLimits {
  hangMs: number
  startMs: number
}

/** Whether a process has been silent for too long. */
export const isSilent = (
  { state, heardAt }: Pick<SupervisedProcess, 'state' | 'heardAt'>,
  now: number,
  limits: SilenceLimits = { hangMs, startMs },
): boolean => now - heardAt > (state === 'starting' ? limits.startMs : limits.hangMs)

/** Calls `hung` for every process that does not answer any more. */
export function watchHeartbeats(
  processes: () => readonly SupervisedProcess[],
  hung: (silent: SupervisedProcess, silentMs: number) => void,
): Disposable {
  let checkedAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    const late = now - checkedAt - beatMs
    checkedAt = now
    if (late > lateMs) {
      for (const each of processes()) each.heardAt = now
      return
    }
    for (const each of processes()) if (isSilent(each, now)) hung(each, now - each.heardAt)
  }, beatMs)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** A process that lived this long was healthy: the next crash counts as the first. */
const healthyMs = 60_000
const firstMs = 1_000
const maxMs = 30_000
/** From this many crashes in a row on, the log says that it does not go away by itself. */
const loudFrom = 5

interface Restart {
  /** Consecutive crashes, this one included. */
  crashes: number
  delayMs: number
  /** Whether the crashes have become a pattern that a person has to look at. */
  isLoud: boolean
}

/**
 * The crashes of one place. The first one is replaced at once. Then the delay doubles from one second to half a
 * minute, with jitter, so that processes that crash for one reason do not start at the same moment.
 */
export class Crashes {
  #count = 0
  readonly #random: () => number

  constructor(random: () => number = () => randomInt(1_000) / 1_000) {
    this.#random = random
  }

  /** Records a crash of a process that lived this long. */
  record(livedMs: number): Restart {
    this.#count = livedMs >= healthyMs ? 1 : this.#count + 1
    const wait = this.#count === 1 ? 0 : Math.min(firstMs * 2 ** (this.#count - 2), maxMs)
    return {
      crashes: this.#count,
      delayMs: Math.round(wait * (0.5 + this.#random() / 2)),
      isLoud: this.#count >= loudFrom,
    }
  }
}
