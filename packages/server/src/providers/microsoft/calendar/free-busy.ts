/** When people are busy: for free/busy answers by Exchange's schedules, for availability by the calendars themselves. */
import type { FreeBusy, FreeBusyQuery } from '@waypost/contract'
import { ApiError, invalidField } from '../../../lib/api-error.ts'
import { flag, list, object, type Read, readableItems, text } from '../../../lib/json/reader.ts'
import { clipSpans, mergeIntervals, toIntervals } from '../../../scheduling/intervals.ts'
import { isBusy } from '../../calendar/exchange/event.ts'
import { secondsOf, timeText } from '../../calendar/exchange/when.ts'
import type { BusyBlock, Provider } from '../../provider.ts'
import { providerStatus } from '../../shared/refusal.ts'
import { isMissing } from '../errors.ts'
import { listAll } from '../graph-pages.ts'
import { mailboxPath, type Session } from '../session.ts'
import { calendarPath, eventPath, isPrimary } from './calendar-api.ts'
import { calendarOf } from './known-calendars.ts'

const day = 86_400
/** Graph answers for less than 62 days, and for this many addresses at once. */
const longestWindow = 60 * day
const addressesAtOnce = 20
/** So long is asked of a calendar at once; Exchange shows no more than five years. */
const longestView = 365 * day
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
const viewed = object({ start: time, end: time }, { showAs: text, isCancelled: flag })

const slotsOf = (busy: readonly BusyBlock[], window: { start: number; end: number }) =>
  toIntervals(clipSpans(mergeIntervals(busy), window)).map(({ start, end }) => ({
    start_time: start,
    end_time: end,
    status: 'busy' as const,
    object: 'time_slot' as const,
  }))

interface Told {
  items: { start: number; end: number; status: string }[]
  problem: string | undefined
}

interface Window {
  from: number
  to: number
}

/** The schedules of the addresses in one window, by the address in lower case. */
async function ask(session: Session, addresses: readonly string[], { from, to }: Window): Promise<Map<string, Told>> {
  const told = new Map<string, Told>()
  for (let first = 0; first < addresses.length; first += addressesAtOnce) {
    const body = {
      schedules: addresses.slice(first, first + addressesAtOnce),
      startTime: { dateTime: timeText(from).replace('Z', ''), timeZone: 'UTC' },
      endTime: { dateTime: timeText(to).replace('Z', ''), timeZone: 'UTC' },
      // Of the view that it cuts the window into nothing is read: the fewest pieces are the cheapest.
      availabilityViewInterval: Math.max(5, Math.min(1440, Math.floor((to - from) / 60))),
    }
    const answer = await session.call('POST', mailboxPath(session, 'calendar/getSchedule'), { body, read: schedules })
    for (const { scheduleId = '', scheduleItems = [], error } of answer.value) {
      const items = scheduleItems.map((item) => ({
        start: secondsOf(item.start),
        end: secondsOf(item.end),
        // Some answers write it with a capital.
        status: (item.status ?? 'busy').replace(/^[A-Z]/, (letter) => letter.toLowerCase()),
      }))
      told.set(scheduleId.toLowerCase(), { items, problem: error && (error.message ?? `error ${error.responseCode}`) })
    }
  }
  return told
}

/** The schedules in a window of any length, requested piece by piece. An address that fails in one piece fails as a whole. */
async function askInPieces(
  session: Session,
  addresses: readonly string[],
  { from, to }: Window,
): Promise<Map<string, Told>> {
  const whole = new Map<string, Told>()
  for (let start = from; start < to; start += longestWindow) {
    const end = Math.min(to, start + longestWindow)
    const told = await ask(session, addresses, { from: start, to: Math.max(end, start + shortestWindow) })
    for (const [address, { items, problem }] of told) {
      const before = whole.get(address)
      whole.set(address, { items: [...(before?.items ?? []), ...items], problem: before?.problem ?? problem })
    }
  }
  return whole
}

/** A window is at least as long as the shortest piece of a view. */
const shortestWindow = 5 * 60
const mostPieces = 13

/** Statuses with which Graph refuses what it does not have for personal accounts. */
const unsupported = new Set([403, 404, 405, 501])

