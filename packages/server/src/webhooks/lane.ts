/**
 * The lane of one destination: what is to be delivered next, how many requests may be under way, and how the destination
 * fares. Lanes share nothing but the store, so that a destination that hangs delays no other.
 */
import { gzipSync } from 'node:zlib'
import { type Clock, seconds } from '../lib/clock.ts'
import { type Destination, EgressError } from '../lib/egress.ts'
import type { DueDelivery, StoredNotification } from '../store/deliveries.ts'
import type { LaneAddress, LaneDestination } from '../store/lanes.ts'
import { version } from '../version.ts'
import type { WriteBody } from './body.ts'
import { opening } from './envelope.ts'
import { type Health, recordAttempt, type Status, type Step } from './health.ts'
import type { Signer } from './sign.ts'
import { Width } from './width.ts'

/** A delivery with what it delivers. */
export interface Item extends DueDelivery {
  stored: StoredNotification
}

/** What came of one attempt. */
export interface Outcome {
  lane: Lane
  item: Item
  at: number
  latencyMs: number
  /** The status of the answer; null where there was none. */
  status: number | null
  /** Why there was no answer. */
  error: string | null
  answer: string | null
  retryAfter: string | null
}

/** Any 2xx is a delivery. */
export const isDelivered = ({ status }: Pick<Outcome, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

/** What a lane needs to know of its destination, ready for use. */
export interface Target {
  row: LaneDestination
  way: Destination
  signer: Signer
  /** When the secret before the last rotation ceases to sign. */
  signsTwiceUntil: number
  compressed: boolean
  emails: readonly string[]
}

export interface LaneTools {
  clock: Clock
  write: WriteBody
  /** Whether results can be taken: not while the store is away. */
  hasRoom(): boolean
  settled(outcome: Outcome): void
  /** More deliveries may wait than the lane has read. */
  wantsMore(lane: Lane): void
}

/** Firewalls refuse requests that do not say who sends them. */
const userAgent = `waypost/${version}`
const widthAtMost = 32
const bufferedAtMost = 256
const bufferedBytesAtMost = 8_388_608
/** A destination that does nothing but fail is tried a few times a second, not as fast as it can refuse. */
const patienceAfterFailures = 30
const gapMs = 50

export class Lane {
  readonly at: LaneAddress
  readonly #tools: LaneTools
  #target: Target
  #health: Health
  #status: Status
  #step: Step | undefined
  /** Deliveries that were read and whose result is not kept yet: the queue still shows them. */
  readonly known = new Set<number>()
  readonly #ready: Item[] = []
  #readyBytes = 0
  #underWay = 0
  readonly #width = new Width(widthAtMost)
  #failuresInARow = 0
  #gap: NodeJS.Timeout | undefined
  #closed = false
  /** Whether the last look at the queue left something there. */
  more = false
  /** Where reading the queue goes on, and when it last began at the beginning. */
  after: Pick<DueDelivery, 'due_at' | 'id'> | undefined
  readFromStartAt = 0
  /** Until when the lane is ours: whoever was stopped for longer sends nothing more before it is renewed. */
  leaseUntil = 0
  /** Until when it stays, though other nodes have less to do: none of them wanted it. */
  keepUntil = 0
  /** When the lane last had something to do. */
  busyAt: number
  /** When its health was last kept, and whether it changed since. */
  healthKeptAt = 0
  healthChanged = false
  #empty: (() => void) | undefined

  constructor(at: LaneAddress, target: Target, health: Health, tools: LaneTools) {
    this.at = at
    this.#target = target
    this.#health = health
    this.#status = target.row.status as Status
    this.#tools = tools
    this.busyAt = tools.clock.now()
  }

  get target(): Target {
    return this.#target
  }
  get health(): Health {
    return this.#health
  }
  get isIdle(): boolean {
    return this.#underWay === 0 && this.#ready.length === 0 && this.known.size === 0
  }
  /** A change of state that is not kept yet. */
  get step(): Step | undefined {
    return this.#step
  }

  /** How many more deliveries may be read. */
  get room(): number {
    if (this.#closed || this.#readyBytes >= bufferedBytesAtMost) return 0
    return bufferedAtMost - this.#ready.length
  }

  /** Of the rows of the queue those that are new here and fit, in order. */
  choose(rows: readonly DueDelivery[]): DueDelivery[] {
    let bytes = this.#readyBytes
    const fresh = rows.filter((row) => !this.known.has(row.id)).slice(0, Math.max(this.room, 0))
    return fresh.filter((row, index) => {
      bytes += row.bytes
      return index === 0 || bytes <= bufferedBytesAtMost
    })
  }

  /** The destination was changed: by the client, or by a step that is kept now. */
  retarget(target: Target, health?: Health): void {
    this.#target = target
    this.#status = target.row.status as Status
    this.#step = undefined
    if (health) this.#health = health
  }

  add(items: readonly Item[]): void {
    for (const item of items) {
      this.known.add(item.id)
      this.#ready.push(item)
      this.#readyBytes += item.bytes
    }
    this.pump()
  }

  /** Sends what may be sent now. */
  pump(): void {
    const mayContinue = (): boolean =>
      !this.#closed && !this.#gap && this.#underWay < this.#width.now && this.#tools.hasRoom() && this.#isOurs()
    while (mayContinue()) {
      const item = this.#ready.shift()
      if (!item) break
      this.#readyBytes -= item.bytes
      this.#underWay++
      void this.#send(item)
      if (this.#failuresInARow >= patienceAfterFailures) this.#wait()
    }
    if (this.more && this.#ready.length < bufferedAtMost / 2) this.#tools.wantsMore(this)
  }

  #isOurs(): boolean {
    return this.#tools.clock.now() < this.leaseUntil
  }

  #wait(): void {
    this.#gap = setTimeout(() => {
      this.#gap = undefined
      this.pump()
    }, gapMs)
  }

  async #send(item: Item): Promise<void> {
    const { clock, write } = this.#tools
    const started = clock.now()
    const before = performance.now()
    const outcome: Outcome = {
      lane: this,
      item,
      at: started,
      latencyMs: 0,
      status: null,
      error: null,
      answer: null,
      retryAfter: null,
    }
    try {
      const { signer, way, compressed } = this.#target
      const { id, type, source, sequence, created_at: createdAt, payload: data } = item.stored
      const written = write(opening({ type, source, id, createdAt, sequence, attempt: item.attempts + 1 }), data)
      const body = compressed ? gzipSync(written) : written
      const headers = signer({ id, timestamp: seconds(started), body })
      headers['content-type'] = 'application/json'
      headers['user-agent'] = userAgent
      if (compressed) headers['content-encoding'] = 'gzip'
      const answer = await way.post(headers, body)
      outcome.status = answer.status
      outcome.answer = answer.answer.length === 0 ? null : textOf(answer.answer)
      outcome.retryAfter = answer.retryAfter
    } catch (error) {
      if (error instanceof EgressError && isOurs(error)) return this.#putBack(item)
      outcome.error =
        error instanceof EgressError ? `${error.reason}: ${error.message}` : 'the attempt failed in the service'
    }
    outcome.latencyMs = performance.now() - before
    this.#count(outcome)
    this.#tools.settled(outcome)
    this.#leave()
  }

  /** The attempt was not made, or broken off from here: it does not count. */
  #putBack(item: Item): void {
    if (!this.#closed) {
      this.#ready.unshift(item)
      this.#readyBytes += item.bytes
      if (!this.#gap) this.#wait()
    }
    this.#leave()
  }

  #leave(): void {
    this.#underWay--
    if (this.#underWay === 0) this.#empty?.()
    this.pump()
  }

  #count(outcome: Outcome): void {
    const { at } = outcome
    const ok = isDelivered(outcome)
    if (ok) this.#width.answered(outcome.latencyMs)
    else this.#width.failed()
    this.#failuresInARow = ok ? 0 : this.#failuresInARow + 1
    this.busyAt = at
    this.healthChanged = true
    const step = recordAttempt(this.#status, this.#health, { at, ok })
    if (!step) return
    this.#step = step
    this.#status = step
  }

  /** Sends nothing more; resolves when nothing is under way. What is still under way when the way closes is given back. */
  async close(signal: AbortSignal): Promise<void> {
    this.#closed = true
    clearTimeout(this.#gap)
    this.#ready.length = 0
    if (this.#underWay > 0) {
      await new Promise<void>((resolve) => {
        this.#empty = resolve
        signal.addEventListener('abort', () => resolve(), { once: true })
        if (signal.aborted) resolve()
      })
    }
    this.#target.way[Symbol.dispose]()
  }
}

/** The way was closed, or no connection was free: this says nothing about the destination. */
const isOurs = ({ reason }: EgressError): boolean => reason === 'aborted' || reason === 'overloaded'

/** The answer as text that a store takes. */
const textOf = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '\uFFFD')
