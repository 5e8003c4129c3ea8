/**
 * The progress of an account's export, in one file that is replaced as a whole after each page. It contains the lengths of the
 * export's files: a page that was written but not counted, because the process died, is cut off and written again.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'

export const kinds = ['events', 'messages', 'contacts'] as const
export type Kind = (typeof kinds)[number]

/** A list to export. */
export interface Task {
  kind: Kind
  grantId: string
  calendarId?: string
  start?: number
  end?: number
}

export interface Progress {
  /** The day of this export, which names its folder. */
  run: string
  tasks: Task[]
  /** The current task and its position. */
  next: number
  pageToken?: string
  lengths: Record<Kind, number>
  /** File lengths when the current task began. */
  begun: Record<Kind, number>
  finished: boolean
}

const stateFile = (folder: string): string => path.join(folder, 'progress.json')
export const fileOf = (folder: string, run: string, kind: Kind): string => path.join(folder, run, `${kind}.ndjson`)

/** Appends to a file or replaces it, and waits until it is on disk. */
function write(file: string, text: string, flags: 'a' | 'w'): void {
  const handle = openSync(file, flags)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

export function saveProgress(folder: string, progress: Progress): void {
  write(`${stateFile(folder)}.new`, JSON.stringify(progress), 'w')
  renameSync(`${stateFile(folder)}.new`, stateFile(folder))
}

/** The last export of an account. If it is not finished, its files are cut to the saved lengths. */
export function lastOf(folder: string): Progress | undefined {
  if (!existsSync(stateFile(folder))) return undefined
  const progress = JSON.parse(readFileSync(stateFile(folder), 'utf8')) as Progress
  if (!progress.finished) cut(folder, progress, progress.lengths)
  return progress
}

export function begin(folder: string, run: string, tasks: Task[]): Progress {
  mkdirSync(path.join(folder, run), { recursive: true })
  const nothing = { events: 0, messages: 0, contacts: 0 }
  for (const kind of kinds) write(fileOf(folder, run, kind), '', 'w')
  const progress = { run, tasks, next: 0, lengths: { ...nothing }, begun: { ...nothing }, finished: false }
  saveProgress(folder, progress)
  return progress
}

/** Appends a page to its file. */
export function append(folder: string, progress: Progress, kind: Kind, lines: readonly string[]): void {
  const text = lines.map((line) => `${line}\n`).join('')
  write(fileOf(folder, progress.run, kind), text, 'a')
  progress.lengths[kind] += Buffer.byteLength(text)
}

/** Cuts the files to the given lengths. */
export function cut(folder: string, progress: Progress, lengths: Record<Kind, number>): void {
  for (const kind of kinds) truncateSync(fileOf(folder, progress.run, kind), lengths[kind])
  progress.lengths = { ...lengths }
}
