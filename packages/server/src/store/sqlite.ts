/**
 * SQLite through `node:sqlite`: one file, WAL, `synchronous=FULL`, so that what was committed survives a power cut.
 *
 * Two connections: one writes, one at a time, in the order asked; the other reads, and so never sees half a transaction.
 * A read outside a transaction sees every commit before it. Reads of one turn of the event loop share a snapshot, which
 * saves the file locks of each: it ends with the turn, and at once when this process commits.
 *
 * Writes of one turn of the event loop share a commit, and so one wait for the disk: each is a savepoint of its own, which
 * fails alone, and is answered when all are kept.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Queries, type Row, type Statement, StoreUnavailable, type Value } from './database.ts'

/** A prepared statement and the names of its columns: rows come as arrays, of which objects are made faster than natively. */
interface Prepared {
  statement: StatementSync
  columns: readonly string[]
  /** For each place in the text the parameter that stands there, from 0. */
  places: readonly number[]
  /** How many parameters there are. */
  count: number
}

/** How long a write waits for the file that another process, or another connection of this one, is writing to. */
const lockWait = 5000

class Connection implements Queries {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, Prepared>()

  constructor(file: string) {
    this.#database = new DatabaseSync(file, { timeout: lockWait })
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  }

  /** From now on a locked file is told at once: SQLite's own wait would stand in the way of all else in this process. */
  dontWait(): void {
    this.#database.exec('pragma busy_timeout = 0')
  }

  #prepare(text: string): Prepared {
    const known = this.#statements.get(text)
    if (known) return known
    // SQLite would look `$1` up by its name at every call; in order it need not.
    const places: number[] = []
    const ordered = text.replace(/\$(\d+)/g, (_, number) => {
      places.push(Number(number) - 1)
      return '?'
    })
    // Rows need no locks: a transaction holds the file.
    const statement = this.#database.prepare(ordered.replace(/ for no key update$/, ''))
    statement.setReturnArrays(true)
    const columns = statement.columns().map((column) => column.name)
    const prepared = { statement, columns, places, count: Math.max(-1, ...places) + 1 }
    if (this.#statements.size > 500) this.#statements.clear()
    this.#statements.set(text, prepared)
    return prepared
  }

  async get<T>(statement: Statement<T>, parameters: readonly Value[] = []): Promise<T | undefined> {
    return this.#guard(() => {
      const prepared = this.#prepare(statement.text)
      const values: unknown = prepared.statement.get(...inOrder(prepared, parameters))
      return values === undefined ? undefined : rowOf<T>(prepared.columns, values as Value[])
    })
  }

  async all<T>(statement: Statement<T>, parameters: readonly Value[] = []): Promise<T[]> {
    return this.#guard(() => {
      const prepared = this.#prepare(statement.text)
      const rows: unknown = prepared.statement.all(...inOrder(prepared, parameters))
      return (rows as Value[][]).map((values) => rowOf<T>(prepared.columns, values))
    })
  }

  async run(statement: Statement<unknown>, parameters: readonly Value[] = []): Promise<number> {
    return this.#guard(() => {
      const prepared = this.#prepare(statement.text)
      return Number(prepared.statement.run(...inOrder(prepared, parameters)).changes)
    })
  }

  async post(statement: Statement<unknown>, parameters?: readonly Value[]): Promise<void> {
    await this.run(statement, parameters)
  }

  /** One of the few words that begin and end transactions, kept prepared. */
  say(word: 'begin' | 'begin immediate' | 'commit' | 'savepoint one' | 'release one'): void {
    this.#guard(() => this.#prepare(word).statement.run())
  }

  execute(script: string): void {
    this.#guard(() => this.#database.exec(script))
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      const passing = passingFailures[resultCode(error)]
      throw passing ? new StoreUnavailable(passing, error) : error
    }
  }
}

const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0

const isLocked = (error: unknown): boolean => error instanceof StoreUnavailable && resultCode(error.cause) === 5

/** Result codes of SQLite that are the machine's fault, not the statement's. */
const passingFailures: Record<number, string> = {
  5: 'the database file is locked by another process',
  8: 'the database file cannot be written',
  10: 'the disk failed',
  13: 'the disk is full',
  14: 'the database file cannot be opened',
}

function inOrder({ places, count }: Prepared, parameters: readonly Value[]): Value[] {
  if (parameters.length !== count) throw new Error(`the statement takes ${count} values, not ${parameters.length}`)
  return places.map((place) => {
    const value = parameters[place] ?? null
    // PostgreSQL refuses it; a text that only one of the stores takes would be found in production.
    if (typeof value === 'string' && value.includes('\0')) throw new Error(`$${place + 1} holds NUL, which no text may`)
    return value
  })
}

