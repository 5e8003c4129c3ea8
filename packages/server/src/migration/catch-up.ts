/**
 * Decides whether an object of the file overwrites the one in the store. Pure functions.
 *
 * An object that was not changed here since its import follows the file. One that was changed or deleted here stays,
 * unless v2 changed it even later. A file older than the previous one changes nothing.
 */
import { seconds } from '@waypost/platform/clock'
import type { Stamp } from '@waypost/store/tables/calendars-contacts/imported-objects'

export type Decision =
  | { what: 'create' | 'update' | 'unchanged' | 'kept' }
  /** The stored object stays, although the file differs. */
  | { what: 'refused'; reason: string }

export interface Standing {
  /** The record of the last import, if it created the object. */
  stamp: Pick<Stamp, 'sourceUpdatedAt' | 'importedAt'> | undefined
  /** Time of the last write in the store in milliseconds, if the object exists. */
  updatedAt: number | undefined
  /** Time of the last change in v2 in seconds, if the file has it. */
  sourceUpdatedAt: number | null
}

const changedHere = 'was changed or deleted here after its last change in v2: left as it is'
const olderFile = 'the file has an older version than the one that was imported: left as it is'

/** Decides about one object; `isSame` compares it with the stored one. */
export function decide({ stamp, updatedAt, sourceUpdatedAt }: Standing, isSame: () => boolean): Decision {
  if (updatedAt === undefined && !stamp) return { what: 'create' }
  const untouched = stamp !== undefined && updatedAt === stamp.importedAt
  if (untouched) {
    if ((sourceUpdatedAt ?? 0) < (stamp.sourceUpdatedAt ?? 0)) return { what: 'refused', reason: olderFile }
    return { what: isSame() ? 'unchanged' : 'update' }
  }
  if (stamp && stamp.sourceUpdatedAt === sourceUpdatedAt) return { what: 'kept' }
  const here = updatedAt ?? stamp?.importedAt ?? 0
  if ((sourceUpdatedAt ?? 0) <= seconds(here)) return { what: 'refused', reason: changedHere }
  return { what: updatedAt === undefined ? 'create' : 'update' }
}
