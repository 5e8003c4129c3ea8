/** Excluded occurrences of a series. EWS has no EXDATE, so they are searched and deleted in one call. */
import { SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { EwsError, isMissing } from '../errors.ts'
import { DeleteItem, type MeetingMails } from '../operations/items.ts'
import type { Session } from '../session.ts'
import { type AnyItemId, folder, item as itemNamed } from '../types/ids.ts'
import { viewEntries } from './entries.ts'
import type { NamedItem } from './event-reader.ts'
import { occurrenceKey } from './mapping/event.ts'

export interface FoundOccurrence {
  key: number
  id: AnyItemId
  /** Whether it differs from its series. */
  isChanged: boolean
}

/** The occurrences at these starts: the series lists those that differ from it, and a view has the others. */
export async function occurrencesAt(
  session: Session,
  series: NamedItem,
  keys: readonly number[],
): Promise<FoundOccurrence[]> {
  if (keys.length === 0) return []
  const { item } = series
  const scale = item.IsAllDayEvent ? SECONDS_PER_DAY : 1
  // Days begin at midnight of the series' zone, so the window is a day longer on both sides.
  const window = {
    from: Math.min(...keys) * scale - SECONDS_PER_DAY,
    to: Math.max(...keys) * scale + 2 * SECONDS_PER_DAY,
  }
  const found = new Map<number, FoundOccurrence>()
  for (const { ItemId, OriginalStart } of item.ModifiedOccurrences ?? []) {
    const key = occurrenceKey({ OriginalStart }, item)
    if (keys.includes(key)) found.set(key, { key, id: itemNamed(ItemId.Id), isChanged: true })
  }
  for await (const entries of viewEntries(session, { folder: folder(item.ParentFolderId?.Id ?? '') }, window)) {
    for (const { item: one } of entries) {
      const key = occurrenceKey(one, item)
      const isWanted = one.UID === item.UID && one.ItemId?.Id !== item.ItemId?.Id && keys.includes(key)
      const isChanged = one.CalendarItemType === 'Exception'
      if (isWanted && one.ItemId) found.set(key, { key, id: itemNamed(one.ItemId.Id), isChanged })
    }
  }
  return [...found.values()]
}

/**
 * Deletes the occurrences of a series at these starts: Unix seconds, or days for an all-day series. A missing one was
 * deleted before, or never existed.
 */
export async function deleteOccurrences(
  session: Session,
  series: NamedItem,
  keys: readonly number[],
  mails: MeetingMails,
): Promise<void> {
  if (keys.length === 0) return
  const found = await occurrencesAt(session, series, keys)
  if (found.length === 0) return
  const answers = await session.inBatches(DeleteItem, found, (batch) => ({
    DeleteType: 'MoveToDeletedItems' as const,
    SendMeetingCancellations: mails,
    ItemIds: batch.map(({ id }) => id),
  }))
  for (const answer of answers) if (answer instanceof EwsError && !isMissing(answer)) throw answer
}
