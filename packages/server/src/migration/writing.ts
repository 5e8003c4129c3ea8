/** One account being written: what the steps share, and the stamps of what they write. */
import type { Grant } from '@waypost/contract'
import type { VirtualTables } from '../providers/virtual/tables.ts'
import type { ImportedObjects, Stamp } from '../store/imported-objects.ts'
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

/** One account being written. */
export interface Writing {
  plan: AccountPlan
  grant: Grant
  tables: VirtualTables
  imported: ImportedObjects
  /** By kind and id. */
  stamps: Map<string, Stamp>
  now: number
  baseUrl: string
  result: AccountResult
}

export const stampKey = (kind: Stamp['kind'], id: string): string => `${kind}:${id}`

/** Keeps the stamp of an object that was written or compared. */
export async function keepStamp(writing: Writing, stamp: Stamp): Promise<void> {
  const key = stampKey(stamp.kind, stamp.id)
  const known = writing.stamps.get(key)
  if (known?.importedAt === stamp.importedAt && known.sourceUpdatedAt === stamp.sourceUpdatedAt) return
  writing.stamps.set(key, stamp)
  await writing.imported.put(stamp)
}

export async function dropStamp(writing: Writing, kind: Stamp['kind'], id: string): Promise<void> {
  if (writing.stamps.delete(stampKey(kind, id))) await writing.imported.remove(kind, id)
}
