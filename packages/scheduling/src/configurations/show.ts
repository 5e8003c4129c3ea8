/** A configuration as clients see it. Pure. */
import type { BookingHours, Configuration, SpecificTime } from '@waypost/contract'

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
