/**
 * A second implementation of the slots of a configuration, as slow and literal as its documentation: minute by minute
 * on the local clocks. It shares no code with the server; only Temporal knows the time zones.
 */
import type {
  BookableSlots,
  BookingHours,
  Configuration,
  ConfigurationParticipant,
  SpecificTime,
} from '@waypost/contract'

const minute = 60

export interface NaiveHost {
  email: string
  busy: readonly { start: number; end: number }[]
  lastBooked?: number | undefined
}

export interface NaiveQuestion {
  configuration: Configuration
  hosts: readonly NaiveHost[]
  now: number
  start: number
  end: number
}

interface Shown {
  date: string
  weekday: number
  minute: number
}
/** By zone and UTC day: the local time of each minute. */
const clocks = new Map<string, Map<number, Shown[]>>()

/** The local time of a zone at a moment. */
function clock(zone: string, moment: number): Shown {
  const inZone = clocks.get(zone) ?? new Map<number, Shown[]>()
  clocks.set(zone, inZone)
  const day = Math.floor(moment / 86_400)
  const shown = inZone.get(day) ?? readDay(zone, day)
  inZone.set(day, shown)
  return shown[(moment - day * 86_400) / minute]
}

function readDay(zone: string, day: number): Shown[] {
  let known = { number: 0, date: '' }
  return Array.from({ length: 1440 }, (_, index) => {
    const moment = day * 86_400 + index * minute
    const local = Temporal.Instant.fromEpochMilliseconds(moment * 1000).toZonedDateTimeISO(zone)
    if (known.number !== local.day) known = { number: local.day, date: local.toPlainDate().toString() }
    return { date: known.date, weekday: local.dayOfWeek % 7, minute: local.hour * 60 + local.minute }
  })
}

/** A set of minutes, from a first one on. */
class Minutes {
  readonly #first: number
  readonly #marks: Uint8Array
  constructor(all: readonly number[]) {
    this.#first = all[0] ?? 0
    this.#marks = new Uint8Array(all.length)
  }
  has(at: number): boolean {
    return this.#marks[(at - this.#first) / minute] === 1
  }
  add(at: number): void {
    this.#marks[(at - this.#first) / minute] = 1
  }
}

const minutesOf = (text: string): number => {
  const [hours, rest] = text.split(':').map(Number)
  return hours * 60 + rest
}

/** Whether the local time is in a block. */
function insideOf({ start, end }: { start: string; end: string }): (shown: Shown) => boolean {
  const [from, to] = [minutesOf(start), minutesOf(end)]
  return (shown) => shown.minute >= from && shown.minute < to
}

/** Marks everything from the first to the last of these minutes. */
function openBetween(open: Minutes, minutes: readonly number[]): void {
  for (let at = minutes[0] ?? 0; at <= (minutes.at(-1) ?? -1); at += minute) open.add(at)
}

/** The minutes at which a host can be booked. */
function openMinutes({ configuration }: NaiveQuestion, person: ConfigurationParticipant, minutes: readonly number[]) {
  const rules = configuration.availability.availability_rules ?? {}
  const eventZone = configuration.event_booking.timezone ?? 'UTC'
  const personZone = person.timezone ?? eventZone
  const own = person.availability?.open_hours ?? []
  const withZone = <T extends BookingHours | SpecificTime>(items: readonly T[], zone: string) =>
    items.map((item) => ({ item, zone: item.timezone ?? zone }))
  const hours = own.length > 0 ? withZone(own, personZone) : withZone(rules.default_open_hours ?? [], eventZone)
  const ownTimes = withZone(person.specific_time_availability ?? [], personZone)
  const otherTimes = withZone(rules.default_specific_time_availability ?? [], eventZone)
  const times = ownTimes.concat(otherTimes.filter(({ item }) => ownTimes.every((time) => time.item.date !== item.date)))
  const open = new Minutes(minutes)
  if (!person.only_specific_time_availability && !rules.only_specific_time_availability) {
    for (const { item, zone } of hours) {
      const closed = [...(item.exdates ?? []), ...(item.ex_dates ?? []), ...times.map((time) => time.item.date)]
      const isInside = insideOf(item)
      const matching = minutes.filter((at) => {
        const shown = clock(zone, at)
        return isInside(shown) && item.days.includes(shown.weekday) && !closed.includes(shown.date)
      })
      const byDate = Object.groupBy(matching, (at) => clock(zone, at).date)
      for (const day of Object.values(byDate)) openBetween(open, day ?? [])
    }
    if (hours.length === 0) {
      const isReplaced = (at: number) => times.some(({ item, zone }) => clock(zone, at).date === item.date)
      for (const at of minutes) if (!isReplaced(at)) open.add(at)
    }
  }
  for (const { item, zone } of times) {
    const isInside = insideOf(item)
    openBetween(
      open,
      minutes.filter((at) => clock(zone, at).date === item.date && isInside(clock(zone, at))),
    )
  }
  return open
}

