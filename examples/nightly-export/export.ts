/** Writes all events, messages and contacts of all grants as NDJSON. Each account continues where it stopped. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWaypost, type Grant, WaypostError } from '@waypost/sdk'
import { append, begin, cut, fileOf, lastOf, type Progress, saveProgress, type Task } from './progress.ts'

const waypost = createWaypost({
  baseUrl: process.env.WAYPOST_URL,
  apiKey: process.env.WAYPOST_API_KEY,
  // Rate-limited requests are retried when the service allows it.
  retries: 8,
})
const folder = process.argv[2] ?? 'export'
const perSecond = Number(process.env.EXPORT_REQUESTS_PER_SECOND ?? 10)
const pageSize = Number(process.env.EXPORT_PAGE ?? 200)
/** Number of days before and after today for events; iCloud returns half a year at a time. */
const days = Number(process.env.EXPORT_DAYS ?? 365)
const windowDays = 180
const day = 86_400
const today = new Date().toISOString().slice(0, 10)

let due = 0
/** Waits until the next request is allowed. */
async function paced<T>(request: () => Promise<T>): Promise<T> {
  const wait = due - performance.now()
  due = Math.max(due, performance.now()) + 1000 / perSecond
  if (wait > 0) await sleep(wait)
  return request()
}

const isUnsupported = (error: unknown): boolean =>
  error instanceof WaypostError && (error.status === 422 || error.status === 403)

/** A feature that the provider does not support is not a failure. */
const orNothing = <T>(request: Promise<T[]>): Promise<T[]> =>
  request.catch((error: unknown) => {
    if (isUnsupported(error)) return []
    throw error
  })

async function tasksOf(grantId: string, now: number): Promise<Task[]> {
  const calendars = await orNothing(
    paced(() => Array.fromAsync(waypost.calendars.list.all({ grant_id: grantId, query: { limit: 200 } }))),
  )
  const from = now - days * day
  const starts = Array.from(
    { length: Math.ceil((2 * days) / windowDays) },
    (_, place) => from + place * windowDays * day,
  )
  const events = calendars.flatMap(({ id: calendarId }) =>
    starts.map((start): Task => {
      const end = Math.min(start + windowDays * day, now + days * day)
      return { kind: 'events', grantId, calendarId, start, end }
    }),
  )
  return [...events, { kind: 'messages', grantId }, { kind: 'contacts', grantId }]
}

interface Page {
  data: { id: string }[]
  nextCursor?: string | undefined
}

function pageOf({ kind, grantId: grant_id, calendarId, start, end }: Task, page_token?: string): Promise<Page> {
  const paging = { limit: pageSize, page_token }
  if (kind === 'messages') return waypost.messages.list({ grant_id, query: paging })
  if (kind === 'contacts') return waypost.contacts.list({ grant_id, query: paging })
  return waypost.events.import({ grant_id, query: { calendar_id: calendarId ?? 'primary', start, end, ...paging } })
}

const nothing: Page = { data: [] }
const readPage = (task: Task, pageToken?: string): Promise<Page> =>
  paced(() => pageOf(task, pageToken)).catch((error: unknown) => {
    if (isUnsupported(error)) return nothing
    throw error
  })
/** Whether the provider no longer accepts the position in a list. */
const isExpiredCursor = (error: unknown): boolean =>
  error instanceof WaypostError && error.validationErrors?.page_token !== undefined

/** A series can be in several windows and is written once. */
function writtenEvents(folder: string, run: string): Set<string> {
  const file = fileOf(folder, run, 'events')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  return new Set(lines.map((line) => JSON.parse(line).id))
}

async function exportLists(folder: string, progress: Progress): Promise<void> {
  let known = writtenEvents(folder, progress.run)
  for (let task = progress.tasks[progress.next]; task; task = progress.tasks[progress.next]) {
    const { kind } = task
    const page = await readPage(task, progress.pageToken).catch((error: unknown) => {
      if (progress.pageToken === undefined || !isExpiredCursor(error)) throw error
    })
    if (!page) {
      // Reads this list again from its beginning.
      cut(folder, progress, progress.begun)
      progress.pageToken = undefined
      known = writtenEvents(folder, progress.run)
      continue
    }
    const fresh = kind === 'events' ? page.data.filter(({ id }) => !known.has(id)) : page.data
    append(
      folder,
      progress,
      kind,
      fresh.map((each) => JSON.stringify(each)),
    )
    if (kind === 'events') for (const { id } of fresh) known.add(id)
    progress.pageToken = page.nextCursor
    if (page.nextCursor === undefined) {
      progress.next += 1
      progress.begun = { ...progress.lengths }
    }
    saveProgress(folder, progress)
  }
  saveProgress(folder, { ...progress, finished: true })
}

/** Exports one account, from where its last export stopped. */
async function exportAccount({ id, email, grant_status }: Grant): Promise<void> {
  if (grant_status !== 'valid') throw new Error('the user must sign in again')
  const own = path.join(folder, id)
  mkdirSync(own, { recursive: true })
  const left = lastOf(own)
  if (left?.finished && left.run === today) return
  const isNew = !left || left.finished
  const progress = isNew ? begin(own, today, await tasksOf(id, Math.floor(Date.now() / 1000))) : left
  if (!isNew) console.log(`${email}: goes on with ${left.run}: ${left.next} of ${left.tasks.length} lists are done`)
  await exportLists(own, progress)
  console.log(`${email}: done`)
}

const failed: string[] = []
for await (const grant of waypost.grants.list.all({ query: { limit: 200 } })) {
  // One account that fails must not keep the others from being exported. It continues the next time.
  await exportAccount(grant).catch((error: unknown) => {
    failed.push(`${grant.email}: ${error instanceof Error ? error.message : error}`)
  })
}
if (failed.length > 0) {
  console.error(`Failed, continues next time:\n${failed.map((line) => `  ${line}`).join('\n')}`)
  process.exitCode = 1
}
console.log(`Done: ${folder}`)
