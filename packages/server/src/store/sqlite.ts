/**
 * SQLite through `node:sqlite`: one file, WAL, `synchronous=FULL`, so that what was committed survives a power cut.
 *
 * Two connections: one writes, one at a time, in the order asked; the other reads, and so never sees half a transaction.
 * A read outside a transaction sees every commit before it.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { type Database, type Queries, type Statement, StoreUnavailable, type Value } from './database.ts'

class Connection implements Queries {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(file: string) {
    this.#database = new DatabaseSync(file, { timeout: 5000 })
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text)
    if (known) return known
    const statement = this.#database.prepare(text)
    if (this.#statements.size > 500) this.#statements.clear()
    this.#statements.set(text, statement)
    return statement
  }

  // `$1` is a named parameter to SQLite, so values are bound by name.
  async get<T>(statement: Statement<T>, parameters: readonly Value[] = []): Promise<T | undefined> {
    return this.#guard(() => this.#prepare(statement.text).get(byName(parameters)) as T | undefined)
  }

  async all<T>(statement: Statement<T>, parameters: readonly Value[] = []): Promise<T[]> {
    return this.#guard(() => this.#prepare(statement.text).all(byName(parameters)) as T[])
  }

  async run(statement: Statement<unknown>, parameters: readonly Value[] = []): Promise<number> {
    return this.#guard(() => Number(this.#prepare(statement.text).run(byName(parameters)).changes))
  }

  execute(script: string): void {
    this.#guard(() => this.#database.exec(script))
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
      const passing = passingFailures[code]
      throw passing ? new StoreUnavailable(passing, error) : error
    }
  }
}

/** Result codes of SQLite that are the machine's fault, not the statement's. */
const passingFailures: Record<number, string> = {
  5: 'the database file is locked by another process',
  8: 'the database file cannot be written',
  10: 'the disk failed',
  13: 'the disk is full',
  14: 'the database file cannot be opened',
}

function byName(parameters: readonly Value[]): Record<string, Value> {
  const named: Record<string, Value> = {}
  for (let index = 0; index < parameters.length; index++) named[index + 1] = parameters[index] ?? null
  return named
}

/** Opens or makes the database file. */
export function openSqlite(file: string): Database {
  const writer = new Connection(file)
  const reader = new Connection(file)
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    waiting++
    const turn = last.then(work).finally(() => waiting--)
    last = turn.catch(() => undefined)
    return turn
  }

  const transaction = <T>(work: (tx: Queries) => Promise<T>): Promise<T> =>
    inTurn(async () => {
      writer.execute('begin immediate')
      try {
        const result = await work(writer)
        writer.execute('commit')
        return result
      } catch (error) {
        writer.execute('rollback')
        throw error
      }
    })

  return {
    engine: 'sqlite',
    get: (statement, parameters) =>
      isRead(statement.text) ? reader.get(statement, parameters) : inTurn(() => writer.get(statement, parameters)),
    all: (statement, parameters) =>
      isRead(statement.text) ? reader.all(statement, parameters) : inTurn(() => writer.all(statement, parameters)),
    run: (statement, parameters) =>
      waiting === 0 ? writer.run(statement, parameters) : inTurn(() => writer.run(statement, parameters)),
    transaction,
    execute: async (script) => writer.execute(script),
    exclusively: (work) => transaction((tx) => work(tx, async (script) => writer.execute(script))),
    now: async () => Date.now(),
    async [Symbol.asyncDispose]() {
      await last
      reader.close()
      writer.close()
    },
  }
}

const isRead = (text: string): boolean => /^\s*(select|with)\b/i.test(text)
