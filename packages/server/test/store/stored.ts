/** The complete content of a store, as text to be searched. */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Database } from '@waypost/store/engine/database'
import { isExecutable, postgresFolders } from '@waypost/testing/peers/debian'
import { sql } from '@waypost/testing/statement'

const names = {
  sqlite: "select name from sqlite_master where type = 'table' order by name",
  postgresql: "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
}

export const tableNames = async (database: Database): Promise<string[]> =>
  (await database.all(sql<{ name: string }>('', names[database.engine]))).map(({ name }) => name)

/** The place of a match, and the text itself. */
export type Searched = [where: string, text: string]

/** Every table with all its rows. */
export async function tablesAsText(database: Database): Promise<Searched[]> {
  const tables: Searched[] = []
  for (const name of await tableNames(database)) {
    tables.push([name, JSON.stringify(await database.all(sql('', `select * from ${name}`)))])
  }
  return tables
}

/** Every file of a folder, recursively. */
export async function* filesAsText(folder: string, isWanted = (_: string): boolean => true): AsyncGenerator<Searched> {
  for (const file of await readdir(folder, { recursive: true })) {
    if (!isWanted(path.basename(file))) continue
    const bytes = await readFile(path.join(folder, file)).catch((error: NodeJS.ErrnoException) => {
      // It is a folder, or was removed meanwhile.
      if (error.code === 'EISDIR' || error.code === 'ENOENT') return undefined
      throw error
    })
    if (bytes) yield [path.join(path.basename(folder), file), bytes.toString('latin1')]
  }
}

/** The text forms of an ASCII word: as it is, in hexadecimal, and in base64. */
export const formsOf = (word: string): readonly string[] => [
  word,
  Buffer.from(word).toString('hex'),
  ...[0, 1, 2].map((before) => {
    // Of the base64 of a text with the word, the characters that contain only bits of the word.
    const whole = Buffer.from(`${'-'.repeat(before)}${word}---`).toString('base64')
    return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + word.length) * 8) / 6))
  }),
]

/** The matches of the word in a text, with their context. */
export const findsIn = (text: string, forms: readonly string[]): string[] =>
  forms.flatMap((form) => {
    const place = text.indexOf(form)
    return place === -1 ? [] : [text.slice(Math.max(0, place - 60), place + form.length + 20)]
  })

/** The files that PostgreSQL writes from now on. */
export interface PostgresFiles {
  /** The files of the database, and of the write-ahead log, from the beginning on. */
  files(): AsyncGenerator<Searched>
  dump(): Promise<string>
}

export async function watchPostgresFiles(database: Database, databaseUrl: string): Promise<PostgresFiles> {
  const where = sql<{ folder: string; segment: string; oid: string }>(
    '',
    `select current_setting('data_directory') as folder, pg_walfile_name(pg_current_wal_lsn()) as segment,
     (select cast(oid as text) from pg_database where datname = current_database()) as oid`,
  )
  const { folder = '', segment = '', oid = '' } = (await database.get(where)) ?? {}
  const program = postgresFolders(process.env.PATH ?? '')
    .map((place) => path.join(place, 'pg_dump'))
    .find(isExecutable)
  if (!program || segment === '') throw new Error('no PostgreSQL to look into')
  return {
    async *files() {
      yield* filesAsText(path.join(folder, 'base', oid))
      // Segment names are ordered by time; unwritten ones may contain old data of others.
      yield* filesAsText(path.join(folder, 'pg_wal'), (file) => /^[0-9A-F]{24}$/.test(file) && file >= segment)
    },
    async dump() {
      const { stdout } = await promisify(execFile)(program, ['--inserts', databaseUrl], { maxBuffer: 268_435_456 })
      return stdout
    },
  }
}