function rowOf<T>(columns: readonly string[], values: readonly Value[]): T {
  const row: Row = {}
  for (let index = 0; index < columns.length; index++) row[columns[index] ?? ''] = values[index] ?? null
  return row as T
}

/** Opens or makes the database file. */
export function openSqlite(file: string): Database {
  const writer = new Connection(file)
  const reader = new Connection(file)
  writer.dontWait()
  let snapshot = false
  const endSnapshot = (): void => {
    if (!snapshot) return
    snapshot = false
    try {
      reader.say('commit')
    } catch {
      // A failing disk has ended it already; the read that met the failure told it.
    }
  }
  const read = (): Connection => {
    if (!snapshot) {
      reader.say('begin')
      snapshot = true
      setImmediate(endSnapshot)
    }
    return reader
  }
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }

  /** The first error is the one to tell: on a full or failing disk SQLite has rolled back already, and says so. */
  const rollBack = (): void => {
    try {
      writer.execute('rollback')
    } catch {}
  }

  const commit = (): void => {
    try {
      // Before, too: a snapshot that is open while we commit keeps the log from being emptied, and every commit tries again.
      endSnapshot()
      writer.say('commit')
      endSnapshot()
    } catch (error) {
      rollBack()
      throw error
    }
  }

  /** The open transaction that the writes of this turn share. */
  let group: PromiseWithResolvers<void> | undefined
  const endGroup = (end: () => void): void => {
    if (!group) return
    const { resolve, reject } = group
    group = undefined
    try {
      end()
      resolve()
    } catch (error) {
      reject(error)
    }
  }
  const begin = async (): Promise<void> => {
    for (const deadline = performance.now() + lockWait; ; await sleep(2)) {
      try {
        return writer.say('begin immediate')
      } catch (error) {
        if (!isLocked(error) || performance.now() > deadline) throw error
      }
    }
  }
  const openGroup = async (): Promise<PromiseWithResolvers<void>> => {
    await begin()
    const opened = Promise.withResolvers<void>()
    // Whoever shares it hears of its failure; nobody may, where all failed before.
    opened.promise.catch(() => undefined)
    setImmediate(() => void inTurn(async () => endGroup(commit)))
    return opened
  }

  /** Runs `work` in the transaction of this turn; the answer comes when it is kept. */
  const share = async <T>(work: () => Promise<T>): Promise<T> => {
    const { result, kept } = await inTurn(async () => {
      group ??= await openGroup()
      const kept = group.promise
      try {
        return { result: await work(), kept }
      } catch (error) {
        // Where the failure ended the transaction, it did so for all who share it.
        if (!writer.isInTransaction) {
          endGroup(() => {
            throw error
          })
        }
        throw error
      }
    })
    await kept
    return result
  }

  const transaction = <T>(work: (tx: Queries) => Promise<T>): Promise<T> =>
    share(async () => {
      writer.say('savepoint one')
      try {
        const result = await work(writer)
        writer.say('release one')
        return result
      } catch (error) {
        if (writer.isInTransaction) writer.execute('rollback to one; release one')
        throw error
      }
    })

  /** Apart from the writes of others: migrations, and what only one process may do. */
  const alone = <T>(work: () => Promise<T>): Promise<T> =>
    inTurn(() => {
      endGroup(commit)
      return work()
    })

  return {
    engine: 'sqlite',
    get: (statement, parameters) =>
      isRead(statement.text) ? read().get(statement, parameters) : share(() => writer.get(statement, parameters)),
    all: (statement, parameters) =>
      isRead(statement.text) ? read().all(statement, parameters) : share(() => writer.all(statement, parameters)),
    run: (statement, parameters) => share(() => writer.run(statement, parameters)),
    post: (statement, parameters) => share(() => writer.post(statement, parameters)),
    transaction,
    execute: (script) => alone(async () => writer.execute(script)),
    exclusively: (work) =>
      alone(async () => {
        await begin()
        try {
          const result = await work(writer, async (script) => writer.execute(script))
          commit()
          return result
        } catch (error) {
          rollBack()
          throw error
        }
      }),
    now: async () => Date.now(),
    async [Symbol.asyncDispose]() {
      await alone(async () => endSnapshot())
      reader.close()
      writer.close()
    },
  }
}

/** Reads by the first word, which the queries write in lower case. */
const isRead = (text: string): boolean => text.startsWith('select')
