/**
 * What happens to the events of a calendar, each change once. Exchange names the items that changed and knows nothing of
 * series there: they are read then, and compared with what is known. Series are told as a whole; what happens to occurrences
 * is told of their series. Where Exchange has forgotten where we were, all events are compared.
 */
import { createHash } from 'node:crypto'
import type { Event } from '@waypost/contract'
import { slotOfKey } from '../../../formats/icalendar/instance-ids.ts'
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
import { type KnownEvent, type KnownEvents, knownEvents, storedEvents } from './known-events.ts'
import { occurrenceId } from './mapping/occurrences.ts'
import type { WatchedCalendar } from './watch-state.ts'

const fields: readonly FieldUri[] = [
  'item:DateTimeCreated',
  'item:LastModifiedTime',
  'calendar:End',
  'calendar:UID',
  'calendar:CalendarItemType',
]
const shape = idAnd(...fields.map(field))
const perCall = 512
/** Of a calendar that is read as a whole. */
const maxPages = 100
/** So many are told at a time; more in several rounds. */
const toldAtOnce = 200
/** What is changed of a series is looked at up to this. */
const mostExceptions = 100

const day = 86_400_000
/** Events that were over this long ago are not known any more. */
const pastMs = 183 * day
/** The server's clock and ours may differ by so much. */
export const clocksMs = 300_000

const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 6)
const versionOf = ({ ItemId }: Pick<CalendarItem, 'ItemId'>): string => hashed(ItemId?.ChangeKey ?? '')
const idOf = ({ ItemId }: Pick<CalendarItem, 'ItemId'>): string => ourId(ItemId?.Id ?? '')
const isSeries = ({ CalendarItemType: type }: Pick<CalendarItem, 'CalendarItemType'>): boolean =>
  type === 'RecurringMaster'

/** What the list of changes says of an event. */
function namedBy(change: SyncChange): CalendarItem | undefined {
  if (change.kind !== 'Create' && change.kind !== 'Update') return undefined
  return change.Item?.kind === 'CalendarItem' && change.Item.ItemId ? change.Item : undefined
}

/** Items as they are now; those that are gone are left out. */
const readItems = async (session: Session, found: readonly FoundItem[]): Promise<CalendarItem[]> =>
  (await readFound(session, found)).flatMap((read) => read?.item ?? [])

/** A changed occurrence of a series: when it should have been, and as it is. */
interface Exception {
  at: number
  id: string
  version: string
}

const seconds = (ms: number): number => Math.floor(ms / 1000)

/** Changed occurrences as they are: their series has one version for all of them. */
async function readExceptions(session: Session, master: CalendarItem): Promise<Exception[]> {
  const modified = (master.ModifiedOccurrences ?? []).slice(0, mostExceptions)
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
  /** Up to when changes were told, in milliseconds. */
  at: number
  /** All events are looked at: those that were not changed since are left alone. */
  isWhole: boolean
}

/** The ids by which clients may know occurrences that were deleted. */
const idsOfDeleted = (event: Event, starts: readonly number[]): string[] => {
  const { kind } = startOf(event.when)
  return starts.map((at) => occurrenceId(event.id, slotOfKey(kind, kind === 'timed' ? at : Math.round(at / 86_400))))
}

/** What is told of an event that was read, if anything. */
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

/** Tells of events as they are now. What is gone meanwhile is told by the next look, where it was known. */
async function tell(session: Session, found: readonly CalendarItem[], comparing: Comparing): Promise<Change[]> {
  const changes: Change[] = []
  // Series and single events alike are asked for by themselves.
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
  /** How the calendar is known from then on; undefined where it is gone. */
  calendar: WatchedCalendar | undefined
}

/** A calendar that is looked at. */
export interface Watched {
  session: Session
  /** As Exchange writes it, and as ours. */
  ewsId: string
  id: string
  before: WatchedCalendar
  /** Where nothing is known yet: what happened since is told, in milliseconds. */
  from: number
}

const latestOf = (items: readonly CalendarItem[], at: number): number =>
  Math.max(at, ...items.map(({ LastModifiedTime = 0 }) => LastModifiedTime))

/** Events that are long over are not known any more. */
function pruned(session: Session, known: KnownEvents): KnownEvents {
  const first = Math.floor((session.io.clock.now() - pastMs) / day)
  return new Map([...known].filter(([, { e }]) => e === undefined || e >= first))
}

/** All events: where watching begins, and where Exchange has forgotten what the calendar was like. */
async function readWhole({ session, ewsId, id, before, from }: Watched): Promise<EventsFound> {
  const items: CalendarItem[] = []
  let state: string | undefined
  for (let count = 0; count < maxPages; count += 1) {
    const page = await readSync(session, ewsId, { state, shape, size: perCall })
    if (page === 'gone') return { changes: [], calendar: undefined }
    // Forgotten between two pages: it begins anew the next time.
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

/** Takes down events that were there before; of series what was changed and deleted of them. */
async function begin(session: Session, items: readonly CalendarItem[], known: KnownEvents): Promise<void> {
  const first = session.io.clock.now() - pastMs
  for (const item of items) if (!isSeries(item) && (item.End ?? 0) >= first) known.set(idOf(item), entryOf(item, []))
  const series = items.filter(isSeries).map(({ ItemId }): FoundItem => ({ ItemId, CalendarItemType: 'Single' }))
  for (const item of await readItems(session, series)) {
    known.set(idOf(item), entryOf(item, await readExceptions(session, item)))
  }
}

/** What changed in a calendar; without a state watching begins, with what happened since a time. */
export async function eventsSince(watched: Watched): Promise<EventsFound & { more?: true }> {
  const { session, ewsId, id, before } = watched
  if (before.s === undefined) return readWhole(watched)
  const page = await readSync(session, ewsId, { state: before.s, shape, size: toldAtOnce })
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
