/**
 * The ids of calendars and events stand in lists by their bytes, as the service itself compares them, and not in the
 * alphabet of the language that a PostgreSQL database was made for. SQLite compares bytes as it is.
 */
import type { Engine } from '../engine/database.ts'

const byBytes = ['calendars', 'events']
  .map((table) => `alter table ${table} alter column id type text collate "C";`)
  .join('\n')

export const orderOfIds = (engine: Engine): string => (engine === 'postgresql' ? byBytes : '')
