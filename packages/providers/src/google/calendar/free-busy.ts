/** When people are busy, as Google computes it: for free/busy and for availability. */

import type { FreeBusy, FreeBusyQuery } from '@waypost/contract'
import { resolveTimeZone } from '@waypost/formats/timezones/timezones'
import { instantsOf } from '@waypost/formats/timezones/when'
import { flag, instant, list, object, type Read, readableItems, record, text } from '@waypost/platform/json/reader'
import { mergeIntervals, subtractSpans, toIntervals } from '@waypost/scheduling/intervals'
import {
  checkFreeBusyWindow,
  freeBusyError,
  freeBusyFrom,
  isMoving,
  lastBooking,
  noCalendarFor,
  unknownCalendar,
} from '../../calendar/free-busy.ts'
import type { BusyBlock, MovingEvent, Provider } from '../../provider.ts'
import { ifNotFound } from '../../shared/named-objects.ts'
import type { Session } from '../session.ts'
import { calendarIdOf, calendarPath, eventPath } from './calendar-api.ts'
import { fromTimes, timeText } from './mapping/when.ts'

/** The window and the number of calendars that Google accepts in one request. */
const pieceSeconds = 60 * 86_400
const calendarsAtOnce = 50

const busyBlock = object({ start: instant, end: instant }, {})
const notified = object({}, { busy: list(busyBlock), errors: list(object({}, { reason: text })) })
const answered = object({}, { calendars: record(notified) })
const statusAlone = object({}, { status: text })

const eventTime = object({}, { date: text, dateTime: text, timeZone: text })
const eventAround = object(
  { id: text, start: eventTime, end: eventTime },
  {
    iCalUID: text,
    status: text,
    transparency: text,
    eventType: text,
    attendees: list(object({}, { self: flag, responseStatus: text })),
  },
)
const eventsAround = object({}, { timeZone: text, items: readableItems(eventAround) })
type EventAround = Read<typeof eventAround>
const eventsAtOnce = 2500

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000)

/** Google's answer for each calendar, by its id in lower case. */
async function ask(
  session: Session,
  ids: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<Map<string, { busy: BusyBlock[]; problem: string | undefined }>> {
  const reported = new Map<string, { busy: BusyBlock[]; problem: string | undefined }>()
  for (let start = from; start < to; start += pieceSeconds) {
    for (let first = 0; first < ids.length; first += calendarsAtOnce) {
      const body = {
        timeMin: timeText(start),
        timeMax: timeText(Math.min(to, start + pieceSeconds)),
        items: ids.slice(first, first + calendarsAtOnce).map((id) => ({ id })),
      }
      const answer = await session.call('calendar', 'POST', 'freeBusy', {
        read: answered,
        body,
        query: { fields: 'calendars' },
      })
      for (const [id, { busy = [], errors = [] }] of Object.entries(answer.calendars ?? {})) {
        const key = id.toLowerCase()
        const known = reported.get(key) ?? { busy: [], problem: undefined }
        known.busy.push(...busy.map((block) => ({ start: secondsOf(block.start), end: secondsOf(block.end) })))
        known.problem ??= errors[0] && (errors[0].reason ?? 'unknown')
        reported.set(key, known)
      }
    }
  }
  return reported
}

export async function freeBusy(session: Session, query: FreeBusyQuery): Promise<FreeBusy[]> {
  const { start_time: from, end_time: to, emails } = query
  checkFreeBusyWindow(query)
  const idOf = (email: string): string => calendarIdOf(session, email.trim())
  const reported = await ask(session, [...new Set(emails.map(idOf))], { from, to })
  return emails.map((email): FreeBusy => {
    const known = reported.get(idOf(email).toLowerCase())
    if (!known || known.problem === 'notFound') return noCalendarFor(email)
    if (known.problem) return freeBusyError(email, `Google returned no free/busy for ${email}: ${known.problem}`)
    return freeBusyFrom(email, known.busy, query)
  })
}

export const availability: NonNullable<Provider<Session>['availability']> = {
  async busy(session, { calendarIds, from, to, except }) {
    const ids = [...new Set(calendarIds.map((id) => calendarIdOf(session, id)))]
    const reported = await ask(session, ids, { from, to })
    const found: BusyBlock[] = []
    for (const id of ids) {
      const known = reported.get(id.toLowerCase())
      if (!known || known.problem) throw unknownCalendar(session, id)
      const isMoved = except !== undefined && except.start < to && except.end > from
      found.push(...(isMoved ? await withoutMoving(session, { id, busy: known.busy, except }) : known.busy))
    }
    return found
  },
  lastBooked: (session, at) =>
    lastBooking(at, {
      realId: (id) => calendarIdOf(session, id),
      isActive: ({ calendarId, id }) => isActive(session, calendarId, id),
    }),
}

/**
 * Google's blocks do not say which events they are made of. So the time of the moving event is taken out of them, and
 * the other events during that time are added again.
 */
async function withoutMoving(
  session: Session,
  { id, busy, except }: { id: string; busy: readonly BusyBlock[]; except: MovingEvent },
): Promise<readonly BusyBlock[]> {
  const { start, end } = except
  const query = {
    timeMin: timeText(start),
    timeMax: timeText(Math.max(end, start + 1)),
    singleEvents: true,
    maxResults: eventsAtOnce,
    fields: 'timeZone,items(id,iCalUID,start,end,status,transparency,eventType,attendees(self,responseStatus))',
  }
  const path = `${calendarPath(session, id)}/events`
  const { items = [], timeZone } = await session.call('calendar', 'GET', path, { query, read: eventsAround })
  const isWanted = (event: EventAround): boolean => isMoving({ id: event.id, ical_uid: event.iCalUID }, except)
  const moving = items.find(isWanted)
  if (!moving) return busy
  const blockOf = (event: EventAround): BusyBlock =>
    instantsOf(fromTimes(event.start, event.end), resolveTimeZone(timeZone ?? '') ?? 'UTC')
  const others = items.filter((event) => !isWanted(event) && isTaken(event)).map(blockOf)
  return [...toIntervals(subtractSpans(mergeIntervals(busy), mergeIntervals([blockOf(moving)]))), ...others]
}

/** The events that Google counts as busy. */
const isTaken = ({ status, transparency, eventType, attendees = [] }: EventAround): boolean =>
  status !== 'cancelled' &&
  transparency !== 'transparent' &&
  eventType !== 'workingLocation' &&
  attendees.find(({ self }) => self)?.responseStatus !== 'declined'

async function isActive(session: Session, calendarId: string, id: string): Promise<boolean> {
  const path = eventPath(session, calendarId, id)
  const options = { query: { fields: 'status' }, read: statusAlone }
  const event = await session.call('calendar', 'GET', path, options).catch(ifNotFound(undefined))
  return event !== undefined && event.status !== 'cancelled'
}
