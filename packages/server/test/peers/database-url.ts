import { inject } from 'vitest'
import { createDatabase } from './postgres.ts'

/** The URL of a new, empty database on the run's shared PostgreSQL server; it goes when the server goes. */
export function freshDatabaseUrl(language?: string): Promise<string> {
  return createDatabase(inject('postgresUrl'), language)
}
