/**
 * The stores that a release leaves behind in releases/<version>/: one of SQLite and one of PostgreSQL, with what is
 * needed to open them and what the release's own API answered about them. Every later version must open them, and give
 * the same answers. Their key and passwords protect nothing.
 */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import type { Release } from '../../../../scripts/release/releases.ts'

export type Engine = 'sqlite' | 'postgresql'

/** The credential of a request: an API key, the password of the installation, or a person. */
export type Asker = 'key' | 'administrator' | 'person'

/** A GET request, and what the release answered. */
export interface Read {
  as: Asker
  path: string
  data: unknown
}

export interface Inventory {
  /** The moment at which the service was stopped, in milliseconds. */
  madeAt: number
  /** The settings of the service, as environment variables. */
  settings: Record<string, string>
  /** An API key of the application that owns everything. */
  apiKey: string
  applicationId: string
  person: { email: string; password: string }
  /** A destination that did not respond, its secret, and the notifications that wait for it. */
  webhook: { id: string; secret: string; waiting: string[] }
  /** A message of a Google account that is to be sent later. */
  scheduled: { grantId: string; scheduleId: string; sendAt: number; subject: string }
  /** An event of a virtual calendar, to be changed. */
  event: { grantId: string; calendarId: string; id: string }
  reads: Read[]
}

export interface StoreFixture {
  release: Release
  engine: Engine
  inventory: Inventory
}

export const storeFiles: Record<Engine, string> = { sqlite: 'waypost.db.gz', postgresql: 'postgresql.sql.gz' }
export const inventoryFile = (engine: Engine): string => `${engine}.json.gz`

const unpacked = ({ folder }: Release, file: string): Buffer => gunzipSync(readFileSync(path.join(folder, file)))

export const readFixture = (release: Release, engine: Engine): StoreFixture => ({
  release,
  engine,
  inventory: JSON.parse(unpacked(release, inventoryFile(engine)).toString()),
})

/** Puts the SQLite file into an empty data folder. */
export const restoreSqlite = ({ release }: StoreFixture, dataDir: string): Promise<void> =>
  writeFile(path.join(dataDir, 'waypost.db'), unpacked(release, storeFiles.sqlite), { mode: 0o600 })

/** Runs the dump in an empty database. It has no commands of psql, so that no program but the server is needed. */
export async function restorePostgresql({ release }: StoreFixture, databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(unpacked(release, storeFiles.postgresql).toString())
  } finally {
    await client.end()
  }
}
