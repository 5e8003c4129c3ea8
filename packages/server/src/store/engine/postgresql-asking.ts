/** How PostgreSQL is asked on a connection, what its failures mean, and what leaves in one system call. */
import pg from 'pg'
import { checkValues, type Queries, type Statement, StoreUnavailable, type Value } from './database.ts'
import { Batch, type Prepared, Question, type Result } from './postgresql-question.ts'
import type { StoreFigures } from './statement-figures.ts'

/** SQLSTATE classes that are not the statement's fault: connection, resources, shutdown, read-only, out of space, deadlock. */
const passing = /^(08|53|57|58|25006|40P01)/

/** Data or indexes that do not read as they were written. */
const damaged = /^XX00[12]$/

/** A statement that was prepared is not there, or one of its name is: the connection is another than the last time. */
const isSwapped = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '26000' || error.code === '42P05')

export function translate(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const lost = /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)/.test(code)
  const dropped = code === '' && /terminated|timeout|Connection ended|not queryable/i.test(error.message)
  if (damaged.test(code)) return new StoreUnavailable('the database is damaged', error, { isDamage: true })
  return lost || dropped || passing.test(code) || isSwapped(error)
    ? new StoreUnavailable('PostgreSQL cannot be reached or cannot take the request', error)
    : error
}

/** A statement of a transaction that an earlier one has brought to its end. */
export const isAborted = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '25P02'

export type Until = (leave: () => void) => void

/** What is asked at one moment leaves in one system call, which costs more than all else that a statement costs us. */
export function gather(client: pg.ClientBase, until: Until): void {
  if (!(client instanceof pg.Client)) return
  const { stream } = client.connection
  stream.cork()
  until(() => stream.uncork())
}

/** Asks on a connection, and counts what was asked. */
export type Ask = (
  client: pg.ClientBase,
  statement: Statement<unknown>,
  parameters: readonly Value[],
) => Promise<Result>

/** A statement whose rows nobody needs, with its values and who hears how many there were. */
export type Posted = Parameters<Queries['post']>

export interface Asking {
  ask: Ask
  /** Keeps statements together, in one transaction without words for its beginning and end: all were asked here before. */
  keep(client: pg.ClientBase, posted: readonly Posted[]): Promise<void>
  /** Whether all of them were asked on this connection before, and it is ours. */
  canKeep(client: pg.ClientBase, posted: readonly Posted[]): boolean
}

const textOf = ({ text, locks, skipsLocked }: Statement<unknown>): string => {
  if (locks.length === 0) return text
  return skipsLocked ? `${text} for no key update skip locked` : `${text} for no key update`
}

/** Whether connections are lent by a pooler, as far as is known. */
export interface Lent {
  isPooled: boolean
}

export function askCounting(figures: StoreFigures, lent: Lent): Asking {
  const prepared = new WeakMap<pg.ClientBase, Prepared>()
  const preparedOn = (client: pg.ClientBase): Prepared => {
    const known = prepared.get(client) ?? new Map()
    prepared.set(client, known)
    return known
  }
  const ask: Ask = (client, statement, parameters) =>
    new Promise((resolve, reject) => {
      const began = performance.now()
      const answered = (error: unknown, result: Result | undefined): void => {
        figures.ran(statement, performance.now() - began)
        if (result) resolve(result)
        else {
          // Nobody said so when it was opened.
          if (isSwapped(error)) lent.isPooled = true
          reject(error)
        }
      }
      const asked = { name: lent.isPooled ? '' : statement.name, text: textOf(statement) }
      client.query(new Question(asked, parameters, preparedOn(client), answered))
    })
  const keep: Asking['keep'] = (client, posted) =>
    new Promise((resolve, reject) => {
      const began = performance.now()
      const answered = (error: unknown, counts: readonly number[] | undefined): void => {
        const milliseconds = performance.now() - began
        for (const [statement] of posted) figures.ran(statement, milliseconds)
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
      if (lent.isPooled) return false
      const known = preparedOn(client)
      return posted.every(([{ name }]) => known.has(name))
    },
  }
}

/** Asks once more where a pooler was found by the first answer: outside a transaction nothing was done. */
export async function askAgain<T>(asked: () => Promise<T>): Promise<T> {
  try {
    return await asked()
  } catch (error) {
    if (!isSwapped(error)) throw error
    return asked()
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
