/**
 * The committed table of times: what each test file took when `npm run test:times -- --record` wrote it. It decides the
 * order of the files and their shards.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FileTimes } from './report.ts'

/** Seconds. */
export interface RecordedTime {
  wall: number
  cpu: number
}

export type TimesTable = Record<string, RecordedTime>

const file = path.join(import.meta.dirname, 'times.json')

export const readTable = (): TimesTable => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})

/** Replaces the times of the files that ran, and removes files that are gone. */
export function updatedTable(
  table: TimesTable,
  ran: readonly FileTimes[],
  exists: (name: string) => boolean,
): TimesTable {
  const recent = ran.map((each): [string, RecordedTime] => [
    each.file,
    { wall: Number(each.wall.toFixed(1)), cpu: Number(each.cpu.toFixed(1)) },
  ])
  const all = { ...table, ...Object.fromEntries(recent) }
  return Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => exists(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

export function writeTable(table: TimesTable): void {
  const lines = Object.entries(table).map(
    ([name, { wall, cpu }]) => `  ${JSON.stringify(name)}: { "wall": ${wall}, "cpu": ${cpu} }`,
  )
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
}
