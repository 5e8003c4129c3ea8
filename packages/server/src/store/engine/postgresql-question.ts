/**
 * A statement on its way to PostgreSQL: the driver's own query but for what that does anew every time. What the columns of a
 * prepared statement are is asked once for each connection, because they stay so as long as it is prepared: PostgreSQL fails
 * a statement whose columns have changed since. Rows are records of their columns, made without copies of others.
 */
import pg from 'pg'
import type { Value } from './database.ts'

/** What the driver has and calls, which its types leave out. */
declare module 'pg' {
  interface Query {
    name: string
    values: (string | null)[]
    prepare(connection: pg.Connection): void
    requiresPreparation(): boolean
    handleError(error: unknown, connection: pg.Connection): void
  }
}

/** bigint columns hold times and counts, all below 2^53. */
const readerOf = (oid: number): ((text: string) => unknown) =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, 'text')

interface Column {
  name: string
  read: (text: string) => unknown
}

export interface Result {
  rows: unknown[]
  /** How many rows it found or changed; 0 where it does neither. */
  rowCount: number
}

/** The columns of what is prepared on a connection, by the names of statements; none where it answers no rows. */
export type Prepared = Map<string, readonly Column[]>

/** Values as they are sent. */
const textsOf = (values: readonly Value[]): (string | null)[] =>
  values.map((value) => (typeof value === 'number' ? String(value) : value))

/** How many rows the end of a statement tells of, such as `UPDATE 2`, `INSERT 0 1` or `COMMIT`. */
const countIn = (text: string): number => Number(text.slice(text.lastIndexOf(' ') + 1)) || 0

const noColumns: readonly Column[] = []

export class Question extends pg.Query {
  override readonly name: string
  readonly #answer: (error: unknown, result: Result | undefined) => void
  readonly #prepared: Prepared
  readonly #result: Result = { rows: [], rowCount: 0 }
  #columns: readonly Column[] = noColumns
  #failure: unknown

  /** Without a name it is not kept prepared. */
  constructor(
    { name, text }: { name: string; text: string },
    values: readonly Value[],
    prepared: Prepared,
    answer: (error: unknown, result: Result | undefined) => void,
  ) {
    super(text, textsOf(values))
    this.name = name
    this.#prepared = prepared
    this.#answer = answer
  }

  override prepare(connection: pg.Connection): void {
    const columns = this.#prepared.get(this.name)
    if (!columns) {
      super.prepare(connection)
      return
    }
    this.#columns = columns
    // The driver's types ask for a second argument, which it has not.
    connection.bind({ statement: this.name, values: this.values }, true)
    connection.execute(null, true)
    connection.sync()
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, read: readerOf(dataTypeID) }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const row: Record<string, unknown> = {}
    try {
      for (let index = 0; index < fields.length; index++) {
        const { name, read } = this.#columns[index] as Column
        const text = fields[index] as string | null
        row[name] = text === null ? null : read(text)
      }
      this.#result.rows.push(row)
    } catch (error) {
      this.#failure ??= error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#result.rowCount = countIn(text)
  }

  override handleError(error: unknown): void {
    this.#answer(error, undefined)
  }

  handleReadyForQuery(): void {
    if (this.name !== '' && !this.#prepared.has(this.name)) this.#prepared.set(this.name, this.#columns)
    if (this.#failure === undefined) this.#answer(null, this.#result)
    else this.#answer(this.#failure, undefined)
  }
}

/**
 * Prepared statements that end together: PostgreSQL takes what comes before one end for one transaction, commits it there,
 * and says once that it did. Nobody hears of their rows but how many there were.
 */
export class Batch extends pg.Query {
  readonly #statements: readonly { name: string; values: readonly Value[] }[]
  readonly #answer: (error: unknown, counts: readonly number[] | undefined) => void
  readonly #counts: number[] = []

  constructor(
    statements: readonly { name: string; values: readonly Value[] }[],
    answer: (error: unknown, counts: readonly number[] | undefined) => void,
  ) {
    super('')
    this.#statements = statements
    this.#answer = answer
  }

  /** They are: the driver has it written by `prepare`, in one system call. */
  override requiresPreparation(): boolean {
    return true
  }

  override prepare(connection: pg.Connection): void {
    for (const { name, values } of this.#statements) {
      connection.bind({ statement: name, values: textsOf(values) }, true)
      connection.execute(null, true)
    }
    connection.sync()
  }

  handleDataRow(): void {}

  handleCommandComplete({ text }: { text: string }): void {
    this.#counts.push(countIn(text))
  }

  override handleError(error: unknown): void {
    this.#answer(error, undefined)
  }

  handleReadyForQuery(): void {
    this.#answer(null, this.#counts)
  }
}
