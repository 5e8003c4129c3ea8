/** Who hosts, attends or is only invited. Pure. */
import type { BookingHours, Configuration, ConfigurationParticipant, SpecificTime } from '@waypost/contract'

/** Whether slots depend on the calendars of the participant. */
export const isRequested = ({ availability }: ConfigurationParticipant): boolean =>
  (availability?.calendar_ids ?? []).length > 0

/** The calendar in which events are created, if the participant can host. */
export const bookingCalendarOf = ({ booking }: ConfigurationParticipant): string | undefined =>
  booking?.calendar_id || undefined

/** Whether the participant needs a grant. Others are invited by their address. */
export const needsGrant = (participant: ConfigurationParticipant): boolean =>
  isRequested(participant) || bookingCalendarOf(participant) !== undefined

/** With round robin, one of these hosts each event: they have calendars to look at and a calendar for the event. */
export const roundRobinHosts = (participants: readonly ConfigurationParticipant[]): ConfigurationParticipant[] =>
  participants.filter((each) => isRequested(each) && bookingCalendarOf(each) !== undefined)

/** The organizer; with round robin nobody is, and the first host stands in, for names and texts. */
export const organizerOf = (participants: readonly ConfigurationParticipant[]): ConfigurationParticipant | undefined =>
  participants.find((each) => each.is_organizer) ??
  participants.find((each) => bookingCalendarOf(each) !== undefined) ??
  participants[0]

/** The host of a collective meeting: the organizer, or the first participant with a calendar for bookings. */
export const collectiveHost = (
  participants: readonly ConfigurationParticipant[],
): ConfigurationParticipant | undefined => {
  const able = participants.filter((each) => bookingCalendarOf(each) !== undefined)
  return able.find((each) => each.is_organizer) ?? able[0]
}

// A configuration as clients see it. Pure.

const inZone = <T extends BookingHours | SpecificTime>(times: readonly T[] | null | undefined, zone: string): T[] =>
  (times ?? []).map((time) => ({ ...time, timezone: time.timezone || zone }))

/**
 * Hours without a zone have the one that applies to them: that of the participant, then that of the event, then UTC. Clients
 * with strict types need a value. The stored configuration keeps the gap, so that a change of the event's zone applies.
 */
export function showConfiguration(configuration: Configuration): Configuration {
  if (configuration.type === 'group') return configuration
  const { participants, availability, event_booking: event } = configuration
  const rules = availability.availability_rules
  const zone = event.timezone || 'UTC'
  return {
    ...configuration,
    participants: participants.map((participant) => ({
      ...participant,
      availability: {
        ...participant.availability,
        open_hours: inZone(participant.availability?.open_hours, participant.timezone || zone),
      },
      specific_time_availability: inZone(participant.specific_time_availability, participant.timezone || zone),
    })),
    availability: {
      ...availability,
      availability_rules: { ...rules, default_open_hours: inZone(rules?.default_open_hours, zone) },
    },
  }
}
