// Maps zones that a client describes by rules, instead of a Windows id, to a zone with the same rules.

import { weekdays } from '../../shared/calendar/recurrence-days.ts'
import { type ClockChange, type ZoneRules, zoneRules } from '../../shared/calendar/zone-rules.ts'
import { childOf, childrenOf, textOf, within, type XmlNode } from '../xml/read.ts'

/** `-PT1H30M` or `P0DT2H0M0.0S`, in minutes. */
function minutesOf(text = ''): number {
  const found = /^(-)?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:[\d.]+S)?)?$/.exec(text)
  const [days, hours, minutes] = [2, 3, 4].map((group) => Number(found?.[group] ?? 0)) as [number, number, number]
  const size = days * 1440 + hours * 60 + minutes
  return found?.[1] === '-' ? -size : size
}

function changeOf(transition: XmlNode, offsets: ReadonlyMap<string, number>): ClockChange {
  const day = textOf(transition, 'DayOfWeek')?.toLowerCase() ?? ''
  return {
    offset: offsets.get(textOf(transition, 'To') ?? '') ?? 0,
    month: Number(textOf(transition, 'Month')),
    dayOfWeek: (weekdays as readonly string[]).indexOf(day) + 1,
    occurrence: Number(textOf(transition, 'Occurrence')),
    minutes: minutesOf(textOf(transition, 'TimeOffset')),
  }
}

/** The clock changes of a `TimeZoneDefinition`; undefined if it has no `Periods`. */
function rulesOf(definition: XmlNode): ZoneRules | undefined {
  const periods = childrenOf(childOf(definition, 'Periods'), 'Period')
  const offsets = new Map(periods.map(({ attributes }) => [attributes.Id ?? '', -minutesOf(attributes.Bias)]))
  if (offsets.size === 0) return undefined
  const group = within(definition, 'TransitionsGroups', 'TransitionsGroup')
  const changes = childrenOf(group, 'RecurringDayTransition').map((each) => changeOf(each, offsets))
  const standardOffset = Math.min(...offsets.values())
  const toStandard = changes.find(({ offset }) => offset === standardOffset)
  const toDaylight = changes.find(({ offset }) => offset !== standardOffset)
  return toStandard && toDaylight ? { standardOffset, toStandard, toDaylight } : { standardOffset }
}

/** The IANA zone whose rules in a year match a definition; undefined if it has no rules or no zone matches. */
export function zoneByRules(definition: XmlNode, year: number): string | undefined {
  const rules = rulesOf(definition)
  if (rules === undefined) return undefined
  const wanted = JSON.stringify(inOrder(rules))
  return Intl.supportedValuesOf('timeZone').find((zone) => JSON.stringify(inOrder(zoneRules(zone, year))) === wanted)
}

const inOrder = ({ standardOffset, toStandard, toDaylight }: ZoneRules) => [
  standardOffset,
  ...[toStandard, toDaylight].map(
    (change) => change && [change.offset, change.month, change.dayOfWeek, change.occurrence, change.minutes],
  ),
]
