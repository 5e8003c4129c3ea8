/**
 * Runs statements on a connection to PostgreSQL, and translates errors. `client.query()` receives the `pg.Query`
 * subclasses of `postgresql-question.ts`, which use private parts of pg.
 */
import type pg from 'pg'
import { checkValues, type Queries, type Statement, StoreUnavailable, type Value } from './database.ts'
import { Batch, type Prepared, Question, type Result } from './postgresql-question.ts'
import { NoPrimary, type ServerConnection } from './postgresql-servers.ts'
import type { StoreFigures } from './statement-figures.ts'

/** SQLSTATE classes of transient errors: connection, resources, shutdown, out of space, deadlock. */
const passing = /^(08|53|57|58|40P01)/

/** Damaged data or indexes. */
const damaged = /^XX00[12]$/

/**
 * A prepared statement is missing, or its name is already taken: a pooler has switched to another server connection.
 */
const isSwapped = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '26000' || error.code === '42P05')

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** A write was refused: the transaction is read-only, because the server is a standby or was set read-only. */
export const isReadOnlyRefusal = (error: unknown): boolean => error instanceof Error && codeOf(error) === '25006'

/** Messages of Citus about a worker. Poolers use the codes of connections too, and some of these have the internal one. */
const lostWorker =
  /^(could not commit transaction for shard|failure on connection marked as essential|connection to the remote node|connection establishment for node|could not establish any connections to the node)/

/** Whether a coordinator reports that it cannot reach a worker. The connection to the coordinator itself is intact. */
function isOfWorker(error: Error): boolean {
  if (!('severity' in error && 'where' in error)) return false
  const isRemote = /while executing command on/.test(String(error.where))
  return lostWorker.test(error.message) || (isRemote && passing.test(codeOf(error)))
}

/** Whether the connection to the server is gone, or the server shuts down or does not accept connections. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error) || isOfWorker(error)) return false
  const code = codeOf(error)
  return (
    /^(08|57P0[123]|ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/.test(code) ||
    (code === '' && /terminated|timeout|Connection ended|not queryable/i.test(error.message))
  )
}

const unconfirmed = 'PostgreSQL has not confirmed that its standby has the change'

export function translate(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreUnavailable) return error
  const code = codeOf(error)
  if (isOfWorker(error)) return new StoreUnavailable('a part of the store cannot be reached', error, { isPart: true })
  if (damaged.test(code)) return new StoreUnavailable('the database is damaged', error, { isDamage: true })
  if (error instanceof NoPrimary)
    return new StoreUnavailable('PostgreSQL is a standby and accepts no changes', error, { isReadOnly: true })
  if (code === '25006')
    return new StoreUnavailable('PostgreSQL is read-only and accepts no changes', error, { isReadOnly: true })
  if (code === '08007') return new StoreUnavailable(unconfirmed, error)
  return isLost(error) || passing.test(code) || isSwapped(error)
    ? new StoreUnavailable('PostgreSQL cannot be reached or cannot take the request', error)
    : error
}

/** "Transaction resolution unknown": the server committed, and its synchronous standby may not have the commit. */
class Unconfirmed extends Error {
  readonly code = '08007'

  constructor() {
    super(unconfirmed)
  }
}

/** A statement failed only because an earlier one of the same transaction failed. */
export const isAborted = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '25P02'

/** Runs a statement on a connection and records its duration. */
export type Ask = (
  client: ServerConnection,
  statement: Statement<unknown>,
  parameters: readonly Value[],
) => Promise<Result>

/** A statement whose rows are not needed, its parameters, and the callback for the number of rows. */
export type Posted = Parameters<Queries['post']>

export interface StatementSender {
  ask: Ask
  /**
   * Commits statements in one implicit transaction, without `begin` and `commit`. All must be prepared on this
   * connection.
   */
  keep(client: ServerConnection, posted: readonly Posted[]): Promise<void>
  /** Whether all statements are prepared on this connection, which leads to one PostgreSQL without a pooler. */
  canKeep(client: ServerConnection, posted: readonly Posted[]): boolean
}

const textOf = ({ text, locks, skipsLocked }: Statement<unknown>): string => {
  if (locks.length === 0) return text
  return skipsLocked ? `${text} for no key update skip locked` : `${text} for no key update`
}

