/** Finds processes whose event loop no longer runs. */
import type { SupervisedProcess } from './supervised-process.ts'

/** How often a process says that it runs. */
export const beatMs = 1_000
/** Its leases last 15 seconds; a node that is silent for this long answers nobody. */
const hangMs = 10_000
/** A process that starts may load and compile code for long, in one go. */
const startMs = 60_000
/** If the supervisor itself did not run for longer than this, the machine slept or was busy, and silence says nothing. */
const lateMs = 3_000

export interface SilenceLimits {
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
