/**
 * The state of one account import, shared by its steps, and the stamps of written objects, which decide whether an object
 * of the file overwrites the one in the store.
 */
import type { Grant } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import type { VirtualTables } from '@waypost/providers/virtual/tables'
import type { ImportedObjects, Stamp } from '@waypost/store/tables/calendars-contacts/imported-objects'
import type { AccountPlan } from './account-plan.ts'
import type { CalendarCounts, EventCounts, Remark } from './report.ts'

export interface AccountResult {
  outcome: 'created' | 'updated' | 'unchanged'
  connectorCreated: boolean
  calendars: CalendarCounts
  events: EventCounts
  skipped: Remark[]
  altered: Remark[]
}

/** The state of one account import. */
export interface Writing {
  plan: AccountPlan
  grant: Grant
  tables: VirtualTables
  imported: ImportedObjects
  /** By kind and id. */
  stamps: Map<string, Stamp>
  /** Stamps that still have to be written. */
  newStamps: Set<string>
  now: number
  baseUrl: string
  result: AccountResult
}

export const stampKey = (kind: Stamp['kind'], id: string): string => `${kind}:${id}`

/** Records the stamp of a written or compared object; `saveStamps` writes it. */
export function keepStamp({ stamps, newStamps }: Writing, stamp: Stamp): void {
  const key = stampKey(stamp.kind, stamp.id)
  const known = stamps.get(key)
  if (known?.importedAt === stamp.importedAt && known.sourceUpdatedAt === stamp.sourceUpdatedAt) return
  stamps.set(key, stamp)
  newStamps.add(key)
}

export async function dropStamp(
  { stamps, newStamps, imported }: Writing,
  kind: Stamp['kind'],
  id: string,
): Promise<void> {
  const key = stampKey(kind, id)
  newStamps.delete(key)
  if (stamps.delete(key)) await imported.remove(kind, id)
}

export const saveStamps = ({ stamps, newStamps, imported }: Writing): Promise<void> =>
  imported.put([...newStamps].flatMap((key) => stamps.get(key) ?? []))

export type Decision =
  | { what: 'create' | 'update' | 'unchanged' | 'kept' }
  /** The stored object stays, although the file differs. */
  | { what: 'refused'; reason: string }

interface Standing {
  /** The record of the last import, if it created the object. */
  stamp: Pick<Stamp, 'sourceUpdatedAt' | 'importedAt'> | undefined
  /** Time of the last write in the store in milliseconds, if the object exists. */
  updatedAt: number | undefined
  /** Time of the last change in v2 in seconds, if the file has it. */
  sourceUpdatedAt: number | null
}

const changedHere = 'was changed or deleted here after its last change in v2: left as it is'
const olderFile = 'the file has an older version than the one that was imported: left as it is'

/**
 * Decides about one object; `isSame` compares it with the stored one. An object that was not changed here since its import
 * follows the file. One that was changed or deleted here stays, unless v2 changed it even later. A file older than the
 * previous one changes nothing.
 */
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
