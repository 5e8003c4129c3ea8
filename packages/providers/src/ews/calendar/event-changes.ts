/**
 * Changes of the events of a calendar, each notified once. Exchange names the changed items without regard to series.
 * They are read and compared with the recorded ones. A series is notified as a whole, and changes of occurrences for
 * their series. If Exchange has forgotten the sync state, all events are compared.
 */
import { createHash } from 'node:crypto'
import type { Event } from '@waypost/contract'
import { slotOfKey } from '@waypost/formats/recurrence/instance-ids'
import { startOf } from '../../calendar/event-input.ts'
import type { Change } from '../../provider.ts'
import { ourId } from '../ids.ts'
import type { SyncChange } from '../operations/sync.ts'
import type { Session } from '../session.ts'
import type { CalendarItem } from '../types/calendar-item.ts'
import { type FieldUri, field } from '../types/paths.ts'
import { idAnd } from '../types/shapes.ts'
import { readSync } from '../watch/folder-sync.ts'
import { type FoundItem, readFound, shown } from './event-reader.ts'
import type { WatchedCalendar } from './known-events.ts'
import { type KnownEvent, type KnownEvents, knownEvents, storedEvents } from './known-events.ts'

const fields: readonly FieldUri[] = [
  'item:DateTimeCreated',
  'item:LastModifiedTime',
  'calendar:End',
  'calendar:UID',
  'calendar:CalendarItemType',
]
const shape = idAnd(...fields.map(field))
const perCall = 512
/** The maximum when a calendar is read as a whole. */
const maxPages = 100
/** Events per round; more take several rounds. */
const maxPerRound = 200
/** At most this many changed occurrences of a series are compared. */
const maxExceptions = 100

const day = 86_400_000
/** Events that ended this long ago are not recorded any more. */
const pastMs = 183 * day
/** Tolerance for differences between the server's clock and ours. */
export const clocksMs = 300_000

const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 6)
const versionOf = ({ ItemId }: Pick<CalendarItem, 'ItemId'>): string => hashed(ItemId?.ChangeKey ?? '')
const idOf = ({ ItemId }: Pick<CalendarItem, 'ItemId'>): string => ourId(ItemId?.Id ?? '')
const isSeries = ({ CalendarItemType: type }: Pick<CalendarItem, 'CalendarItemType'>): boolean =>
  type === 'RecurringMaster'

/** The event in a change. */
function namedBy(change: SyncChange): CalendarItem | undefined {
  if (change.kind !== 'Create' && change.kind !== 'Update') return undefined
  return change.Item?.kind === 'CalendarItem' && change.Item.ItemId ? change.Item : undefined
}

/** Items as they are now; deleted ones are left out. */
const readItems = async (session: Session, found: readonly FoundItem[]): Promise<CalendarItem[]> =>
  (await readFound(session, found)).flatMap((read) => read?.item ?? [])

/** A changed occurrence of a series: its original start, and the occurrence. */
interface Exception {
  at: number
  id: string
  version: string
}

const seconds = (ms: number): number => Math.floor(ms / 1000)

/** Reads changed occurrences: their series has one version for all of them. */
async function readExceptions(session: Session, master: CalendarItem): Promise<Exception[]> {
  const modified = (master.ModifiedOccurrences ?? []).slice(0, maxExceptions)
  const starts = new Map(modified.map(({ ItemId, OriginalStart }) => [ItemId.Id, seconds(OriginalStart)]))
  const found = modified.map(({ ItemId }): FoundItem => ({ ItemId, CalendarItemType: 'Single' }))
  return (await readItems(session, found)).flatMap((item) => {
    const at = starts.get(item.ItemId?.Id ?? '')
    if (at === undefined) return []
    const { updated_at: _, ...event } = shown(session, { item })
    return [{ at, id: event.id, version: hashed(JSON.stringify(event)) }]
  })
}

