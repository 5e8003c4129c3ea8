import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { checkValue, isLock, type Queries, type Row, type Statement, StoreUnavailable, type Value } from './database.ts'
import { damage } from './sqlite-file.ts'
import type { StatementFigures, StoreFigures } from './statement-figures.ts'

/**
 * A prepared statement and its column names. Rows arrive as arrays; building objects from them is faster than
 * natively.
 */
interface Prepared {
  statement: StatementSync
  columns: readonly string[]
  /** For each placeholder in the text, the index of its parameter. */
  places: readonly number[]
  /** The number of parameters. */
  count: number
  /** Whether each parameter occurs once and in order, as in most statements. */
  isInOrder: boolean
  figures: StatementFigures
}

/** The longest time that a write waits for the lock of another process or connection, in milliseconds. */
export const lockWait = 5000

/** One connection to the file. It prepares each statement once and reports failures of the machine as `StoreUnavailable`. */
export class Connection implements Queries {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, Prepared>()
  readonly #figures: StoreFigures

  constructor(file: string, figures: StoreFigures) {
    this.#figures = figures
    this.#database = new DatabaseSync(file, { timeout: lockWait })
    // `auto_vacuum` takes effect for new and rewritten files; then their free pages can be reclaimed.
    this.#database.exec(
      'pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on',
    )
    // Deleted content is overwritten with zeros. Otherwise addresses of guests would stay readable in free pages. Measured with
    // 20,000 rows of 1 kB: inserts and updates cost the same, deletes 10 to 20 percent more processor time.
    this.#database.exec('pragma secure_delete = on')
  }

  /**
   * Disables SQLite's own waits for the file lock and the disk, which would block the whole process. A locked file is
   * reported at once. A commit only writes to the log; the caller flushes the log afterwards.
   */
  dontWait(): void {
    this.#database.exec('pragma busy_timeout = 0; pragma synchronous = normal')
  }

  #prepare({ name, text }: { name: string; text: string }): Prepared {
    const known = this.#statements.get(text)
    if (known) return known
    // SQLite would look up `$1` by name on each call. Positional placeholders avoid that.
    const places: number[] = []
    const ordered = text.replace(/\$(\d+)/g, (_, number) => {
      places.push(Number(number) - 1)
      return '?'
    })
    const statement = this.#database.prepare(ordered)
    statement.setReturnArrays(true)
    const columns = statement.columns().map((column) => column.name)
    const count = Math.max(-1, ...places) + 1
    const isInOrder = places.every((place, index) => place === index)
    const prepared = { statement, columns, places, count, isInOrder, figures: this.#figures.of(name) }
    if (this.#statements.size > 500) this.#statements.clear()
    this.#statements.set(text, prepared)
    return prepared
  }

  async get<T>(statement: Statement<T>, parameters: readonly Value[] = []): Promise<T | undefined> {
    const began = performance.now()
    const prepared = this.#prepared(statement)
    try {
      const values: unknown = prepared.statement.get(...inOrder(prepared, parameters))
      return values === undefined ? undefined : rowOf<T>(prepared.columns, values as Value[])
    } catch (error) {
      throw translated(error)
    } finally {
      ran(prepared.figures, began)
    }
  }

  async all<T>(statement: Statement<T>, parameters: readonly Value[] = []): Promise<T[]> {
    const began = performance.now()
    const prepared = this.#prepared(statement)
    try {
      const rows: unknown = prepared.statement.all(...inOrder(prepared, parameters))
      return (rows as Value[][]).map((values) => rowOf<T>(prepared.columns, values))
    } catch (error) {
      throw translated(error)
    } finally {
      ran(prepared.figures, began)
    }
  }

  async run(statement: Statement<unknown>, parameters: readonly Value[] = []): Promise<number> {
    return this.#run(statement, parameters)
  }

  async post(
    statement: Statement<unknown>,
    parameters: readonly Value[] = [],
    counted?: (rows: number) => void,
  ): Promise<void> {
    // SQLite needs no row locks: a transaction locks the whole file.
    if (isLock(statement)) return
    const rows = this.#run(statement, parameters)
    counted?.(rows)
  }

  #run(statement: Statement<unknown>, parameters: readonly Value[]): number {
    const began = performance.now()
    const prepared = this.#prepared(statement)
    try {
      return Number(prepared.statement.run(...inOrder(prepared, parameters)).changes)
    } catch (error) {
      throw translated(error)
    } finally {
      ran(prepared.figures, began)
    }
  }

  #prepared(statement: Statement<unknown>): Prepared {
    try {
      return this.#prepare(statement)
    } catch (error) {
      throw translated(error)
    }
  }

  /** Runs one of the statements that begin and end transactions. They stay prepared. */
  say(word: 'begin immediate' | 'commit' | 'rollback' | 'savepoint one' | 'rollback to one' | 'release one'): void {
    this.#guard(() => this.#prepare({ name: '', text: word }).statement.run())
  }

  /** Runs a script that may change the schema. */
  execute(script: string): void {
    this.#statements.clear()
    this.#guard(() => this.#database.exec(script))
  }

  /** Moves pages within the file; their contents stay the same. */
  vacuum(pages?: number): void {
    this.#guard(() => this.#database.exec(pages === undefined ? 'vacuum' : `pragma incremental_vacuum(${pages})`))
  }

  /** Moves the log into the file and truncates it. False while a reader or a writer prevents that. */
  emptyLog(): boolean {
    return this.#guard(() => this.#database.prepare('pragma wal_checkpoint(truncate)').get()?.busy === 0)
  }

  /** Reads a number from a pragma. */
  pragma(name: 'auto_vacuum' | 'freelist_count'): number {
    return this.#guard(() => Number(this.#database.prepare(`pragma ${name}`).get()?.[name]))
  }

  /** A number that changes with each commit of another connection. */
  dataVersion(): number {
    return this.#guard(() => {
      const row: unknown = this.#prepare({ name: '', text: 'pragma data_version' }).statement.get()
      return Number((row as Value[])[0])
    })
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
      throw translated(error)
    }
  }
}

/** `StoreUnavailable` if the machine failed, otherwise the error itself. */
function translated(error: unknown): unknown {
  const code = resultCode(error)
  const failure = failures[code]
  return failure ? new StoreUnavailable(failure, error, { isDamage: damage.has(code), isFull: code === 13 }) : error
}

function ran(figures: StatementFigures, began: number): void {
  figures.count++
  figures.seconds += (performance.now() - began) / 1000
}

const resultCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0

export const isLocked = (error: unknown): boolean => error instanceof StoreUnavailable && resultCode(error.cause) === 5

/** Result codes of SQLite for failures of the machine rather than of the statement. */
const failures: Record<number, string> = {
  5: 'the database file is locked by another process',
  8: 'the database file cannot be written',
  10: 'the disk failed',
  11: 'the database file is damaged',
  13: 'the disk is full',
  14: 'the database file cannot be opened',
  26: 'the database file is damaged',
}

function inOrder({ places, count, isInOrder }: Prepared, parameters: readonly Value[]): readonly Value[] {
  if (parameters.length !== count) throw new Error(`the statement takes ${count} values, not ${parameters.length}`)
  for (let index = 0; index < count; index++) checkValue(parameters[index], index)
  return isInOrder ? parameters : places.map((place) => parameters[place] ?? null)
}

function rowOf<T>(columns: readonly string[], values: readonly Value[]): T {
  const row: Row = {}
  for (let index = 0; index < columns.length; index++) row[columns[index] ?? ''] = values[index] ?? null
  return row as T
}
