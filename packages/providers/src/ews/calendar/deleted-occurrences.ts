/** Excluded occurrences of a series. EWS has no EXDATE, so they are searched and deleted in one call. */

import { slotOfKey } from '@waypost/formats/recurrence/instance-ids'
import { STEPS_OF_REQUEST, Steps } from '@waypost/formats/recurrence/steps'
import { SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import { EwsError, isMissing } from '../errors.ts'
import { DeleteItem, GetItem, type MeetingMails } from '../operations/items.ts'
import type { Session } from '../session.ts'
import { type AnyItemId, folder, item as itemNamed } from '../types/ids.ts'
import { occurrenceShape } from './calendar-api.ts'
import { viewEntries } from './entries.ts'
import { type NamedItem, orAbsent, shown } from './event-reader.ts'
import { occurrenceKey } from './mapping/event.ts'
import { instanceIndex } from './mapping/occurrences.ts'

/** Occurrences by index, if the server finds them at their starts: it may not return them in views. */
async function byIndex(session: Session, series: NamedItem, keys: readonly number[]): Promise<FoundOccurrence[]> {
  const master = shown(session, series)
  const kind = series.item.IsAllDayEvent ? 'all-day' : 'timed'
  const RecurringMasterId = series.item.ItemId?.Id ?? ''
  const requested: { key: number; id: AnyItemId }[] = []
  const othersTurn = yieldBetween()
  const steps = new Steps(STEPS_OF_REQUEST)
  for (const key of keys) {
    const InstanceIndex = instanceIndex(master, slotOfKey(kind, key), steps.part())
    if (InstanceIndex !== undefined)
      requested.push({ key, id: { kind: 'OccurrenceItemId', RecurringMasterId, InstanceIndex } })
    await othersTurn()
  }
  if (requested.length === 0) return []
  const answers = await session.inBatches(GetItem, requested, (batch) => ({
    ItemShape: occurrenceShape,
    ItemIds: batch.map(({ id }) => id),
  }))
  return requested.flatMap(({ key, id }, place): FoundOccurrence[] => {
    const item = orAbsent(answers[place])
    return item && occurrenceKey(item, series.item) === key ? [{ key, id, isChanged: false }] : []
  })
}

export interface FoundOccurrence {
  key: number
  id: AnyItemId
  /** Whether it differs from its series. */
  isChanged: boolean
}

/** The occurrences at these starts, from a view. */
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
  for await (const entries of viewEntries(session, { folder: folder(item.ParentFolderId?.Id ?? '') }, window)) {
    for (const { item: one } of entries) {
      const key = occurrenceKey(one, item)
      const isWanted = one.UID === item.UID && one.ItemId?.Id !== item.ItemId?.Id && keys.includes(key)
      const isChanged = one.CalendarItemType === 'Exception'
      if (isWanted && one.ItemId) found.set(key, { key, id: itemNamed(one.ItemId.Id), isChanged })
    }
  }
  const missing = keys.filter((key) => !found.has(key))
  return [...found.values(), ...(await byIndex(session, series, missing))]
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
