/** Runs in every test file: notes the processor time of the worker, and of the processes that it started and that ended. */
import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  export interface TaskMeta {
    cpuSeconds?: number
  }
}

/** utime, stime, cutime and cstime of proc(5), in hundredths of a second; other systems than Linux have no such file. */
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

const before = cpuSeconds()
// Vitest reads the names of fixtures from the first argument, and takes nothing but a pattern there.
// biome-ignore lint/correctness/noEmptyPattern: see above
afterAll(({}, suite) => {
  suite.meta.cpuSeconds = cpuSeconds() - before
})
