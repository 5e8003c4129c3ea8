// The calendars of one simulated Google. Each calendar has its own copy of an event. The copies of one meeting share
// the id and iCalUID, and the organizer's copy is authoritative. Every change of a copy takes the next number of one
// counter, and a sync token contains such a number.
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'
import type { AccountOwner } from '../owner.ts'
import type { World } from '../world.ts'
import type { EventTime } from './event-time.ts'

export type AccessRole = 'none' | 'freeBusyReader' | 'reader' | 'writer' | 'owner'
export type EventStatus = 'confirmed' | 'tentative' | 'cancelled'
export type ResponseStatus = 'needsAction' | 'declined' | 'tentative' | 'accepted'

export interface Attendee {
  readonly email: string
  readonly displayName?: string
  readonly optional?: boolean
  readonly resource?: boolean
  readonly responseStatus: ResponseStatus
  readonly comment?: string
  readonly additionalGuests?: number
}

export interface Participant {
  readonly email: string
  readonly displayName?: string
}

/** The times and rules of an event before a change at `version`. */
export interface FormerSeries {
  readonly version: number
  readonly start: EventTime
  readonly end: EventTime
  readonly recurrence: readonly string[]
}

export interface StoredEvent {
  readonly id: string
  readonly iCalUID: string
  /** The order of creation. */
  readonly serial: number
  readonly created: number
  readonly creator: Participant
  readonly organizer: Participant
  readonly recurringEventId?: string
  readonly originalStart?: EventTime
  version: number
  updated: number
  status: EventStatus
  sequence: number
  start: EventTime
  end: EventTime
  recurrence: readonly string[]
  attendees: readonly Attendee[]
  /** All other fields, in the API's form. */
  fields: JsonObject
  /** A copy on this calendar only; changes are not passed on to guests. */
  readonly privateCopy?: boolean
  /** An exception whose original start is no longer in the series. */
  orphan?: boolean
  former: readonly FormerSeries[]
}

export interface StoredCalendar {
  /** A permanent key; the id of a primary calendar changes with the address of the account. */
  readonly key: string
  readonly id: string
  /** The original id: events created then name it as their organizer. */
  readonly firstId: string
  /** The account that owns the calendar. */
  readonly owner: AccountOwner
  readonly primary: boolean
  readonly created: number
  version: number
  summary: string
  description?: string
  location?: string
  timeZone: string
  deleted: boolean
  readonly events: Map<string, StoredEvent>
  /** Keyed by rule id: `user:ada@example.com`, `domain:example.com`, `default`. */
  readonly acl: Map<string, AccessRole>
}

export interface Reminder {
  readonly method: string
  readonly minutes: number
}

/** A calendar in the list of an account. */
export interface ListEntry {
  /** The key of the calendar. */
  readonly key: string
  version: number
  deleted: boolean
  hidden: boolean
  selected: boolean
  summaryOverride?: string
  colorId: string
  backgroundColor?: string
  foregroundColor?: string
  defaultReminders: readonly Reminder[]
  notificationSettings?: JsonObject
}

/** An email that Google would have sent. */
export interface Invitation {
  readonly kind: 'request' | 'update' | 'cancel' | 'reply'
  readonly to: string
  readonly calendarId: string
  readonly eventId: string
  readonly iCalUID: string
  readonly summary?: string
  /** Only for a reply. */
  readonly responseStatus?: ResponseStatus
}

export interface Channel {
  readonly id: string
  readonly resourceId: string
  readonly resourceUri: string
  readonly address: string
  readonly token?: string
  readonly expiration: number
  /** The id of the account. */
  readonly account: string
  /** The watched resource: `events:<calendar key>` or `list:<account id>`. */
  readonly watched: string
  messages: number
}

export interface CalendarState {
  readonly world: World
  version: number
  /** Keyed by calendar key. */
  readonly calendars: Map<string, StoredCalendar>
  /** Keyed by account id, then by calendar key. */
  readonly lists: Map<string, Map<string, ListEntry>>
  readonly channels: Map<string, Channel>
  /** Keyed by account id. */
  readonly invitations: Map<string, Invitation[]>
  /** Keyed by account id: sync tokens of lower versions are expired. */
  readonly validFrom: Map<string, number>
}

