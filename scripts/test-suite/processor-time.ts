/**
 * Runs in every test file: records the processor time of the worker and of the processes that it started and that ended,
 * how long the file waited, and the servers and processes that the file left open.
 */
import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  export interface TaskMeta {
    cpuSeconds?: number
    waitingSeconds?: number
    leftOpen?: string[]
  }
}

/** utime, stime, cutime and cstime of proc(5), in hundredths of a second; only Linux has this file. */
function cpuSeconds(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0)
  } catch {
    return process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6
  }
}

/** How long the main thread ran, or was ready to run and had no processor. The rest of the time it waited. */
function busySeconds(): number {
  try {
    const [ran = 0, ready = 0] = readFileSync('/proc/self/schedstat', 'utf8').split(' ').map(Number)
    return (ran + ready) / 1e9
  } catch {
    return process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6
  }
}

const isTracked = (kind: string): boolean => kind === 'TCPServerWrap' || kind === 'ProcessWrap'
const openNow = (): string[] => process.getActiveResourcesInfo().filter(isTracked)

/** The resources that are open now and were not before the file ran. */
function leftOpen(): string[] {
  const left = openNow()
  for (const kind of openBefore) {
    const place = left.indexOf(kind)
    if (place !== -1) left.splice(place, 1)
  }
  return left
}

// A test may replace the clock.
const now = performance.now.bind(performance)
const openBefore = openNow()
const before = { cpu: cpuSeconds(), busy: busySeconds(), at: now() }
// Vitest reads the names of fixtures from the first argument, which must be a destructuring pattern.
// biome-ignore lint/correctness/noEmptyPattern: see above
afterAll(({}, suite) => {
  suite.meta.cpuSeconds = cpuSeconds() - before.cpu
  suite.meta.waitingSeconds = Math.max(0, (now() - before.at) / 1000 - (busySeconds() - before.busy))
  suite.meta.leftOpen = leftOpen()
})
