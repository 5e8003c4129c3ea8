/**
 * Runs the test files that failed in the last run once more, with nothing else running. Continuous integration does so
 * when `npm run check` fails: the machines are shared, and a file that fails only under their load has a race. Such a file
 * is listed at the end and has to be fixed.
 *
 *   node scripts/failed-files.ts
 */
import { spawnSync } from 'node:child_process'
import { readFailedFiles } from './test-times/failed-files.ts'

const maxFiles = 12

const files = readFailedFiles()
if (files === undefined) {
  console.error('There is nothing to run again: the last run did not end, or its tests did not fail.')
  process.exit(1)
}
if (files.length > maxFiles) {
  console.error(`${files.length} test files failed. At most ${maxFiles} are run again.`)
  process.exit(1)
}
console.log(`Running ${files.length} failed test files again:\n  ${files.join('\n  ')}`)
const { status } = spawnSync('vitest', ['run', '--mode', 'check', '--maxWorkers=2', ...files], { stdio: 'inherit' })
if (status === 0) console.log(`These files passed in the second run. Each has a race to fix:\n  ${files.join('\n  ')}`)
process.exit(status ?? 1)
