import type { Log } from '@waypost/platform/log'
import { describeProgress, type Report } from './progress.ts'

/** The same state is logged again after this time. */
const againMs = 10_000

/** Logs what a step waits for and how far it is: at once if that has changed, otherwise now and then. */
export function logProgress(log: Pick<Log, 'info' | 'warn'>, now: () => number = () => performance.now()): Report {
  let last = { key: '', at: 0 }
  return (progress) => {
    const { change, step, kind, runner, since, done, total, blockedBy, olderNodes } = progress
    const key = [change, step, runner, blockedBy !== undefined, olderNodes].join(' ')
    if (key === last.key && now() - last.at < againMs) return
    last = { key, at: now() }
    const facts = { change, step, kind, runner, since, done, total, blocked_by: blockedBy, older_nodes: olderNodes }
    if (blockedBy) log.warn(facts, describeProgress(progress))
    else log.info(facts, describeProgress(progress))
  }
}
