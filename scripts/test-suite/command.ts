/**
 * Prints the time report of the tests.
 *
 *   npm run test:times                              of the last run
 *   npm run test:times -- --run [arguments]         of a new run; arguments go to Vitest
 *   npm run test:times -- --record                  and writes the times of the last run into the committed table
 *   npm run test:times -- --json                    as JSON
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { lastTimes, printTimes } from './report.ts'
import { readTable, updatedTable, writeTable } from './times-table.ts'

const [flag, ...rest] = process.argv.slice(2)
if (flag === '--run' || !lastTimes()) {
  spawnSync('vitest', ['run', ...(flag === '--run' ? rest : [])], { stdio: 'inherit' })
}
const times = lastTimes()
if (!times) {
  console.error('No run has ended yet.')
  process.exit(1)
}
if (flag === '--record') {
  const root = path.join(import.meta.dirname, '../..')
  writeTable(updatedTable(readTable(), times.files, (name) => existsSync(path.join(root, name))))
  console.log(`scripts/test-suite/times.json has the times of ${times.files.length} files.`)
} else console.log(flag === '--json' ? JSON.stringify(times) : printTimes(times))
