/**
 * One server per SQLite file. The lock is SQLite's own file lock on a small file beside the database, held by an open
 * exclusive transaction: the operating system frees it when the process ends, however it ends.
 */
import { DatabaseSync } from 'node:sqlite'

const busy = 5

/** Takes the lock of a data folder, or throws an error that says who has it. */
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
