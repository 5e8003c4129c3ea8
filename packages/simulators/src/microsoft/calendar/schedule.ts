// `getSchedule`: free/busy times of people and rooms. https://learn.microsoft.com/graph/api/calendar-getschedule

import { mergedView } from '../../shared/calendar/busy.ts'
import type { EventTime } from '../../shared/calendar/event-time.ts'
import { viewOf } from '../../shared/calendar/series.ts'
import { windowsName, type Zone } from '../../shared/calendar/zones.ts'
import type { JsonObject } from '../../shared/http.ts'
import { GraphError } from '../errors.ts'
import { formatEventTime, parseEventTime } from './event-time.ts'
import { type CalendarState, defaultCalendar, type EventItem, type Mailbox, mailboxOf } from './state.ts'

const maxSchedules = 20
const maxDays = 62
const maxEntries = 1000
const MINUTE = 60_000
const DAY = 1440 * MINUTE
/** The digit of a status in the merged view; the largest one wins. */
const view: Readonly<Record<EventItem['showAs'], number>> = {
  free: 0,
  workingElsewhere: 0,
  unknown: 0,
  tentative: 1,
  busy: 2,
  oof: 3,
}

export interface ScheduleRequest {
  readonly schedules: readonly string[]
  readonly start: EventTime
  readonly end: EventTime
  readonly interval: number
}

/** Parses the parameters; their names may begin with a capital. */
export function parseScheduleRequest(body: JsonObject): ScheduleRequest {
  const given = new Map(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]))
  const schedules = given.get('schedules')
  if (!Array.isArray(schedules) || schedules.length === 0 || schedules.some((one) => typeof one !== 'string')) {
    throw new GraphError(400, 'ErrorInvalidParameter', "The value of parameter 'Schedules' is invalid.")
  }
  if (schedules.length > maxSchedules) {
    const message = `The maximum number of mailboxes in a request is ${maxSchedules}.`
    throw new GraphError(400, 'ErrorTooManySchedules', message)
  }
  const start = parseEventTime(given.get('starttime'))
  const end = parseEventTime(given.get('endtime'))
  checkWindow(start.ms, end.ms)
  const interval = given.get('availabilityviewinterval') ?? 30
  checkInterval(interval, end.ms - start.ms)
  return { schedules, start, end, interval }
}

function checkWindow(start: number, end: number): void {
  if (end <= start) {
    const message = 'The time duration specified for FreeBusyViewOptions.TimeWindow is invalid.'
    throw new GraphError(400, 'ErrorInvalidTimeInterval', message)
  }
  // The period must be less than 62 days.
  const days = Math.floor((end - start) / DAY)
  if (days < maxDays) return
  throw new GraphError(
    400,
    'ErrorTimeIntervalTooBig',
    `The requested time duration specified for FreeBusyViewOptions.TimeWindow is too long. The allowed limit = ${maxDays} days; the actual limit = ${days} days.`,
  )
}

function checkInterval(interval: unknown, window: number): asserts interval is number {
  const isNumber = typeof interval === 'number' && Number.isInteger(interval)
  if (isNumber && interval >= 5 && interval <= 1440 && interval * MINUTE <= window) return
  throw new GraphError(
    400,
    'ErrorInvalidMergedFreeBusyInterval',
    'The specified merged free/busy interval is not valid. Specify an interval that is less than the free/busy time window and between 5 and 1440 minutes.',
  )
}

interface ScheduleCall {
  readonly request: ScheduleRequest
  readonly zone: Zone
  /** The caller's organization; only its own schedules are returned. */
  readonly domain: string
}

export function scheduleOf(
  state: CalendarState,
  scheduleId: string,
  { request, zone, domain }: ScheduleCall,
): JsonObject {
  const mailbox = mailboxOf(state, scheduleId)
  if (mailbox?.owner.tenant.domain !== domain) {
    const message = `Unable to resolve e-mail address ${scheduleId} to an Active Directory object.`
    return failed(scheduleId, message, '5009')
  }
  const range = { from: request.start.ms, to: request.end.ms }
  const items = viewOf(defaultCalendar(mailbox), range)
  if (items.length > maxEntries) {
    const message = `The result set contains too many calendar entries. The allowed size is ${maxEntries}; the actual size is ${items.length}.`
    return failed(scheduleId, message, '5006')
  }
  return {
    scheduleId,
    availabilityView: mergedView(items, range, { interval: request.interval * MINUTE, digits: view }),
    scheduleItems: items.map((item) => itemJson(item, zone)),
    workingHours: workingHours(mailbox),
  }
}

function failed(scheduleId: string, message: string, responseCode: string): JsonObject {
  return { scheduleId, availabilityView: '', scheduleItems: [], error: { message, responseCode } }
}

function itemJson(item: EventItem, zone: Zone): JsonObject {
  const isPrivate = item.sensitivity === 'private' || item.sensitivity === 'personal'
  const [location] = item.locations
  return {
    isPrivate,
    status: item.showAs,
    ...(!isPrivate && { subject: item.subject, location: String(location?.displayName ?? '') }),
    isMeeting: item.attendees.length > 0,
    isRecurring: item.masterKey !== undefined,
    isException: item.kind === 'exception',
    isReminderSet: item.isReminderOn,
    start: formatEventTime(item.start.ms, zone),
    end: formatEventTime(item.end.ms, zone),
  }
}

export function workingHours({ owner }: Mailbox): JsonObject {
  return {
    daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    startTime: '08:00:00.0000000',
    endTime: '17:00:00.0000000',
    timeZone: { name: windowsName(owner.timezone) },
  }
}
