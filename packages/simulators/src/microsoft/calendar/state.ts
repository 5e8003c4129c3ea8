// The calendars of one simulated Microsoft 365. Every mailbox has its own copy of a meeting, with its own id. The
// copies share the global object id, and the organizer's copy is authoritative. Every change takes the next number of
// one counter; change keys and delta tokens contain it.
import { randomBytes } from 'node:crypto'
import type { ShowAs } from '../../shared/calendar/busy.ts'
import type { EventTime } from '../../shared/calendar/event-time.ts'
import type { MeetingMailKind } from '../../shared/calendar/meeting-mime.ts'
import type { Attendee, Person, Response, ResponseType } from '../../shared/calendar/people.ts'
import { sameAddress } from '../../shared/calendar/people.ts'
import type { Recurrence } from '../../shared/calendar/recurrence.ts'
import type { ItemOf, OccurrenceException } from '../../shared/calendar/series.ts'
import type { JsonObject } from '../../shared/http.ts'
import type { AccountOwner } from '../owner.ts'
import type { World } from '../world.ts'

export interface Attachment {
  readonly id: string
  readonly type: 'file' | 'item' | 'reference'
  readonly name: string
  readonly contentType: string | null
  readonly size: number
  readonly isInline: boolean
  readonly modified: number
  readonly contentId: string | null
  readonly content: Uint8Array
  /** For an item attachment: the attached item. */
  readonly item?: JsonObject
}

/** The content of an event, the same for every reader. */
export interface EventContent {
  readonly subject: string
  readonly body: { readonly contentType: 'html' | 'text'; readonly content: string }
  readonly locations: readonly JsonObject[]
  readonly importance: 'low' | 'normal' | 'high'
  readonly sensitivity: 'normal' | 'personal' | 'private' | 'confidential'
  readonly responseRequested: boolean
  readonly allowNewTimeProposals: boolean
  readonly hideAttendees: boolean
  readonly isOnlineMeeting: boolean
  readonly onlineMeetingProvider: string
  readonly onlineMeeting: JsonObject | null
  readonly start: EventTime
  readonly end: EventTime
  readonly isAllDay: boolean
  readonly attendees: readonly Attendee[]
  readonly attachments: readonly Attachment[]
  readonly isCancelled: boolean
}

/** The fields that each mailbox has for its own copy. */
export interface EventOwnings {
  readonly showAs: ShowAs
  readonly categories: readonly string[]
  readonly isReminderOn: boolean
  readonly reminderMinutesBeforeStart: number
  readonly response: Response
  /** Data that applications store with an event; returned only to clients that request it by name. */
  readonly singleValueExtendedProperties: readonly { readonly id: string; readonly value: string }[]
}

export type EventDetails = EventContent & EventOwnings

export type EventException = OccurrenceException<EventDetails>

export interface StoredEvent extends EventDetails {
  readonly key: string
  /** The global object id, without a date. */
  readonly uid: string
  readonly created: number
  readonly modified: number
  readonly version: number
  readonly transactionId: string | null
  readonly organizer: Person
  readonly isOrganizer: boolean
  readonly recurrence: Recurrence | null
  /** Keyed by their original day in the series. */
  readonly exceptions: ReadonlyMap<string, EventException>
  /** The days whose occurrences were deleted. */
  readonly cancelled: readonly string[]
}

export type EventItem = ItemOf<StoredEvent>

/** The record of a deleted event. */
export interface Removal {
  readonly key: string
  readonly version: number
}

export interface StoredCalendar {
  readonly key: string
  readonly owner: AccountOwner
  /** The account whose mailbox contains it; differs from the owner if the calendar is shared. */
  readonly holder: AccountOwner
  readonly isDefault: boolean
  /** Birthdays, holidays, and calendars shared for reading. */
  readonly readOnly: boolean
  groupKey: string
  name: string
  color: string
  hexColor: string
  version: number
  readonly events: Map<string, StoredEvent>
  readonly removals: Removal[]
}

export interface StoredGroup {
  readonly key: string
  readonly classId: string
  /** `My Calendars` and the like cannot be deleted. */
  readonly fixed: boolean
  name: string
  version: number
}

/** An email that Exchange would have sent. */
export interface MeetingMail {
  readonly kind: MeetingMailKind
  readonly from: string
  readonly to: string
  readonly uid: string
  readonly subject: string
  readonly comment: string
  /** Only for a reply. */
  readonly response?: ResponseType
}

export interface Mailbox {
  readonly owner: AccountOwner
  readonly isRoom: boolean
  readonly calendars: Map<string, StoredCalendar>
  readonly groups: Map<string, StoredGroup>
  readonly mails: MeetingMail[]
  /** Delta tokens of lower versions are expired. */
  validFrom: number
  /** The created event, keyed by transaction id. */
  readonly transactions: Map<string, { readonly body: string; readonly key: string }>
}

export interface CalendarState {
  readonly world: World
  version: number
  /** Keyed by the id of the account or room. */
  readonly mailboxes: Map<string, Mailbox>
}

const states = new WeakMap<World, CalendarState>()

export function calendarState(world: World): CalendarState {
  let state = states.get(world)
  if (state === undefined) {
    state = { world, version: 1, mailboxes: new Map() }
    states.set(world, state)
  }
  return state
}

export function nextVersion(state: CalendarState): number {
  state.version++
  return state.version
}

export function newKey(): string {
  return randomBytes(9).toString('base64url')
}

/** The mailbox of an address; undefined if the simulator has no such account or room. */
export function mailboxOf(state: CalendarState, address: string): Mailbox | undefined {
  const account = state.world.findAccount(address)
  if (account !== undefined) return state.mailboxes.get(account.id)
  return state.mailboxes.values().find(({ isRoom, owner }) => isRoom && sameAddress(owner.email, address))
}

export function defaultCalendar({ calendars, owner }: Mailbox): StoredCalendar {
  const calendar = [...calendars.values()].find(({ isDefault }) => isDefault)
  if (calendar === undefined) throw new Error(`${owner.email} has no calendar`)
  return calendar
}
