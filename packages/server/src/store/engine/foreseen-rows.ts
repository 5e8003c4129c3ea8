/**
 * Rows that a change will ask for, read before its transaction, together with what is asked anyway: on PostgreSQL the change
 * then needs one way there and back instead of two. Its transaction locks first, as every change does, then has the store
 * fail it unless the rows are still as they were read, and asks for nothing that it knows. Where it fails, the work runs
 * again and reads under the lock.
 */
import {
  type Database,
  type ForeseenRead,
  type ForeseenRows,
  isLock,
  type KnownRow,
  type Queries,
  type Statement,
  StoreUnavailable,
  sql,
  type Value,
} from './database.ts'

type Transaction = Database['transaction']

/**
 * A statement for one row of one table, which can be asked before a transaction too: with the transaction that wrote the
 * row last, by which PostgreSQL knows its versions.
 */
export function foreseeable<T>(statement: Statement<T>): Statement<T> {
  const { name, text } = statement
  const from = text.slice(text.indexOf(' from '))
  const values = Math.max(...Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number)))
  const read = sql<T & { version: string }>(`${name}Version`, text.replace(' from ', ', xmin as version from '))
  // Of no row it is a division by zero, which ends the transaction.
  const unchanged = sql(`${name}Unchanged`, `select 1 / count(*) as same${from} and xmin = $${values + 1}`)
  return { ...statement, versioned: { read, unchanged } }
}

/** Rows that are being read; `rows` in the order of the reads. */
export function foreseenRows(
  reads: readonly ForeseenRead[],
  rows: Promise<(KnownRow['row'] | undefined)[]>,
): ForeseenRows {
  // Who needs them asks again where they could not be read.
  const found = rows.catch(() => [])
  return {
    async known() {
      const known: KnownRow[] = []
      for (const row of await found) {
        const read = reads[known.length]
        if (!row || !read) return undefined
        known.push({ read, row })
      }
      return known.length > 0 ? known : undefined
    },
  }
}

const isRead = ({ read }: KnownRow, statement: Statement<unknown>, parameters: readonly Value[]): boolean =>
  read.statement.name === statement.name && parameters.every((value, index) => value === read.parameters[index])

/** A transaction that knows rows as soon as it has locked what it changes. */
function knowing(tx: Queries, known: readonly KnownRow[]): Queries {
  let isLocked = false
  return {
    ...tx,
    get<T>(statement: Statement<T>, parameters: readonly Value[] = []) {
      const found = isLocked ? known.find((one) => isRead(one, statement, parameters)) : undefined
      return found ? Promise.resolve(found.row as T) : tx.get(statement, parameters)
    },
    async post(...posted) {
      const isFirstLock = !isLocked && isLock(posted[0].text)
      const sent = [tx.post(...posted)]
      if (isFirstLock) {
        // At once: who locks asks for the rows in the same breath.
        isLocked = true
        for (const { read, row } of known) {
          const { versioned } = read.statement
          if (versioned) sent.push(tx.post(versioned.unchanged, [...read.parameters, row.version]))
        }
      }
      await Promise.all(sent)
    },
  }
}

/** Runs work in a transaction that knows rows, or else in one that does not; `figures` hears where it runs again. */
export async function runForeseen<T>(
  transaction: Transaction,
  work: (tx: Queries) => Promise<T>,
  { rows, figures }: { rows: ForeseenRows; figures: { retries: number } | undefined },
): Promise<T> {
  const known = await rows.known()
  if (known) {
    try {
      return await transaction((tx) => work(knowing(tx, known)))
    } catch (error) {
      // Whether it was kept is not known. Whatever else it says, it may say of rows that were others by then.
      if (error instanceof StoreUnavailable) throw error
      if (figures) figures.retries++
    }
  }
  return transaction(work)
}
