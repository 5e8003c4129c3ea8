/** Reads the calendars of accounts for availability: when they are busy, and when they were last booked. */
import { ApiError } from '@waypost/platform/api-error'
import { concurrentMap } from '@waypost/platform/concurrent-map'
import type { CallCount } from '@waypost/providers/call-count'
import type { BusyBlock, MovingEvent } from '@waypost/providers/provider'
import type { Interval } from '@waypost/scheduling/intervals'
import type { Database } from '@waypost/store/engine/database'
import { findBookedEvents } from '@waypost/store/tables/calendars-contacts/object-metadata'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import type { Sessions } from '../grants/sessions.ts'

export interface CalendarReading {
  database: Database
  sessions: Sessions
}

export interface TimesQuestion {
  /** The events that overlap it count. */
  window: Interval
  tentativeAsBusy: boolean
  /** The round-robin group, if the order of bookings matters. */
  group: string | undefined
  /** An event that is about to move, and so blocks nothing. */
  except?: MovingEvent | undefined
  signal(): AbortSignal
  /** Counts the provider calls of the request. */
  calls?: CallCount | undefined
}

/** Some calendars of one account. Without any, the primary calendar counts. */
export interface CalendarQuery {
  record: GrantRecord
  calendarIds: readonly string[]
}

export interface CalendarTimes {
  busy: readonly BusyBlock[]
  /** Unix seconds. */
  lastBooked: number | undefined
}

/** Accounts that are read at the same time for one request. */
const accountsAtOnce = 10
/** The newest bookings of a group that are checked; earlier ones were canceled. */
const checkedBookings = 20

/** The times of each account, in the order of the question. If one cannot be read, all fail. */
export async function readCalendarTimes(
  reading: CalendarReading,
  question: TimesQuestion,
  requested: readonly CalendarQuery[],
): Promise<CalendarTimes[]> {
  const readings = await readEachAccount(reading, question, requested)
  return readings.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

/** The same for callers who can do without some of the accounts. */
export async function readEachAccount(
  reading: CalendarReading,
  question: TimesQuestion,
  requested: readonly CalendarQuery[],
): Promise<PromiseSettledResult<CalendarTimes>[]> {
  return concurrentMap(requested, accountsAtOnce, async (calendars) => {
    const [outcome] = await Promise.allSettled([readAccount(reading, question, calendars)])
    return outcome
  })
}

async function readAccount(
  { database, sessions }: CalendarReading,
  { window, tentativeAsBusy, group, except, signal, calls }: TimesQuestion,
  { record, calendarIds: named }: CalendarQuery,
): Promise<CalendarTimes> {
  const { kind, availability: account } = sessions.providerOf(record, 'availability.find')
  if (!account) {
    throw new ApiError('not_supported_by_provider', `${kind} does not support availability`, {
      fields: { provider: kind, capability: 'availability.find' },
    })
  }
  const use = { queries: database, signal, responseHeaders: {}, calls }
  const session = sessions.open(record, 'availability.find', use)
  const calendarIds = named.length > 0 ? named : ['primary']
  const { start: from, end: to } = window
  const holder = { applicationId: record.applicationId, grantId: record.grant.id }
  try {
    const busy = await account.busy(session, { calendarIds, from, to, tentativeAsBusy, except })
    if (group === undefined) return { busy, lastBooked: undefined }
    const tagged = await findBookedEvents(database, holder, group, checkedBookings)
    return { busy, lastBooked: await account.lastBooked(session, { calendarIds, group, tagged }) }
  } catch (error) {
    throw await sessions.judge(record, error)
  }
}
