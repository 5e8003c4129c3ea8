/**
 * The complete check, as continuous integration runs it: lint, types, generated files, and the tests with their
 * servers. Arguments go to Vitest.
 *
 *   npm run check                     everything
 *   npm run check -- --shard 1/3      a third of the tests; the first one also checks lint, types and generated files
 *   npm run check:full                more: every journey on both stores, and the `*.full.ts` files
 */
import { spawnSync } from 'node:child_process'

const args = process.argv.slice(2)
const mode = args.includes('--full') ? 'full' : 'check'
const rest = args.filter((each) => each !== '--full')

function run(program: string, ...parameters: string[]): void {
  const begun = performance.now()
  console.log(`\n> ${program} ${parameters.join(' ')}`)
  const { status, error } = spawnSync(program, parameters, { stdio: 'inherit' })
  if (status !== 0) {
    console.error(error?.message ?? `failed: ${program} ${parameters.join(' ')}`)
    process.exit(status ?? 1)
  }
  console.log(`  ${((performance.now() - begun) / 1000).toFixed(0)} s`)
}

const flag = rest.findIndex((each) => each.startsWith('--shard'))
const shard = flag === -1 ? '1/1' : (rest[flag]?.split('=')[1] ?? rest[flag + 1] ?? '')
if (!/^\d+\/\d+$/.test(shard)) {
  console.error(`--shard takes the form 1/3, and got ${JSON.stringify(shard)}`)
  process.exit(2)
}

run('node', 'scripts/test-setup.ts')
if (shard.startsWith('1/')) {
  run('npm', 'run', '--silent', 'lint')
  run('npm', 'run', '--silent', 'types')
  run('node', 'scripts/generate.ts', '--check')
}
run('node', 'scripts/build-pages.ts')
run('vitest', 'run', '--mode', mode, ...rest)
