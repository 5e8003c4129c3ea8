/**
 * Prints the time report of the tests: of the last run, or, with `--run` and any arguments of vitest, of a new one.
 */
import { spawnSync } from 'node:child_process'
import { lastTimes, printTimes } from './test-suite/report.ts'

const [flag, ...rest] = process.argv.slice(2)
if (flag === '--run' || !lastTimes()) {
  spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...(flag === '--run' ? rest : [])], {
    stdio: 'inherit',
  })
}
const times = lastTimes()
console.log(times ? printTimes(times) : 'No run has ended yet.')
