import type { Event, EventListQuery } from '@waypost/contract'
import { sequenceOf } from '@waypost/formats/itip/invitation-copies'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { newId } from '@waypost/platform/ids'
import type { JsonValue } from '@waypost/platform/json/guard'
import { z } from 'zod'
import { applyChange } from '../calendar/event-change.ts'
import { needWhen } from '../calendar/event-input.ts'
import { filterOf, windowOf } from '../calendar/event-queries.ts'
import { needSeries } from '../calendar/series.ts'
import type { Operations, Page } from '../operations.ts'
import { cancelOccurrence, changeOccurrence, changeStored, keepAnswers, rowOf, stretchCalendar } from './changes.ts'
import { type ListedEvent, listEvents, listMasters } from './event-listing.ts'
import { needFreeTime } from './free-busy.ts'
import { tellGuests, tellOrganizer } from './invitations.ts'
import { locate, setOf, storedSet, withOccurrence } from './locate.ts'
import { tellCancelled, tellChanged, tellCreated, tellDeleted } from './notifications.ts'
import { checkOrganizer, ownInvitation } from './organizer.ts'
import { overriddenOf } from './series.ts'
import { needCalendar, type Session, stamp } from './session.ts'
import type { CalendarRow, ListedRow, Position, Window } from './tables.ts'

/** The start of a page: the window of the first page, the last event returned, and whether series are expanded. */
const Place = z.tuple([z.number(), z.number(), z.number(), z.string(), z.boolean().optional()])

interface Begin {
  window: Window
  after: Position | undefined
  /** Whether the first page expanded series; the application's setting may have changed since. */
  expand?: boolean | undefined
}

/** Lists by UID and by metadata have no window. */
const isWindowless = (query: EventListQuery): boolean =>
  query.ical_uid !== undefined || query.metadata_pair !== undefined
const nowhere: Window = { from: 0, to: 0 }

function beginOf(position: JsonValue | undefined, fresh: () => Window): Begin {
  if (position === undefined) return { window: fresh(), after: undefined }
  const [from, to, startAt, id, expand] = Place.parse(position)
  return { window: { from, to }, after: { startAt, id }, expand }
}

/** A page of up to `limit` events. One event more means that there is a next page. */
function pageOf(listed: readonly ListedEvent[], limit: number, of: Window & { expand?: boolean }): Page<Event> {
  const shown = listed.slice(0, limit)
  const items = shown.map(({ event }) => event)
  const last = shown.at(-1)?.position
  if (listed.length <= limit || !last) return { items }
  const form = of.expand === undefined ? [] : [of.expand]
  return { items, next: [of.from, of.to, last.startAt, last.id, ...form] }
}

/** Stored rows as events; changed occurrences are based on their series. */
async function assembleStored(session: Session, rows: readonly ListedRow[]): Promise<ListedEvent[]> {
  const masterIds = new Set(rows.flatMap((row) => row.masterId ?? []))
  const masters = await session.io.tables.events.documents([...masterIds])
  return rows.flatMap((row) => {
    const position = { startAt: row.startAt, id: row.id }
    if (row.masterId === null) return { event: row.document, position }
    const master = masters.get(row.masterId)
    return master ? { event: overriddenOf(master, JSON.parse(row.document.text)), position } : []
  })
}

/** Requires that the calendar has a series with this id. */
async function needSeriesRow({ io }: Session, { calendar }: CalendarRow, id: string): Promise<void> {
  const row = await io.tables.events.get(id)
  if (row?.kind === 'series' && row.event.calendar_id === calendar.id) return
  throw new ApiError('not_found', 'no series with this id')
}

function newEvent(session: Session, calendar: CalendarRow): Omit<Event, 'when'> {
  const { grant, io } = session
  const now = stamp(session)
  const id = newId()
  return {
    id,
    object: 'event',
    grant_id: grant.id,
    calendar_id: calendar.calendar.id,
    title: null,
    description: null,
    location: null,
    busy: true,
    status: 'confirmed',
    hide_participants: false,
    participants: [],
    resources: [],
    organizer: { name: grant.metadata.name ?? null, email: grant.email },
    ical_uid: `${id}@${new URL(io.baseUrl).hostname}`,
    sequence: 0,
    read_only: false,
    metadata: {},
    created_at: now,
    updated_at: now,
  }
}

