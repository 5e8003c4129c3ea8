/**
 * Runs the tests nearest to what changed since `main`, as many as fit into a budget of processor time.
 *
 *   npm run test:changed                     about half a minute of processor time
 *   npm run test:changed -- --seconds 120    more
 *   npm run test:changed -- --all            every test file that reaches what changed
 *   npm run test:changed -- --since HEAD~3   another base
 *   npm run test:changed -- --mode check     also *.check.ts
 *   npm run test:changed -- --list           prints the files, and runs nothing
 *   npm run test:changed -- <file>           as if these files had changed
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { importers, isTestFile, nearestTests, normalized, withinBudget } from './nearest.ts'
import { readTable } from './times-table.ts'

const defaultSeconds = 25
const root = path.join(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: String(defaultSeconds) },
    since: { type: 'string', default: 'main' },
    mode: { type: 'string', default: 'test' },
    all: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})
const seconds = values.all ? Infinity : Number(values.seconds)
if (!(seconds > 0)) {
  console.error(`--seconds takes a number above 0, and got ${JSON.stringify(values.seconds)}`)
  process.exit(2)
}
const endings =
  values.mode === 'test' ? ['test'] : values.mode === 'check' ? ['test', 'check'] : ['test', 'check', 'full']

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')

const changed =
  positionals.length > 0
    ? positionals.map((file) => normalized(path.relative(root, path.resolve(file))))
    : [...git('diff', '--name-only', values.since), ...git('ls-files', '--others', '--exclude-standard')]
const files = globSync(['packages/*/{src,test}/**/*.{ts,tsx}', 'scripts/**/*.ts'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
}).map(normalized)
const tests = new Set(files.filter((file) => isTestFile(file) && endings.some((each) => file.endsWith(`.${each}.ts`))))
const table = readTable()
const costOf = (file: string): number => table[file]?.cpu ?? 1
const { chosen, left } = withinBudget(nearestTests(changed, tests, importers(files, root)), costOf, seconds)

if (chosen.length === 0) {
  console.log(changed.length === 0 ? `Nothing changed since ${values.since}.` : 'No test file reaches what changed.')
} else {
  console.log(`${chosen.length} test files for ${changed.length} changed files:\n  ${chosen.join('\n  ')}`)
  if (left.length > 0)
    console.log(`${left.length} more reach them over many steps: --all runs them, and so does npm test.`)
  if (!values.list) {
    const { status } = spawnSync('vitest', ['run', '--mode', values.mode, ...chosen], { cwd: root, stdio: 'inherit' })
    process.exitCode = status ?? 1
  }
}