/** The starts: counted from the first minute of each open period and day, rounded up on the local clock. */
function startsOf({ configuration }: NaiveQuestion, minutes: readonly number[], isOpen: (at: number) => boolean) {
  const { availability, event_booking } = configuration
  const zone = event_booking.timezone ?? 'UTC'
  const step = (availability.interval_minutes ?? availability.duration_minutes ?? 0) * minute
  const round = availability.round_to ?? 15
  const starts = new Set<number>()
  const dateAt = (at: number): string => clock(zone, at).date
  for (const first of minutes) {
    const begins = isOpen(first) && (!isOpen(first - minute) || dateAt(first) !== dateAt(first - minute))
    if (!begins) continue
    const isSame = (at: number): boolean => isOpen(at) && dateAt(at) === dateAt(first)
    let end = first
    while (isSame(end)) end += minute
    for (let at = first; at < end; at += step) {
      let rounded = at
      while (clock(zone, rounded).minute % round !== 0) rounded += minute
      if (rounded < end) starts.add(rounded)
    }
  }
  return [...starts].sort((a, b) => a - b)
}

/** The moments between the notice and the end of the last day. */
function allowed({ configuration, now }: NaiveQuestion): { from: number; to: number } {
  const { scheduler, event_booking } = configuration
  const zone = event_booking.timezone ?? 'UTC'
  const today = Temporal.Instant.fromEpochMilliseconds(now * 1000)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
  const after = today.add({ days: (scheduler.available_days_in_future ?? 30) + 1 })
  return {
    from: now + (scheduler.min_booking_notice ?? 60) * minute,
    to: after.toZonedDateTime(zone).epochMilliseconds / 1000,
  }
}

export function naiveSlots(question: NaiveQuestion): BookableSlots {
  const { configuration, hosts, start, end } = question
  const rules = configuration.availability.availability_rules ?? {}
  const requested = hosts.map((host) => ({ host, person: personOf(configuration, host.email) }))
  const method = requested.length === 1 ? 'collective' : (rules.availability_method ?? 'collective')
  const duration = (configuration.availability.duration_minutes ?? 0) * minute
  const [first, last] = [start - (start % minute) - 1.5 * 86_400, end + duration + 1.5 * 86_400]
  const minutes = Array.from({ length: Math.ceil((last - first) / minute) }, (_, i) => first + i * minute)
  const opens = requested.map(({ person }) => openMinutes(question, person, minutes))
  const isOpen = (at: number): boolean =>
    method === 'collective' ? opens.every((open) => open.has(at)) : opens.some((open) => open.has(at))
  const { from, to } = allowed(question)
  const [before, after] = [(rules.buffer?.before ?? 0) * minute, (rules.buffer?.after ?? 0) * minute]
  const isFree = (index: number, at: number): boolean => {
    for (let m = at; m < at + duration; m += minute) if (!opens[index].has(m)) return false
    return requested[index].host.busy.every((block) => {
      const [begins, ends] = [block.start - before, block.end + after]
      return begins >= ends || at + duration <= begins || at >= ends
    })
  }
  const found = startsOf(question, minutes, isOpen)
    .filter((at) => at >= from && at < to)
    .map((at) => ({ at, free: requested.flatMap(({ host }, index) => (isFree(index, at) ? [host] : [])) }))
  const slot = (at: number, who: readonly NaiveHost[]) => ({
    emails: who.map(({ email }) => email),
    start_time: at,
    end_time: at + duration,
  })
  const inWindow = (at: number): boolean => at >= start && at < end
  if (method === 'collective') {
    const everybody = found.filter(({ at, free }) => inWindow(at) && free.length === requested.length)
    return { time_slots: everybody.map(({ at, free }) => slot(at, free)) }
  }
  const order = hosts.toSorted((a, b) => (a.lastBooked ?? 0) - (b.lastBooked ?? 0) || (a.email < b.email ? -1 : 1))
  const half = method === 'max-fairness' ? order.slice(0, Math.ceil(order.length / 2)) : order
  const zone = configuration.event_booking.timezone ?? 'UTC'
  const halfDays = new Set(
    found.filter(({ free }) => half.some((host) => free.includes(host))).map(({ at }) => clock(zone, at).date),
  )
  const slots = found.flatMap(({ at, free }) => {
    const offered = halfDays.has(clock(zone, at).date) ? half : order
    const who = offered.filter((host) => free.includes(host))
    return inWindow(at) && who.length > 0 ? [slot(at, who)] : []
  })
  return { order: order.map(({ email }) => email), time_slots: slots }
}

function personOf({ participants }: Configuration, email: string): ConfigurationParticipant {
  const found = participants.find((person) => person.email === email)
  if (!found) throw new Error(`no participant ${email}`)
  return found
}
