/** Who takes part in a booking: the host whose calendar gets the event, all accounts whose time is claimed, and the invited. */
import type { Configuration, ConfigurationParticipant } from '@waypost/contract'
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
import { locatorFor } from '../../grants/locator.ts'
import type { Person } from './details.ts'
import type { BookingTools } from './tools.ts'

export interface Cast {
  host: GrantRecord
  calendarId: string
  /** The grants of all whose time is claimed, the host first. */
  hosts: readonly string[]
  organizer: Person
  participants: readonly Person[]
  /** The addresses that the slot must offer. */
  emails: readonly string[]
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
export function namedHost(configuration: Configuration, named: readonly string[]): string | undefined {
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
export async function castOf(
  tools: Pick<BookingTools, 'sessions'>,
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
  const records = await Promise.all(claimed.map((each) => grantOf(tools, applicationId, each)))
  const [first] = records
  if (!first) throw new ApiError('timeslot_not_available')
  return {
    host: first,
    calendarId,
    hosts: [...new Set(records.map(({ grant }) => grant.id))],
    organizer: { email: host.email, name: host.name || first.grant.name || '' },
    participants: present.map(personOf),
    emails: hostEmail === undefined ? [] : [hostEmail],
  }
}

const grantOf = (
  { sessions }: Pick<BookingTools, 'sessions'>,
  applicationId: string,
  { grant_id, email }: ConfigurationParticipant,
): Promise<GrantRecord> =>
  sessions.find(applicationId, grant_id ? locatorFor(grant_id) : { by: 'email', value: emailKey(email) })
