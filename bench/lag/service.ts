/**
 * In a separate process: a node, and how long its main thread was busy without a pause. A timer measures the time
 * between two ticks. Only the thread's own processor time counts as busy, so a crowded machine does not distort the
 * result.
 */
import { once } from 'node:events'
import { createEgress } from '@waypost/platform/egress/egress'
import { openNode } from '../node.ts'

export interface ServiceStart {
  env: Record<string, string>
  ca: string[]
}

export interface ServiceFacts {
  url: string
  key: string
}

/** Since the last request. */
export interface Busy {
  /** The longest time that the thread computed without a pause, in milliseconds. */
  stretch: number
  /** The longest delay of a tick. */
  delay: number
  /** Peak memory and memory at the start, in MB. */
  peak: number
  before: number
}

const tickMs = 5
const megabytes = (bytes: number): number => bytes / 1024 / 1024

function observe(): () => Busy {
  let busy: Busy = { stretch: 0, delay: 0, peak: 0, before: 0 }
  let at = performance.now()
  let cpu = process.threadCpuUsage()
  setInterval(() => {
    const now = performance.now()
    const used = process.threadCpuUsage(cpu)
    const delay = now - at - tickMs
    const rss = megabytes(process.memoryUsage.rss())
    busy.delay = Math.max(busy.delay, delay)
    busy.stretch = Math.max(busy.stretch, Math.min(delay, (used.user + used.system) / 1000))
    busy.peak = Math.max(busy.peak, rss)
    cpu = process.threadCpuUsage()
    at = performance.now()
  }, tickMs)
  return () => {
    const seen = busy
    globalThis.gc?.()
    const rss = megabytes(process.memoryUsage.rss())
    busy = { stretch: 0, delay: 0, peak: rss, before: rss }
    // Exclude the garbage collection above from the measurement.
    cpu = process.threadCpuUsage()
    at = performance.now()
    return seen
  }
}

const [{ env, ca }]: [ServiceStart] = (await once(process, 'message')) as [ServiceStart]
const egress = createEgress({ mode: 'private', ca, trustLoopback: true })
await using node = await openNode({ WAYPOST_ROLES: 'api,worker', ...env }, { egress, serving: true })
const url = await node.listen()
const seen = observe()
const facts: ServiceFacts = { url, key: node.key }
process.send?.(facts)
process.on('message', () => process.send?.(seen()))
await once(process, 'disconnect')
process.exit(0)
