/**
 * Who takes part in a booking: the host whose calendar gets the event, all accounts whose time is claimed, and the
 * invited. A booking at a group event has the people of that event.
 */
import type { Configuration, ConfigurationParticipant, Event } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { emailKey } from '@waypost/platform/email-key'
import {
  bookingCalendarOf,
  collectiveHost,
  isRequested,
  roundRobinHosts,
} from '@waypost/scheduling/configurations/participants'
import { methodOf } from '@waypost/scheduling/configurations/slot-plan'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { grantLocatorOf } from '../configurations.ts'
import { findSlots } from '../find-slots.ts'
import { calendarOf } from '../group-events/group-events.ts'
import { inspectEvent } from '../group-events/seats.ts'
import type { BookingDetails, BookingRecord, IntentTarget, Person } from './booking-record.ts'
import { conferenceUrlOf } from './event-draft.ts'
import { unavailable } from './placement.ts'
import type { BookedConfiguration, BookingTools } from './tools.ts'

/** The event that a guest chose. */
export interface ChosenGroupEvent {
  calendarId: string
  eventId: string
  masterId: string | null
}

/** The time that a guest chose, and with whom. */
export interface ChosenSlot {
  /** Unix seconds. */
  startTime: number
  endTime: number
  /** Addresses of participants that the guest named. */
  named: readonly string[]
  /** The group event that the guest chose. */
  group?: ChosenGroupEvent | undefined
}

interface SlotRequest extends ChosenSlot {
  configuration: BookedConfiguration
  signal: AbortSignal
}

export interface Cast {
  host: GrantRecord
  calendarId: string
  /** The grants of all whose time is claimed, the host first. */
  hosts: readonly string[]
  organizer: Person
  participants: readonly Person[]
  /** Of a seat at a group event: the event, and the details that the booking has from it. */
  group?: {
    target: NonNullable<IntentTarget['group']>
    details: Pick<BookingDetails, 'title' | 'description' | 'location' | 'group'>
  }
}

const personOf = ({ email, name }: ConfigurationParticipant): Person => ({ email, name: name ?? '' })

export const isRoundRobin = (configuration: Configuration): boolean => methodOf(configuration) !== 'collective'

const isSame = (participant: ConfigurationParticipant, email: string): boolean =>
  emailKey(participant.email) === emailKey(email)

/** Refuses addresses that are not participants of the configuration. */
function checkNamed({ participants }: Configuration, named: readonly string[]): void {
  const stranger = named.findIndex((email) => !participants.some((each) => isSame(each, email)))
  if (stranger !== -1) {
    throw invalidField(`participants.${stranger}.email`, 'must be the address of a participant of the configuration')
  }
}

/** The hosts whom a guest may name with round robin. */
function namedHost(configuration: Configuration, named: readonly string[]): string | undefined {
  checkNamed(configuration, named)
  if (!isRoundRobin(configuration)) return undefined
  const hosts = roundRobinHosts(configuration.participants)
  const index = named.findIndex((email) => hosts.some((each) => isSame(each, email)))
  if (named.length > 0 && index === -1) {
    throw invalidField('participants.0.email', 'must be the address of a host: a participant with a calendar to book')
  }
  return named[index]
}

/** The cast of a booking. With round robin `hostEmail` is the chosen host. */
async function castOf(
  { sessions }: BookingTools,
  { applicationId, configuration }: { applicationId: string; configuration: Configuration },
  { named, hostEmail }: { named: readonly string[]; hostEmail: string | undefined },
): Promise<Cast> {
  const { participants } = configuration
  const host =
    hostEmail === undefined
      ? collectiveHost(participants)
      : roundRobinHosts(participants).find((each) => isSame(each, hostEmail))
  const calendarId = host && bookingCalendarOf(host)
  if (!host || calendarId === undefined) throw new ApiError('timeslot_not_available')
  const takesPart = (each: ConfigurationParticipant): boolean => {
    if (each === host) return true
    if (hostEmail !== undefined) return !isRequested(each) && bookingCalendarOf(each) === undefined
    return isRequested(each) || named.length === 0 || named.some((email) => isSame(each, email))
  }
  const present = participants.filter(takesPart)
  const claimed = [host, ...present.filter((each) => each !== host && isRequested(each))]
  const records = await Promise.all(claimed.map((each) => sessions.find(applicationId, grantLocatorOf(each))))
  const [first] = records
  if (!first) throw new ApiError('timeslot_not_available')
  return {
    host: first,
    calendarId,
    hosts: [...new Set(records.map(({ grant }) => grant.id))],
    organizer: { email: host.email, name: host.name || first.grant.name || '' },
    participants: present.map(personOf),
  }
}

