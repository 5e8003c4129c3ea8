/**
 * Runs functions over untrusted input in worker threads, so that no input can block or crash the process. The pool
 * does not depend on what it runs: the functions are the exports of a module.
 *
 * A batch goes to one thread in one message, and its outcomes come back in groups. A thread publishes the index of
 * its current input in shared memory. If the index does not change within the deadline, or the thread dies (out of
 * memory, exit), that input fails, the thread is replaced, and the remaining inputs are queued again behind the
 * waiting batches. Threads start on demand and end after a time without work. Only running work keeps the process
 * alive.
 */
import { Worker } from 'node:worker_threads'
import { ApiError } from '../api-error.ts'
import { FairShares } from './fair-shares.ts'
import { type Batch, IDLE, type ParseOutcome, PROGRESS, pack, type Report, type ThreadData } from './protocol.ts'

export type { ParseOutcome } from './protocol.ts'

export interface ParsePool extends AsyncDisposable {
  /**
   * Runs each input independently, all in one message to a thread. Returns a result or a failure for each, in order.
   */
  run<I, O>(kind: string, inputs: readonly I[], options?: RunOptions): Promise<ParseOutcome<O>[]>
}

/** A pool with statistics. */
export interface CountedPool extends ParsePool {
  figures(): PoolFigures
}

export interface PoolFigures {
  busy: number
  idle: number
  /** Batches that wait for a thread. */
  waiting: number
  /** Inputs that failed, by reason. */
  readonly failures: Readonly<Record<'deadline' | 'crashed', number>>
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  /** The owner of the work, such as a grant. The owner with the shortest recent use is served next. */
  readonly owner?: string | undefined
}

export interface ParsePoolOptions {
  /** The module whose exported functions are run. */
  readonly module: URL
  readonly threads?: number
  /** Time limit for one input, in addition to the allowance for its size. */
  readonly deadlineMs?: number
  /** Heap limit of a thread, in megabytes. */
  readonly memoryMb?: number
  /** A thread ends after this much time without work. */
  readonly idleMs?: number
}

interface Job {
  readonly kind: string
  readonly owner: string
  readonly inputs: readonly unknown[]
  readonly outcomes: (ParseOutcome<unknown> | undefined)[]
  /** The inputs of the current message, by their index in the job. */
  trip: readonly number[]
  settled: boolean
  resolve(outcomes: ParseOutcome<unknown>[]): void
  reject(reason: unknown): void
}

interface Thread {
  readonly worker: Worker
  readonly slots: Int32Array
  job: Job | undefined
  batch: number
  /** When the thread received its job. */
  begun: number
  /** The input it was last seen working on, and since when. */
  seen: number
  since: number
  timer: NodeJS.Timeout | undefined
}

const MAX_WAITING = 1_000
/** At most this many batches of one owner wait. Further ones of that owner are refused. */
const MAX_WAITING_PER_OWNER = 100
/** A thread that is still loading has a deadline too. */
const START_MS = 30_000
/** Additional time per million bytes of input, so that a large legitimate message succeeds on a busy machine. */
const MEGABYTE_MS = 100

/** Creates a pool. Threads start with the first work. */
export const createParsePool = (options: ParsePoolOptions): CountedPool => new Pool(options)

class Pool implements CountedPool {
  readonly #options: Required<ParsePoolOptions>
  readonly #waiting = new Set<Job>()
  readonly #threads = new Set<Thread>()
  readonly #ending = new Set<Promise<unknown>>()
  readonly #failures = { deadline: 0, crashed: 0 }
  readonly #shares = new FairShares()
  #batches = 0
  #closed = false

  constructor({ module, threads = 1, deadlineMs = 2_000, memoryMb = 256, idleMs = 30_000 }: ParsePoolOptions) {
    this.#options = { module, threads, deadlineMs, memoryMb, idleMs }
  }

