/**
 * The tables of the floor, on SQLite through `node:sqlite` and on PostgreSQL through `pg`, with as few statements as
 * possible.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

export interface NewReported {
  id: string
  type: string
  created: number
  sequence: number
  data: string
  destination: number
}
export interface Told extends NewReported {
  /** Its number in the queue. */
  queued: number
}
export interface Kept {
  queued: number
  at: number
  ms: number
  status: number
  answer: string
}

export interface FloorStore extends AsyncDisposable {
  /** Size of the row added last. */
  bytesEach: number
  /** Empties the tables and queues these rows. */
  add(rows: readonly NewReported[], bytesEach: number): Promise<void>
  read(after: number, limit: number): Promise<Told[]>
  /** Logs the attempts and removes them from the queue, in one transaction. */
  keep(rows: readonly Kept[]): Promise<void>
}

const tables = (number: string) => `
create table told (position ${number}, id text not null, type text not null, created integer not null,
  sequence integer not null, data text not null);
create table queue (queued ${number}, destination integer not null, position bigint not null);
create table log (queued bigint primary key, at bigint not null, ms integer not null, status integer, answer text);`
const reading = `select q.queued, q.destination, t.id, t.type, t.created, t.sequence, t.data
  from queue q join told t on t.position = q.position where q.queued > $1 order by q.queued limit $2`

export const openFloorStore = (databaseUrl?: string): Promise<FloorStore> =>
  databaseUrl ? openPostgresql(databaseUrl) : openSqlite()

async function openSqlite(): Promise<FloorStore> {
  const folder = mkdtempSync(path.join(tmpdir(), 'waypost-bench-'))
  const file = new DatabaseSync(path.join(folder, 'floor.db'))
  file.exec(`pragma journal_mode = wal; pragma synchronous = full; ${tables('integer primary key')}`)
  const read = file.prepare(reading.replaceAll('$', '?'))
  const addReported = file.prepare('insert into told (id, type, created, sequence, data) values (?, ?, ?, ?, ?)')
  const addQueued = file.prepare('insert into queue (destination, position) values (?, ?)')
  const log = file.prepare('insert into log (queued, at, ms, status, answer) values (?, ?, ?, ?, ?)')
  const drop = file.prepare('delete from queue where queued = ?')
  const store: FloorStore = {
    bytesEach: 0,
    async add(rows, bytesEach) {
      store.bytesEach = bytesEach
      file.exec('begin; delete from told; delete from queue; delete from log')
      for (const { id, type, created, sequence, data, destination } of rows) {
        const { lastInsertRowid } = addReported.run(id, type, created, sequence, data)
        addQueued.run(destination, lastInsertRowid)
      }
      file.exec('commit')
    },
    read: async (after, limit) => read.all(after, Math.floor(limit)) as unknown as Told[],
    async keep(rows) {
      file.exec('begin')
      for (const { queued, at, ms, status, answer } of rows) {
        log.run(queued, at, ms, status, answer)
        drop.run(queued)
      }
      file.exec('commit')
    },
    async [Symbol.asyncDispose]() {
      file.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return store
}

async function openPostgresql(databaseUrl: string): Promise<FloorStore> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(tables('bigint generated always as identity primary key'))
  const many = (name: string, text: string, columns: readonly unknown[][]) =>
    client.query({ name, text, values: [...columns] })
  const store: FloorStore = {
    bytesEach: 0,
    async add(rows, bytesEach) {
      store.bytesEach = bytesEach
      await client.query('truncate told, queue, log')
      for (let from = 0; from < rows.length; from += 500) {
        const part = rows.slice(from, from + 500)
        await many(
          'add',
          `with added as (insert into told (id, type, created, sequence, data)
             select * from unnest($1::text[], $2::text[], $3::integer[], $4::integer[], $5::text[])
             returning position, sequence)
           insert into queue (destination, position)
           select v.destination, added.position from added
           join unnest($4::integer[], $6::integer[]) as v (sequence, destination) on v.sequence = added.sequence`,
          [
            part.map((row) => row.id),
            part.map((row) => row.type),
            part.map((row) => row.created),
            part.map((row) => row.sequence),
            part.map((row) => row.data),
            part.map((row) => row.destination),
          ],
        )
      }
    },
    async read(after, limit) {
      const { rows } = await client.query({ name: 'read', text: reading, values: [after, Math.floor(limit)] })
      return rows.map((row) => ({ ...row, queued: Number(row.queued) }))
    },
    async keep(rows) {
      const numbers = rows.map((row) => row.queued)
      await many(
        'keep',
        `with done as (delete from queue where queued = any($1::bigint[]))
         insert into log (queued, at, ms, status, answer)
         select * from unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[], $5::text[])`,
        [
          numbers,
          rows.map((row) => row.at),
          rows.map((row) => row.ms),
          rows.map((row) => row.status),
          rows.map((row) => row.answer),
        ],
      )
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
  return store
}
