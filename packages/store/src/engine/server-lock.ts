/**
 * One server per SQLite file. The lock is SQLite's own lock on a small file next to the database, held by an open
 * exclusive transaction. The operating system releases it when the process ends for any reason.
 */
import { DatabaseSync } from 'node:sqlite'

const busy = 5

/** Locks the data folder, or throws an error that explains what to do. */
export function lockForServing(file: string): Disposable {
  const database = new DatabaseSync(`${file}.lock`, { timeout: 0 })
  try {
    database.exec('pragma journal_mode = delete; begin exclusive')
  } catch (error) {
    database.close()
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
    if (code !== busy) throw new Error(`${file}.lock cannot be locked: ${reasonOf(error)}`, { cause: error })
    throw new Error(
      `another Waypost server is using ${file}. Stop it first, set WAYPOST_DATA_DIR to another folder, or run several nodes on PostgreSQL with DATABASE_URL.`,
      { cause: error },
    )
  }
  return { [Symbol.dispose]: () => database.close() }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
