/**
 * Copies of the database file. A copy can be made while the server runs. It contains one consistent state without the
 * pages of deleted data, and gets its name only when it is complete and flushed to the disk.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { newId } from '@waypost/platform/ids'
import { findDamage, prepareFile, UnusableStore } from './engine/sqlite-file.ts'
import type { StoredSchema } from './migrations/compatibility.ts'

/** The contents of a copy that are readable without the encryption key. */
export interface StoreCopy {
  bytes: number
  schema: StoredSchema
  applications: number
  grants: number
  /** The encrypted check value of the key; undefined in a store that was never started. */
  keyCheck: string | undefined
}

/** Copies a store to a file that does not exist yet. */
export function copyStore(store: string, file: string): void {
  if (isThere(file)) throw new UnusableStore(`${file} is there already`, 'name another file; nothing is written over')
  const making = `${file}.${newId()}`
  try {
    closeSync(openSync(making, 'wx', 0o600))
    const database = new DatabaseSync(store, { readOnly: true, timeout: 60_000 })
    try {
      // Runs in one read transaction, which does not block writers.
      database.prepare('vacuum into ?').run(making)
    } finally {
      database.close()
    }
    place(making, file)
  } finally {
    rmSync(making, { force: true })
  }
}

/** Records the time of a successful backup in the store, for metrics. False if the store is too busy. */
export function noteBackup(store: string, now: number): boolean {
  const database = new DatabaseSync(store, { timeout: 2_000 })
  try {
    const fact = `insert into installation (name, value) values ('last_backup_at', ?)
      on conflict (name) do update set value = excluded.value`
    database.prepare(fact).run(String(now))
    return true
  } catch {
    return false
  } finally {
    database.close()
  }
}

function schemaOf(database: DatabaseSync): StoredSchema {
  const rows = (text: string): Record<string, unknown>[] => database.prepare(text).all()
  const isRecorded = rows("select 1 from sqlite_master where name = 'schema_changes'").length > 0
  return {
    migrations: rows('select number from migrations').map(({ number }) => Number(number)),
    steps: (isRecorded ? rows('select number, name, version, compatible_from, state from schema_changes') : []).map(
      ({ number, name, version, compatible_from, state }) => ({
        number: Number(number),
        name: String(name),
        version: String(version),
        compatible_from: String(compatible_from),
        state: String(state),
      }),
    ),
  }
}

/** Reads a complete copy, and rejects it if it is damaged or not a store of ours. */
export function examineCopy(file: string): StoreCopy {
  if (!isThere(file)) throw new UnusableStore(`${file} is not there`, 'name the file of a backup')
  prepareFile(file)
  const damage = findDamage(file)
  if (damage !== undefined) throw new UnusableStore(`${file} is damaged: ${damage}`, 'take an older backup')
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const value = (text: string): unknown => Object.values(database.prepare(text).get() ?? {})[0]
    if (value("select count(*) from sqlite_master where name = 'installation'") === 0)
      throw new UnusableStore(`${file} holds no installation`, 'name the file of a backup')
    const schema = schemaOf(database)
    const keyCheck = value("select value from installation where name = 'key_check'")
    return {
      bytes: statSync(file).size,
      schema,
      applications: Number(value('select count(*) from applications')),
      grants: Number(value('select count(*) from grants')),
      keyCheck: typeof keyCheck === 'string' ? keyCheck : undefined,
    }
  } finally {
    database.close()
  }
}

/**
 * Replaces a store that no server uses with a copy. The old store stays next to it, including its log. Returns its
 * new name.
 */
export function replaceStore(copy: string, store: string): string | undefined {
  const making = `${store}.${newId()}`
  let former: string | undefined
  try {
    copyFileSync(copy, making, constants.COPYFILE_EXCL)
    flush(making)
    if (['', '-wal', '-shm'].some((end) => isThere(`${store}${end}`))) {
      former = `${store}.replaced-${new Date(statSync(making).mtimeMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
      // Rename the log first: a store without its log would look complete.
      for (const end of ['-wal', '-shm', ''])
        if (isThere(`${store}${end}`)) renameSync(`${store}${end}`, `${former}${end}`)
    }
    renameSync(making, store)
    flushFolder(store)
  } finally {
    rmSync(making, { force: true })
  }
  return former
}

const isThere = (file: string): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined

/** Gives a flushed file its name, and never overwrites another file. */
function place(made: string, file: string): void {
  flush(made)
  linkSync(made, file)
  flushFolder(file)
}

function flush(file: string): void {
  const opened = openSync(file, 'r+')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

function flushFolder(file: string): void {
  const opened = openSync(path.dirname(file), 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
