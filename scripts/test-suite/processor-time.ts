/**
 * Runs in every test file: records the processor time of the worker and of the processes that it started and that ended,
 * and the servers and processes that the file left open.
 */
import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  export interface TaskMeta {
    cpuSeconds?: number
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

const openBefore = openNow()
const before = cpuSeconds()
// Vitest reads the names of fixtures from the first argument, which must be a destructuring pattern.
// biome-ignore lint/correctness/noEmptyPattern: see above
afterAll(({}, suite) => {
  suite.meta.cpuSeconds = cpuSeconds() - before
  suite.meta.leftOpen = leftOpen()
})
