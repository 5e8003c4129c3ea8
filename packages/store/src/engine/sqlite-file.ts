/**
 * Checks the database file before it is opened. A new installation has none; an existing file must be a store of
 * ours. Otherwise an emptied, truncated or foreign file would look like a new installation, and the first start would
 * hide the loss of all data.
 *
 * A new file is created under another name, as an empty database with our mark, and linked to its place when it is
 * complete. An interrupted start leaves either no file or one that the next start can use.
 */
import { closeSync, constants, copyFileSync, linkSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { newId } from '@waypost/platform/ids'

/** "WPST": marks a database without tables as a store of ours that is not initialized yet. */
const mark = 0x57_50_53_54
const magic = 'SQLite format 3\0'

/** A store that must not be opened, with a remedy. */
export class UnusableStore extends Error {
  readonly remedy: string

  constructor(problem: string, remedy: string, cause?: unknown) {
    super(problem, cause === undefined ? undefined : { cause })
    this.name = 'UnusableStore'
    this.remedy = remedy
  }
}

const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size

/** Creates the file of a new installation, or checks the existing one. */
export function prepareFile(file: string): void {
  const size = sizeOf(file)
  if (size !== undefined) {
    check(file, size)
    return
  }
  if (sizeOf(`${file}-wal`)) {
    throw new UnusableStore(
      `${file} is missing, but its log ${file}-wal is there`,
      `restore ${file}; for a new installation remove ${file}-wal and ${file}-shm`,
    )
  }
  create(file)
}

function create(file: string): void {
  const making = `${file}.${newId()}`
  try {
    // SQLite gives its other files the permissions of this one.
    closeSync(openSync(making, 'wx', 0o600))
    const database = new DatabaseSync(making)
    database.exec(`pragma application_id = ${mark}`)
    database.close()
    place(making, file)
  } finally {
    for (const rest of [making, `${making}-journal`]) rmSync(rest, { force: true })
  }
}

/** Never overwrites a file that another process has created in the meantime. */
function place(made: string, file: string): void {
  try {
    linkSync(made, file)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    // Some file systems do not support links.
    try {
      copyFileSync(made, file, constants.COPYFILE_EXCL)
    } catch (failed) {
      if (codeOf(failed) !== 'EEXIST') throw failed
    }
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

const restore = (file: string): string =>
  `restore ${file} from a backup; only if nothing was ever kept in it, delete it with its -wal and -shm, and start anew`

function check(file: string, size: number): void {
  if (size === 0) throw new UnusableStore(`${file} is empty, though a store was made there`, restore(file))
  const head = headOf(file)
  if (head.length < 100 || head.toString('latin1', 0, magic.length) !== magic) {
    throw new UnusableStore(`${file} is no SQLite database`, restore(file))
  }
  if (isCutShort(file, size, head)) throw new UnusableStore(`${file} is cut short`, restore(file))
  checkTables(file)
}

function headOf(file: string): Buffer {
  const head = Buffer.alloc(100)
  const opened = openSync(file, 'r')
  try {
    return head.subarray(0, readSync(opened, head, 0, head.length, 0))
  } finally {
    closeSync(opened)
  }
}

/**
 * Compares the size with the page count in the header (https://sqlite.org/fileformat2.html, 1.3). With a log, the
 * file may be shorter.
 */
function isCutShort(file: string, size: number, head: Buffer): boolean {
  const stated = head.readUInt16BE(16)
  const pageSize = stated === 1 ? 65_536 : stated
  const isCounted = head.readUInt32BE(24) === head.readUInt32BE(92)
  return isCounted && !sizeOf(`${file}-wal`) && size < head.readUInt32BE(28) * pageSize
}

function checkTables(file: string): void {
  let tables: string[]
  let isMarked: boolean
  try {
    const database = new DatabaseSync(file, { timeout: 5_000 })
    try {
      const rows = database.prepare("select name from sqlite_master where type = 'table'").all()
      tables = rows.map(({ name }) => String(name))
      isMarked = database.prepare('pragma application_id').get()?.application_id === mark
    } finally {
      database.close()
    }
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
    if (!damage.has(code)) throw error
    throw new UnusableStore(`${file} is damaged`, restore(file), error)
  }
  if (tables.includes('migrations') || (isMarked && tables.length === 0)) return
  const whose =
    tables.length === 0 ? 'has no tables, though a store was made there' : 'is a database of another program'
  throw new UnusableStore(`${file} ${whose}`, restore(file))
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
export const damage: ReadonlySet<number> = new Set([11, 26])

/** Checks all pages of a file and returns the problem that SQLite finds, or undefined. */
export function findDamage(file: string): string | undefined {
  try {
    const database = new DatabaseSync(file, { timeout: 5_000 })
    try {
      const found = database.prepare('pragma quick_check(1)').get()?.quick_check
      return found === 'ok' ? undefined : 'its pages do not fit together'
    } finally {
      database.close()
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
