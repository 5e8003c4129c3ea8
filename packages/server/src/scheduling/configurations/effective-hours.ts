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
import { resolveTimeZone } from '../../formats/timezones/timezones.ts'
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

/**
 * The open hours of participants. All participants who use the default hours share one list, which is therefore
 * resolved once.
 */
export function effectiveHours(configuration: Pick<Configuration, 'availability' | 'event_booking'>) {
  const zone = zoneOfConfiguration(configuration)
  const rules: BookingRules = configuration.availability.availability_rules ?? {}
  const defaultHours = (rules.default_open_hours ?? []).map((hours) => hoursIn(hours, zone))
  const defaultTimes = (rules.default_specific_time_availability ?? []).map((time) => timeIn(time, zone))
  return (participant: ConfigurationParticipant): Opening => {
    const ownZone = zoneOf(participant.timezone, zone)
    const own = participant.availability?.open_hours ?? []
    const times = (participant.specific_time_availability ?? []).map((time) => timeIn(time, ownZone))
    const dates = new Set(times.map(({ date }) => date))
    return {
      open_hours: own.length > 0 ? own.map((hours) => hoursIn(hours, ownZone)) : defaultHours,
      // On a date for which the participant has times, the default ones do not count.
      specific_time_availability: [...times, ...defaultTimes.filter(({ date }) => !dates.has(date))],
      only_specific_time_availability:
        participant.only_specific_time_availability === true || rules.only_specific_time_availability === true,
    }
  }
}
