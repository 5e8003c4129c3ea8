/**
 * The entries of a calendar, ordered by start: enough of each event to decide whether and where it belongs into a
 * list. A view returns single events and occurrences, at most two years and a thousand entries. Other lists return
 * single events and series.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { EventWindow } from '../../calendar/event-queries.ts'
import { hasCode } from '../errors.ts'
import { ourId } from '../ids.ts'
import { FindItem, page } from '../operations/items.ts'
import type { Session } from '../session.ts'
import type { CalendarItem } from '../types/calendar-item.ts'
import type { AnyFolderId } from '../types/ids.ts'
import type { Item } from '../types/items.ts'
import { field, type Path, property } from '../types/paths.ts'
import { allOf, anyOf, compare, equals, oldestFirst, type Restriction } from '../types/restriction.ts'
import type { ItemShape } from '../types/shapes.ts'
import { entryShape, globalIdOf, globalIdProperties, recurringProperty } from './calendar-api.ts'

export interface Entry {
  item: CalendarItem
  /** In milliseconds. */
  start: number
  /** The id in the API. */
  id: string
}

const day = 86_400
/**
 * The first view covers two months and each later one more, because a page is full soon. Exchange returns at most two
 * years.
 */
const firstView = 62 * day
const growth = 4
const maxView = 2 * 365 * day
const maxInView = 1000
const pageSize = 1000
/** Shorter windows are not split: a thousand events within a minute do not occur. */
const minView = 60

const isEvent = (one: Item): one is Extract<Item, { kind: 'CalendarItem' }> => one.kind === 'CalendarItem'

const entryOf = (item: CalendarItem): Entry => ({ item, start: item.Start ?? 0, id: ourId(item.ItemId?.Id ?? '') })

export const compareEntries = (a: Pick<Entry, 'start' | 'id'>, b: Pick<Entry, 'start' | 'id'>): number =>
  a.start - b.start || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const tooMany = (): ApiError =>
  new ApiError('invalid_request', 'the calendar has too many events in this time: ask for a shorter one')

export interface View {
  folder: AnyFolderId
  /** The requested fields of each event. */
  shape?: ItemShape
}

/** A view of a window; its halves, if it has more entries than Exchange returns at once. */
async function viewItems(session: Session, view: View, { from, to }: EventWindow): Promise<CalendarItem[]> {
  const halves = async (): Promise<CalendarItem[]> => {
    if (to - from <= minView) throw tooMany()
    const middle = Math.floor((from + to) / 2)
    const early = await viewItems(session, view, { from, to: middle })
    const known = new Set(early.map(({ ItemId }) => ItemId?.Id))
    const late = await viewItems(session, view, { from: middle, to })
    return [...early, ...late.filter(({ ItemId }) => !known.has(ItemId?.Id))]
  }
  try {
    const { RootFolder: root } = await session.call(FindItem, {
      Traversal: 'Shallow',
      ItemShape: view.shape ?? entryShape,
      View: { kind: 'CalendarView', MaxEntriesReturned: maxInView, StartDate: from * 1000, EndDate: to * 1000 },
      ParentFolderIds: [view.folder],
    })
    const items = root?.Items ?? []
    const isCut = items.length >= maxInView || (root?.IncludesLastItemInRange === false && items.length > 0)
    return isCut ? await halves() : items.filter(isEvent)
  } catch (error) {
    if (hasCode(error, 'ErrorExceededFindCountLimit', 'ErrorCalendarViewRangeTooBig')) return halves()
    throw error
  }
}

/** Single events and occurrences, view by view. An event that reaches into a later view belongs to the one before. */
export async function* viewEntries(session: Session, view: View, { from, to }: EventWindow): AsyncGenerator<Entry[]> {
  let length = firstView
  for (let start = from; start < to; start += length, length = Math.min(length * growth, maxView)) {
    const piece = { from: start, to: Math.min(to, start + length) }
    const entries = (await viewItems(session, view, piece)).map(entryOf)
    const fresh = start === from ? entries : entries.filter((entry) => entry.start >= start * 1000)
    yield fresh.sort(compareEntries)
  }
}

/** From a time on, in milliseconds. */
const after = (path: Path, ms: number): Restriction => compare('IsGreaterThan', path, new Date(ms - 1).toISOString())
const before = (path: Path, ms: number): Restriction => compare('IsLessThan', path, new Date(ms).toISOString())

/** Single events in the window, and all series that begin before its end. */
function storedIn({ from, to }: EventWindow): Restriction | undefined {
  const isSeries = equals(property(recurringProperty), 'true')
  const ends = after(field('calendar:End'), from * 1000)
  const begins = before(field('calendar:Start'), Math.max(to, from + 1) * 1000)
  const either = anyOf([isSeries, ends])
  return either && allOf([begins, either])
}

/** The results of a restriction, ordered by start; entries with the same start stay together. */
async function* foundEntries(
  session: Session,
  folder: AnyFolderId,
  restriction: Restriction | undefined,
): AsyncGenerator<Entry[]> {
  let held: Entry[] = []
  for (let offset = 0; ; ) {
    const { RootFolder: root } = await session.call(FindItem, {
      Traversal: 'Shallow',
      ItemShape: entryShape,
      View: page(offset, pageSize),
      ...(restriction ? { Restriction: restriction } : {}),
      SortOrder: oldestFirst(field('calendar:Start')),
      ParentFolderIds: [folder],
    })
    const items = root?.Items ?? []
    const entries = [...held, ...items.filter(isEvent).map(entryOf)]
    offset += items.length
    if (root?.IncludesLastItemInRange !== false || items.length === 0) return yield entries.sort(compareEntries)
    const last = entries.at(-1)?.start
    held = entries.filter(({ start }) => start === last)
    yield entries.filter(({ start }) => start !== last).sort(compareEntries)
  }
}

/** Single events and series of a window, from a start on. */
export const storedEntries = (
  session: Session,
  folder: AnyFolderId,
  window: EventWindow,
  fromStart?: number,
): AsyncGenerator<Entry[]> => {
  const parts = [storedIn(window)]
  if (fromStart !== undefined) {
    parts.push(after(field('calendar:Start'), fromStart))
  }
  return foundEntries(session, folder, allOf(parts.filter((part) => part !== undefined)))
}

/** Events with a UID. */
export function entriesWithUid(session: Session, folder: AnyFolderId, uid: string): AsyncGenerator<Entry[]> {
  const wanted = globalIdOf(uid).toString('base64')
  return foundEntries(session, folder, anyOf(globalIdProperties.map((each) => equals(property(each), wanted))))
}
