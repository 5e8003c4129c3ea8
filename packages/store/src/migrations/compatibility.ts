/** Whether this version of Waypost can work on the schema of a store. */
import { isOlder } from '@waypost/platform/versions'
import type { RecordedStep } from './recorded-steps.ts'

/** The schema of a store, as it records it. */
export interface StoredSchema {
  /** The numbers in the table `migrations`. */
  readonly migrations: readonly number[]
  /** The table `schema_changes`; empty before version 1.0.0. */
  readonly steps: readonly (Pick<RecordedStep, 'number' | 'name' | 'version' | 'compatible_from'> & { state: string })[]
}

/** What a version of Waypost knows. */
export interface KnownSchema {
  readonly version: string
  readonly migrations: readonly { number: number }[]
  readonly changes: readonly { number: number }[]
}

/**
 * Why this version cannot work on the store; undefined if it can. A change that it does not know is fine if the change
 * names no newer version than this one.
 */
export function schemaProblem(stored: StoredSchema, known: KnownSchema): string | undefined {
  const isKnown = (number: number): boolean =>
    [...known.migrations, ...known.changes].some((each) => each.number === number)
  const unknown = stored.migrations.filter(
    // Changes that version 0.1.0 cannot work with are in both tables.
    (number) => !isKnown(number) && !stored.steps.some((step) => step.number === number),
  )
  if (unknown.length > 0) {
    return `the store was written by a newer version of Waypost (migration ${unknown.join(', ')} is unknown here). Run that version, or restore a backup.`
  }
  const newer = stored.steps.find(
    ({ number, state, compatible_from }) =>
      state !== 'waiting' && !isKnown(number) && isOlder(known.version, compatible_from),
  )
  if (!newer) return undefined
  const { number, name, version, compatible_from: needed } = newer
  return `the store was changed by version ${version} of Waypost (change ${number}, ${name}) and needs version ${needed} or newer; this is ${known.version}. Run version ${needed} or newer, or restore a backup.`
}
