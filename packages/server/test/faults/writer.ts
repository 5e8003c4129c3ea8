/** Makes changes through the API at a steady rate, and records the outcome of each. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, type Answer, firstDay, type Site } from './site.ts'

/** One requested change. Times are milliseconds of the runner's own clock. */
export interface Change {
  /** The title of the event: unique. */
  tag: string
  requestedAt: number
  answeredAt: number
  /** The number of requests; more than one only with an Idempotency-Key. */
  requested: number
  /** The status of the last response; undefined without one, so that the outcome is unknown. */
  status: number | undefined
  /** Set when it was accepted. */
  eventId: string | undefined
  retryAfter: string | null
  /** The body of the last response, if it was a refusal. */
  refusal?: unknown
}

export interface Writer {
  readonly changes: Change[]
  /** Sets the changes per second. */
  pace(rate: number): void
  accepted(): number
  /** Resolves when this many more were accepted. */
  more(count: number, deadlineMs?: number): Promise<void>
  /** Makes no more requests, and waits for pending responses. */
  stop(): Promise<void>
}

export interface WriterOptions {
  rate: number
  /** Request with an Idempotency-Key, and again until there is a response. */
  repeat?: boolean
  /** The length of each event's text. */
  bytes?: number
}

const maxOutstanding = 24
const repeatMs = 250
const repeatForMs = 60_000

let run = 0

export function startWriter(site: Site, { rate, repeat = false, bytes = 0 }: WriterOptions): Writer {
  const changes: Change[] = []
  const mark = `run ${++run}`
  let perSecond = rate
  let stopped = false
  let outstanding = 0

  async function ask(account: Account, change: Change, index: number): Promise<Answer | undefined> {
    const start = firstDay + (index % 1_000) * 60
    // Characters of three bytes: the number of characters has a limit.
    const text = bytes > 0 ? { description: '会'.repeat(bytes / 3) } : {}
    const body = { title: change.tag, ...text, when: { start_time: start, end_time: start + 1_800 } }
    const headers: Record<string, string> = repeat ? { 'idempotency-key': change.tag.replaceAll(' ', '-') } : {}
    const target = `/v3/grants/${account.grantId}/events?calendar_id=${account.calendarId}`
    change.requested++
    return site.call('POST', target, { body, headers }).catch(() => undefined)
  }

  async function make(index: number): Promise<void> {
    const account = site.accounts[index % site.accounts.length]
    if (!account) throw new Error('the site has no accounts')
    const change: Change = {
      tag: `${mark} change ${index}`,
      requestedAt: performance.now(),
      answeredAt: 0,
      requested: 0,
      status: undefined,
      eventId: undefined,
      retryAfter: null,
    }
    changes.push(change)
    const until = change.requestedAt + repeatForMs
    for (;;) {
      const answer = await ask(account, change, index)
      change.answeredAt = performance.now()
      change.status = answer?.status
      change.retryAfter = answer?.headers.get('retry-after') ?? null
      if (answer && answer.status < 300) change.eventId = answer.body.data.id
      else if (answer) change.refusal = answer.body
      const settled = answer !== undefined && answer.status < 500 && answer.status !== 409
      if (settled || !repeat || change.answeredAt > until) return
      await sleep(repeatMs)
    }
  }

  async function write(): Promise<void> {
    let due = performance.now()
    for (let index = 0; !stopped; index++) {
      due = Math.max(due + 1_000 / perSecond, performance.now() - 1_000)
      while (due > performance.now() && !stopped) await sleep(Math.max(1, Math.min(due - performance.now(), 100)))
      while (outstanding >= maxOutstanding && !stopped) await sleep(20)
      if (stopped) break
      outstanding++
      void make(index).finally(() => outstanding--)
    }
    while (outstanding > 0) await sleep(20)
  }

  const writing = write()
  const accepted = (): number => changes.filter(({ eventId }) => eventId !== undefined).length
  return {
    changes,
    pace: (wanted) => {
      perSecond = wanted
    },
    accepted,
    async more(count, deadlineMs = 120_000) {
      const wanted = accepted() + count
      const deadline = performance.now() + deadlineMs
      while (accepted() < wanted) {
        if (performance.now() > deadline) throw new Error('the service accepts no changes any more')
        await sleep(20)
      }
    },
    async stop() {
      stopped = true
      await writing
    },
  }
}
