/**
 * Finds the objects of a calendar that may overlap a time range. The server searches by time-range (RFC 4791 §9.9),
 * and our own expansion checks the results. Some servers check only the first occurrence of a series, some skip
 * all-day series. So all series of the calendar are requested in addition until the server has found series by later
 * occurrences, and always if it has missed one.
 */

import { type ExpandOptions, occurrencesBetween } from '@waypost/formats/recurrence/recurrence'
import { LAST_INSTANT, type Series, startKey } from '@waypost/formats/recurrence/series'
import { Steps } from '@waypost/formats/recurrence/steps'
import { SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { ApiError } from '@waypost/platform/api-error'
import type { EventWindow } from '../../calendar/event-queries.ts'
import { isTooLarge } from '../../shared/exchange.ts'
import { calendarQueryBody } from '../bodies.ts'
import type { DavObject } from '../client.ts'
import type { DavSession } from '../session.ts'
import { knownOf, type SeriesSearch, serviceOf } from './known-calendars.ts'
import type { CalendarPlace } from './mapping/calendar.ts'
import type { ReadGroup } from './mapping/event.ts'
import type { GroupReader } from './object-reading.ts'

const trustMs = 15 * 60_000
/** This many series are enough to judge the server. */
const maxJudged = 500

/** Whether all series must be requested in addition. */
export function needsAllSeries({ timed, allDay, triedAt }: SeriesSearch, now: number): boolean {
  if (timed === false || allDay === false) return true
  if (timed && allDay) return false
  return !(timed || allDay) || now - triedAt > trustMs
}

/** The verdict about the server's time-range search, given all series of the calendar. */
export function judgeSearch(
  found: ReadonlySet<string>,
  series: readonly ReadGroup[],
  { range, zone }: { range: EventWindow; zone: string },
): Pick<SeriesSearch, 'timed' | 'allDay'> {
  const seen: { timed?: boolean; allDay?: boolean } = {}
  const steps = new Steps()
  for (const { href, read } of series.slice(0, maxJudged)) {
    if (!read.series || !tells(read.series, range, { allDayZone: zone, steps })) continue
    const kind = read.series.start.kind === 'timed' ? 'timed' : 'allDay'
    seen[kind] = found.has(href) && seen[kind] !== false
  }
  return seen
}

/** Whether a series certainly occurs in a range but does not begin in it. Without steps, nothing is certain. */
function tells(series: Series, { from, to }: EventWindow, options: ExpandOptions): boolean {
  const { start } = series
  const first = start.kind === 'timed' ? startKey(start) : startKey(start) * SECONDS_PER_DAY
  const length = start.kind === 'timed' ? start.seconds : start.days * SECONDS_PER_DAY
  if (first + length + 2 * SECONDS_PER_DAY > from) return false
  const inner = { from: from + SECONDS_PER_DAY, to: to - SECONDS_PER_DAY }
  try {
    return occurrencesBetween(series, inner, { ...options, limit: 1 }).length > 0
  } catch {
    return false
  }
}

/** All series of a calendar; undefined if the server cannot search for them. */
async function allSeries(session: DavSession, url: string): Promise<DavObject[] | undefined> {
  try {
    const { client } = serviceOf(session)
    const { responses } = await client.report(url, calendarQueryBody({ has: 'RRULE' }), { retries: false })
    return responses.flatMap(({ href, props }) => {
      const data = props.data('C:calendar-data')
      const etag = props.text('D:getetag')
      return data?.trim() ? [{ href, data, ...(etag ? { etag } : {}) }] : []
    })
  } catch (error) {
    if (isTooLarge(error)) return undefined
    if (error instanceof ApiError && (error.code === 'provider_refused' || error.code === 'provider_unavailable')) {
      return undefined
    }
    throw error
  }
}

export interface Searched {
  session: DavSession
  /** The key of the search: two searches with the same name have the same result. */
  name: string
  place: Promise<CalendarPlace>
  url: string
  read: GroupReader
}

/**
 * The objects that may overlap a range. It is extended by a day on both sides, because days and floating times may
 * begin at another time on the server.
 */
export async function groupsIn({ session, place, url, read }: Searched, range: EventWindow): Promise<ReadGroup[]> {
  const known = knownOf(session)
  const now = session.io.clock.now()
  const to = Math.max(range.to, range.from) + SECONDS_PER_DAY
  const wide = { from: range.from - SECONDS_PER_DAY, to: Math.min(to, LAST_INSTANT) }
  const asksAll = needsAllSeries(known.search, now)
  const [found, series] = await Promise.all([
    serviceOf(session).client.query(url, { range: wide }),
    asksAll ? allSeries(session, url) : [],
  ])
  const calendar = await place
  const groups = await read(found, calendar)
  if (!asksAll) return groups
  if (series === undefined) {
    // The server cannot list series, so only its time-range search is left.
    known.search = { timed: true, allDay: true, triedAt: now }
    return groups
  }
  const names = new Set(found.map(({ href }) => href))
  const others = await read(
    series.filter(({ href }) => !names.has(href)),
    calendar,
  )
  const all = [...groups, ...others]
  known.search = { ...known.search, ...judgeSearch(names, all, { range: wide, zone: calendar.zone }), triedAt: now }
  return all
}
