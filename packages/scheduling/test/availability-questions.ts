/** Requests in the setting of the contract's worked examples: 2026-06-01 in New York, from 9 to 12. */
import {
  type Availability,
  type AvailabilityRequest,
  type FetchedParticipant,
  findAvailability,
} from '../src/availability.ts'
import type { AvailabilityRules } from '../src/availability-question.ts'

export const zone = 'America/New_York'
export const seconds = (text: string): number => Temporal.Instant.from(text).epochMilliseconds / 1000
/** A local time of 2026-06-01 in New York. */
export const at = (time: string): number => seconds(`2026-06-01T${time}:00-04:00`)
export const busy = (start: string, end: string) => ({ start: at(start), end: at(end) })
export const ann: FetchedParticipant = { email: 'ann@x.test', busy: [busy('09:30', '10:00')] }
export const bob: FetchedParticipant = { email: 'bob@x.test', busy: [busy('11:00', '11:15')] }

export type Change = Partial<AvailabilityRequest> & { rules?: AvailabilityRules }
export const ask = ({ rules, ...change }: Change): AvailabilityRequest => ({
  start_time: 1780318800,
  end_time: 1780329600,
  duration_minutes: 30,
  interval_minutes: 30,
  participants: [ann, bob],
  availability_rules: rules,
  ...change,
})
export function find(change: Change): Availability {
  const found = findAvailability(ask(change))
  if ('problem' in found) throw new Error(found.problem)
  return found
}
export const clock = (moment: number): string =>
  Temporal.Instant.fromEpochMilliseconds(moment * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainTime()
    .toString()
    .slice(0, 5)
export const utc = (moment: number): string =>
  Temporal.Instant.fromEpochMilliseconds(moment * 1000)
    .toString()
    .slice(0, 16)
export const starts = ({ time_slots }: Availability): string =>
  time_slots.map(({ start_time }) => clock(start_time)).join(' ')
export const startsUtc = (found: Availability): string[] => found.time_slots.map(({ start_time }) => utc(start_time))
/** The starts, with the first letters of those who can attend. */
export const attended = ({ time_slots }: Availability): string =>
  time_slots
    .map(({ start_time, emails }) => `${clock(start_time)} ${emails.map((email) => email[0]).join('')}`)
    .join(', ')

export const collective: AvailabilityRules = { availability_method: 'collective' }
export const bookedLater = [
  { ...ann, lastBooked: 2000 },
  { ...bob, lastBooked: 1000 },
]
export const alone: FetchedParticipant = { email: 'ann@x.test', busy: [] }