/** Reads the chosen event. Throws if it was moved or is gone. Whether it has room is decided when the seat is taken. */
async function castOfGroup(
  tools: BookingTools,
  { configuration, startTime, endTime, signal }: SlotRequest,
  chosen: ChosenGroupEvent,
): Promise<Cast> {
  calendarOf(configuration, undefined)
  const host = await tools.sessions.find(configuration.applicationId, { by: 'id', value: configuration.grantId })
  const account = { record: host, signal: () => signal }
  const open = await inspectEvent(tools, { record: configuration, account }, { ...chosen, startTime, endTime })
  const { at, event, masterId, others } = open
  const { hosts, reminders } = open.details
  const organizer = organizerOf(event, host)
  const participants = hosts.length > 0 ? hosts.map(({ email, name }) => ({ email, name })) : [organizer]
  const conferenceUrl = conferenceUrlOf(event)
  return {
    host,
    calendarId: at.calendarId,
    // Other group events of the account may be at the same time.
    hosts: [],
    organizer,
    participants,
    group: {
      target: { eventId: at.eventId, masterId, others },
      details: {
        title: event.title ?? configuration.configuration.name,
        description: event.description ?? '',
        location: event.location || conferenceUrl || '',
        group: { masterId, reminders },
      },
    },
  }
}

const organizerOf = ({ organizer }: Event, { grant }: GrantRecord): Person => ({
  email: grant.email,
  name: organizer?.name || grant.name || '',
})

const isTaken = (error: unknown): boolean => error instanceof ApiError && error.code === 'timeslot_not_available'

/** Calls `attempt` with the cast of one host after the other until one is free. */
export async function withCast<T>(
  tools: BookingTools,
  wanted: SlotRequest,
  { moved, attempt }: { moved?: BookingRecord; attempt(cast: Cast): Promise<T> },
): Promise<T> {
  const hosts = await hostsToTry(tools, wanted, moved)
  for (const host of hosts.slice(0, -1)) {
    try {
      return await attempt(await castFor(tools, wanted, host))
    } catch (error) {
      if (!isTaken(error)) throw error
    }
  }
  if (hosts.length === 0) throw unavailable()
  return attempt(await castFor(tools, wanted, hosts.at(-1)))
}

/**
 * The hosts to try. With round robin these are those who are free, in their order. A named host is the only one, but with
 * `max-fairness` the first one: there the page offers hosts by their turn, and the turn may be another one by now.
 */
async function hostsToTry(
  tools: BookingTools,
  { configuration, startTime, endTime, named, signal }: SlotRequest,
  moved?: BookingRecord,
): Promise<(string | undefined)[]> {
  const chosen = namedHost(configuration.configuration, named)
  if (!isRoundRobin(configuration.configuration)) return [undefined]
  const isFair = methodOf(configuration.configuration) === 'max-fairness'
  if (chosen !== undefined && !moved && !isFair) return [chosen]
  const { time_slots: slots, order } = await findSlots(tools, {
    record: configuration,
    startTime,
    endTime: startTime + 1,
    isForBooking: true,
    signal: () => signal,
    ...(moved ? { exceptBooking: moved } : {}),
  })
  const slot = slots.find((each) => each.start_time === startTime && each.end_time === endTime)
  const offered = (order ?? slot?.emails ?? []).filter((email) => slot?.emails.includes(email))
  // A moved booking keeps its host if possible.
  const own = moved?.details.organizer.email
  const first = [own, chosen].flatMap((wanted) =>
    wanted === undefined ? [] : offered.filter((email) => emailKey(email) === emailKey(wanted)),
  )
  const free = [...new Set([...first, ...offered])]
  if (free.length > 0 || moved) return free
  // Nobody is free, but a request that is repeated finds its booking.
  return [chosen ?? order?.[0]].filter((email) => email !== undefined)
}

/** The cast as the configuration says, or as the chosen group event does. */
const castFor = (tools: BookingTools, wanted: SlotRequest, hostEmail: string | undefined): Promise<Cast> =>
  wanted.group
    ? castOfGroup(tools, wanted, wanted.group)
    : castOf(tools, wanted.configuration, { named: wanted.named, hostEmail })
