/** Who hosts, attends or is only invited. Pure. */
import type { ConfigurationParticipant } from '@waypost/contract'

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