/** What the account's own calendar tells: personal accounts have no schedules (https://learn.microsoft.com/graph/api/calendar-getschedule). */
async function ownTold(session: Session, addresses: readonly string[], window: Window): Promise<Map<string, Told>> {
  const own = session.grant.email.trim().toLowerCase()
  if (!addresses.includes(own)) return new Map()
  const items = await eventsIn(session, 'primary', window)
  const told = items.map(({ start, end, showAs, isCancelled }) => ({
    start: secondsOf(start),
    end: secondsOf(end),
    status: isCancelled ? 'free' : (showAs ?? 'busy'),
  }))
  return new Map([[own, { items: told, problem: undefined }]])
}

const othersUntold = 'personal accounts have no free/busy of others: Microsoft shows them only their own calendar'

export async function freeBusy(session: Session, query: FreeBusyQuery): Promise<FreeBusy[]> {
  const { start_time: from, end_time: to, emails, tentative_as_busy: tentative } = query
  if (to <= from) throw invalidField('end_time', 'must be after start_time')
  if (to - from > longestWindow * mostPieces) {
    throw invalidField(
      'end_time',
      `must be at most ${(longestWindow / day) * mostPieces} days after start_time at Microsoft`,
    )
  }
  const addresses = [...new Set(emails.map((email) => email.trim().toLowerCase()))]
  let unknown = (email: string): string => `no calendar found for ${email}`
  const told = await askInPieces(session, addresses, { from, to }).catch((error: unknown) => {
    if (!unsupported.has(providerStatus(error) ?? 0)) throw error
    unknown = () => othersUntold
    return ownTold(session, addresses, { from, to })
  })
  return emails.map((email): FreeBusy => {
    const known = told.get(email.trim().toLowerCase())
    if (!known) return { email, object: 'error', error: unknown(email) }
    if (known.problem !== undefined) return { email, object: 'error', error: known.problem }
    const busy = known.items.filter(({ status }) => isBusy(status, tentative ?? true))
    return { email, object: 'free_busy', time_slots: slotsOf(busy, { start: from, end: to }) }
  })
}

const tooMany = (calendarId: string): ApiError =>
  new ApiError('invalid_request', `calendar_ids: ${calendarId} has too many events in this time: ask for a shorter one`)

/** The events of one calendar of the account in a window. */
async function eventsIn(session: Session, calendarId: string, { from, to }: Window): Promise<Read<typeof viewed>[]> {
  const events: Read<typeof viewed>[] = []
  for (let start = from; start < to; start += longestView) {
    const found = await listAll(
      session,
      {
        path: `${calendarPath(session, calendarId)}/calendarView`,
        query: {
          startDateTime: timeText(start),
          endDateTime: timeText(Math.min(to, start + longestView)),
          $select: 'start,end,showAs,isCancelled',
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
  { tentativeAsBusy, ...window }: Window & { tentativeAsBusy: boolean },
): Promise<BusyBlock[]> {
  return (await eventsIn(session, calendarId, window))
    .filter(({ showAs, isCancelled }) => !isCancelled && isBusy(showAs, tentativeAsBusy))
    .map(({ start, end }) => ({ start: secondsOf(start), end: secondsOf(end) }))
}

/** What availability asks. */
export const availability: NonNullable<Provider<Session>['availability']> = {
  async busy(session, { calendarIds, ...window }) {
    const blocks: BusyBlock[] = []
    for (const id of new Set(calendarIds)) {
      try {
        blocks.push(...(await busyIn(session, id, window)))
      } catch (error) {
        if (!isMissing(error)) throw error
        throw new ApiError('invalid_request', `calendar_ids: ${session.grant.email} has no calendar ${id}`)
      }
    }
    return blocks
  },
  /** The newest booking that still stands. */
  async lastBooked(session, { calendarIds, tagged }) {
    const wanted = new Set(await Promise.all(calendarIds.map((id) => realId(session, id))))
    for (const { calendarId, id, madeAt } of tagged) {
      if (wanted.has(await realId(session, calendarId)) && (await stands(session, id))) return madeAt
    }
    return undefined
  },
}

/** The id that a calendar has, where one goes by a word; one that does not exist is no calendar of any event. */
async function realId(session: Session, id: string): Promise<string> {
  if (!isPrimary(session, id)) return id
  return (await calendarOf(session, id)).id
}

async function stands(session: Session, id: string): Promise<boolean> {
  try {
    const options = { query: { $select: 'isCancelled' }, read: object({}, { isCancelled: flag }) }
    const event = await session.call('GET', eventPath(session, undefined, id), options)
    return event.isCancelled !== true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
