/**
 * The small driver behind every query: `get`, `all`, `run`, `transaction`. SQL is written once, in the subset that SQLite
 * and PostgreSQL share: `$1` parameters, text, bigint and integer columns, JSON as text, booleans 0/1, times in Unix
 * milliseconds.
 */
import type { StoreFigures } from './statement-figures.ts'

export type Value = string | number | null
/** Refuses values that only one of the stores would take: what is right on the one is right on the other. */
export function checkValues(parameters: readonly Value[]): void {
  for (let index = 0; index < parameters.length; index++) checkValue(parameters[index], index)
}

/** The same for one value. */
export function checkValue(value: Value | undefined, index: number): void {
  // PostgreSQL has no text with NUL, and no fraction goes into its columns of integers; SQLite would take both.
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new Error(`$${index + 1} holds NUL, which no text may`)
  } else if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new Error(`$${index + 1} is ${value}, which is no integer that a column holds`)
  }
}

export type Row = Record<string, Value>

/** The kinds of background work. A statement that creates such work wakes the workers of that kind. */
export type Topic = 'deliveries' | 'sends' | 'jobs' | 'watches'

/** The tables that a statement uses. `statements.test.ts` compares this declaration with what both stores report. */
export interface Tables {
  /** Tables that the statement reads and does not write. */
  readonly reads?: readonly string[]
  readonly writes?: readonly string[]
  /** Tables whose rows, as far as the statement finds them, stay locked until the transaction ends. */
  readonly locks?: readonly string[]
}

export interface Declaration extends Tables {
  /** Unique, and starts with the name of the main table. A statement without a name is prepared again for each call. */
  readonly name: string
  readonly text: string
  /** The workers to wake once the change is committed. */
  readonly raises?: readonly Topic[]
}

/** A declared statement. */
export interface Statement<T = Row> extends Required<Declaration> {
  readonly row?: T
  /** With `locks`: leave out rows that another transaction holds, instead of waiting for them. */
  readonly skipsLocked?: true
  /** The same query for several sets of parameters at once, as PostgreSQL's batch loader sends it (`batch-loader.ts`). */
  readonly batch?: Statement<T & { place: number }>
}

const none: readonly never[] = []

/** A statement with a fixed text. */
export const sql = <T = Row>(declared: Declaration): Statement<T> => ({
  reads: none,
  writes: none,
  locks: none,
  raises: none,
  ...declared,
})

/** Whether a statement leaves all rows as they are. */
export const isRead = ({ writes }: Statement<unknown>): boolean => writes.length === 0
/** Whether a statement locks the rows that it finds. */
export const isLock = ({ locks }: Statement<unknown>): boolean => locks.length > 0

const composed = new Map<string, string>()
/** PostgreSQL keeps what is prepared under a name for the life of a connection, so the number of names has an end. */
const maxComposed = 2000

/** A statement for a text composed at run time; each distinct text has a name of its own, as long as there are few. */
export function dynamic<T = Row>(declared: Declaration): Statement<T> {
  let name = composed.get(declared.text)
  if (name === undefined && composed.size < maxComposed) {
    name = `${declared.name}.${composed.size}`
    composed.set(declared.text, name)
  }
  return sql({ ...declared, name: name ?? '' })
}

/**
 * A limit to stand in a text itself, of at least so many rows; powers of two, so that the texts are few. PostgreSQL takes it
 * for a limit that is a value that a tenth of all rows is wanted, and joins and sorts whole tables for a page of them.
 */
export const statedLimit = (rows: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, rows)))

/** A statement that inserts one row, for several: the values of each follow one another. */
export function insertingRows(
  name: string,
  one: Statement<unknown>,
  rows: readonly (readonly Value[])[],
): Statement<unknown> {
  let count = 0
  const lists = rows.map((row) => `(${row.map(() => `$${++count}`).join(', ')})`)
  const text = one.text.replace(/values \([^)]*\)/, () => `values ${lists.join(', ')}`)
  return dynamic({ ...one, name, text })
}

export interface Queries {
  /** The first row, or undefined. */
  get<T>(statement: Statement<T>, parameters?: readonly Value[]): Promise<T | undefined>
  all<T>(statement: Statement<T>, parameters?: readonly Value[]): Promise<T[]>
  /** Runs a statement and answers how many rows it changed. */
  run(statement: Statement<unknown>, parameters?: readonly Value[]): Promise<number>
  /**
   * The same where the transaction does not need the count: it may go out with the commit, which then tells its failure.
   * `counted` hears of the rows before the transaction is through.
   */
  post(statement: Statement<unknown>, parameters?: readonly Value[], counted?: (rows: number) => void): Promise<void>
}

export type Engine = 'sqlite' | 'postgresql'

/** What the processes of an installation tell each other through their store. */
export interface Channel {
  /** Tells a short text without quotes. */
  tell(text: string): Promise<void>
  /** Hears what is told until it is disposed; `began` is called whenever it does so anew: what was told before is lost. */
  listen(heard: (text: string) => void, began: () => void): AsyncDisposable & { isListening(): boolean }
}

/** How a transaction may share one with others. */
export interface Sharing {
  key: string
}

export interface Database extends Queries, AsyncDisposable {
  readonly engine: Engine
  /**
   * Runs `work` in one transaction: all of it is kept, or nothing. With a key it may share the transaction with work of
   * other keys: then it locks what it changes first, by `post`, and may be run again when nothing of it was kept.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>, sharing?: Sharing): Promise<T>
  /** Runs several statements at once, without parameters: for migrations. */
  execute(script: string): Promise<void>
  /** Runs `work` while no other process of the installation is inside the same call. */
  exclusively<T>(work: (tx: Queries, execute: (script: string) => Promise<void>) => Promise<T>): Promise<T>
  /** Writes these columns anew, so that no free page, old version of a row or journal holds what they held before. */
  rewrite(columns: readonly { table: string; column: string }[]): Promise<void>
  /** Gives a piece of the space that removed rows left back to the machine; true when there may be more. */
  reclaim(): Promise<boolean>
  /** The store's own time in Unix milliseconds. */
  now(): Promise<number>
  /** What was asked of a store that works beside us and is not answered yet: statements, and transactions not over. */
  unanswered(): number
  /** Undefined where a store has one process at work. */
  readonly channel?: Channel
  /** Whether another process has written since it was asked last, at first true; for a store with one process at work. */
  othersWrote?(): boolean
  /** Whether a pooler lends its connections, another one for every transaction; known once something was asked. */
  isPooled(): boolean
  /** What it was asked so far, and how long that took. */
  readonly figures: StoreFigures
}

/** The store cannot be reached or cannot write: the client may try again. */
export class StoreUnavailable extends Error {
  /** What is kept is damaged: trying again does not help. */
  readonly isDamage: boolean

  constructor(message: string, cause: unknown, { isDamage = false } = {}) {
    super(message, { cause })
    this.isDamage = isDamage
    this.name = 'StoreUnavailable'
  }
}