/** What has been detected about the connections so far. */
export interface Lent {
  /** A pooler assigns them. */
  isPooled: boolean
  /** They lead to the coordinator of a distributed store. */
  isDistributed: boolean
}

export function askCounting(figures: StoreFigures, lent: Lent): StatementSender {
  const prepared = new WeakMap<pg.ClientBase, Prepared>()
  const preparedOn = (client: pg.ClientBase): Prepared => {
    const known = prepared.get(client) ?? new Map()
    prepared.set(client, known)
    return known
  }
  const ask: Ask = (client, declared, parameters) =>
    new Promise((resolve, reject) => {
      const statement = (lent.isDistributed && declared.distributed) || declared
      const began = performance.now()
      client.waiting++
      const answered = (error: unknown, result: Result | undefined): void => {
        figures.ran(declared, performance.now() - began)
        client.waiting--
        client.answered++
        if (client.isUnconfirmed) reject(new Unconfirmed())
        else if (result) resolve(result)
        else {
          // The check at connection start did not detect the pooler.
          if (isSwapped(error)) lent.isPooled = true
          reject(error)
        }
      }
      const requested = { name: lent.isPooled ? '' : statement.name, text: textOf(statement) }
      client.query(new Question(requested, parameters, preparedOn(client), answered))
    })
  const keep: StatementSender['keep'] = (client, posted) =>
    new Promise((resolve, reject) => {
      const began = performance.now()
      client.waiting++
      const answered = (error: unknown, counts: readonly number[] | undefined): void => {
        const milliseconds = performance.now() - began
        for (const [statement] of posted) figures.ran(statement, milliseconds)
        client.waiting--
        client.answered++
        if (client.isUnconfirmed) {
          reject(translate(new Unconfirmed()))
          return
        }
        if (!counts) {
          if (isSwapped(error)) lent.isPooled = true
          reject(translate(error))
          return
        }
        for (const [index, [, , counted]] of posted.entries()) counted?.(counts[index] ?? 0)
        resolve()
      }
      const statements = posted.map(([{ name }, values = []]) => ({ name, values }))
      client.query(new Batch(statements, answered))
    })
  return {
    ask,
    keep,
    canKeep(client, posted) {
      // On Citus, statements before one Sync are no transaction: each is committed by its own machine.
      if (lent.isPooled || lent.isDistributed) return false
      const known = preparedOn(client)
      return posted.every(([{ name }]) => known.has(name))
    },
  }
}

/** Runs SQL without parameters, and counts it as a statement that waits for the server. */
export async function askPlain<T extends pg.QueryResultRow>(client: ServerConnection, text: string): Promise<T[]> {
  client.waiting++
  try {
    const { rows } = await client.query<T>(text)
    if (client.isUnconfirmed) throw new Unconfirmed()
    return rows
  } catch (error) {
    throw translate(error)
  } finally {
    client.waiting--
    client.answered++
  }
}

/** Retries once if the first attempt revealed a pooler. Outside a transaction, the failed attempt changed nothing. */
export async function askAgain<T>(requested: () => Promise<T>): Promise<T> {
  try {
    return await requested()
  } catch (error) {
    if (!isSwapped(error)) throw error
    return requested()
  }
}

interface Runner {
  query(statement: Statement<unknown>, parameters: readonly Value[]): Promise<Result>
}

export function queriesOf(runner: Runner): Queries {
  const query = async (statement: Statement<unknown>, parameters: readonly Value[] = []): Promise<Result> => {
    checkValues(parameters)
    try {
      return await runner.query(statement, parameters)
    } catch (error) {
      throw translate(error)
    }
  }
  return {
    get: async <T>(statement: Statement<T>, parameters?: readonly Value[]) =>
      (await query(statement, parameters)).rows[0] as T | undefined,
    all: async <T>(statement: Statement<T>, parameters?: readonly Value[]) =>
      (await query(statement, parameters)).rows as T[],
    run: async (statement, parameters) => (await query(statement, parameters)).rowCount,
    post: async (statement, parameters, counted) => {
      const { rowCount } = await query(statement, parameters)
      counted?.(rowCount)
    },
  }
}
