/**
 * The small driver behind every query: `get`, `all`, `run`, `transaction`. SQL is written once, in the subset that SQLite
 * and PostgreSQL share: `$1` parameters, text, bigint and integer columns, JSON as text, booleans 0/1, times in Unix
 * milliseconds.
 */
import type { StoreFigures } from './statement-figures.ts'

export type Value = string | number | null
/** Rejects values that only one of the stores accepts, so that code tested on one store works on the other. */
export function checkValues(parameters: readonly Value[]): void {
  for (let index = 0; index < parameters.length; index++) checkValue(parameters[index], index)
}

/** Checks one value like `checkValues`. */
export function checkValue(value: Value | undefined, index: number): void {
  // PostgreSQL stores no NUL in text and no fractions in integer columns. SQLite would accept both.
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new Error(`$${index + 1} holds NUL, which no text may`)
  } else if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new Error(`$${index + 1} is ${value}, which is no integer that a column holds`)
  }
}

export type Row = Record<string, Value>

/**
 * The kinds of background work. A statement that creates such work wakes the workers of that kind. `stream`: readers of
 * the stream of notifications, which `services/notifications.ts` wakes.
 */
export type Topic = 'deliveries' | 'sends' | 'jobs' | 'watches' | 'stream'

export interface Declaration {
  /** Unique, and starts with the name of the main table. A statement without a name is prepared again for each call. */
  readonly name: string
  readonly text: string
  /** Tables whose rows, as far as the statement finds them, stay locked until the transaction ends. */
  readonly locks?: readonly string[]
  /** The workers to wake once the change is committed. */
  readonly raises?: readonly Topic[]
}

/** A declared statement. */
export interface Statement<T = Row> extends Required<Declaration> {
  /** The tables that the text names as written. `statements.test.ts` compares them with what both stores report. */
  readonly writes: readonly string[]
  readonly row?: T
  /** With `locks`: leave out rows that another transaction holds, instead of waiting for them. */
  readonly skipsLocked?: true
  /** The same query for several sets of parameters at once, as PostgreSQL's batch loader sends it (`batch-loader.ts`). */
  readonly batch?: Statement<T & { place: number }>
  /** With the same parameters and columns, for a store that is distributed over machines (docs/adr/0035-citus.md). */
  readonly distributed?: Statement<T>
}

const none: readonly never[] = []

const writtenIn = (text: string): string[] => {
  const names = text.matchAll(/\b(?:insert into|delete from|alter table|(?<!do )update)\s+(\w+)/g)
  return [...new Set(Array.from(names, ([, table = '']) => table))]
}

export const statement = <T = Row>(declared: Declaration): Statement<T> => ({
  locks: none,
  raises: none,
  ...declared,
  writes: writtenIn(declared.text),
})

/** A template whose text is used for something. What `${}` inserts is text too: values are parameters, as `$1`. */
export type Template<T> = (texts: readonly string[], ...inserted: readonly (string | number)[]) => T
export const template =
  <T>(use: (text: string) => T): Template<T> =>
  (texts, ...inserted) =>
    use(String.raw({ raw: texts }, ...inserted).trim())

/** A statement with a fixed text, by its name: ``sql('nodes.remove')`delete from nodes where id = $1` ``. */
export const sql = <T = Row>(name: string, also?: Pick<Declaration, 'locks' | 'raises'>): Template<Statement<T>> =>
  template((text) => statement<T>({ ...also, name, text }))

/** Whether a statement leaves all rows as they are. */
export const isRead = ({ writes }: Statement<unknown>): boolean => writes.length === 0
/** Whether a statement locks the rows that it finds. */
export const isLock = ({ locks }: Statement<unknown>): boolean => locks.length > 0

const composed = new Map<string, Statement<never>>()
/** PostgreSQL retains a prepared statement for the life of the connection, so the number of names is limited. */
const maxComposed = 2000

/** A statement whose text is composed at run time. Each distinct text gets a name, up to `maxComposed` names. */
export function dynamic<T = Row>(declared: Declaration): Statement<T> {
  const earlier = composed.get(declared.text)
  if (earlier) return earlier
  if (composed.size >= maxComposed) return statement({ ...declared, name: '' })
  const fresh = statement<never>({ ...declared, name: `${declared.name}.${composed.size}` })
  composed.set(declared.text, fresh)
  return fresh
}

/**
 * A LIMIT of at least `rows`, for use in the SQL text. With a bound LIMIT, PostgreSQL assumes 10 % of the table and
 * joins and sorts whole tables for one page. Powers of two keep the number of distinct texts small.
 */
