/** Reads events by id in one call, with the series that occurrences belong to. */

import type { Event } from '@waypost/contract'
import { isPrimary } from '../../calendar/exchange/event-model.ts'
import { noEvent } from '../../calendar/exchange/refusals.ts'
import type { Tentative } from '../../operations.ts'
import { isMalformed } from '../../shared/answer.ts'
import { fillAddresses } from '../directory/addresses.ts'
import { EwsError, isMissing } from '../errors.ts'
import { ourId, theirId } from '../ids.ts'
import { GetItem } from '../operations/items.ts'
import type { Session } from '../session.ts'
import type { CalendarItem } from '../types/calendar-item.ts'
import { type AnyItemId, item as itemNamed } from '../types/ids.ts'
import type { Item } from '../types/items.ts'
import { eventShape } from './calendar-api.ts'
import { fromItem, type ItemPlace } from './mapping/event.ts'

type Answer = { Items?: Item[] | undefined } | EwsError

const calendarItemIn = (answer: Answer | undefined): CalendarItem | undefined => {
  if (answer === undefined || answer instanceof EwsError) return undefined
  return answer.Items?.find((one) => one.kind === 'CalendarItem')
}

/** The item of an answer; undefined if it was deleted or cannot be read. Any other error is thrown. */
export function orAbsent(answer: Answer | undefined): CalendarItem | undefined {
  if (answer instanceof EwsError && !isMissing(answer) && !isMalformed(answer)) throw answer
  return calendarItemIn(answer)
}

export interface ReadItem {
  item: CalendarItem
  /** The id of its series in the API. */
  masterId?: string | undefined
}

const masterOf = (occurrenceId: string): AnyItemId => ({ kind: 'RecurringMasterItemId', OccurrenceId: occurrenceId })

const isOccurrence = ({ CalendarItemType: type }: CalendarItem): boolean =>
  type === 'Occurrence' || type === 'Exception'

/** An item that a list found. Occurrences of one series share a UID. */
export type FoundItem = Pick<CalendarItem, 'ItemId' | 'UID' | 'CalendarItemType'>

/** One occurrence of each series, by which the series is requested. */
function seriesRequested(found: readonly FoundItem[]): Map<string, string> {
  const requested = new Map<string, string>()
  for (const { ItemId, UID, CalendarItemType } of found) {
    if (ItemId && isOccurrence({ CalendarItemType }))
      requested.set(UID ?? ItemId.Id, requested.get(UID ?? ItemId.Id) ?? ItemId.Id)
  }
  return requested
}

/** The items of a list in their order; undefined for those that were deleted meanwhile. */
export async function readFound(session: Session, found: readonly FoundItem[]): Promise<(ReadItem | undefined)[]> {
  if (found.length === 0) return []
  const series = [...seriesRequested(found)]
  const ids = [...found.map(({ ItemId }) => itemNamed(ItemId?.Id ?? '')), ...series.map(([, id]) => masterOf(id))]
  const answers = await session.inBatches(GetItem, ids, (ItemIds, server) => ({
    ItemShape: eventShape(server),
    ItemIds,
  }))
  const masters = new Map(
    series.map(([name], place) => {
      const master = calendarItemIn(answers[found.length + place])?.ItemId?.Id
      return [name, master === undefined ? undefined : ourId(master)]
    }),
  )
  const items = found.map((_, place) => orAbsent(answers[place]))
  await fillAddresses(
    session,
    items.flatMap((item) => item ?? []),
  )
  return found.map(({ ItemId, UID }, place) => {
    const item = items[place]
    return item && { item, masterId: masters.get(UID ?? ItemId?.Id ?? '') }
  })
}

/** What an item is to clients. */
export function shown(session: Session, { item, masterId }: ReadItem, { tentative_as_busy }: Tentative = {}): Event {
  return fromItem(item, { ...placeOf(session, item), masterId, tentativeAsBusy: tentative_as_busy })
}

/** An item contains its calendar and the access rights. */
const placeOf = ({ grant }: Session, { ParentFolderId, EffectiveRights }: CalendarItem): ItemPlace => ({
  grant,
  calendar: { id: ourId(ParentFolderId?.Id ?? ''), canEdit: EffectiveRights?.Modify !== false },
})

/** An event with the id that changes of it use. */
export interface NamedItem extends ReadItem {
  target: AnyItemId
  /** The id in the API. */
  id: string
}

/** An event by id, in the named calendar or in any. */
export async function readNamed(
  session: Session,
  { event_id: id, calendar_id: calendarId }: { event_id: string; calendar_id?: string | undefined },
): Promise<NamedItem> {
  const itemId = theirId(id)
  if (itemId === undefined) throw noEvent()
  const ids = [itemNamed(itemId), masterOf(itemId)]
  const [answer, series] = await session.each(GetItem, (server) => ({ ItemShape: eventShape(server), ItemIds: ids }))
  if (answer instanceof EwsError) throw answer
  const item = calendarItemIn(answer)
  if (!item) throw noEvent()
  await fillAddresses(session, [item])
  const isElsewhere =
    calendarId !== undefined && !isPrimary(session, calendarId) && ourId(item.ParentFolderId?.Id ?? '') !== calendarId
  if (isElsewhere) throw noEvent()
  // An event without a series answers with an error.
  const master = isOccurrence(item) ? calendarItemIn(series)?.ItemId?.Id : undefined
  const masterId = master === undefined ? undefined : ourId(master)
  return { item, masterId, id, target: itemNamed(item.ItemId?.Id ?? itemId, item.ItemId?.ChangeKey) }
}

/** An event as clients know it. */
export const shownNamed = (session: Session, found: NamedItem, at: Tentative = {}): Event => ({
  ...shown(session, found, at),
  id: found.id,
})