const states = new WeakMap<World, CalendarState>()

export function calendarState(world: World): CalendarState {
  let state = states.get(world)
  if (state === undefined) {
    state = {
      world,
      version: 1,
      calendars: new Map(),
      lists: new Map(),
      channels: new Map(),
      invitations: new Map(),
      validFrom: new Map(),
    }
    states.set(world, state)
  }
  return state
}

export function nextVersion(state: CalendarState): number {
  state.version++
  return state.version
}

export function etagOf(version: number): string {
  return `"${3_400_000_000_000_000 + version * 2000}"`
}

/** An id in base32hex letters, as Google's event ids. */
export function newEventId(): string {
  return [...randomBytes(26)].map((byte) => (byte % 32).toString(32)).join('')
}

export function newCalendarId(): string {
  return `c_${randomBytes(32).toString('hex')}@group.calendar.google.com`
}

/** The list of an account's calendars. */
export function listOf(state: CalendarState, sub: string): Map<string, ListEntry> {
  const list = state.lists.get(sub) ?? new Map<string, ListEntry>()
  state.lists.set(sub, list)
  return list
}

/** Finds a calendar by the id that an account uses for it. */
export function findCalendar(state: CalendarState, owner: AccountOwner, id: string): StoredCalendar | undefined {
  const found =
    id === 'primary'
      ? state.calendars.get(primaryKey(owner))
      : (state.calendars.get(id.toLowerCase()) ?? primaryOf(state, id))
  return found?.deleted === false ? found : undefined
}

export function primaryKey({ sub }: AccountOwner): string {
  return `primary:${sub}`
}

/** The primary calendar of an address or alias. */
export function primaryOf(state: CalendarState, address: string): StoredCalendar | undefined {
  const account = state.world.findAccount(address)
  return account === undefined ? undefined : state.calendars.get(primaryKey(account))
}

const ranks: readonly AccessRole[] = ['none', 'freeBusyReader', 'reader', 'writer', 'owner']
/** Public mail domains: their users are not colleagues. */
const publicDomains = new Set(['gmail.com', 'googlemail.com'])

export function atLeast(role: AccessRole, needed: AccessRole): boolean {
  return ranks.indexOf(role) >= ranks.indexOf(needed)
}

/** The role of an account; colleagues in one domain see the free/busy times of primary calendars. */
export function roleOf(owner: AccountOwner, calendar: StoredCalendar): AccessRole {
  if (calendar.owner.sub === owner.sub) return 'owner'
  const domain = owner.email.slice(owner.email.indexOf('@') + 1).toLowerCase()
  const colleague = calendar.primary && calendar.id.toLowerCase().endsWith(`@${domain}`) && !publicDomains.has(domain)
  const roles = [
    calendar.acl.get(`user:${owner.email.toLowerCase()}`),
    calendar.acl.get(`domain:${domain}`),
    calendar.acl.get('default'),
    colleague ? ('freeBusyReader' as const) : undefined,
  ]
  let best: AccessRole = 'none'
  for (const role of roles) if (role !== undefined && atLeast(role, best)) best = role
  return best
}

/** The calendar, or Google's error for an account that lacks the required role. */
export function requireCalendar(
  state: CalendarState,
  owner: AccountOwner,
  { id, needed }: { id: string; needed: AccessRole },
): StoredCalendar {
  const calendar = findCalendar(state, owner, id)
  const role = calendar === undefined ? 'none' : roleOf(owner, calendar)
  if (calendar === undefined || role === 'none') throw new GoogleError(404, 'notFound', 'Not Found')
  if (atLeast(role, needed)) return calendar
  throw new GoogleError(403, 'requiredAccessLevel', `You need to have ${needed} access to this calendar.`, {
    domain: 'calendar',
  })
}
