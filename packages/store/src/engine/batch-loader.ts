/**
 * A batch loader for PostgreSQL: it sends reads of single rows that start at the same time as one query.
 *
 * All reads of one turn of the event loop leave together when the turn ends. While `maxInFlight` queries of a statement are
 * on their way, further reads wait for the next one. A read never joins a query that was sent before the read started, so
 * every result contains all commits up to that moment. A read that is alone is sent by itself, without delay.
 * See docs/adr/0032-batch-loader.md.
 */
import { checkValues, type Queries, type Statement, StoreUnavailable, sql, type Value } from './database.ts'
import { arrayText } from './row-lists.ts'

/** Two, so that the next batch can be collected while the first is answered. */
const maxInFlight = 2
/** In a larger batch, all reads would wait for the last one. */
const maxBatch = 64
/** The longest time that a read waits for earlier queries that do not return. */
const maxWaitMs = 100

/** A row of a batch with the position of its parameters, from 1. */
interface PlacedRow {
  place: number
}

/**
 * Declares a statement that finds one row by text parameters as batchable. The batch looks the rows up one after the other,
 * by the same index, in one query. `limit 1` keeps the planner from choosing another join.
 */
export function batched<T>(statement: Statement<T>): Statement<T> {
  const count = Math.max(...Array.from(statement.text.matchAll(/\$(\d)/g), ([, number]) => Number(number)))
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  const batch = sql<T & PlacedRow>(`${statement.name}Batch`)`select asked.place, found.*
   from unnest(${numbers.map((number) => `cast($${number} as text[])`).join(', ')})
     with ordinality as asked (${numbers.map((number) => `value${number}`).join(', ')}, place)
     cross join lateral (${statement.text.replaceAll(/\$(\d)/g, 'asked.value$1')} limit 1) found`
  return { ...statement, batch }
}

/** One set of parameters, and the promise that all its readers share. */
interface Load {
  parameters: readonly Value[]
  readers: number
  result: PromiseWithResolvers<unknown>
}

/** The reads of one statement. */
interface Queue {
  statement: Statement<unknown>
  inFlight: number
  /** By their parameters, as JSON. */
  waiting: Map<string, Load>
  /** Runs while reads wait for an earlier query. */
  timer: NodeJS.Timeout | undefined
  isDue: boolean
}

export class BatchLoader {
  readonly #queries: Pick<Queries, 'get' | 'all'>
  /** By the text of the statement. */
  readonly #queues = new Map<string, Queue>()
  #due: Queue[] = []
  #pending = 0

  constructor(queries: Pick<Queries, 'get' | 'all'>) {
    this.#queries = queries
  }

  /** The number of reads without a result. */
  get pending(): number {
    return this.#pending
  }

  /** The row of a batchable statement. Readers of the same row share one frozen object. */
  get<T>(statement: Statement<T>, parameters: readonly Value[] = []): Promise<T | undefined> {
    try {
      checkValues(parameters)
    } catch (error) {
      return Promise.reject(error)
    }
    let queue = this.#queues.get(statement.text)
    if (!queue) {
      queue = { statement, inFlight: 0, waiting: new Map(), timer: undefined, isDue: false }
      this.#queues.set(statement.text, queue)
    }
    const key = JSON.stringify(parameters)
    let load = queue.waiting.get(key)
    if (!load) {
      load = { parameters, readers: 0, result: Promise.withResolvers() }
      queue.waiting.set(key, load)
      this.#schedule(queue)
    }
    load.readers++
    this.#pending++
    return load.result.promise as Promise<T | undefined>
  }

  /** Sends the queue at the end of this turn, or when an earlier query has returned or has taken too long. */
  #schedule(queue: Queue): void {
    if (queue.isDue) return
    if (queue.inFlight < maxInFlight) this.#setDue(queue)
    else queue.timer ??= setTimeout(() => this.#setDue(queue), maxWaitMs)
  }

  #setDue(queue: Queue): void {
    if (queue.isDue) return
    queue.isDue = true
    clearTimeout(queue.timer)
    queue.timer = undefined
    if (this.#due.push(queue) > 1) return
    setImmediate(() => {
      const due = this.#due
      this.#due = []
      for (const each of due) this.#send(each)
    })
  }

  #send(queue: Queue): void {
    queue.isDue = false
    const loads: Load[] = []
    for (const [key, load] of queue.waiting) {
      if (loads.length === maxBatch) break
      loads.push(load)
      queue.waiting.delete(key)
    }
    queue.inFlight++
    void this.#query(queue.statement, loads).then(() => {
      queue.inFlight--
      for (const { readers } of loads) this.#pending -= readers
      if (queue.waiting.size > 0) this.#setDue(queue)
    })
    if (queue.waiting.size > 0) this.#schedule(queue)
  }

  async #query({ batch, ...statement }: Statement<unknown>, loads: readonly Load[]): Promise<void> {
    if (!batch || loads.length === 1) {
      await Promise.all(loads.map((load) => this.#queryOne(statement, load)))
      return
    }
    const numbers = loads[0]?.parameters.keys() ?? []
    const lists = Array.from(numbers, (number) => arrayText(loads.map(({ parameters }) => parameters[number] ?? null)))
    try {
      const rows = await this.#queries.all(batch as Statement<PlacedRow>, lists)
      const found = new Map(rows.map((row) => [row.place, Object.freeze(row)]))
      for (const [index, { result }] of loads.entries()) result.resolve(found.get(index + 1))
    } catch (error) {
      // One wrong parameter fails the whole batch: send each read by itself, so that only the wrong one fails.
      if (!(error instanceof StoreUnavailable) || error.isPart) await this.#query(statement, loads)
      else for (const { result } of loads) result.reject(error)
    }
  }

  async #queryOne(statement: Statement<unknown>, { parameters, result }: Load): Promise<void> {
    try {
      result.resolve(Object.freeze(await this.#queries.get(statement, parameters)))
    } catch (error) {
      result.reject(error)
    }
  }
}
