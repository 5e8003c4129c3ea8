/** Random configurations around days on which clocks change, for fast-check. */
import type { BookingHours, Configuration, ConfigurationParticipant, SpecificTime } from '@waypost/contract'
import fc from 'fast-check'
import type { NaiveQuestion } from './naive-slots.ts'

/** Changes in America and Europe, by half an hour on Lord Howe, at midnight in Beirut, Havana and Cairo; and none. */
export const changeDays: readonly [date: string, zone: string][] = [
  ['2026-03-08', 'America/New_York'],
  ['2026-11-01', 'America/New_York'],
  ['2026-03-29', 'Europe/Berlin'],
  ['2026-10-25', 'Europe/Berlin'],
  ['2026-04-05', 'Australia/Lord_Howe'],
  ['2026-10-04', 'Australia/Lord_Howe'],
  ['2026-03-29', 'Asia/Beirut'],
  ['2026-10-25', 'Asia/Beirut'],
  ['2026-03-08', 'America/Havana'],
  ['2026-10-30', 'Africa/Cairo'],
  ['2026-06-01', 'Asia/Kathmandu'],
  ['2026-12-31', 'UTC'],
]
const otherZones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu']

const five = (min: number, max: number) => fc.integer({ min: min / 5, max: max / 5 }).map((value) => value * 5)
const often = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: rare })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const clockText = (minutes: number): string => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
const hours = fc
  .tuple(fc.integer({ min: 0, max: 1429 }), fc.integer({ min: 30, max: 1440 }))
  .map(([start, length]) => ({ start: clockText(start), end: clockText(Math.min(1440, start + length)) }))

interface Place {
  date: string
  zone: string
}

const zoneIn = ({ zone }: Place) => maybe(fc.constantFrom(zone, ...otherZones))
const dateNear = ({ date }: Place) =>
  fc.integer({ min: -1, max: 2 }).map((shift) => Temporal.PlainDate.from(date).add({ days: shift }).toString())

const hoursIn = (place: Place): fc.Arbitrary<BookingHours> =>
  fc
    .tuple(
      hours,
      zoneIn(place),
      fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 3 }),
      fc.array(dateNear(place), { maxLength: 1 }),
      fc.boolean(),
    )
    .map(([times, timezone, weekdays, closed, alias]) => ({
      ...times,
      timezone,
      days: weekdays,
      ...(alias ? { ex_dates: closed } : { exdates: closed }),
    }))

const timeIn = (place: Place): fc.Arbitrary<SpecificTime> =>
  fc
    .tuple(often(hours, fc.constant({ start: '00:00', end: '00:00' })), zoneIn(place), dateNear(place))
    .map(([times, timezone, date]) => ({ ...times, timezone, date }))

const person = (place: Place): fc.Arbitrary<Omit<ConfigurationParticipant, 'email'>> =>
  fc.record({
    timezone: zoneIn(place),
    availability: fc.record({
      calendar_ids: fc.constant(['primary']),
      open_hours: maybe(fc.array(hoursIn(place), { maxLength: 2 })),
    }),
    booking: fc.constant({ calendar_id: 'primary' }),
    specific_time_availability: maybe(fc.array(timeIn(place), { maxLength: 2 })),
    only_specific_time_availability: often(fc.constant(false), fc.constant(true)),
  })

const rules = (place: Place) =>
  fc.record({
    availability_method: fc.constantFrom('collective', 'max-fairness', 'max-availability'),
    buffer: maybe(fc.record({ before: five(0, 120), after: five(0, 120) })),
    default_open_hours: maybe(fc.array(hoursIn(place), { minLength: 1, maxLength: 2 })),
    default_specific_time_availability: maybe(fc.array(timeIn(place), { maxLength: 2 })),
    only_specific_time_availability: fc.oneof(
      { weight: 9, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  })

/** A configuration without fields that do not concern times. */
export const bareConfiguration = (parts: Partial<Configuration>): Configuration => ({
  id: 'e9e8d9a4-5c6f-4c3f-9f6f-0a4f3a6a5b11',
  name: 'Page',
  slug: null,
  type: '',
  requires_session_auth: false,
  participants: [],
  availability: { duration_minutes: 30 },
  event_booking: { title: 'Meeting' },
  scheduler: {},
  appearance: null,
  embed_origins: [],
  ...parts,
})

const configuration = (place: Place): fc.Arbitrary<Configuration> =>
  fc
    .record({
      participants: fc
        .array(person(place), { minLength: 1, maxLength: 4 })
        .map((people) => people.map((one, i) => ({ ...one, email: `p${(i * 3) % 4}@x.test` }))),
      availability: fc.record({
        duration_minutes: five(15, 120),
        interval_minutes: maybe(five(5, 120)),
        round_to: maybe(five(5, 60)),
        availability_rules: rules(place),
      }),
      event_booking: maybe(fc.constant(place.zone)).map((timezone) => ({ title: 'Meeting', timezone })),
      scheduler: fc.record({
        min_booking_notice: maybe(fc.integer({ min: 0, max: 3000 })),
        available_days_in_future: maybe(fc.integer({ min: 1, max: 3 })),
      }),
    })
    .map(bareConfiguration)

/** Seconds need not be full minutes: neither now, nor the window, nor meetings. */
export const question: fc.Arbitrary<NaiveQuestion> = fc.constantFrom(...changeDays).chain(([date, zone]) => {
  const midnight = Temporal.PlainDate.from(date).toZonedDateTime('UTC').epochMilliseconds / 1000
  return configuration({ date, zone }).chain((found) => {
    const block = fc
      .tuple(fc.integer({ min: -86_400, max: 2 * 86_400 }), fc.integer({ min: 0, max: 6 * 3600 }))
      .map(([from, length]) => ({ start: midnight + from, end: midnight + from + length }))
    const host = fc.record({
      busy: fc.array(block, { maxLength: 5 }),
      lastBooked: maybe(fc.integer({ min: 1, max: 3 })),
    })
    return fc.record({
      configuration: fc.constant(found),
      hosts: fc
        .tuple(...found.participants.map(() => host))
        .map((hosts) => hosts.map((one, i) => ({ ...one, email: found.participants[i]?.email ?? '' }))),
      now: fc.integer({ min: midnight - 2 * 86_400, max: midnight + 43_200 }),
      start: fc.integer({ min: midnight - 86_400, max: midnight }),
      end: fc.integer({ min: midnight + 1, max: midnight + 2 * 86_400 }),
    })
  })
})
