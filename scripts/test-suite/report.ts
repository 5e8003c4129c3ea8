/** The time report of a test run: written after every run, printed by `npm run test:times`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Seconds. */
export interface FileTimes {
  file: string
  /** From the start to the end of the file, which is `boot`, `setup` and `tests` together. */
  wall: number
  /** Loading the modules of the file and of the suite. */
  boot: number
  /** In hooks. */
  setup: number
  tests: number
  /** The part of `wall` in which the file neither ran nor was ready to run: it waited for servers and clocks. */
  waiting: number
  /** Of processors. */
  cpu: number
  /** Servers and processes that the file left open, by kind. */
  leftOpen?: string[]
}

export interface TestTime {
  file: string
  name: string
  seconds: number
}

export interface RunTimes {
  at: string
  level: string
  /** Whether every file of the level ran. */
  isComplete: boolean
  /** Seconds from the first file's start to the last one's end. */
  wall: number
  /** Processor seconds of the process that runs the suite. */
  mainCpu: number
  /** Processor seconds of everything on the machine, shared servers and other programs included. */
  machineCpu: number
  /** The share of the machine's processors that no test file accounts for. */
  otherShare: number
  files: FileTimes[]
  slowestTests: TestTime[]
}

/** `packages/server/test/journeys/imap/x.test.ts` belongs to `packages/server/test/journeys`. */
export const folderOf = (file: string): string => path.posix.dirname(file).split('/').slice(0, 4).join('/')

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

export const secondsByFolder = (files: readonly FileTimes[]): Map<string, number> =>
  new Map(
    Array.from(
      Map.groupBy(files, ({ file }) => folderOf(file)),
      ([folder, those]) => [folder, sum(those.map(({ cpu }) => cpu))],
    ),
  )

const lastRun = fileURLToPath(new URL('../../node_modules/.cache/waypost-test/times.json', import.meta.url))

/** Stores the times of a run where `WAYPOST_TEST_TIMES` says, and else as those of the last run. */
export function storeTimes(times: RunTimes): void {
  const file = process.env.WAYPOST_TEST_TIMES ?? lastRun
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(times))
}

/** The stored times of a run; without a file, of the last run on this machine. */
export function lastTimes(file = lastRun): RunTimes | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

const shown = (value: number): string => value.toFixed(1).padStart(8)
const columns = ['wall', 'boot', 'setup', 'tests', 'waiting', 'cpu'] as const
const row = (values: Record<(typeof columns)[number], number>, name: string): string =>
  `${columns.map((column) => shown(values[column])).join('')}  ${name}`

export function printTimes(times: RunTimes, count = 30): string {
  const { at, level, wall, mainCpu, machineCpu, otherShare, files, slowestTests } = times
  const total = Object.fromEntries(columns.map((column) => [column, sum(files.map((each) => each[column]))]))
  return [
    `${files.length} files at level ${level}, run at ${at}: ${wall.toFixed(0)} s in all`,
    `${(sum(files.map(({ cpu }) => cpu)) + mainCpu).toFixed(0)} s of processors in tests; ${machineCpu.toFixed(0)} s on the whole machine (${(otherShare * 100).toFixed(0)} % of it shared servers and other programs)`,
    '',
    `${columns.map((column) => column.padStart(8)).join('')}  seconds by file, those with the most processor time first`,
    row(total as Record<(typeof columns)[number], number>, 'all files together'),
    row({ wall, boot: 0, setup: 0, tests: 0, waiting: 0, cpu: mainCpu }, 'the process that runs them'),
    ...files
      .toSorted((a, b) => b.cpu - a.cpu)
      .slice(0, count)
      .map((each) => row(each, each.file)),
    '',
    '     cpu  seconds by folder',
    ...Array.from(secondsByFolder(files))
      .toSorted(([, a], [, b]) => b - a)
      .map(([folder, seconds]) => `${shown(seconds)}  ${folder}`),
    '',
    '    wall waiting  seconds by file, the longest first',
    ...files
      .toSorted((a, b) => b.wall - a.wall)
      .slice(0, count)
      .map((each) => `${shown(each.wall)}${shown(each.waiting)}  ${each.file}`),
    '',
    '    wall  seconds by test, the longest first',
    ...slowestTests.slice(0, count).map(({ file, name, seconds }) => `${shown(seconds)}  ${file}: ${name}`),
    '',
    'servers and processes that a file left open',
    ...files.flatMap(({ file, leftOpen = [] }) => (leftOpen.length > 0 ? `  ${file}: ${leftOpen.join(', ')}` : [])),
  ].join('\n')
}