export const events: Operations<Session>['events'] = {
  async list(session, query, position) {
    const calendar = await needCalendar(session, query.calendar_id)
    const {
      window,
      after,
      expand = query.expand_recurring ?? true,
    } = beginOf(position, () => (isWindowless(query) ? nowhere : limitedWindowOf(query, stamp(session))))
    const { events: table } = session.io.tables
    const part = { ...(after ? { after } : {}), limit: query.limit + 1 }
    if (query.ical_uid !== undefined) {
      const rows = await table.byUid(calendar.calendar.id, query.ical_uid, part)
      return pageOf(await assembleStored(session, rows), query.limit, window)
    }
    if (query.metadata_pair !== undefined) {
      const rows = await table.byMetadata(calendar.calendar.id, query.metadata_pair, part)
      return pageOf(await assembleStored(session, rows), query.limit, window)
    }
    if (query.master_event_id !== undefined && position === undefined) {
      await needSeriesRow(session, calendar, query.master_event_id)
    }
    const list = expand ? listEvents : listMasters
    const listed = await list(session, {
      calendar,
      window,
      after,
      limit: query.limit + 1,
      filter: filterOf(query),
      masterId: query.master_event_id,
    })
    return pageOf(listed, query.limit, { ...window, expand })
  },
  async import(session, query, position) {
    const calendar = await needCalendar(session, query.calendar_id)
    const fresh = query.whole ? windowOf : limitedWindowOf
    const { window, after } = beginOf(position, () => fresh(query, stamp(session)))
    const listed = await listMasters(session, { calendar, window, after, limit: query.limit + 1, filter: undefined })
    return pageOf(listed, query.limit, window)
  },
  get: async (session, at) => (await locate(session, at)).event,
  async create(session, at, draft) {
    // Without the lock, a concurrent change of the calendar's zone or longest event would miss the new event.
    const [, calendar] = await Promise.all([session.io.tables.lock(), needCalendar(session, at.calendar_id)])
    const base: Event = { ...newEvent(session, calendar), when: needWhen(draft.when) }
    const { when: _, ...rest } = draft
    const event = applyChange(base, rest, session.grant.email)
    const lines = draft.recurrence ?? []
    const series = lines.length > 0 ? needSeries(event.when, lines) : undefined
    if (series) event.recurrence = [...series.recurrence.lines]
    if (at.ifNoneOverlap) await needFreeTime(session, calendar, event)
    const row = rowOf(session, calendar, event, series, session.io.clock.now())
    await session.io.tables.events.insert(row)
    await stretchCalendar(session, calendar, row)
    await tellCreated(session, event)
    await tellGuests(session, { after: { main: event, overrides: [] }, notify: at.notify_participants })
    return event
  },
  async update(session, at, change) {
    const [, located] = await Promise.all([session.io.tables.lock(), locate(session, at)])
    checkOrganizer(session, located, change)
    const before = await setOf(session, located)
    const next = { change, latest: sequenceOf(before) }
    const after =
      located.what === 'occurrence'
        ? await changeOccurrence(session, located, next)
        : await changeStored(session, located, next)
    if (at.ifNoneOverlap) await needFreeTime(session, located.calendar, after)
    await tellChanged(session, located, after)
    const notify = at.notify_participants
    if (located.what === 'occurrence') {
      await tellGuests(session, { before, after: withOccurrence(before, located, after), notify, located })
    } else {
      const kind = after.recurrence ? 'series' : 'single'
      const reported = located.what === 'series' ? await storedSet(session, { event: after, kind }) : undefined
      await tellGuests(session, { before, after: reported ?? { main: after, overrides: [] }, notify, located })
    }
    return after
  },
  async delete(session, at) {
    const [, located] = await Promise.all([session.io.tables.lock(), locate(session, at)])
    const before = await setOf(session, located)
    const notified = { before, notify: at.notify_participants, located }
    if (located.what === 'occurrence') {
      const main = await cancelOccurrence(session, located, sequenceOf(before))
      await tellCancelled(session, main, located.event)
      await tellGuests(session, { ...notified, after: withOccurrence({ ...before, main }, located, undefined) })
      return
    }
    await session.io.tables.events.removeOverrides(located.event.id)
    await session.io.tables.events.remove(located.event.id)
    await tellDeleted(session, located.event)
    await tellGuests(session, notified)
  },
  async rsvp(session, at, answer) {
    const [, located] = await Promise.all([session.io.tables.lock(), locate(session, at)])
    const guest = ownInvitation(session, located.event)
    if (!guest) {
      throw new ApiError(
        'invalid_request',
        'this account is not invited to the event: its organizer does not answer it',
      )
    }
    const participants = located.event.participants.map((one) =>
      one === guest ? { ...one, status: answer.status, comment: answer.comment ?? one.comment } : one,
    )
    await tellChanged(session, located, await keepAnswers(session, located, participants))
    return at.skip_email ? {} : tellOrganizer(session, located, guest, answer)
  },
}

const maxWindow = 2 * 366 * 86_400

/** One month from now by default. */
function limitedWindowOf(query: { start?: number | undefined; end?: number | undefined }, now: number): Window {
  const window = windowOf(query, now)
  if (window.to - window.from > maxWindow) throw invalidField('end', 'must be at most two years after start')
  return window
}
