/** The state of one account import, shared by its steps, and the stamps of written objects. */
import type { Grant } from '@waypost/contract'
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
