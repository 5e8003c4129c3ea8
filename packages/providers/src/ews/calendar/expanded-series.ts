/** Series in the answer to a view, which EWS servers other than Exchange return instead of their occurrences. */
import { instantsOf } from '@waypost/formats/timezones/when'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import type { EventWindow } from '../../calendar/event-queries.ts'
import type { Tentative } from '../../operations.ts'
import type { Session } from '../session.ts'
import type { AnyFolderId } from '../types/ids.ts'
import type { Entry } from './entries.ts'
import { type ReadItem, readFound, shown } from './event-reader.ts'
import { changedOccurrences, occurrenceId, plainOccurrences } from './mapping/occurrences.ts'
import { isSeries, missingSeries } from './series-trait.ts'

function occurrencesOf(session: Session, master: ReadItem, window: EventWindow, at: Tentative): Entry[] {
  const { item } = master
  const event = shown(session, master, at)
  const plain = plainOccurrences(item, event, window).map(
    (one): Entry => ({ item, start: instantsOf(one.when, 'UTC').start * 1000, id: one.id, event: one }),
  )
  const changed = changedOccurrences(item, event)
    .filter(({ start, end }) => start < window.to * 1000 && end >= window.from * 1000)
    .map(
      ({ slot, itemId, start, end }): Entry => ({
        item: { ItemId: { Id: itemId }, Start: start, End: end, CalendarItemType: 'Exception' },
        start,
        id: occurrenceId(event.id, slot),
        masterId: event.id,
      }),
    )
  return [...plain, ...changed]
}

/** The entries of a view, with each series replaced by its occurrences. */
export async function withOccurrences(
  session: Session,
  view: { folder: AnyFolderId; entries: readonly Entry[]; window: EventWindow },
  at: Tentative,
): Promise<Entry[]> {
  const { folder, entries, window } = view
  const series = [...entries.filter(isSeries), ...(await missingSeries(session, folder, entries, window))]
  if (series.length === 0) return [...entries]
  const masters = await readFound(
    session,
    series.map(({ item }) => item),
  )
  const others = entries.filter((entry) => !isSeries(entry))
  const othersTurn = yieldBetween()
  for (const master of masters) {
    if (master) for (const entry of occurrencesOf(session, master, window, at)) others.push(entry)
    await othersTurn()
  }
  return others
}
