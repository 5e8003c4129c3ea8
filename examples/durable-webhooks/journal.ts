/** Stores notifications on disk before they are acknowledged, and the state of their processing. */
import { DatabaseSync } from 'node:sqlite'

export interface Received {
  id: string
  type: string
  payload: string
}

export interface Journal {
  /** Stores a notification; false if it is already there. It is on disk when this returns. */
  keep(received: Received): boolean
  /**
   * Processes the oldest waiting notification; the work and its completion are one transaction. False if none is
   * waiting.
   */
  workOne(work: (received: Received, database: DatabaseSync) => void): boolean
  close(): void
}

const schema = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  create table if not exists received (
    id text primary key, type text not null, payload text not null,
    received_at integer not null, done_at integer
  ) strict;
  create index if not exists received_waiting on received (received_at) where done_at is null;`

export function openJournal(file: string, prepare: (database: DatabaseSync) => void): Journal {
  const database = new DatabaseSync(file)
  database.exec(schema)
  prepare(database)
  const insert = database.prepare('insert into received values (?, ?, ?, ?, null) on conflict (id) do nothing')
  const oldest = database.prepare(
    'select id, type, payload from received where done_at is null order by received_at, rowid limit 1',
  )
  const finish = database.prepare('update received set done_at = ? where id = ?')
  return {
    keep: ({ id, type, payload }) => insert.run(id, type, payload, Date.now()).changes === 1,
    workOne(work) {
      const next = oldest.get() as Received | undefined
      if (!next) return false
      database.exec('begin immediate')
      try {
        work(next, database)
        finish.run(Date.now(), next.id)
        database.exec('commit')
      } catch (error) {
        database.exec('rollback')
        throw error
      }
      return true
    },
    close: () => database.close(),
  }
}
