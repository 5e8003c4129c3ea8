// Time zone rules in the Windows form: an offset, and at most two yearly clock changes, each on a weekday of a month.
// They are derived from the transitions of the zone in one year.

export interface ClockChange {
  /** The offset after the change, in minutes from UTC. */
  readonly offset: number
  readonly month: number
  /** 1 to 7, Monday first. */
  readonly dayOfWeek: number
  /** 1 to 4; -1 for the last one in the month. */
  readonly occurrence: number
  /** Minutes after midnight, on the clock before the change. */
  readonly minutes: number
}

export interface ZoneRules {
  /** Minutes from UTC without daylight saving time. */
  readonly standardOffset: number
  readonly toStandard?: ClockChange
  readonly toDaylight?: ClockChange
}

const MINUTE = 60_000_000_000

/** The rules of a zone in one year. */
export function zoneRules(iana: string, year: number): ZoneRules {
  const begin = Temporal.ZonedDateTime.from({ timeZone: iana, year, month: 1, day: 1 })
  const changes: Temporal.ZonedDateTime[] = []
  for (let next = begin.getTimeZoneTransition('next'); next !== null && next.year === year; ) {
    changes.push(next)
    next = next.getTimeZoneTransition('next')
  }
  const offsets = changes.map(({ offsetNanoseconds }) => offsetNanoseconds / MINUTE)
  if (changes.length !== 2 || offsets[0] === offsets[1]) {
    return { standardOffset: (changes.at(-1) ?? begin).offsetNanoseconds / MINUTE }
  }
  const [first, second] = changes.map(changeOf) as [ClockChange, ClockChange]
  const [toStandard, toDaylight] = first.offset < second.offset ? [first, second] : [second, first]
  return { standardOffset: toStandard.offset, toStandard, toDaylight }
}

function changeOf(at: Temporal.ZonedDateTime): ClockChange {
  const before = at.subtract({ nanoseconds: 1 })
  const wall = at.toPlainDateTime().subtract({ nanoseconds: at.offsetNanoseconds - before.offsetNanoseconds })
  const isLast = wall.day + 7 > wall.daysInMonth
  return {
    offset: at.offsetNanoseconds / MINUTE,
    month: wall.month,
    dayOfWeek: wall.dayOfWeek,
    occurrence: isLast ? -1 : Math.ceil(wall.day / 7),
    minutes: wall.hour * 60 + wall.minute,
  }
}

/** The offset in minutes from UTC that the rules define for a wall time. */
export function offsetOn(rules: ZoneRules, wall: Temporal.PlainDateTime): number {
  const { standardOffset, toStandard, toDaylight } = rules
  if (toStandard === undefined || toDaylight === undefined) return standardOffset
  const standard = changeTime(toStandard, wall.year)
  const daylight = changeTime(toDaylight, wall.year)
  const isAfter = (time: Temporal.PlainDateTime) => Temporal.PlainDateTime.compare(wall, time) >= 0
  const isNorthern = Temporal.PlainDateTime.compare(daylight, standard) < 0
  const isDaylight = isNorthern ? isAfter(daylight) && !isAfter(standard) : isAfter(daylight) || !isAfter(standard)
  return isDaylight ? toDaylight.offset : standardOffset
}

function changeTime({ month, dayOfWeek, occurrence, minutes }: ClockChange, year: number): Temporal.PlainDateTime {
  const begin = Temporal.PlainDate.from({ year, month, day: 1 })
  const days = Array.from({ length: begin.daysInMonth }, (_, days) => begin.add({ days }))
  const matching = days.filter((day) => day.dayOfWeek === dayOfWeek)
  const day = (occurrence < 0 ? matching.at(-1) : (matching[occurrence - 1] ?? matching.at(-1))) ?? begin
  return day.toPlainDateTime().add({ minutes })
}

/** Milliseconds of a wall time under the rules. */
export function instantByRules(rules: ZoneRules, wall: Temporal.PlainDateTime): number {
  return wall.toZonedDateTime('UTC').epochMilliseconds - offsetOn(rules, wall) * 60_000
}

/** The wall time of a moment under the rules. */
export function wallByRules(rules: ZoneRules, ms: number): Temporal.PlainDateTime {
  const at = (offset: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms + offset * 60_000)
      .toZonedDateTimeISO('UTC')
      .toPlainDateTime()
  const offsets = [rules.toDaylight?.offset ?? rules.standardOffset, rules.standardOffset]
  const fitting = offsets.find((offset) => offsetOn(rules, at(offset)) === offset) ?? rules.standardOffset
  return at(fitting)
}
