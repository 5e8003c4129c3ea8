/**
 * The position of an account's export, in one file that is replaced as a whole after each page. It has the lengths of the
 * exported files: what was written after the last saved position is cut off when the export continues, so that nothing is
 * lost and nothing is there twice.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import type { JsonValue } from '@waypost/platform/json/guard'
import { z } from 'zod'
import type { SkippedObject } from '../../exports/export-pages.ts'

const Task = z.object({
  kind: z.enum(['mail', 'calendar', 'contacts']),
  format: z.enum(['mbox', 'eml', 'ics', 'vcf', 'ndjson']),
  /** The name of the file; for `eml` the beginning of the names of its zips. */
  file: z.string(),
  calendar_id: z.string().optional(),
  /** Where the next page begins; absent at the beginning. */
  next: z.json().optional(),
  length: z.number(),
  pages: z.number(),
  count: z.number(),
  /** The number of objects that the files lack. */
  skipped: z.number(),
  /** The first of them. `--resume` tries the messages again. */
  missing: z.array(z.object({ id: z.string(), problem: z.string() })).default([]),
  /** The time zones that an .ics file already has. */
  zones: z.array(z.string()),
  state: z.enum(['waiting', 'done', 'left_out', 'failed']),
  /** Why it was left out, or failed the last time. */
  problem: z.string().optional(),
})
export type Task = z.output<typeof Task>

const Position = z.object({
  grant_id: z.string(),
  email: z.string(),
  begun_at: z.number(),
  start: z.number().optional(),
  end: z.number().optional(),
  tasks: z.array(Task),
})
export type Position = z.output<typeof Position>

const fileName = 'export.json'

export const newTask = ({
  kind,
  format,
  file,
  calendar_id,
}: Pick<Task, 'kind' | 'format' | 'file' | 'calendar_id'>): Task => ({
  kind,
  format,
  file,
  calendar_id,
  length: 0,
  pages: 0,
  count: 0,
  skipped: 0,
  missing: [],
  zones: [],
  state: 'waiting',
})

/** The saved position in a folder, if there is one. */
export function readPosition(folder: string): Position | undefined {
  const file = path.join(folder, fileName)
  if (!existsSync(file)) return undefined
  try {
    return Position.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new Error(`${file} is not the position of an export: choose another folder with --out`, { cause })
  }
}

export function savePosition(folder: string, position: Position): void {
  const file = path.join(folder, fileName)
  writeWhole(`${file}.new`, JSON.stringify(position, undefined, 1))
  renameSync(`${file}.new`, file)
  syncFolder(folder)
}

function writeWhole(file: string, text: string): void {
  const handle = openSync(file, 'w', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** A new name is only on disk when its folder is. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

export const makeFolder = (folder: string): void => void mkdirSync(folder, { recursive: true, mode: 0o700 })

/** Cuts the file of a task to its saved length. */
export function cutTo(folder: string, { file, length, format }: Task): void {
  const name = path.join(folder, file)
  if (format !== 'eml' && existsSync(name) && statSync(name).size > length) truncateSync(name, length)
}

/** The name of a page of a task: a file of its own for a zip. */
export const pageFile = ({ format, file }: Task, page: number): string =>
  format === 'eml' ? `${file}-${String(page).padStart(5, '0')}.zip` : file

/** Begins a task again, because its position no longer exists at the provider. */
export function restart(folder: string, task: Task): Task {
  for (let page = 1; task.format === 'eml' && page <= task.pages; page += 1) {
    rmSync(path.join(folder, pageFile(task, page)), { force: true })
  }
  const fresh = newTask(task)
  cutTo(folder, fresh)
  return fresh
}

export interface PageWritten {
  next: JsonValue | undefined
  count: number
  skipped: readonly SkippedObject[]
  bytes: number
  zones?: readonly string[]
}

/** Of more objects, only the number is saved. */
const maxMissing = 10_000

/** The task after a page. */
export const afterPage = (task: Task, { next, count, skipped, bytes, zones = task.zones }: PageWritten): Task => ({
  ...task,
  next,
  length: task.length + bytes,
  pages: task.pages + 1,
  count: task.count + count,
  skipped: task.skipped + skipped.length,
  missing: [...task.missing, ...skipped].slice(0, maxMissing),
  zones: [...zones],
  state: next === undefined ? 'done' : 'waiting',
  problem: undefined,
})

/** Messages that a finished task lacks. Another attempt cannot help with other objects. */
export const isLackingMessages = ({ kind, state, missing }: Task): boolean =>
  kind === 'mail' && state === 'done' && missing.length > 0

/** The task after another attempt at its missing messages. */
export const afterRetry = (task: Task, { skipped, bytes }: Pick<PageWritten, 'skipped' | 'bytes'>): Task => ({
  ...task,
  length: task.length + bytes,
  pages: task.pages + 1,
  skipped: task.skipped - task.missing.length + skipped.length,
  missing: [...skipped],
  problem: undefined,
})
