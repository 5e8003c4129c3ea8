/**
 * The tables of virtual accounts, as this adapter uses them. The implementation is bound to one grant and, for
 * changes, to one transaction. So the adapter never names an application and cannot reach another account.
 */
import type { Calendar, Event, MetadataPair } from '@waypost/contract'
import type { JsonText } from '@waypost/platform/json/values'

export interface CalendarRow {
  calendar: Calendar
  /** The length of the longest event that is not a series; window queries look back this far. */
  longestSeconds: number
  /** Counts the changes of the calendar's series: the same number means the same series. */
  seriesRevision: number
  createdAt: number
  updatedAt: number
}

/**
 * `single`: an event that does not repeat. `series`: a master; its times are those of the first start and the last
 * end. `override`: an occurrence that differs from its series.
 */
export type EventKind = 'single' | 'series' | 'override'

/** Fields that an event omits if they have no value, because clients with strict types accept no null there. */
export const omittedFields = ['visibility', 'conferencing'] as const
type Omitted = (typeof omittedFields)[number]

/**
 * The stored fields of an event: all of them, or for an override its ids and the fields that differ. Null means that
 * an override has no value although its series may have one.
 */
export type StoredEvent = Partial<Omit<Event, Omitted>> & { [Name in Omitted]?: Event[Name] | null } & Pick<
    Event,
    'id' | 'calendar_id' | 'when' | 'ical_uid'
  >

export interface EventRow {
  event: StoredEvent
  kind: EventKind
  masterId: string | null
  slot: string | null
  slotAt: number | null
  startAt: number
  endAt: number
  /** For a series: the text from which its occurrences are computed. */
  series: string | null
  createdAt: number
  updatedAt: number
}

/** A row of a list: the stored document and its position in the order. */
export interface ListedRow {
  id: string
  kind: EventKind
  startAt: number
  endAt: number
  masterId: string | null
  document: JsonText<Event>
}

export interface SeriesRow {
  id: string
  startAt: number
  endAt: number
  series: string
}

export interface Position {
  startAt: number
  id: string
}

export interface Window {
  from: number
  to: number
}

/** The SEQUENCE and the DTSTAMP (Unix seconds) of an answer. */
export type ReplyVersion = readonly [sequence: number, stamp: number]

/** The state of the mails about a single event or a series, and of the answers to them. */
export interface InvitationState {
  /** The DTSTAMP of the last mail, in Unix seconds. */
  readonly stamp: number
  /** The SEQUENCE of the last change of time or rule: only answers since then count. For occurrences, by slot. */
  readonly asked: number
  readonly askedSlots: Readonly<Record<string, number>>
  /** The newest answer of each guest, by slot and address. */
  readonly replies: Readonly<Record<string, ReplyVersion>>
}

export interface VirtualTables {
  calendars: {
    list(filter: readonly MetadataPair[]): Promise<CalendarRow[]>
    get(id: string): Promise<CalendarRow | undefined>
    primary(): Promise<CalendarRow | undefined>
    count(): Promise<number>
    insert(row: CalendarRow): Promise<void>
    update(row: CalendarRow): Promise<void>
    remove(id: string): Promise<void>
    /** Whether the calendar has so many events that they are removed in batches. */
    isRemovedInPieces(id: string, now: number): Promise<boolean>
    /** Hides the calendar and its events, and queues their removal. */
    setAside(id: string, how: { tellsGuests: boolean; now: number }): Promise<void>
    /** A calendar that was set aside; undefined if it is gone. */
    setAsideOf(id: string): Promise<{ calendar: Calendar; tellsGuests: boolean } | undefined>
    /** Removes some remaining changed occurrences; or, after the last, the calendar, and returns undefined. */
    removeRest(id: string): Promise<number | undefined>
    /** Counts a change of series that no series row records: a series that became a single event. */
    touchSeries(id: string): Promise<void>
    /** Raises the longest length. */
    stretch(id: string, seconds: number): Promise<void>
  }
  events: {
    get(id: string): Promise<EventRow | undefined>
    insert(row: EventRow): Promise<void>
    insertAll(rows: readonly EventRow[]): Promise<void>
    /** `before` is the row as read in the same transaction; unchanged parts need not be written. */
    update(row: EventRow, before?: EventRow): Promise<void>
    remove(id: string): Promise<void>
    removeOverrides(masterId: string): Promise<void>
    /** Some of the single events and series of a calendar. */
    pieceOf(calendarId: string): Promise<EventRow[]>
    removeAll(ids: readonly string[]): Promise<void>
    overridesOf(masterId: string): Promise<EventRow[]>
    all(calendarId: string): Promise<EventRow[]>
    /** Events that end after a time and may have guests: single events and series with guests, and all overrides. */
    invitedAfter(calendarId: string, time: number): Promise<EventRow[]>
    /** All-day single events and overrides; their instants depend on the calendar's time zone. */
    allDay(calendarId: string): Promise<EventRow[]>
    /** Events of these kinds that start in `starts` and overlap `window`, after a position, in order. */
    inWindow(
      calendarId: string,
      at: { kinds: readonly EventKind[]; starts: Window; window: Window; after?: Position; limit: number },
    ): Promise<ListedRow[]>
    /** Series that may have an occurrence in the window. */
    seriesIn(calendarId: string, window: Window): Promise<SeriesRow[]>
    /** Series that were written since a revision; undefined if one was deleted or became a single event since. */
    seriesSince(calendarId: string, revision: number): Promise<SeriesRow[] | undefined>
    /** The slots in a range of time that have an override. */
    overriddenSlots(calendarId: string, window: Window): Promise<{ masterId: string; slot: string }[]>
    documents(ids: readonly string[]): Promise<Map<string, Event>>
    /** A master, its changed occurrences and copies, after a position, in order. */
    byUid(calendarId: string, uid: string, at: { after?: Position; limit: number }): Promise<ListedRow[]>
    byMetadata(
      calendarId: string,
      pairs: readonly MetadataPair[],
      at: { after?: Position; limit: number },
    ): Promise<ListedRow[]>
    /** When an event with this key5 was last created in one of the calendars. */
    lastBooked(calendarIds: readonly string[], group: string): Promise<number | undefined>
  }
  invitations: {
    get(eventId: string): Promise<InvitationState | undefined>
    put(row: { eventId: string; uid: string; state: InvitationState }): Promise<void>
  }
  /** Blocks other changes of this account until the transaction ends. */
  lock(): Promise<void>
  /** The tables of another account of the same application, by address; for reading free/busy. */
  ofAddress(address: string): Promise<VirtualTables | undefined>
}
