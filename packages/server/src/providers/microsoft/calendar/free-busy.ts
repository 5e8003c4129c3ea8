/** When people are busy: for free/busy answers by Exchange's schedules, for availability by the calendars themselves. */
import type { FreeBusy, FreeBusyQuery } from '@waypost/contract'
import { ApiError, invalidField } from '../../../lib/api-error.ts'
import { flag, list, object, readableItems, text } from '../../../lib/json-reader.ts'
import { clipSpans, mergeIntervals, toIntervals } from '../../../scheduling/intervals.ts'
import { isBusy } from '../../calendar/exchange/event.ts'
import { secondsOf, timeText } from '../../calendar/exchange/when.ts'
import type { BusyBlock, Provider } from '../../provider.ts'
import { isMissing } from '../errors.ts'
import { listAll } from '../graph-pages.ts'
import { mailboxPath, type Session } from '../session.ts'
import { calendarPath, eventPath, isPrimary } from './calendar-api.ts'
import { calendarOf } from './known-calendars.ts'

const day = 86_400
/** Graph answers for this long, and for this many addresses at once. */
const longestWindow = 62 * day
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

/** What Exchange tells of each address, by the address in lower case. */
async function ask(session: Session, addresses: readonly string[], { from, to }: { from: number; to: number }) {
  const told = new Map<
    string,
    { items: { start: number; end: number; status: string }[]; problem: string | undefined }
  >()
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
        status: item.status ?? 'busy',
      }))
      told.set(scheduleId.toLowerCase(), { items, problem: error && (error.message ?? `error ${error.responseCode}`) })
    }
  }
  return told
}

/** A window is at least as long as the shortest piece of a view. */
const shortestWindow = 5 * 60

export async function freeBusy(session: Session, query: FreeBusyQuery): Promise<FreeBusy[]> {
  const { start_time: from, end_time: to, emails, tentative_as_busy: tentative } = query
  if (to <= from) throw invalidField('end_time', 'must be after start_time')
  if (to - from > longestWindow) throw invalidField('end_time', 'must be at most 62 days after start_time at Microsoft')
  const addresses = [...new Set(emails.map((email) => email.trim().toLowerCase()))]
  const told = await ask(session, addresses, { from, to: Math.max(to, from + shortestWindow) })
  return emails.map((email): FreeBusy => {
    const known = told.get(email.trim().toLowerCase())
    if (!known) return { email, object: 'error', error: `no calendar found for ${email}` }
    if (known.problem !== undefined) return { email, object: 'error', error: known.problem }
    const busy = known.items.filter(({ status }) => isBusy(status, tentative ?? true))
    return { email, object: 'free_busy', time_slots: slotsOf(busy, { start: from, end: to }) }
  })
}

const tooMany = (calendarId: string): ApiError =>
  new ApiError('invalid_request', `calendar_ids: ${calendarId} has too many events in this time: ask for a shorter one`)

/** The busy times of one calendar of the account. */
async function busyIn(
  session: Session,
  calendarId: string,
  { from, to, tentativeAsBusy }: { from: number; to: number; tentativeAsBusy: boolean },
): Promise<BusyBlock[]> {
  const blocks: BusyBlock[] = []
  for (let start = from; start < to; start += longestView) {
    const events = await listAll(
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
    for (const event of events) {
      if (event.isCancelled || !isBusy(event.showAs, tentativeAsBusy)) continue
      blocks.push({ start: secondsOf(event.start), end: secondsOf(event.end) })
    }
  }
  return blocks
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
