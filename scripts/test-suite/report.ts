/** The time report of a test run: written after every run, printed by `npm run test:times`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export interface FileTimes {
  file: string
  /** Seconds: in total, for importing the file, in setup files, in hooks and tests, and of processor time. */
  wall: number
  import: number
  setup: number
  tests: number
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
  /** Seconds from the first file's start to the last one's end. */
  wall: number
  /** Processor seconds of the main process, which also transforms the files. */
  mainCpu: number
  files: FileTimes[]
  slowestTests: TestTime[]
}

const file = fileURLToPath(new URL('../../node_modules/.cache/waypost-test/times.json', import.meta.url))

export function keepTimes(times: RunTimes): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(times))
}

/** The times of the last run on this machine. */
export function lastTimes(): RunTimes | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const shown = (value: number): string => value.toFixed(1).padStart(8)

/** Processor seconds by folder: `packages/server/test/journeys`, `packages/dashboard/test`. */
function byFolder(files: readonly FileTimes[]): string[] {
  const folderOf = ({ file }: FileTimes): string => path.dirname(file).split('/').slice(0, 4).join('/')
  return [...Map.groupBy(files, folderOf)]
    .map(([folder, those]) => ({ folder, cpu: sum(those.map(({ cpu }) => cpu)) }))
    .toSorted((a, b) => b.cpu - a.cpu)
    .map(({ folder, cpu }) => `${shown(cpu)}  ${folder}`)
}

export function printTimes({ at, wall, mainCpu, files, slowestTests }: RunTimes, count = 30): string {
  const total = (field: Exclude<keyof FileTimes, 'file' | 'leftOpen'>): number => sum(files.map((each) => each[field]))
  const row = (each: FileTimes): string =>
    `${shown(each.wall)}${shown(each.import)}${shown(each.setup)}${shown(each.tests)}${shown(each.cpu)}  ${each.file}`
  return [
    `${files.length} files, run at ${at}: ${wall.toFixed(0)} s in all, ${(total('cpu') + mainCpu).toFixed(0)} s of processors without those of shared servers`,
    '',
    '    wall  import   setup   tests     cpu  seconds by file, those with the most processor time first',
    row({
      file: 'all files together',
      wall: total('wall'),
      import: total('import'),
      setup: total('setup'),
      tests: total('tests'),
      cpu: total('cpu'),
    }),
    row({ file: 'the process that runs them', wall, import: 0, setup: 0, tests: 0, cpu: mainCpu }),
    ...files
      .toSorted((a, b) => b.cpu - a.cpu)
      .slice(0, count)
      .map(row),
    '',
    '     cpu  seconds by folder',
    ...byFolder(files),
    '',
    '    wall  seconds by file, the longest first',
    ...files
      .toSorted((a, b) => b.wall - a.wall)
      .slice(0, count)
      .map((each) => `${shown(each.wall)}  ${each.file}`),
    '',
    '    wall  seconds by test, the longest first',
    ...slowestTests.slice(0, count).map(({ file, name, seconds }) => `${shown(seconds)}  ${file}: ${name}`),
    '',
    'servers and processes that a file left open',
    ...files.flatMap(({ file, leftOpen = [] }) => (leftOpen.length > 0 ? `  ${file}: ${leftOpen.join(', ')}` : [])),
  ].join('\n')
}