  async run<I, O>(
    kind: string,
    inputs: readonly I[],
    { signal, owner = '' }: RunOptions = {},
  ): Promise<ParseOutcome<O>[]> {
    signal?.throwIfAborted()
    if (this.#closed) throw new Error('The parse pool is closed')
    if (inputs.length === 0) return []
    if (this.#waiting.size >= MAX_WAITING || (owner !== '' && this.#waitingOf(owner) >= MAX_WAITING_PER_OWNER)) {
      throw new ApiError('service_unavailable', 'Too much work is waiting to be parsed; try again in a few seconds')
    }
    const { promise, resolve, reject } = Promise.withResolvers<ParseOutcome<unknown>[]>()
    const outcomes = inputs.map(() => undefined)
    const job: Job = { kind, owner, inputs, outcomes, trip: [], settled: false, resolve, reject }
    const abandon = (): void => this.#abandon(job, signal?.reason)
    signal?.addEventListener('abort', abandon, { once: true })
    this.#waiting.add(job)
    this.#next()
    try {
      // The thread returns the result of the function of that kind.
      return (await promise) as ParseOutcome<O>[]
    } finally {
      signal?.removeEventListener('abort', abandon)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    const closed = new Error('The parse pool is closed')
    for (const job of this.#waiting) this.#abandon(job, closed)
    for (const thread of this.#threads) {
      if (thread.job !== undefined) this.#abandon(thread.job, closed)
      this.#end(thread)
    }
    await Promise.all(this.#ending)
  }

  figures(): PoolFigures {
    const busy = this.#threads.values().reduce((count, { job }) => (job === undefined ? count : count + 1), 0)
    return { busy, idle: this.#threads.size - busy, waiting: this.#waiting.size, failures: this.#failures }
  }

  #waitingOf(owner: string): number {
    let count = 0
    for (const job of this.#waiting) if (job.owner === owner) count += 1
    return count
  }

  #next(): void {
    while (this.#waiting.size > 0) {
      const job = this.#shares.leastServed(this.#waiting, (owner) => this.#mayHaveAnother(owner))
      const thread = job && this.#freeThread()
      if (job === undefined || thread === undefined) return
      this.#waiting.delete(job)
      this.#give(thread, job)
    }
  }

  /** If there are several threads, one owner never occupies all of them. */
  #mayHaveAnother(owner: string): boolean {
    const { threads } = this.#options
    if (owner === '' || threads === 1) return true
    let busy = 0
    for (const { job } of this.#threads) if (job?.owner === owner) busy += 1
    return busy < threads - 1
  }

  #freeThread(): Thread | undefined {
    for (const thread of this.#threads) if (thread.job === undefined) return thread
    return this.#threads.size < this.#options.threads ? this.#start() : undefined
  }

  #start(): Thread {
    const progress = new SharedArrayBuffer(PROGRESS.slots * Int32Array.BYTES_PER_ELEMENT)
    const workerData: ThreadData = { module: this.#options.module.href, progress }
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData,
      // The thread reads untrusted input and must not see the secrets in the environment.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#options.memoryMb },
    })
    const slots = new Int32Array(progress)
    const thread: Thread = { worker, slots, job: undefined, batch: 0, begun: 0, seen: IDLE, since: 0, timer: undefined }
    worker.on('message', (report: Report) => this.#hear(thread, report))
    worker.on('error', (error) => this.#lose(thread, { reason: 'crashed', message: messageOf(error) }))
    worker.on('exit', () => this.#lose(thread, { reason: 'crashed', message: 'The thread ended' }))
    this.#threads.add(thread)
    return thread
  }

  #give(thread: Thread, job: Job): void {
    job.trip = job.outcomes.flatMap((outcome, index) => (outcome === undefined ? [index] : []))
    const { inputs, memory } = pack(job.trip.map((index) => job.inputs[index]))
    this.#batches = (this.#batches + 1) % 0x7fffffff
    thread.batch = this.#batches + 1
    thread.job = job
    thread.seen = IDLE
    thread.since = performance.now()
    thread.begun = thread.since
    Atomics.store(thread.slots, PROGRESS.input, IDLE)
    clearTimeout(thread.timer)
    thread.timer = setInterval(() => this.#watch(thread), this.#options.deadlineMs / 4).unref()
    thread.worker.ref()
    const batch: Batch = { id: thread.batch, kind: job.kind, inputs }
    try {
      thread.worker.postMessage(batch, [memory])
    } catch (error) {
      // The input contains something that cannot be transferred, such as a function.
      this.#release(thread)
      this.#abandon(job, error)
    }
  }

  #hear(thread: Thread, { id, first, outcomes, isLast }: Report): void {
    const { job } = thread
    if (job === undefined || id !== thread.batch) return
    for (const [offset, outcome] of outcomes.entries()) {
      const index = job.trip[first + offset]
      if (index !== undefined) job.outcomes[index] = outcome
    }
    if (!isLast) return
    this.#shares.note(job.owner, performance.now() - thread.begun)
    this.#release(thread)
    settle(job)
    this.#next()
  }

  /** Marks the thread as free. It ends unless it gets another job in time. */
  #release(thread: Thread): void {
    thread.job = undefined
    clearInterval(thread.timer)
    thread.worker.unref()
    thread.timer = setTimeout(() => this.#end(thread), this.#options.idleMs).unref()
  }

  #watch(thread: Thread): void {
    const input = Atomics.load(thread.slots, PROGRESS.input)
    const now = performance.now()
    if (input !== thread.seen) {
      thread.seen = input
      thread.since = now
      return
    }
    const deadlineMs =
      this.#options.deadlineMs + MEGABYTE_MS * megabytesOf(thread.job?.inputs[thread.job.trip[input] ?? -1])
    if (now - thread.since < (input === IDLE ? START_MS : deadlineMs)) return
    this.#lose(thread, { reason: 'deadline', message: `It took longer than ${deadlineMs} ms` })
  }

  /** Fails the current input of a thread and gives the remaining ones to another thread. */
  #lose(thread: Thread, { reason, message }: { reason: 'deadline' | 'crashed'; message: string }): void {
    if (!this.#threads.has(thread)) return
    this.#end(thread)
    const { job } = thread
    if (job === undefined) return
    this.#shares.note(job.owner, performance.now() - thread.begun)
    this.#failures[reason]++
    const failed: ParseOutcome<never> = { ok: false, reason, message }
    const input = Atomics.load(thread.slots, PROGRESS.input)
    // A thread that never started an input would not start one the next time either.
    for (const index of input === IDLE ? job.trip : job.trip.slice(input, input + 1)) job.outcomes[index] ??= failed
    if (job.settled || !job.outcomes.includes(undefined)) settle(job)
    else this.#waiting.add(job)
    this.#next()
  }

  #end(thread: Thread): void {
    clearInterval(thread.timer)
    this.#threads.delete(thread)
    const ending = thread.worker.terminate().finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }

  /** The caller no longer waits for the job. A thread drops it at the next input. */
  #abandon(job: Job, reason: unknown): void {
    if (job.settled) return
    job.settled = true
    job.reject(reason)
    this.#waiting.delete(job)
    for (const thread of this.#threads) {
      if (thread.job === job) Atomics.store(thread.slots, PROGRESS.abandoned, thread.batch)
    }
  }
}

function settle(job: Job): void {
  if (job.settled) return
  job.settled = true
  const lost: ParseOutcome<unknown> = { ok: false, reason: 'crashed', message: 'The thread gave no result' }
  job.resolve(job.outcomes.map((outcome) => outcome ?? lost))
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'The thread failed')

/** The size of an input and its fields, in whole millions of bytes. */
function megabytesOf(input: unknown): number {
  if (typeof input !== 'object' || input === null) return 0
  const values = input instanceof Uint8Array ? [input] : Object.values(input)
  const bytes = values.reduce((sum, value) => sum + (value instanceof Uint8Array ? value.byteLength : 0), 0)
  return Math.floor(bytes / 1_000_000)
}
