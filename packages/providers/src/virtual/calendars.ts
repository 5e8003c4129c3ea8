import type { Calendar, CalendarChange, CalendarDraft } from '@waypost/contract'
import { instantsOf } from '@waypost/formats/timezones/when'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import type { JsonValue } from '@waypost/platform/json/guard'
import { z } from 'zod'
import { needTimeZone } from '../calendar/event-input.ts'
import type { Operations } from '../operations.ts'
import { stretchCalendar } from './changes.ts'
import { freeBusy } from './free-busy.ts'
import { announceLaterMails, tellGuestsOfCalendar, tellGuestsOfRemoved } from './invitations.ts'
import { tellCalendarChanged, tellCalendarCreated, tellCalendarDeleted } from './notifications.ts'
import { needCalendar, type Session } from './session.ts'
import type { CalendarRow } from './tables.ts'

const maxCalendars = 10

function newCalendar(session: Session, draft: CalendarDraft, isPrimary: boolean): Calendar {
  return {
    id: newId(),
    grant_id: session.grant.id,
    object: 'calendar',
    name: draft.name,
    description: draft.description ?? null,
    location: draft.location ?? null,
    timezone: draft.timezone ? needTimeZone(draft.timezone) : 'UTC',
    hex_color: null,
    hex_foreground_color: null,
    is_owned_by_user: true,
    is_primary: isPrimary,
    read_only: null,
    metadata: draft.metadata ?? {},
  }
}

/** The last calendar of a page; calendars are sorted by creation time. */
const Place = z.tuple([z.number(), z.string()])

const isAfter = (row: CalendarRow, position: JsonValue | undefined): boolean => {
  if (position === undefined) return true
  const [createdAt, id] = Place.parse(position)
  return row.createdAt > createdAt || (row.createdAt === createdAt && row.calendar.id > id)
}

/**
 * All-day events begin at midnight in the calendar's zone, so a new zone moves them and changes the length of some
 * days.
 */
async function moveAllDayEvents(session: Session, moved: CalendarRow): Promise<void> {
  const { events } = session.io.tables
  // The bounds of an all-day series are valid in every zone.
  for (const row of await events.allDay(moved.calendar.id)) {
    const { start, end } = instantsOf(row.event.when, moved.calendar.timezone)
    const next = { ...row, startAt: start, endAt: end }
    await events.update(next)
    await stretchCalendar(session, moved, next)
  }
}

export const calendars: Operations<Session>['calendars'] = {
  async list({ io }, query, position) {
    const all = await io.tables.calendars.list(query.metadata_pair ?? [])
    const rows = all.filter((row) => isAfter(row, position))
    const shown = rows.slice(0, query.limit)
    const items = shown.map((row) => row.calendar)
    const last = shown.at(-1)
    return last && shown.length < rows.length ? { items, next: [last.createdAt, last.calendar.id] } : { items }
  },
  get: async (session, at) => (await needCalendar(session, at.calendar_id)).calendar,
  async create(session, draft) {
    const { io } = session
    await io.tables.lock()
    const count = await io.tables.calendars.count()
    if (count >= maxCalendars) {
      throw new ApiError('invalid_request', `a virtual account has at most ${maxCalendars} calendars: delete one first`)
    }
    const calendar = newCalendar(session, draft, (await io.tables.calendars.primary()) === undefined)
    const now = io.clock.now()
    await io.tables.calendars.insert({ calendar, longestSeconds: 0, seriesRevision: 0, createdAt: now, updatedAt: now })
    await tellCalendarCreated(session, calendar)
    return calendar
  },
  async update(session, at, change) {
    const { io } = session
    await io.tables.lock()
    const row = await needCalendar(session, at.calendar_id)
    const calendar = changed(row.calendar, change)
    const next: CalendarRow = { ...row, calendar, updatedAt: io.clock.now() }
    await io.tables.calendars.update(next)
    if (calendar.timezone !== row.calendar.timezone) await moveAllDayEvents(session, next)
    await tellCalendarChanged(session, row.calendar, calendar)
    return calendar
  },
  async delete(session, at) {
    const { io } = session
    await io.tables.lock()
    const { calendar } = await needCalendar(session, at.calendar_id)
    if (calendar.is_primary) throw invalidField('calendar_id', 'the primary calendar cannot be deleted')
    const tellsGuests = at.notify_participants !== false
    const now = io.clock.now()
    if (await io.tables.calendars.isRemovedInPieces(calendar.id, now)) {
      await io.tables.calendars.setAside(calendar.id, { tellsGuests, now })
      if (tellsGuests) announceLaterMails(session)
    } else {
      if (tellsGuests) await tellGuestsOfCalendar(session, calendar)
      await io.tables.calendars.remove(calendar.id)
    }
    await tellCalendarDeleted(session, calendar)
  },
  freeBusy,
}

const changed = (calendar: Calendar, change: CalendarChange): Calendar => ({
  ...calendar,
  name: change.name ?? calendar.name,
  description: change.description === undefined ? calendar.description : change.description,
  location: change.location === undefined ? calendar.location : change.location,
  timezone: change.timezone === undefined ? calendar.timezone : needTimeZone(change.timezone),
  hex_color: change.hex_color === undefined ? calendar.hex_color : change.hex_color,
  hex_foreground_color:
    change.hex_foreground_color === undefined ? calendar.hex_foreground_color : change.hex_foreground_color,
  metadata: change.metadata === undefined ? calendar.metadata : (change.metadata ?? {}),
})

/**
 * Removes the next events of a calendar that was set aside, at most `piece` rows. Returns their number, or undefined
 * when the calendar is gone. Changed occurrences are removed last, because the mails about a series list them.
 */
export async function removePiece(session: Session, calendarId: string): Promise<number | undefined> {
  const { tables } = session.io
  await tables.lock()
  const aside = await tables.calendars.setAsideOf(calendarId)
  if (!aside) return undefined
  const rows = await tables.events.pieceOf(calendarId)
  if (aside.tellsGuests) await tellGuestsOfRemoved(session, aside.calendar satisfies Calendar, rows)
  await tables.events.removeAll(rows.map(({ event }) => event.id))
  if (rows.length > 0) return rows.length
  return tables.calendars.removeRest(calendarId)
}
