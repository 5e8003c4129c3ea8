/** When people are busy: Exchange's schedules for free/busy, the calendars themselves for availability. */

import type { FreeBusy, FreeBusyQuery } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { flag, list, object, type Read, readableItems, text } from '@waypost/platform/json/reader'
import { isBusy } from '../../calendar/exchange/event.ts'
import { isPrimary } from '../../calendar/exchange/event-model.ts'
import { secondsOf, timeText } from '../../calendar/exchange/when.ts'
import {
  checkFreeBusyWindow,
  eachCalendar,
  freeBusyError,
  freeBusyFrom,
  isMoving,
  lastBooking,
} from '../../calendar/free-busy.ts'
import type { BusyBlock, MovingEvent, Provider } from '../../provider.ts'
import { providerStatus } from '../../shared/refusal.ts'
import { isMissing } from '../errors.ts'
import { listAll } from '../graph-pages.ts'
import { mailboxPath, type Session } from '../session.ts'
import { calendarPath, eventPath } from './calendar-api.ts'
import { calendarOf } from './known-calendars.ts'

const day = 86_400
/** Graph accepts windows of less than 62 days, and this many addresses per request. */
const maxPieceDays = 60
const pieceSeconds = maxPieceDays * day
const maxPieces = 13
const addressesAtOnce = 20
/** The window of one calendar view; Exchange returns at most five years. */
const viewSeconds = 365 * day
const pageSize = 500

const time = object({ dateTime: text }, { timeZone: text })
const scheduleItem = object({ start: time, end: time }, { status: text })
const schedule = object(
  {},
  {
    scheduleId: text,
    scheduleItems: list(scheduleItem),
    error: object({}, { message: text, responseCode: text }),
  },
)
const schedules = object({ value: readableItems(schedule) }, {})
const viewed = object({ start: time, end: time }, { id: text, iCalUId: text, showAs: text, isCancelled: flag })

interface ScheduleAnswer {
  items: { start: number; end: number; status: string }[]
  problem: string | undefined
}

interface Window {
  from: number
  to: number
}

/** The schedules of the addresses in one window, by the address in lower case. */
async function ask(
  session: Session,
  addresses: readonly string[],
  { from, to }: Window,
): Promise<Map<string, ScheduleAnswer>> {
  const reported = new Map<string, ScheduleAnswer>()
  for (let first = 0; first < addresses.length; first += addressesAtOnce) {
    const body = {
      schedules: addresses.slice(first, first + addressesAtOnce),
      startTime: { dateTime: timeText(from).replace('Z', ''), timeZone: 'UTC' },
      endTime: { dateTime: timeText(to).replace('Z', ''), timeZone: 'UTC' },
      // The view of the window is not used, so the interval is the longest one.
      availabilityViewInterval: Math.max(5, Math.min(1440, Math.floor((to - from) / 60))),
    }
    const answer = await session.call('POST', mailboxPath(session, 'calendar/getSchedule'), { body, read: schedules })
    for (const { scheduleId = '', scheduleItems = [], error } of answer.value) {
      const items = scheduleItems.map((item) => ({
        start: secondsOf(item.start),
        end: secondsOf(item.end),
        // Some answers capitalize it.
        status: (item.status ?? 'busy').replace(/^[A-Z]/, (letter) => letter.toLowerCase()),
      }))
      reported.set(scheduleId.toLowerCase(), {
        items,
        problem: error && (error.message ?? `error ${error.responseCode}`),
      })
    }
  }
  return reported
}

/** The schedules in a window of any length, requested piece by piece. An address that fails in one piece fails as a whole. */
async function askInPieces(
  session: Session,
  addresses: readonly string[],
  { from, to }: Window,
): Promise<Map<string, ScheduleAnswer>> {
  const whole = new Map<string, ScheduleAnswer>()
  for (let start = from; start < to; start += pieceSeconds) {
    const end = Math.min(to, start + pieceSeconds)
    const reported = await ask(session, addresses, { from: start, to: Math.max(end, start + minWindow) })
    for (const [address, { items, problem }] of reported) {
      const before = whole.get(address)
      whole.set(address, { items: [...(before?.items ?? []), ...items], problem: before?.problem ?? problem })
    }
  }
  return whole
}

/** A window is at least as long as the shortest interval of a view. */
const minWindow = 5 * 60

/** Statuses for requests that Graph does not support for personal accounts. */
const unsupported = new Set([403, 404, 405, 501])

