/** Writes all events, messages and contacts of all grants as NDJSON. After a failure, run it again to continue. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWaypost, WaypostError } from '@waypost/sdk'
import { append, begin, cut, fileOf, type Progress, saveProgress, type Task, unfinished } from './progress.ts'

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

async function allTasks(): Promise<Task[]> {
  const now = Math.floor(Date.now() / 1000)
  const tasks: Task[] = []
  for await (const { id, email, grant_status } of waypost.grants.list.all({ query: { limit: 200 } })) {
    if (grant_status === 'valid') tasks.push(...(await tasksOf(id, now)))
    else console.error(`left out, must sign in again: ${email}`)
  }
  return tasks
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
function writtenEvents(run: string): Set<string> {
  const file = fileOf(folder, run, 'events')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  return new Set(lines.map((line) => keyOf(JSON.parse(line))))
}
const keyOf = ({ grant_id, id }: { grant_id?: string; id: string }): string => `${grant_id} ${id}`

async function exportAll(progress: Progress): Promise<void> {
  let known = writtenEvents(progress.run)
  for (let task = progress.tasks[progress.next]; task; task = progress.tasks[progress.next]) {
    const { kind } = task
    const page = await readPage(task, progress.pageToken).catch((error: unknown) => {
      if (progress.pageToken === undefined || !isExpiredCursor(error)) throw error
    })
    if (!page) {
      // Reads this list again from its beginning.
      cut(folder, progress, progress.begun)
      progress.pageToken = undefined
      known = writtenEvents(progress.run)
      continue
    }
    const fresh = kind === 'events' ? page.data.filter((event) => !known.has(keyOf(event))) : page.data
    const lines = fresh.map((each) => JSON.stringify(each))
    append(folder, progress, kind, lines)
    if (kind === 'events') for (const event of fresh) known.add(keyOf(event))
    progress.pageToken = page.nextCursor
    if (page.nextCursor === undefined) {
      progress.next += 1
      progress.begun = { ...progress.lengths }
    }
    saveProgress(folder, progress)
  }
  saveProgress(folder, { ...progress, finished: true })
}

mkdirSync(folder, { recursive: true })
const left = unfinished(folder)
const progress = left ?? begin(folder, new Date().toISOString().slice(0, 10), await allTasks())
console.log(
  left ? `Goes on with ${left.run}: ${left.next} of ${left.tasks.length} lists are done` : `Begins ${progress.run}`,
)
await exportAll(progress)
console.log(`Done: ${folder}/${progress.run}`)
