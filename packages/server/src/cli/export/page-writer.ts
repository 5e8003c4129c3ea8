/** Writes one page of an account to its file, and waits until it is on disk. */
import { type FileHandle, open, rename } from 'node:fs/promises'
import path from 'node:path'
import { ContactExportQuery, MessageExportQuery } from '@waypost/contract'
import type { JsonValue } from '@waypost/platform/json/guard'
import type { ExportedAccount } from '../../exports/account.ts'
import { calendarEnd, calendarHead, calendarPart } from '../../exports/calendar-file.ts'
import {
  contactPage,
  type ExportPage,
  eventPage,
  messagePage,
  missingMessages,
  noPlace,
  readEvents,
} from '../../exports/export-pages.ts'
import { cutTo, type PageWritten, type Position, pageFile, syncFolder, type Task } from './position.ts'

export interface PageRequest {
  account: ExportedAccount
  folder: string
  position: Position
  task: Task
  /** Milliseconds. */
  now: number
}

/** The number of objects of a page. Larger pages repeat more work after a failure. */
const sizes = { mail: 100, calendar: 200, contacts: 200 }

/** Without any filter of the client. */
const filters = MessageExportQuery.parse({})

export async function writePage(request: PageRequest): Promise<PageWritten> {
  const { folder, task } = request
  if (task.format === 'ics') return writeCalendar(request)
  const page = await pageOf(request)
  const bytes = await writeContent(folder, task, page.content)
  return { next: page.next, count: page.count, skipped: page.skipped, bytes }
}

/** Tries the messages again that the files lack. Those that can be read now follow the others. */
export async function writeMissing({ account, folder, task }: PageRequest) {
  const ids = task.missing.map(({ id }) => id)
  const format = task.format === 'eml' ? 'eml' : 'mbox'
  const { content, skipped } = missingMessages(account, { ...filters, limit: sizes.mail, format }, ids)
  const bytes = await writeContent(folder, task, content)
  return { skipped, bytes }
}

/** Returns the number of bytes by which the file of the task grew. */
async function writeContent(folder: string, task: Task, content: AsyncIterable<Uint8Array>): Promise<number> {
  const name = path.join(folder, pageFile(task, task.pages + 1))
  // A zip is complete or absent; other files grow page by page.
  const written = task.format === 'eml' ? `${name}.part` : name
  const bytes = await writeTo(written, task, content)
  if (written !== name) await rename(written, name)
  if (task.pages === 0 || written !== name) syncFolder(folder)
  return task.format === 'eml' ? 0 : bytes
}

function pageOf({ account, position, task, now }: PageRequest): Promise<ExportPage> {
  const { kind, format } = task
  const at = { position: task.next as JsonValue | undefined, now }
  const limit = sizes[kind]
  if (kind === 'mail') {
    const { start: received_after, end: received_before } = position
    const mailFormat = format === 'eml' || format === 'ndjson' ? format : 'mbox'
    return messagePage(account, { ...filters, limit, received_after, received_before, format: mailFormat }, at.position)
  }
  if (kind === 'calendar') return eventPage(account, { ...eventsOf(position, task), format: 'ndjson' }, at)
  const contactFormat = format === 'ndjson' ? format : 'vcf'
  return contactPage(account, { ...ContactExportQuery.parse({}), limit, format: contactFormat, version: '3.0' }, at)
}

const eventsOf = ({ start, end }: Position, { calendar_id = 'primary' }: Task) => ({
  calendar_id,
  start,
  end,
  limit: sizes.calendar,
  page_token: undefined,
})

/** One calendar for all pages: the head once, each time zone once, and the last line after the last page. */
async function writeCalendar({ account, folder, position, task, now }: PageRequest): Promise<PageWritten> {
  // The window stays that of the first page, however long the export takes.
  const at = { position: task.next as JsonValue | undefined, now: position.begun_at }
  const { items, next } = await readEvents(account, eventsOf(position, task), at)
  const { zones, events, skipped } = calendarPart(items, Math.floor(now / 1000))
  const known = new Set(task.zones)
  const fresh = [...zones].filter(([name]) => !known.has(name))
  const texts = [
    ...(task.pages === 0 ? [calendarHead] : []),
    ...fresh.map(([, text]) => text),
    ...events,
    ...(next === undefined ? [calendarEnd] : []),
  ]
  const bytes = await writeTo(
    path.join(folder, task.file),
    task,
    texts.map((text) => Buffer.from(text)),
  )
  if (task.pages === 0) syncFolder(folder)
  const all = [...task.zones, ...fresh.map(([name]) => name)]
  return { next, count: items.length, skipped: skipped.map(noPlace), bytes, zones: all }
}

/** Writes from the saved length on. What an interrupted attempt left there is cut off first. */
async function writeTo(
  file: string,
  task: Task,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<number> {
  cutTo(path.dirname(file), task)
  const handle = await open(file, task.format === 'eml' ? 'w' : 'a', 0o600)
  try {
    let bytes = 0
    for await (const chunk of content) {
      await writeAll(handle, chunk)
      bytes += chunk.byteLength
    }
    await handle.sync()
    return bytes
  } finally {
    await handle.close()
  }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength; ) at += (await handle.write(chunk, at)).bytesWritten
}
