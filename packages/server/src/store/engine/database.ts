/**
 * The small driver behind every query: `get`, `all`, `run`, `transaction`. SQL is written once, in the subset that SQLite
 * and PostgreSQL share: `$1` parameters, text, bigint and integer columns, JSON as text, booleans 0/1, times in Unix
 * milliseconds.
 */
import type { Ready } from '../../lib/ready.ts'
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

/** One statement, prepared once under its name; without a name it is prepared at every call. */
export interface Statement<T = Row> {
  readonly name: string
  readonly text: string
  readonly row?: T
  /** Asked so often that a store may keep what it answered, until one of its tables is written to, or tell it to several. */
  readonly isKept?: true
  /** The same for several sets of values, as lists: rows with the place of theirs. For PostgreSQL. */
  readonly together?: Statement<T & { place: number }>
  /**
   * The same with one more value, the tag that came with what was answered last: the tag as it is now, and the rest only
   * where that is another. For PostgreSQL.
   */
  readonly tagged?: Statement<T & { tag: string | null }>
}

/** A statement with a fixed text; `name` is unique and says the table first. Without a name it is not kept prepared. */
export const sql = <T = Row>(name: string, text: string): Statement<T> => ({ name, text })

/** A statement whose rows are asked for often and change seldom. */
export const kept = <T>(statement: Statement<T>): Statement<T> => ({ ...statement, isKept: true })

const composed = new Map<string, string>()
/** PostgreSQL keeps what is prepared under a name for the life of a connection, so the number of names has an end. */
const maxComposed = 2000

/** A statement for a text composed at run time; each distinct text has a name of its own, as long as there are few. */
export function dynamic<T = Row>(name: string, text: string): Statement<T> {
  const known = composed.get(text)
  if (known !== undefined) return { name: known, text }
  if (composed.size >= maxComposed) return { name: '', text }
  const fresh = `${name}.${composed.size}`
  composed.set(text, fresh)
  return { name: fresh, text }
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
  return dynamic(
    name,
    one.text.replace(/values \([^)]*\)/, () => `values ${lists.join(', ')}`),
  )
}

export interface Queries {
  /** A row that was read before and still stands; undefined where the store must be asked. */
  known?<T>(statement: Statement<T>, parameters: readonly Value[]): T | undefined
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

/** The first row, without waiting for one that was read before and still stands. */
export const getReady = <T>(
  queries: Queries,
  statement: Statement<T>,
  parameters: readonly Value[],
): Ready<T | undefined> => queries.known?.(statement, parameters) ?? queries.get(statement, parameters)

/** How a statement ends that locks the rows it finds. */
export const locking = ' for no key update'
export const isLock = (text: string): boolean => text.endsWith(locking)

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
