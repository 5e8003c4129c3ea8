/** A zone without a name at the server, described by rules: two periods of a year, and the start of each. Pure. */
import { civilDate, dayNumber, daysInMonth, SECONDS_PER_DAY, weekdayOf } from '@waypost/formats/timezones/dates'
import { zoneOffset } from '@waypost/formats/timezones/timezones'
import { weekdays } from '../../types/recurrence.ts'
import type { TimeZoneDefinition, Transition } from '../../types/time-zone.ts'

interface ClockChange {
  before: number
  after: number
  /** In local time before the change. */
  wall: number
}

const yearStart = (year: number): number => dayNumber(year, 1, 1) * SECONDS_PER_DAY

/** The clock changes of a year. */
function changesIn(zone: string, year: number): ClockChange[] {
  const changes: ClockChange[] = []
  for (let from = yearStart(year); from < yearStart(year + 1); from += SECONDS_PER_DAY) {
    let [low, high] = [from, from + SECONDS_PER_DAY]
    const before = zoneOffset(zone, low)
    const after = zoneOffset(zone, high)
    if (before === after) continue
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (zoneOffset(zone, middle) === before) low = middle
      else high = middle
    }
    changes.push({ before, after, wall: high + before })
  }
  return changes
}

/** An offset from Greenwich or a time of day, as xs:duration. */
const duration = (seconds: number): string =>
  `${seconds < 0 ? '-' : ''}PT${Math.floor(Math.abs(seconds) / 3600)}H${Math.floor(Math.abs(seconds) / 60) % 60}M`

/** The first to fourth weekday of a month, or the last one if it is so in other years too. */
function placeInMonth(zone: string, years: readonly number[], index: number): number {
  const places = years.map((year) => {
    const change = changesIn(zone, year)[index]
    if (!change) return { place: 0, isLast: false }
    const date = civilDate(Math.floor(change.wall / SECONDS_PER_DAY))
    return { place: Math.ceil(date.day / 7), isLast: date.day + 7 > daysInMonth(date.year, date.month) }
  })
  const [first] = places
  if (places.every(({ isLast }) => isLast) || first === undefined || first.place > 4) return -1
  return first.place
}

function transitionOf(zone: string, year: number, index: number, change: ClockChange): Transition {
  const day = Math.floor(change.wall / SECONDS_PER_DAY)
  return {
    kind: 'RecurringDayTransition',
    To: { Kind: 'Period', value: periodId(change.after) },
    TimeOffset: duration(change.wall - day * SECONDS_PER_DAY),
    Month: civilDate(day).month,
    // Monday is 0 here, Sunday there.
    DayOfWeek: weekdays[(weekdayOf(day) + 1) % 7] ?? 'Sunday',
    Occurrence: placeInMonth(zone, [year, year + 1, year + 2, year + 3, year + 4, year + 5], index),
  }
}

const periodId = (offset: number): string => `Offset ${duration(offset)}`

/** The rules of a zone in the year of an instant. */
export function definitionByRules(zone: string, at: number): TimeZoneDefinition {
  const { year } = civilDate(Math.floor(at / SECONDS_PER_DAY))
  const changes = changesIn(zone, year)
  const isYearly = changes.length === 2
  const offsets = isYearly ? changes.map(({ after }) => after) : [zoneOffset(zone, at)]
  const [standard = 0] = offsets.toSorted((a, b) => a - b)
  const yearly = changes.map((change, index) => transitionOf(zone, year, index, change))
  return {
    Id: 'Custom',
    Name: 'Custom',
    Periods: offsets.map((offset) => ({
      // The bias is added to local time.
      Bias: duration(offset === 0 ? 0 : -offset),
      Name: offset === standard ? 'Standard' : 'Daylight',
      Id: periodId(offset),
    })),
    TransitionsGroups: [
      {
        Id: '0',
        Transitions: isYearly ? yearly : [{ kind: 'Transition', To: { Kind: 'Period', value: periodId(standard) } }],
      },
    ],
    Transitions: { Transitions: [{ kind: 'Transition', To: { Kind: 'Group', value: '0' } }] },
  }
}
