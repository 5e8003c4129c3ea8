/** Runs the suites of the store on a cluster of Citus, or says why not. Arguments go to Vitest. */
import { spawnSync } from 'node:child_process'
import { citusMissing } from '@waypost/testing/peers/citus'

if (citusMissing) console.log(citusMissing)
else {
  const { status } = spawnSync('vitest', ['run', '--mode', 'citus', ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
