/** Whether this version of Waypost can work on the schema of a store. */
import { isOlder } from '@waypost/platform/versions'
import { baselineNumbers } from './baseline.ts'
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
  readonly changes: readonly { number: number }[]
}

/** A store from before version 0.1.0. Its migrations, and the encryption of what it stored in clear, ended with 1.3.1. */
export const beforeBaseline = {
  problem: 'the store was written by a version of Waypost before 0.1.0',
  remedy: 'start version 1.3.1 on it once, and then this version',
}

export const isBeforeBaseline = ({ migrations }: Pick<StoredSchema, 'migrations'>): boolean =>
  migrations.length > 0 && baselineNumbers.some((number) => !migrations.includes(number))

/**
 * Why this version cannot work on the store; undefined if it can. A change that it does not know is fine if the change
 * names no newer version than this one.
 */
export function schemaProblem(stored: StoredSchema, known: KnownSchema): string | undefined {
  if (isBeforeBaseline(stored)) return `${beforeBaseline.problem}: ${beforeBaseline.remedy}.`
  const isKnown = (number: number): boolean =>
    baselineNumbers.includes(number) || known.changes.some((each) => each.number === number)
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
