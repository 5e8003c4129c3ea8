/**
 * The slots of a configuration: read from the calendars of its hosts as they are now, and from the claims of bookings
 * that are under way. Availability and every booking use the same functions, so that only an offered slot can be booked.
 */
import type { BookableSlots } from '@waypost/contract'
import { SECONDS_PER_DAY } from '@waypost/formats/timezones/dates'
import { instantsOf } from '@waypost/formats/timezones/when'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { type Clock, seconds } from '@waypost/platform/clock'
import { emailKey } from '@waypost/platform/email-key'
import type { Log } from '@waypost/platform/log'
import type { MovingEvent } from '@waypost/providers/provider'
import { maxWindowDays } from '@waypost/scheduling/availability-question'
import { type FetchedHost, findBookableSlots } from '@waypost/scheduling/configurations/bookable-slots'
import { type Host, planSlots, type SlotPlan } from '@waypost/scheduling/configurations/slot-plan'
import type { Interval } from '@waypost/scheduling/intervals'
import type { Database } from '@waypost/store/engine/database'
import type { GrantRecord, Locator } from '@waypost/store/tables/grants/grants'
import { findClaims, findRecentBookings } from '@waypost/store/tables/scheduling/booking-hosts'
import type { Sessions } from '../grants/sessions.ts'
import { readEachAccount } from './calendar-times.ts'
import type { ConfigurationRecord } from './configurations.ts'

export interface SlotServices {
  database: Database
  sessions: Sessions
  clock: Clock
  log: Log
}

/** The part of a configuration's record that decides about slots. */
type SlotOwner = Pick<ConfigurationRecord, 'applicationId' | 'configuration'>

/** A booking that is being made or moved: neither its event nor its claims block time. */
export interface ExceptBooking {
  id: string
  hostGrantId: string
  calendarId: string
  eventId: string | null
}

export interface SlotQuestion {
  record: SlotOwner
  /** Unix seconds. Slots that start in the window are returned, also those that end after it. */
  startTime: number
  endTime: number
  exceptBooking?: ExceptBooking | undefined
  /**
   * For a booking: with `max-fairness`, every host counts. Who is next in turn may have changed since the guest saw the
   * times, and a time that is free must not be refused for that.
   */
  isForBooking?: boolean
  signal(): AbortSignal
}

/** The slots that guests can book now. A window without any is no error. */
export async function findSlots(services: SlotServices, question: SlotQuestion): Promise<BookableSlots> {
  const { record, startTime, endTime, exceptBooking } = question
  const now = seconds(services.clock.now())
  const window = { start: startTime, end: endTime }
  const plan = planSlots(record.configuration, { now, window, isForEverybody: question.isForBooking })
  if (!plan || plan.hosts.length === 0) return { time_slots: [] }
  needShortWindow(plan.starts)
  const fetched = await fetchHosts(services, question, { plan, except: await findMoving(services, question) })
  // A booking without an event is being made: its host has no precedence yet.
  const own = exceptBooking?.eventId ? exceptBooking.hostGrantId : undefined
  const first = fetched.find(({ grantId }) => grantId === own)
  return findBookableSlots(plan, withoutUnnamed(fetched), first?.host.email)
}

/** Bounds the work of a request: only the part of the window counts that can be booked at all. */
export function needShortWindow({ start, end }: Interval): void {
  if (end - start <= maxWindowDays * SECONDS_PER_DAY) return
  throw invalidField('end_time', `must be at most ${maxWindowDays} days after start_time`)
}

export interface ChosenSlot extends Omit<SlotQuestion, 'startTime' | 'endTime' | 'isForBooking'> {
  /** Unix seconds. */
  start: number
  end: number
  /** Addresses of hosts who must be free; with round robin the host. Empty: whoever the slot offers. */
  emails: readonly string[]
}

/** Whether this slot can be booked now, with these hosts. */
export async function isSlotFree(services: SlotServices, chosen: ChosenSlot): Promise<boolean> {
  const { start, end, emails, ...question } = chosen
  const at = { startTime: start, endTime: start + 1, isForBooking: true }
  const { time_slots: slots, order } = await findSlots(services, { ...question, ...at })
  const slot = slots.find(({ start_time, end_time }) => start_time === start && end_time === end)
  if (!slot) return false
  // Everyone takes part if there is no order. Addresses without calendars are only invited.
  if (order === undefined) return true
  const offered = new Set(slot.emails.map(emailKey))
  return emails.every((email) => offered.has(emailKey(email)))
}

/** Everyone must be free if somebody is unnamed, so it makes no difference whose time it is that is not free. */
function withoutUnnamed(fetched: readonly Fetched[]): readonly Fetched[] {
  const [first, ...others] = fetched.filter(({ host }) => !host.isUnnamed)
  const unnamed = fetched.filter(({ host }) => host.isUnnamed)
  return first ? [{ ...first, busy: [...first.busy, ...unnamed.flatMap(({ busy }) => busy)] }, ...others] : []
}