/**
 * The busy times of the account's own calendar: personal accounts have no schedules
 * (https://learn.microsoft.com/graph/api/calendar-getschedule).
 */
async function ownReported(
  session: Session,
  addresses: readonly string[],
  window: Window,
): Promise<Map<string, ScheduleAnswer>> {
  const own = session.grant.email.trim().toLowerCase()
  if (!addresses.includes(own)) return new Map()
  const items = await eventsIn(session, 'primary', window)
  const reported = items.map(({ start, end, showAs, isCancelled }) => ({
    start: secondsOf(start),
    end: secondsOf(end),
    status: isCancelled ? 'free' : (showAs ?? 'busy'),
  }))
  return new Map([[own, { items: reported, problem: undefined }]])
}

const othersUnreported = 'personal accounts have no free/busy of others: Microsoft shows them only their own calendar'

export async function freeBusy(session: Session, query: FreeBusyQuery): Promise<FreeBusy[]> {
  const { start_time: from, end_time: to, emails, tentative_as_busy: tentative } = query
  checkFreeBusyWindow(query, maxPieceDays * maxPieces)
  const addresses = [...new Set(emails.map((email) => email.trim().toLowerCase()))]
  let unknown = (email: string): string => `no calendar found for ${email}`
  const reported = await askInPieces(session, addresses, { from, to }).catch((error: unknown) => {
    if (!unsupported.has(providerStatus(error) ?? 0)) throw error
    unknown = () => othersUnreported
    return ownReported(session, addresses, { from, to })
  })
  return emails.map((email): FreeBusy => {
    const known = reported.get(email.trim().toLowerCase())
    if (!known) return freeBusyError(email, unknown(email))
    if (known.problem !== undefined) return freeBusyError(email, known.problem)
    const busy = known.items.filter(({ status }) => isBusy(status, tentative ?? true))
    return freeBusyFrom(email, busy, query)
  })
}

const tooMany = (calendarId: string): ApiError =>
  new ApiError('invalid_request', `calendar_ids: ${calendarId} has too many events in this time: ask for a shorter one`)

/** The events of one calendar of the account in a window. */
async function eventsIn(session: Session, calendarId: string, { from, to }: Window): Promise<Read<typeof viewed>[]> {
  const events: Read<typeof viewed>[] = []
  for (let start = from; start < to; start += viewSeconds) {
    const found = await listAll(
      session,
      {
        path: `${calendarPath(session, calendarId)}/calendarView`,
        query: {
          startDateTime: timeText(start),
          endDateTime: timeText(Math.min(to, start + viewSeconds)),
          $select: 'id,iCalUId,start,end,showAs,isCancelled',
          $top: pageSize,
        },
        read: viewed,
      },
      { refusal: tooMany(calendarId) },
    )
    events.push(...found)
  }
  return events
}

/** The busy times of one calendar of the account. */
async function busyIn(
  session: Session,
  calendarId: string,
  { tentativeAsBusy, except, ...window }: Window & { tentativeAsBusy: boolean; except?: MovingEvent | undefined },
): Promise<BusyBlock[]> {
  return (await eventsIn(session, calendarId, window))
    .filter(({ showAs, isCancelled }) => !isCancelled && isBusy(showAs, tentativeAsBusy))
    .filter(({ id = '', iCalUId }) => !isMoving({ id, ical_uid: iCalUId }, except))
    .map(({ start, end }) => ({ start: secondsOf(start), end: secondsOf(end) }))
}

export const availability: NonNullable<Provider<Session>['availability']> = {
  async busy(session, { calendarIds, ...window }) {
    const read = (id: string): Promise<BusyBlock[]> => busyIn(session, id, window)
    return (await eachCalendar(session, calendarIds, { read, isMissing })).flat()
  },
  lastBooked: (session, at) =>
    lastBooking(at, { realId: (id) => realId(session, id), isActive: ({ id }) => isActive(session, id) }),
}

/** An id that does not exist matches no event, so it is returned unchecked. */
async function realId(session: Session, id: string): Promise<string> {
  if (!isPrimary(session, id)) return id
  return (await calendarOf(session, id)).id
}

async function isActive(session: Session, id: string): Promise<boolean> {
  try {
    const options = { query: { $select: 'isCancelled' }, read: object({}, { isCancelled: flag }) }
    const event = await session.call('GET', eventPath(session, undefined, id), options)
    return event.isCancelled !== true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
