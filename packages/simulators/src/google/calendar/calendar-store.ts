// Calendars and the calendar lists of accounts.
import { randomInt } from 'node:crypto'
import type { JsonObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'
import type { AccountOwner } from '../owner.ts'
import { notify } from './channels.ts'
import { calendarColors } from './colors.ts'
import { isZone } from './event-time.ts'
import { changeAsOrganizer, quietly } from './organizer-write.ts'
import {
  type AccessRole,
  type CalendarState,
  etagOf,
  type ListEntry,
  listOf,
  newCalendarId,
  nextVersion,
  primaryKey,
  roleOf,
  type StoredCalendar,
} from './state.ts'

export interface CalendarSeed {
  readonly summary: string
  readonly description?: string
  readonly location?: string
  /** Default `UTC`, as for calendars created through the API. */
  readonly timeZone?: string
}

/** Creates an account's primary calendar; its id is the address. */
export function addPrimary(state: CalendarState, owner: AccountOwner): StoredCalendar {
  const calendar = storeCalendar(state, owner, {
    key: primaryKey(owner),
    primary: true,
    summary: owner.email,
    timeZone: owner.timezone,
  })
  putInList(state, owner.sub, calendar, {
    colorId: '14',
    defaultReminders: [{ method: 'popup', minutes: 30 }],
    notificationSettings: {
      notifications: ['eventCreation', 'eventChange', 'eventCancellation', 'eventResponse'].map((type) => ({
        type,
        method: 'email',
      })),
    },
  })
  return calendar
}

export function addCalendar(state: CalendarState, owner: AccountOwner, seed: CalendarSeed): StoredCalendar {
  const zone = seed.timeZone ?? 'UTC'
  if (!isZone(zone)) throw new GoogleError(400, 'invalid', 'Invalid time zone value.')
  const calendar = storeCalendar(state, owner, { ...seed, key: newCalendarId(), primary: false, timeZone: zone })
  putInList(state, owner.sub, calendar, { colorId: String(randomInt(1, 25)) })
  return calendar
}

type NewCalendar = CalendarSeed & Pick<StoredCalendar, 'key' | 'primary' | 'timeZone'>

function storeCalendar(state: CalendarState, owner: AccountOwner, seed: NewCalendar): StoredCalendar {
  const version = nextVersion(state)
  const acl = new Map<string, AccessRole>([[`user:${owner.email.toLowerCase()}`, 'owner']])
  const calendar: StoredCalendar = {
    ...seed,
    get id() {
      return seed.primary ? owner.email : seed.key
    },
    firstId: seed.primary ? owner.email : seed.key,
    owner,
    created: state.world.now(),
    version,
    deleted: false,
    events: new Map(),
    acl,
  }
  state.calendars.set(calendar.key, calendar)
  return calendar
}

type EntrySettings = Partial<Omit<ListEntry, 'key' | 'version' | 'deleted'>>

/** Adds a calendar to an account's list, or changes its entry there. */
export function putInList(
  state: CalendarState,
  sub: string,
  calendar: StoredCalendar,
  settings: EntrySettings,
): ListEntry {
  const list = listOf(state, sub)
  const known = list.get(calendar.key)
  const base = known?.deleted === false ? known : { hidden: false, selected: true, colorId: '1', defaultReminders: [] }
  const entry: ListEntry = {
    ...base,
    ...settings,
    key: calendar.key,
    version: nextVersion(state),
    deleted: false,
  }
  list.set(calendar.key, entry)
  notify(state, `list:${sub}`)
  return entry
}

export function removeFromList(state: CalendarState, sub: string, calendar: StoredCalendar): void {
  const entry = listOf(state, sub).get(calendar.key)
  if (entry === undefined || entry.deleted) return
  entry.deleted = true
  entry.version = nextVersion(state)
  notify(state, `list:${sub}`)
}

export type CalendarChange = Partial<Pick<StoredCalendar, 'summary' | 'description' | 'location' | 'timeZone'>>

/** Changes a calendar; this counts as a change of its entry in every list. */
export function changeCalendar(state: CalendarState, calendar: StoredCalendar, change: CalendarChange): void {
  if (change.timeZone !== undefined && !isZone(change.timeZone)) {
    throw new GoogleError(400, 'invalid', 'Invalid time zone value.')
  }
  Object.assign(calendar, change)
  calendar.version = nextVersion(state)
  for (const [sub, list] of state.lists) {
    const entry = list.get(calendar.key)
    if (entry === undefined || entry.deleted) continue
    entry.version = nextVersion(state)
    notify(state, `list:${sub}`)
  }
}

/** Deletes all events, including the copies of guests. */
export function clearCalendar(state: CalendarState, calendar: StoredCalendar): void {
  const write = { calendar, actor: calendar.owner, options: quietly }
  for (const { id } of [...calendar.events.values()]) {
    const event = calendar.events.get(id)
    if (event === undefined || event.status === 'cancelled') continue
    changeAsOrganizer(state, write, { event, change: { status: 'cancelled' } })
  }
}

export function deleteCalendar(state: CalendarState, calendar: StoredCalendar): void {
  clearCalendar(state, calendar)
  calendar.deleted = true
  for (const sub of state.lists.keys()) removeFromList(state, sub, calendar)
}

export function calendarJson(calendar: StoredCalendar): JsonObject {
  return {
    kind: 'calendar#calendar',
    etag: etagOf(calendar.version),
    ...described(calendar),
    ...(!calendar.primary && { dataOwner: calendar.owner.email }),
  }
}

function described(calendar: StoredCalendar): JsonObject {
  const { id, summary, description, location, timeZone } = calendar
  return {
    id,
    summary,
    ...(description !== undefined && { description }),
    ...(location !== undefined && { location }),
    timeZone,
    conferenceProperties: { allowedConferenceSolutionTypes: ['hangoutsMeet'] },
  }
}

export function entryJson(calendar: StoredCalendar, entry: ListEntry, owner: AccountOwner): JsonObject {
  if (entry.deleted) {
    return { kind: 'calendar#calendarListEntry', etag: etagOf(entry.version), id: calendar.id, deleted: true }
  }
  const color = calendarColors[entry.colorId]
  return {
    kind: 'calendar#calendarListEntry',
    etag: etagOf(entry.version),
    ...described(calendar),
    ...(entry.summaryOverride !== undefined && { summaryOverride: entry.summaryOverride }),
    colorId: entry.colorId,
    backgroundColor: entry.backgroundColor ?? color?.background,
    foregroundColor: entry.foregroundColor ?? color?.foreground,
    ...(entry.hidden && { hidden: true }),
    ...(entry.selected && { selected: true }),
    accessRole: roleOf(owner, calendar),
    defaultReminders: entry.defaultReminders,
    ...(entry.notificationSettings !== undefined && { notificationSettings: entry.notificationSettings }),
    ...(calendar.primary && calendar.owner.sub === owner.sub && { primary: true }),
    ...(!calendar.primary && { dataOwner: calendar.owner.email }),
  }
}