/** An account of the application; undefined if it cannot be used now. */
async function findAccount(
  { sessions }: SlotServices,
  { record }: SlotQuestion,
  locator: Locator,
): Promise<GrantRecord | undefined> {
  try {
    return await sessions.find(record.applicationId, locator)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** The event of a booking as its calendar has it now; undefined if it is gone. */
async function findMoving(services: SlotServices, question: SlotQuestion): Promise<MovingEvent | undefined> {
  const { eventId = null, hostGrantId = '', calendarId = '' } = question.exceptBooking ?? {}
  const account = eventId === null ? undefined : await findAccount(services, question, { by: 'id', value: hostGrantId })
  if (!account || eventId === null) return undefined
  const use = { queries: services.database, signal: question.signal, responseHeaders: {} }
  const read = services.sessions.operation(account, { resource: 'events', operation: 'get' }, use)
  try {
    const event = await read({ event_id: eventId, calendar_id: calendarId })
    return { id: event.id, icalUid: event.ical_uid, ...instantsOf(event.when, 'UTC') }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw unreadable(account.grant.email, error)
  }
}

interface Fetched extends FetchedHost {
  grantId: string
}

/**
 * The busy times of the hosts. With `collective` everyone must be free, so it fails if one account cannot be read.
 * Otherwise such a host is not offered, and it fails only if nobody can be read.
 */
async function fetchHosts(
  services: SlotServices,
  question: SlotQuestion,
  { plan, except }: { plan: SlotPlan; except: MovingEvent | undefined },
): Promise<Fetched[]> {
  const { events, tentativeAsBusy, group } = plan
  const accounts = await Promise.all(plan.hosts.map((host) => findAccount(services, question, locatorOf(host))))
  const requested = plan.hosts.flatMap((host, index) => {
    const account = accounts[index]
    return account ? [{ host, record: account, calendarIds: host.calendarIds }] : []
  })
  const times = { window: events, tentativeAsBusy, group, except, signal: question.signal }
  const [readings, claims, turns] = await Promise.all([
    readEachAccount(services, times, requested),
    Promise.all(requested.map(({ record }) => claimsOf(services, question, { record, window: events }))),
    Promise.all(requested.map(({ record }) => (group === undefined ? noTurn : recentTurn(services, question, record)))),
  ])
  const fetched = requested.flatMap(({ host, record }, index): Fetched[] => {
    const reading = readings[index]
    if (reading.status === 'fulfilled') {
      const { busy } = reading.value
      const { here, lately } = turns[index]
      const lastBooked = latest(reading.value.lastBooked, here)
      return [{ host, grantId: record.grant.id, busy: [...busy, ...claims[index]], lastBooked, lately }]
    }
    // Other errors are ours, or the end of the request.
    if (!(reading.reason instanceof ApiError)) throw reading.reason
    services.log.warn({ grant_id: record.grant.id, err: reading.reason }, 'the calendars of a host cannot be read')
    return []
  })
  const isEnough = plan.method === 'collective' ? fetched.length === plan.hosts.length : fetched.length > 0
  if (isEnough) return fetched
  const missing = plan.hosts.find((host) => !fetched.some((one) => one.host === host))
  const [reason] = readings.flatMap((reading) => (reading.status === 'rejected' ? [reading.reason] : []))
  throw unreadable(missing?.email, reason)
}

/** The times of a host that other bookings claim, because the calendar does not show them yet, or never. */
const claimsOf = (
  { database, clock }: SlotServices,
  { record: { applicationId }, exceptBooking }: SlotQuestion,
  { record, window }: { record: GrantRecord; window: Interval },
): Promise<readonly Interval[]> =>
  findClaims(
    database,
    { applicationId, grantId: record.grant.id },
    { from: window.start, to: window.end, now: clock.now(), exceptBooking: exceptBooking?.id },
  )

interface RecentTurn {
  here?: number | undefined
  lately?: number | undefined
}

const noTurn: RecentTurn = {}

/**
 * When the host was booked last, as our store knows it to the millisecond: for this page in seconds, and for any page in
 * milliseconds. Calendars know only the second, and a booking that is being made is in none.
 */
async function recentTurn(
  { database, clock }: SlotServices,
  { record: { applicationId, configuration }, exceptBooking }: SlotQuestion,
  { grant }: GrantRecord,
): Promise<RecentTurn> {
  const of = { now: clock.now(), exceptBooking: exceptBooking?.id }
  const recent = await findRecentBookings(database, { applicationId, grantId: grant.id }, of)
  const here = recent.find(({ configurationId }) => configurationId === configuration.id)
  return {
    here: here && here.at / 1000,
    lately: recent.length > 0 ? Math.max(...recent.map(({ at }) => at)) : undefined,
  }
}

const latest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other)

const locatorOf = ({ grantId, email }: Host): Locator =>
  grantId === undefined ? { by: 'email', value: emailKey(email) } : { by: 'id', value: grantId }

/** Guests do not learn why an account cannot be read, only whether it helps to wait. */
export function unreadable(email = 'the owner', cause?: unknown): ApiError {
  const isTemporary = cause instanceof ApiError && (cause.status >= 500 || cause.status === 429)
  return isTemporary
    ? new ApiError('provider_unavailable', `the calendars of ${email} cannot be read now; try again later`, { cause })
    : new ApiError(
        'invalid_request',
        `participants: the calendars of ${email} cannot be read; the owner of the page must connect the account again, or correct its calendar_ids`,
        { cause },
      )
}
