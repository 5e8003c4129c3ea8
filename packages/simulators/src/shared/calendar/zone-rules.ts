// The rules of a zone as Windows keeps them: an offset, and at most two yearly changes of the clock, each on a day of the week in
// a month. They are read off what the zone does in one year.

export interface ClockChange {
  /** What the clock shows afterwards, in minutes from UTC. */
  readonly offset: number
  readonly month: number
  /** 1 to 7, Monday first. */
  readonly dayOfWeek: number
  /** 1 to 4; -1 for the last one of the month. */
  readonly occurrence: number
  /** Minutes after midnight, on the clock as it is until then. */
  readonly minutes: number
}

export interface ZoneRules {
  /** Minutes from UTC without summer time. */
  readonly standardOffset: number
  readonly toStandard?: ClockChange
  readonly toDaylight?: ClockChange
}

const MINUTE = 60_000_000_000

/** What a zone does in a year. */
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

/** Minutes from UTC that the rules give for a time on their own clock. */
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

/** Milliseconds of a time on the clock of the rules. */
export function instantByRules(rules: ZoneRules, wall: Temporal.PlainDateTime): number {
  return wall.toZonedDateTime('UTC').epochMilliseconds - offsetOn(rules, wall) * 60_000
}

/** What the clock of the rules shows at a moment. */
export function wallByRules(rules: ZoneRules, ms: number): Temporal.PlainDateTime {
  const at = (offset: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms + offset * 60_000)
      .toZonedDateTimeISO('UTC')
      .toPlainDateTime()
  const offsets = [rules.toDaylight?.offset ?? rules.standardOffset, rules.standardOffset]
  const fitting = offsets.find((offset) => offsetOn(rules, at(offset)) === offset) ?? rules.standardOffset
  return at(fitting)
}
