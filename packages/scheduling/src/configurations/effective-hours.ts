/**
 * When each participant of a configuration can be booked, with every default filled in. Time zones, strongest first:
 * the block's own, the participant's, `event_booking.timezone`, UTC. The default lists of the configuration belong to
 * nobody, so they skip the participant's zone.
 */
import type {
  BookingHours,
  BookingRules,
  Configuration,
  ConfigurationParticipant,
  SpecificTime,
} from '@waypost/contract'
import { resolveTimeZone } from '@waypost/formats/timezones/timezones'
import type { OpenHours, Opening } from '../open-hours.ts'

type ZoneName = string | null | undefined

/** The first zone that is set. Names are validated with the configuration, so an unknown one is skipped. */
const zoneOf = (...names: readonly ZoneName[]): string => {
  for (const name of names) {
    const zone = name ? resolveTimeZone(name) : undefined
    if (zone !== undefined) return zone
  }
  return 'UTC'
}

/** The time zone of a configuration: its days begin and end there. */
export const zoneOfConfiguration = ({ event_booking }: Pick<Configuration, 'event_booking'>): string =>
  zoneOf(event_booking.timezone)

const hoursIn = ({ days, start, end, timezone, exdates, ex_dates }: BookingHours, zone: string): OpenHours => ({
  days,
  start,
  end,
  timezone: zoneOf(timezone, zone),
  exdates: [...(exdates ?? []), ...(ex_dates ?? [])],
})

const timeIn = ({ date, start, end, timezone }: SpecificTime, zone: string) => ({
  date,
  start,
  end,
  timezone: zoneOf(timezone, zone),
})

/** The open hours of participants. All who have nothing of their own share one object, which is resolved once. */
export function effectiveHours(configuration: Pick<Configuration, 'availability' | 'event_booking'>) {
  const zone = zoneOfConfiguration(configuration)
  const rules: BookingRules = configuration.availability.availability_rules ?? {}
  const only = rules.only_specific_time_availability === true
  const usual: Required<Opening> = {
    open_hours: (rules.default_open_hours ?? []).map((hours) => hoursIn(hours, zone)),
    specific_time_availability: (rules.default_specific_time_availability ?? []).map((time) => timeIn(time, zone)),
    only_specific_time_availability: only,
  }
  return (participant: ConfigurationParticipant): Opening => {
    const ownHours = participant.availability?.open_hours ?? []
    const ownTimes = participant.specific_time_availability ?? []
    const ownOnly = participant.only_specific_time_availability === true
    if (ownHours.length === 0 && ownTimes.length === 0 && ownOnly === only) return usual
    const ownZone = zoneOf(participant.timezone, zone)
    const dates = new Set(ownTimes.map(({ date }) => date))
    return {
      open_hours: ownHours.length > 0 ? ownHours.map((hours) => hoursIn(hours, ownZone)) : usual.open_hours,
      // On a date for which the participant has times, the default ones do not count.
      specific_time_availability: [
        ...ownTimes.map((time) => timeIn(time, ownZone)),
        ...usual.specific_time_availability.filter(({ date }) => !dates.has(date)),
      ],
      only_specific_time_availability: ownOnly || only,
    }
  }
}
