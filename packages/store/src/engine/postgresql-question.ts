/**
 * Statements for PostgreSQL that skip work which `pg` repeats on each call. The columns of a prepared statement are
 * requested once per connection, not with each call. They cannot change unnoticed: PostgreSQL fails a prepared
 * statement whose columns have changed. Rows become plain objects directly, without the driver's `Result`.
 *
 * **Private parts of pg 8.23.1.** Both classes extend `pg.Query`, which is exported but not documented as a base class.
 * - They override `prepare`, `requiresPreparation`, `handleRowDescription`, `handleDataRow`, `handleCommandComplete`,
 *   `handleError` and `handleReadyForQuery`, which `pg.Client` calls with the messages of the server.
 * - They read `name` and `values`, and call `bind`, `execute` and `sync` of `pg.Connection`.
 * - They rely on `Query.submit()`, which calls `prepare` between `cork` and `uncork` of the socket.
 *
 * The public API can neither omit the description of columns nor send several statements before one Sync. When pg is
 * upgraded, remove this file first: `client.query({ name, text, values, types })` replaces `Question`, with a type parser
 * for bigint; `begin`, the statements and `commit` replace `Batch`.
 */
import pg from 'pg'
import type { Value } from './database.ts'

/** Members of the driver that its types omit. */
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
  /** Rows found or changed; 0 for statements such as `begin`. */
  rowCount: number
}

/**
 * The columns of the statements prepared on a connection, by statement name. Empty for a statement that returns no
 * rows.
 */
export type Prepared = Map<string, readonly Column[]>

/** Parameters in the text format of the protocol. */
const textsOf = (values: readonly Value[]): (string | null)[] =>
  values.map((value) => (typeof value === 'number' ? String(value) : value))

/** The row count at the end of a command tag, such as `UPDATE 2`, `INSERT 0 1` or `COMMIT` (0). */
const countIn = (text: string): number => Number(text.slice(text.lastIndexOf(' ') + 1)) || 0

const noColumns: readonly Column[] = []

export class Question extends pg.Query {
  override readonly name: string
  readonly #answer: (error: unknown, result: Result | undefined) => void
  readonly #prepared: Prepared
  readonly #result: Result = { rows: [], rowCount: 0 }
  #columns: readonly Column[] = noColumns
  #failure: unknown

  /** With an empty name, the statement is not retained as prepared. */
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
    // The types of the driver require a second argument, which the function does not have.
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
 * Prepared statements before a single Sync: PostgreSQL runs them as one transaction, commits at the Sync and confirms
 * once. Only the number of rows of each statement is reported.
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

  /** True, so that the driver calls `prepare` and sends its messages in one system call. */
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
