/** Parts of tables that SQLite and PostgreSQL write differently, or that several tables have. */
import type { Engine } from '../../engine/database.ts'

/** A text that is compared by its bytes, as the service compares it. */
export const byBytes: Record<Engine, string> = { sqlite: 'text', postgresql: 'text collate "C"' }

export const withoutRowid: Record<Engine, string> = { sqlite: ' without rowid', postgresql: '' }

/** An index for each of the five metadata keys. */
export const metadataIndexes = (table: string, on: (key: string) => string): string =>
  ['key1', 'key2', 'key3', 'key4', 'key5']
    .map((key) => `create index ${table}_by_${key} on ${table} (${on(key)}) where ${key} is not null;`)
    .join('\n')
