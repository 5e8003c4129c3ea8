import path from 'node:path'
import { isCheck, isFull } from './level.ts'
import { isOnCitus } from './on-citus.ts'

export type Engine = 'sqlite' | 'postgresql'
/** The engines that tests of the store run on. `npm test` has SQLite alone, and Citus is a PostgreSQL. */
export const engines: readonly Engine[] = isOnCitus ? ['postgresql'] : isCheck ? ['sqlite', 'postgresql'] : ['sqlite']

/** The engines that a journey runs on: both in `npm run check:full`, one otherwise. */
export const enginesFor = (fileUrl: string): readonly Engine[] => (isFull ? engines : oneEngineFor(fileUrl))

/**
 * One engine at every level, for journeys whose statements other tests execute on both. In `npm run check`, the file's
 * name decides which one, so that half of the files run on each.
 */
export function oneEngineFor(fileUrl: string): readonly Engine[] {
  // Vitest adds a query with the time of the run.
  const name = path.basename(new URL(fileUrl).pathname)
  const sum = Array.from(name, (letter) => letter.charCodeAt(0)).reduce((a, b) => a + b, 0)
  return [engines[sum % engines.length] ?? 'sqlite']
}