const deletedIn = ({ DeletedOccurrences = [] }: CalendarItem): number[] =>
  DeletedOccurrences.map(({ Start }) => seconds(Start)).sort((a, b) => a - b)

function entryOf(item: CalendarItem, exceptions: readonly Exception[]): KnownEvent {
  const deleted = deletedIn(item)
  return {
    v: versionOf(item),
    ...(isSeries(item) ? {} : { e: Math.ceil((item.End ?? 0) / day) }),
    ...(deleted.length > 0 ? { c: deleted } : {}),
    ...(exceptions.length > 0 ? { x: Object.fromEntries(exceptions.map(({ at, version }) => [at, version])) } : {}),
  }
}

interface Comparing {
  known: KnownEvents
  /** Changes up to this time were notified, in milliseconds. */
  at: number
  /** All events are compared; those that did not change since are skipped. */
  isWhole: boolean
}

/** The ids of deleted occurrences, formed from the series and the start: Exchange's ids of them are gone. */
const idsOfDeleted = (event: Event, starts: readonly number[]): string[] => {
  const { kind } = startOf(event.when)
  return starts.map((at) => `${event.id}.${slotOfKey(kind, kind === 'timed' ? at : Math.round(at / 86_400))}`)
}

/** The notification for an event that was read, if there is one. */
async function changeOf(session: Session, item: CalendarItem, comparing: Comparing): Promise<Change | undefined> {
  const { known, at, isWhole } = comparing
  const id = idOf(item)
  const before = known.get(id)
  if (before && before.v === versionOf(item)) return undefined
  const exceptions = isSeries(item) ? await readExceptions(session, item) : []
  const entry = entryOf(item, exceptions)
  known.set(id, entry)
  const { DateTimeCreated: created = 0, LastModifiedTime: modified = 0 } = item
  const isNew = !before && created >= at
  if (!before && !isNew && isWhole && modified < at) return undefined
  const event = shown(session, { item })
  const changed = before ? exceptions.filter((one) => before.x?.[one.at] !== one.version) : []
  const gone = before ? (entry.c ?? []).filter((start) => !before.c?.includes(start)) : []
  return {
    trigger: isNew ? 'event.created' : 'event.updated',
    happenedAt: modified || session.io.clock.now(),
    object: {
      ...event,
      ...(changed.length > 0 ? { occurrences: changed.map((one) => one.id) } : {}),
      ...(gone.length > 0 ? { cancelled_occurrences: idsOfDeleted(event, gone) } : {}),
    },
  }
}

function deletedChange(session: Session, id: string, calendarId: string): Change {
  const object = { id, object: 'event' as const, grant_id: session.grant.id, calendar_id: calendarId }
  return { trigger: 'event.deleted', happenedAt: session.io.clock.now(), object }
}

/**
 * Notifies events as they are now. The next poll notifies an event that was deleted meanwhile, if it was recorded.
 */
async function tell(session: Session, found: readonly CalendarItem[], comparing: Comparing): Promise<Change[]> {
  const changes: Change[] = []
  // Series and single events are both read by their own ids.
  const read = await readItems(
    session,
    found.map(({ ItemId }) => ({ ItemId, CalendarItemType: 'Single' })),
  )
  for (const item of read) {
    const change = await changeOf(session, item, comparing)
    if (change) changes.push(change)
  }
  return changes
}

export interface EventsFound {
  changes: Change[]
  /** The record of the calendar; undefined if it was deleted. */
  calendar: WatchedCalendar | undefined
}

export interface PolledCalendar {
  session: Session
  /** Exchange's id, and the id in the API. */
  ewsId: string
  id: string
  before: WatchedCalendar
  /** Without a record, changes since this time are notified, in milliseconds. */
  from: number
}

const latestOf = (items: readonly CalendarItem[], at: number): number =>
  Math.max(at, ...items.map(({ LastModifiedTime = 0 }) => LastModifiedTime))