export const statedLimit = (rows: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, rows)))

/** Extends a statement that inserts one row to several rows. The parameters of the rows follow one another. */
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
  /** Runs a statement and returns the number of rows that it changed. */
  run(statement: Statement<unknown>, parameters?: readonly Value[]): Promise<number>
  /**
   * Like `run`, for a transaction that does not need the count. The statement may be sent together with the commit,
   * which then reports its failure. `counted` receives the number of rows before the transaction ends.
   */
  post(statement: Statement<unknown>, parameters?: readonly Value[], counted?: (rows: number) => void): Promise<void>
}

/** Queries of a store that may be distributed over machines. A fake of a test may omit the function. */
export interface Distributable extends Queries {
  isDistributed?(): boolean
}

export type Engine = 'sqlite' | 'postgresql'

/** Messages between the processes of an installation, sent through their store. */
export interface Channel {
  /** Sends a short text without quotes. */
  tell(text: string): Promise<void>
  /**
   * Receives messages until it is disposed. `began` is called each time listening starts or restarts: earlier
   * messages are lost.
   */
  listen(heard: (text: string) => void, began: () => void): AsyncDisposable & { isListening(): boolean }
}

/** Allows a transaction to be merged with others. */
export interface Sharing {
  key: string
  /** In a distributed store, only work of the same application is merged: it is on the same machine. */
  applicationId: string
}

/** How long a transaction that changes the schema waits for locks. PostgreSQL only. */
export interface LockLimits {
  /** The longest wait for a single lock. Statements themselves have no time limit then. */
  lockWaitMs: number
  /** Called with the server process of the transaction, before it waits for the first lock. */
  began?(process: number): void
}

export interface Database extends Queries, AsyncDisposable {
  readonly engine: Engine
  /**
   * Runs `work` in one transaction: all of it is committed, or nothing. With a key, it may share the transaction with
   * work of other keys. Such work first locks the rows that it changes, through `post`, and may run again if nothing
   * was committed.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>, sharing?: Sharing): Promise<T>
  /** Runs several statements at once, without parameters: for migrations. */
  execute(script: string): Promise<void>
  /**
   * Runs one statement outside a transaction and without a time limit: on PostgreSQL, for those that build an index
   * while others write.
   */
  maintain(statement: string): Promise<void>
  /** Runs `work` in one transaction, while no other process of the installation is inside the same call. */
  exclusively<T>(
    work: (tx: Queries, execute: (script: string) => Promise<void>) => Promise<T>,
    limits?: LockLimits,
  ): Promise<T>
  /** Rewrites the file of SQLite, so that no free page or journal still contains earlier values. */
  rewrite(): Promise<void>
  /** Returns some of the space of deleted rows to the operating system. True if there may be more. */
  reclaim(): Promise<boolean>
  /** The store's own time in Unix milliseconds. */
  now(): Promise<number>
  /** The number of statements and transactions that are waiting for the database server. */
  unanswered(): number
  /** Undefined for a store that only one process uses. */
  readonly channel?: Channel
  /**
   * Whether another process has written since the last call; true on the first call. For a store with one serving
   * process.
   */
  othersWrote?(): boolean
  /** Why statements wait for the store, if that is known, in a message that may be public. */
  trouble?(): string | undefined
  /** Whether a pooler assigns another connection to each transaction. Detected with the first statement. */
  isPooled(): boolean
  /** Whether applications are distributed over several machines (Citus). Detected with each new connection. */
  isDistributed(): boolean
  /** Counts and durations of all statements so far. */
  readonly figures: StoreFigures
}

/** The store cannot be reached or cannot write. The client may try again. */
export class StoreUnavailable extends Error {
  /** The stored data is damaged: trying again does not help. */
  readonly isDamage: boolean
  /** The store answers, and accepts no changes. */
  readonly isReadOnly: boolean
  /** The disk of the store has no room left: deleting may help. */
  readonly isFull: boolean
  /** Only a worker of a distributed store is missing: other applications are not affected. */
  readonly isPart: boolean

  constructor(
    message: string,
    cause: unknown,
    { isDamage = false, isReadOnly = false, isFull = false, isPart = false } = {},
  ) {
    super(message, { cause })
    this.isDamage = isDamage
    this.isReadOnly = isReadOnly
    this.isFull = isFull
    this.isPart = isPart
    this.name = 'StoreUnavailable'
  }
}
