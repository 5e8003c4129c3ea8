/**
 * Runs every benchmark in sequence and prints one table of results: figure, floor, ratio, aim, met. It also writes
 * them to `bench/results.json`. With `--document`, it updates docs/performance.md, and the tables computed from the
 * results in docs/scale.md and docs/operations.md.
 *
 *   npm run bench:all                       about an hour
 *   npm run bench:all -- --quick            short rounds, about twenty minutes
 *   npm run bench:all -- --only=http,send   some of them; earlier results of the others stay
 *   npm run bench:all -- --json             for programs
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, totalmem } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { replaceScale, replaceSizing } from './arithmetic.ts'
import { type FigureRow, quick, report } from './figures.ts'
import { type Results, replaceTable } from './results.ts'

/** In this order: benchmarks with aims come first. */
const benchmarks = [
  'http',
  'calendar',
  'webhooks',
  'send',
  'imap',
  'memory',
  'growth',
  'nodes',
  'simulation',
  'availability',
  'bookings',
  'mcp',
  'google',
  'microsoft',
  'ews',
  'dav',
  'dashboard',
  'pages',
  'overload',
  'lag',
  'sizing',
  'units',
] as const

/** No benchmark takes longer unless something is wrong. */
const deadlineMs = quick ? 600_000 : 1_200_000
const retained = fileURLToPath(new URL('./results.json', import.meta.url))

const documents = { performance: replaceTable, scale: replaceScale, operations: replaceSizing }

const isRow = (value: unknown): value is FigureRow =>
  typeof value === 'object' && value !== null && 'what' in value && 'figure' in value && 'met' in value

/** The rows of one benchmark, or the reason why there are none. */
async function rowsOf(name: string): Promise<FigureRow[]> {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, [file, '--json', ...(quick ? ['--quick'] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: deadlineMs,
    killSignal: 'SIGKILL',
  })
  const ended = new Promise<string>((resolve) => child.once('exit', (code, signal) => resolve(signal ?? String(code))))
  const printed = (await text(child.stdout)).trim()
  const end = await ended
  if (end !== '0') throw new Error(`ended with ${end}`)
  const rows: unknown = JSON.parse(printed.slice(printed.lastIndexOf('\n') + 1))
  if (!Array.isArray(rows) || rows.length === 0 || !rows.every(isRow)) throw new Error('printed no rows')
  return rows
}

const only = /^--only=(.+)$/.exec(process.argv.find((word) => word.startsWith('--only=')) ?? '')?.[1]?.split(',')
const unknown = only?.find((name) => !benchmarks.some((each) => each === name))
if (unknown !== undefined) throw new Error(`${unknown}: there is no such benchmark; there are ${benchmarks.join(', ')}`)
const chosen = benchmarks.filter((name) => only?.includes(name) ?? true)

const before: Results | undefined = existsSync(retained) ? JSON.parse(readFileSync(retained, 'utf8')) : undefined
const results: Results = {
  date: new Date().toISOString().slice(0, 10),
  node: process.version,
  processors: availableParallelism(),
  memoryGb: Math.round(totalmem() / 2 ** 30),
  benchmarks: {},
}
const fresh: Results['benchmarks'] = {}
let failed = 0
for (const [at, name] of chosen.entries()) {
  const began = performance.now()
  const [load = 0] = loadavg()
  process.stderr.write(`${at + 1} of ${chosen.length}: ${name} … `)
  try {
    const rows = await rowsOf(name)
    fresh[name] = { date: results.date, quick, load: Math.round(load * 10) / 10, rows }
    process.stderr.write(`${rows.length} figures, ${Math.round((performance.now() - began) / 1000)} s\n`)
  } catch (error) {
    failed += 1
    process.stderr.write(`failed: ${error instanceof Error ? error.message : error}\n`)
  }
}
const found = Object.entries(fresh).flatMap(([name, { rows }]) => rows.map((row) => ({ benchmark: name, ...row })))
for (const name of benchmarks) {
  const known = fresh[name] ?? before?.benchmarks[name]
  if (known) results.benchmarks[name] = known
}
writeFileSync(retained, `${JSON.stringify(results, null, 2)}\n`)
if (process.argv.includes('--document')) {
  for (const [name, replace] of Object.entries(documents)) {
    const file = fileURLToPath(new URL(`../docs/${name}.md`, import.meta.url))
    writeFileSync(file, replace(readFileSync(file, 'utf8'), results))
  }
}
report(found)
if (failed > 0) process.exitCode = 1