/** Drops the records of events that ended long ago. */
function pruned(session: Session, known: KnownEvents): KnownEvents {
  const first = Math.floor((session.io.clock.now() - pastMs) / day)
  return new Map([...known].filter(([, { e }]) => e === undefined || e >= first))
}

/** Reads all events: at the start of the watch, and if Exchange has forgotten the sync state. */
async function readWhole({ session, ewsId, id, before, from }: PolledCalendar): Promise<EventsFound> {
  const items: CalendarItem[] = []
  let state: string | undefined
  for (let count = 0; count < maxPages; count += 1) {
    const page = await readSync(session, ewsId, { state, shape, size: perCall })
    if (page === 'gone') return { changes: [], calendar: undefined }
    // Exchange forgot the state between two pages, so the next poll restarts.
    if (page === 'forgotten') return { changes: [], calendar: before }
    items.push(...page.changes.flatMap((change) => namedBy(change) ?? []))
    state = page.state
    if (!page.more) break
  }
  const isForgotten = before.known !== undefined
  const at = before.at ?? from
  const known = pruned(session, knownEvents(before.known))
  const isOld = (item: CalendarItem): boolean =>
    isForgotten ? known.get(idOf(item))?.v === versionOf(item) : (item.LastModifiedTime ?? 0) < at
  if (!isForgotten) await begin(session, items.filter(isOld), known)
  const changes = await tell(
    session,
    items.filter((item) => !isOld(item)),
    { known, at, isWhole: true },
  )
  const there = new Set(items.map(idOf))
  for (const gone of [...known.keys()].filter((one) => !there.has(one))) {
    known.delete(gone)
    changes.push(deletedChange(session, gone, id))
  }
  const calendar: WatchedCalendar = {
    name: before.name,
    ...(state === undefined ? {} : { s: state }),
    known: storedEvents(known),
    at: latestOf(items, at),
  }
  return { changes, calendar }
}

/** Records events that existed before, with the changed and deleted occurrences of series. */
async function begin(session: Session, items: readonly CalendarItem[], known: KnownEvents): Promise<void> {
  const first = session.io.clock.now() - pastMs
  for (const item of items) if (!isSeries(item) && (item.End ?? 0) >= first) known.set(idOf(item), entryOf(item, []))
  const series = items.filter(isSeries).map(({ ItemId }): FoundItem => ({ ItemId, CalendarItemType: 'Single' }))
  for (const item of await readItems(session, series)) {
    known.set(idOf(item), entryOf(item, await readExceptions(session, item)))
  }
}

/** The changes in a calendar. Without a state the watch starts, with the changes since a time. */
export async function eventsSince(watched: PolledCalendar): Promise<EventsFound & { more?: true }> {
  const { session, ewsId, id, before } = watched
  if (before.s === undefined) return readWhole(watched)
  const page = await readSync(session, ewsId, { state: before.s, shape, size: maxPerRound })
  if (page === 'gone') return { changes: [], calendar: undefined }
  if (page === 'forgotten') {
    session.io.log.warn(
      { grant_id: session.grant.id },
      'Exchange has forgotten what a calendar was like; it is compared',
    )
    return readWhole(watched)
  }
  const known = knownEvents(before.known)
  const items = page.changes.flatMap((change) => namedBy(change) ?? [])
  const at = before.at ?? 0
  const changes = await tell(session, items, { known, at: at - clocksMs, isWhole: false })
  for (const change of page.changes) {
    const gone = change.kind === 'Delete' ? ourId(change.ItemId.Id) : ''
    if (known.delete(gone)) changes.push(deletedChange(session, gone, id))
  }
  const isTouched = page.changes.length > 0
  const calendar: WatchedCalendar = {
    name: before.name,
    s: page.state,
    ...(page.more ? { more: 1 } : {}),
    ...(isTouched ? { known: storedEvents(pruned(session, known)) } : before.known ? { known: before.known } : {}),
    at: latestOf(items, at),
  }
  return { changes, calendar, ...(page.more ? { more: true } : {}) }
}
