/**
 * Lists sort the ids of calendars and events by their bytes, as the service compares them, and not by the language of
 * the PostgreSQL database. SQLite compares bytes anyway.
 */
import type { Engine } from '../engine/database.ts'

const byBytes = ['calendars', 'events']
  .map((table) => `alter table ${table} alter column id type text collate "C";`)
  .join('\n')

export const orderOfIds = (engine: Engine): string => (engine === 'postgresql' ? byBytes : '')
