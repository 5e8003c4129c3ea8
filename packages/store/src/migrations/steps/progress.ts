/** What a step of a schema change does or waits for, for the log, `/ready` and `waypost db migrate`. */

import type { Log } from '@waypost/platform/log'
import type { PlannedStep } from '../recorded-steps.ts'
import type { Step } from '../schema-change.ts'

/** A session of PostgreSQL that holds a lock. */
export interface Blocker {
  pid: number
  application: string
  state: string
  /** How long its transaction has been open. */
  openMs: number
}

export interface StepProgress {
  change: number
  name: string
  step: string
  kind: Step['kind']
  /** The process that works on the step; undefined while nobody does. */
  runner: string | undefined
  /** Whether that is this process. */
  isOwn: boolean
  /** Unix milliseconds. */
  since: number
  done: number
  /** 0 if unknown. */
  total: number
  /** Sessions that hold a lock that the step needs. */
  blockedBy?: readonly Blocker[]
  /** Live nodes that are too old for a contract step. */
  olderNodes?: readonly string[]
}

export type Report = (progress: StepProgress) => void

export const progressOf = (
  { change, step }: PlannedStep,
  rest: Pick<StepProgress, 'runner' | 'isOwn' | 'since'> & Partial<StepProgress>,
): StepProgress => ({
  change: change.number,
  name: change.name,
  step: step.name,
  kind: step.kind,
  done: 0,
  total: 0,
  ...rest,
})

/** One sentence, such as "change 49 (jobs), index outbox_failed: 40 % done by web-1/17". */
export function describeProgress({ change, name, kind, step, ...rest }: StepProgress): string {
  const { runner, isOwn, done, total, blockedBy = [], olderNodes = [] } = rest
  const what = `change ${change} (${name}), ${kind} ${step}`
  if (olderNodes.length > 0) return `${what}: waits for older nodes to end: ${olderNodes.join(', ')}`
  if (blockedBy.length > 0) return `${what}: waits for locks of ${blockedBy.map(describeBlocker).join(', ')}`
  const part = total > 0 ? `${Math.min(100, Math.floor((100 * done) / total))} % done` : 'under way'
  return `${what}: ${part}${isOwn || runner === undefined ? '' : ` by ${runner}`}`
}

const describeBlocker = ({ pid, application, state, openMs }: Blocker): string =>
  `process ${pid} (${application || 'no name'}, ${state}, open for ${Math.round(openMs / 1000)} s)`

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
