/**
 * Whether an object of the file is written over what the store has. Pure.
 *
 * What nobody touched here since its import follows the file. What was changed or deleted here since stays, unless v2
 * changed it still later. A file older than the one before changes nothing.
 */
import { seconds } from '../lib/clock.ts'
import type { Stamp } from '../store/tables/calendars-contacts/imported-objects.ts'

export type Decision =
  | { what: 'create' | 'update' | 'unchanged' | 'kept' }
  /** Kept, and the file says something else. */
  | { what: 'refused'; reason: string }

export interface Standing {
  /** What the last import noted, if one made the object. */
  stamp: Pick<Stamp, 'sourceUpdatedAt' | 'importedAt'> | undefined
  /** When the object in the store was written last, in milliseconds, if there is one. */
  updatedAt: number | undefined
  /** When v2 changed it last, in seconds, if the file says so. */
  sourceUpdatedAt: number | null
}

const changedHere = 'was changed or deleted here after its last change in v2: left as it is'
const olderFile = 'the file has an older version than the one that was imported: left as it is'

/** Decides about one object; `isSame` compares it with the one in the store. */
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
