/** From a configuration and a requested window to the question for the calendars. */
import type { Configuration } from '@waypost/contract'
import type { AvailabilityMethod } from '../availability-question.ts'
import type { Growth, Interval } from '../intervals.ts'
import type { Opening } from '../open-hours.ts'
import { effectiveHours, zoneOfConfiguration } from './effective-hours.ts'
import { bookingCalendarOf, collectiveHost, isRequested } from './participants.ts'
import { allowedStarts, sharedPart, wholeDays } from './start-times.ts'

/** A participant whose calendars are read. */
export interface Host {
  readonly email: string
  readonly grantId: string | undefined
  /** With the calendar in which the participant is booked. */
  readonly calendarIds: readonly string[]
  readonly opening: Opening
  /** Slots do not name the participant: only the calendar in which the booking is made must be free. */
  readonly isUnnamed: boolean
}

export interface SlotPlan {
  readonly method: AvailabilityMethod
  readonly zone: string
  readonly hosts: readonly Host[]
  /** The starts that the answer may contain. */
  readonly starts: Interval
  /** The starts that are examined. With `max-fairness` these are whole days. */
  readonly examined: Interval
  /** The events that overlap it count. */
  readonly events: Interval
  /** Seconds. */
  readonly duration: number
  readonly interval: number
  readonly roundTo: number
  readonly buffer: Growth
  readonly tentativeAsBusy: boolean
  /** The round-robin group; undefined if everyone takes part. */
  readonly group: string | undefined
}

const defaultRounding = 15

/** The method that applies: a single host is always asked alone. */
export function methodOf({ availability, participants }: Configuration): AvailabilityMethod {
  const requested = participants.filter(isRequested)
  return (requested.length > 1 && availability.availability_rules?.availability_method) || 'collective'
}

/** The participants whose calendars are read. The calendar in which an event may be created is always one of them. */
function hostsOf(configuration: Configuration, method: AvailabilityMethod): Host[] {
  const { participants } = configuration
  if (!participants.some(isRequested)) return []
  const openingOf = effectiveHours(configuration)
  const booked =
    method === 'collective'
      ? [collectiveHost(participants)]
      : participants.filter((each) => bookingCalendarOf(each) !== undefined)
  return participants
    .filter((each) =>
      method === 'collective' ? isRequested(each) || booked.includes(each) : isRequested(each) && booked.includes(each),
    )
    .map((participant) => {
      const bookingCalendar = booked.includes(participant) ? bookingCalendarOf(participant) : undefined
      const own = participant.availability?.calendar_ids ?? []
      return {
        email: participant.email,
        grantId: participant.grant_id || undefined,
        calendarIds: [...new Set([...own, ...(bookingCalendar === undefined ? [] : [bookingCalendar])])],
        opening: openingOf(participant),
        isUnnamed: !isRequested(participant),
      }
    })
}

export interface SlotWindow {
  now: number
  window: Interval
  /** With `max-fairness`, all hosts count, not only the half that is next in turn. */
  isForEverybody?: boolean | undefined
}

/** The question for the calendars; undefined if nothing can be offered in the window. Times are Unix seconds. */
export function planSlots(
  configuration: Configuration,
  { now, window, isForEverybody = false }: SlotWindow,
): SlotPlan | undefined {
  const { availability } = configuration
  const allowed = allowedStarts(configuration, now)
  const starts = sharedPart(window, allowed)
  if (!starts || !availability.duration_minutes) return undefined
  const configured = methodOf(configuration)
  const method = isForEverybody && configured === 'max-fairness' ? 'max-availability' : configured
  const zone = zoneOfConfiguration(configuration)
  const rules = availability.availability_rules ?? {}
  const duration = availability.duration_minutes * 60
  const buffer = { before: (rules.buffer?.before ?? 0) * 60, after: (rules.buffer?.after ?? 0) * 60 }
  const examined = method === 'max-fairness' ? (sharedPart(wholeDays(starts, zone), allowed) ?? starts) : starts
  return {
    method,
    zone,
    hosts: hostsOf(configuration, method),
    starts,
    examined,
    events: { start: examined.start - buffer.after, end: examined.end + duration + buffer.before },
    duration,
    interval: (availability.interval_minutes ?? availability.duration_minutes) * 60,
    roundTo: (availability.round_to ?? defaultRounding) * 60,
    buffer,
    tentativeAsBusy: rules.tentative_as_busy ?? true,
    group: method === 'collective' ? undefined : rules.round_robin_group_id || configuration.id,
  }
}
