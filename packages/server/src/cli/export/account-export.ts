/** Exports one account: all pages of all its tasks. A task that fails does not stop the others. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Calendar } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { JsonValue } from '@waypost/platform/json/guard'
import { type ExportedAccount, operationOf, plain } from '../../exports/account.ts'
import { writeMissing, writePage } from './page-writer.ts'
import {
  afterPage,
  afterRetry,
  isLackingMessages,
  newTask,
  type Position,
  restart,
  savePosition,
  type Task,
} from './position.ts'

export type Kind = Task['kind']
export type Format = Task['format']

export interface ExportChoice {
  kinds: readonly Kind[]
  formats: Readonly<Record<Kind, Format>>
}

interface Running {
  account: ExportedAccount
  folder: string
  now(): number
  /** Called after each page. */
  progress(task: Task): void
}

/** The pauses before a failed page is read again, in milliseconds. */
const pauses = [1_000, 5_000, 20_000]
const maxWait = 60
const calendarPages = 50

/** The tasks of an account. An account without calendars has none for them. */
export async function tasksOf(account: ExportedAccount, { kinds, formats }: ExportChoice): Promise<Task[]> {
  const tasks: Task[] = []
  for (const kind of kinds) {
    const format = formats[kind]
    if (kind !== 'calendar') tasks.push(newTask({ kind, format, file: format === 'eml' ? kind : `${kind}.${format}` }))
    else tasks.push(...(await calendarTasks(account, format)))
  }
  return tasks
}

async function calendarTasks(account: ExportedAccount, format: Format): Promise<Task[]> {
  try {
    const calendars = await listCalendars(account)
    return calendars.map(({ id, name }, place) => {
      const file = [`calendar-${String(place + 1).padStart(2, '0')}`, wordOf(name)].filter(Boolean).join('-')
      return newTask({ kind: 'calendar', format, file: `${file}.${format}`, calendar_id: id })
    })
  } catch (error) {
    if (!isLacking(error)) throw error
    return [{ ...newTask({ kind: 'calendar', format, file: '' }), state: 'left_out', problem: reasonOf(error) }]
  }
}

async function listCalendars(account: ExportedAccount): Promise<Calendar[]> {
  const list = operationOf(account, 'calendars', 'list')
  const found: Calendar[] = []
  let position: JsonValue | undefined
  for (let page = 0; page < calendarPages; page += 1) {
    const query = { limit: 200, page_token: undefined, select: undefined, metadata_pair: undefined }
    const { items, next } = await list(query, position)
    found.push(...items.map((item) => plain(item)))
    if (next === undefined) break
    position = next
  }
  return found
}

/** A part of a file name: letters and digits of the name, which other people may have chosen. */
const wordOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)

/** Carries out the tasks that are not done. The position is saved after each page. */
export async function exportTasks(running: Running, position: Position): Promise<Position> {
  let current = position
  const replace = (place: number, task: Task): void => {
    current = { ...current, tasks: current.tasks.with(place, task) }
    savePosition(running.folder, current)
  }
  for (const [place, begun] of position.tasks.entries()) {
    if (isLackingMessages(begun)) {
      const task = await retried(running, current, begun)
      replace(place, task)
      running.progress(task)
    }
    if (begun.state === 'done' || begun.state === 'left_out') continue
    let task: Task = { ...begun, state: 'waiting' }
    while (task.state === 'waiting') {
      task = await nextPage(running, current, task)
      replace(place, task)
      running.progress(task)
    }
  }
  return current
}

/** The task after its next page, or after a failure that another attempt would not change. */
async function nextPage(running: Running, position: Position, task: Task): Promise<Task> {
  const { account, folder } = running
  for (let attempt = 0; ; attempt += 1) {
    try {
      return afterPage(task, await writePage({ account, folder, position, task, now: running.now() }))
    } catch (error) {
      if (isDisk(error)) throw error
      if (isLacking(error)) return { ...task, state: 'left_out', problem: reasonOf(error) }
      if (task.next !== undefined && isExpiredPosition(error)) return restart(folder, task)
      const pause = pauses[attempt]
      const named = error instanceof ApiError ? (error.details.retryAfter ?? 0) : 0
      if (pause === undefined || named > maxWait || isFinal(error) || account.signal.aborted) {
        return { ...task, state: 'failed', problem: reasonOf(error) }
      }
      await sleep(Math.max(pause, named * 1000), undefined, { signal: account.signal })
    }
  }
}

/** A finished task after another attempt at the messages that it lacks. If the account fails, it lacks them still. */
async function retried(running: Running, position: Position, task: Task): Promise<Task> {
  const { account, folder } = running
  try {
    return afterRetry(task, await writeMissing({ account, folder, position, task, now: running.now() }))
  } catch (error) {
    if (isDisk(error)) throw error
    return { ...task, problem: reasonOf(error) }
  }
}

/** The account does not have this data, or did not allow access to it. */
const isLacking = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'not_supported_by_provider' || error.code === 'insufficient_scopes')

const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status < 500 && error.status !== 429 && error.status !== 408

const isExpiredPosition = (error: unknown): boolean =>
  error instanceof ApiError && error.details.validationErrors?.page_token !== undefined

/** Failures of the disk concern all accounts. */
export const isDisk = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error && 'path' in error
    ? true
    : error instanceof Error && 'code' in error && diskCodes.has(String(error.code))

const diskCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EFBIG'])

export const reasonOf = (error: unknown): string =>
  error instanceof ApiError ? `${error.code}: ${error.message}` : error instanceof Error ? error.message : String(error)
