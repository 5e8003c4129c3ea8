/** Occurrences that a series leaves out: EWS has no EXDATE, so they are looked for and deleted, all in one call. */
import { SECONDS_PER_DAY } from '../../../formats/dates.ts'
import { slotOfKey } from '../../../formats/instance-ids.ts'
import { EwsError, isMissing } from '../errors.ts'
import { DeleteItem, type MeetingMails } from '../operations/items.ts'
import type { Session } from '../session.ts'
import { type AnyItemId, folder, item as itemNamed } from '../types/ids.ts'
import { viewEntries } from './entries.ts'
import { type NamedItem, shown } from './event-reader.ts'
import { occurrenceKey } from './mapping/event.ts'
import { instanceIndex } from './mapping/occurrences.ts'

/** Occurrences by their numbers, at a server that does not show them. */
function byIndex(session: Session, series: NamedItem, keys: readonly number[]): AnyItemId[] {
  const master = shown(session, series)
  const kind = series.item.IsAllDayEvent ? 'all-day' : 'timed'
  const RecurringMasterId = series.item.ItemId?.Id ?? ''
  return keys.flatMap((key): AnyItemId[] => {
    const InstanceIndex = instanceIndex(master, slotOfKey(kind, key))
    return InstanceIndex === undefined ? [] : [{ kind: 'OccurrenceItemId', RecurringMasterId, InstanceIndex }]
  })
}

/** Those at places of the series, as a view shows them. */
async function occurrencesAt(session: Session, series: NamedItem, keys: readonly number[]): Promise<AnyItemId[]> {
  const { item } = series
  const scale = item.IsAllDayEvent ? SECONDS_PER_DAY : 1
  // Days begin when they do in the zone of the series: a day around them is looked at.
  const window = {
    from: Math.min(...keys) * scale - SECONDS_PER_DAY,
    to: Math.max(...keys) * scale + 2 * SECONDS_PER_DAY,
  }
  const found: AnyItemId[] = []
  for await (const entries of viewEntries(session, { folder: folder(item.ParentFolderId?.Id ?? '') }, window)) {
    for (const { item: one } of entries) {
      if (one.ItemId?.Id === item.ItemId?.Id) return byIndex(session, series, keys)
      const isWanted = one.UID === item.UID && keys.includes(occurrenceKey(one, item))
      if (isWanted && one.ItemId) found.push(itemNamed(one.ItemId.Id))
    }
  }
  return found
}

/**
 * Deletes the occurrences of a series at these places: Unix seconds, or days of a series of whole days. One that is not
 * there is deleted already, or never was one.
 */
export async function deleteOccurrences(
  session: Session,
  series: NamedItem,
  keys: readonly number[],
  mails: MeetingMails,
): Promise<void> {
  if (keys.length === 0) return
  const ItemIds = await occurrencesAt(session, series, keys)
  if (ItemIds.length === 0) return
  const answers = await session.inBatches(DeleteItem, ItemIds, (batch) => ({
    DeleteType: 'MoveToDeletedItems' as const,
    SendMeetingCancellations: mails,
    ItemIds: batch,
  }))
  for (const answer of answers) if (answer instanceof EwsError && !isMissing(answer)) throw answer
}
