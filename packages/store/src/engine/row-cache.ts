/**
 * A cache of rows for lists on SQLite. A page of a list needs two things: which rows belong to it, and their JSON. An
 * index alone answers the first question, with about 50 bytes per row. The JSON of a row is 1 KB or more and rarely
 * changes, so its bytes stay here, by table and primary key.
 *
 * A cached row is never stale:
 * - Each page first reads the keys of its rows from the file. A deleted row is not among them.
 * - A write of this process removes the row when its transaction commits. The statement declares the table (`writes`) and
 *   the parameter with the key (`rowKeyAt`). Without `rowKeyAt`, all rows of the table are removed.
 * - A commit of another process changes SQLite's `data_version`. Each page compares it after reading its keys, and all
 *   rows are removed when it differs.
 * - Reads inside a transaction do not use the cache. They may see rows that are not committed.
 *
 * PostgreSQL has no such cache: other nodes write there, and no column proves that a cached row is current.
 */
import type { Statement, Value } from './database.ts'

/** A cached row also needs a key, a map entry and a buffer object. */
const overheadBytes = 250

export class RowCache {
  readonly #maxBytes: number
  readonly #tables = new Map<string, Map<string, Buffer>>()
  #bytes = 0
  #version: number | undefined
  /** Rows that the open transaction has written. Without a key: any row of the table; without a table: any row. */
  #written: { table?: string; key?: Value | undefined }[] = []

  constructor(maxBytes = 32 * 1024 * 1024) {
    this.#maxBytes = maxBytes
  }

  /** Whether no other process has committed since the last call. If one has, the cache is empty afterwards. */
  isCurrent(dataVersion: number): boolean {
    if (dataVersion === this.#version) return true
    this.#clear()
    this.#version = dataVersion
    return false
  }

  /** The bytes of these rows; undefined unless all of them are cached. */
  find(table: string, rows: readonly { id: string }[]): Buffer[] | undefined {
    const cached = this.#tables.get(table)
    const found: Buffer[] = []
    for (const { id } of rows) {
      const bytes = cached?.get(id)
      if (bytes === undefined) return undefined
      found.push(bytes)
    }
    return found
  }

  /** Adds a row. The rows that were added first make room for it. */
  add(table: string, id: string, bytes: Buffer): void {
    const rows = this.#tables.get(table) ?? new Map<string, Buffer>()
    this.#tables.set(table, rows)
    this.#remove(rows, id)
    rows.set(id, bytes)
    this.#bytes += bytes.length + overheadBytes
    for (const first of rows.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#remove(rows, first)
    }
  }

  /** Notes a write of the open transaction. Until the commit, other requests read the row as it was. */
  noteWrite({ writes, rowKeyAt }: Statement<unknown>, parameters: readonly Value[]): void {
    for (const table of writes) {
      this.#written.push({ table, key: rowKeyAt === undefined ? undefined : parameters[rowKeyAt - 1] })
    }
  }

  /** Notes a script, which may write everything. */
  noteScript(): void {
    this.#written.push({})
  }

  /** Removes what the transaction wrote, in the same step as its commit. */
  committed(): void {
    for (const { table, key } of this.#written) {
      const rows = table === undefined ? undefined : this.#tables.get(table)
      if (table === undefined) this.#clear()
      else if (rows && typeof key === 'string') this.#remove(rows, key)
      else if (rows) for (const id of [...rows.keys()]) this.#remove(rows, id)
    }
    this.#written = []
  }

  #remove(rows: Map<string, Buffer>, id: string): void {
    const bytes = rows.get(id)
    if (bytes === undefined) return
    rows.delete(id)
    this.#bytes -= bytes.length + overheadBytes
  }

  #clear(): void {
    this.#tables.clear()
    this.#bytes = 0
  }
}
