/** The cast of a booking at a group event: the account that organizes it, and its hosts. */
import type { Event } from '@waypost/contract'
import type { GrantRecord } from '@waypost/store/tables/grants/grants'
import { calendarOf } from '../group-events/group-events.ts'
import { inspectEvent } from '../group-events/seats.ts'
import type { Cast } from './cast.ts'
import type { BookingDetails, Person } from './details.ts'
import { conferenceUrlOf } from './event-draft.ts'
import type { IntentTarget } from './intents.ts'
import type { BookedConfiguration, BookingTools } from './tools.ts'

/** The event that a guest chose. */
export interface ChosenGroupEvent {
  calendarId: string
  eventId: string
  masterId: string | null
}

interface Choosing {
  configuration: BookedConfiguration
  /** Unix seconds. */
  startTime: number
  endTime: number
  group: ChosenGroupEvent
  signal: AbortSignal
}

export interface GroupCast extends Cast {
  /** What the target of the intent knows about the event. */
  target: NonNullable<IntentTarget['group']>
  details: Pick<BookingDetails, 'title' | 'description' | 'location' | 'group' | 'organizer' | 'participants'>
}

/** Reads the chosen event. Throws if it was moved or is gone. Whether it has room is decided when the seat is taken. */
export async function castOfGroup(
  tools: BookingTools,
  { configuration, startTime, endTime, group, signal }: Choosing,
): Promise<GroupCast> {
  calendarOf(configuration, undefined)
  const host = await tools.sessions.find(configuration.applicationId, { by: 'id', value: configuration.grantId })
  const account = { record: host, signal: () => signal }
  const open = await inspectEvent(tools, { record: configuration, account }, { ...group, startTime, endTime })
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
    emails: [],
    target: { eventId: at.eventId, masterId, others },
    details: {
      title: event.title ?? configuration.configuration.name,
      description: event.description ?? '',
      location: event.location || conferenceUrl || '',
      group: { masterId, reminders },
      organizer,
      participants,
    },
  }
}

const organizerOf = ({ organizer }: Event, { grant }: GrantRecord): Person => ({
  email: grant.email,
  name: organizer?.name || grant.name || '',
})
