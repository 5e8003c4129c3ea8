// The `GetUserAvailability` request: mailboxes, window, time zone and view. Its times have no offset: they are wall
// times in the zone that the request describes with rules.

import { weekdays } from '../../shared/calendar/recurrence-days.ts'
import { type ClockChange, instantByRules, type ZoneRules, zoneRules } from '../../shared/calendar/zone-rules.ts'
import type { EwsCall } from '../model.ts'
import { EwsError, schemaViolation } from '../soap/errors.ts'
import { childOf, childrenOf, textOf, type XmlNode } from '../xml/read.ts'
import { contextZone } from './draft.ts'
import { capitalized } from './recurrence-xml.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const maxMailboxes = 100
const maxDays = 42

export type ViewName = 'MergedOnly' | 'FreeBusy' | 'FreeBusyMerged' | 'Detailed' | 'DetailedMerged'
const views: readonly ViewName[] = ['MergedOnly', 'FreeBusy', 'FreeBusyMerged', 'Detailed', 'DetailedMerged']

export interface AvailabilityRequest {
  readonly rules: ZoneRules
  readonly addresses: readonly string[]
  readonly range: { readonly from: number; readonly to: number }
  /** Milliseconds. */
  readonly interval: number
  readonly view: ViewName
}

export function readAvailability(call: EwsCall): AvailabilityRequest {
  const { request } = call
  const rules = rulesOf(call)
  const mailboxes = childrenOf(childOf(request, 'MailboxDataArray'), 'MailboxData')
  if (mailboxes.length === 0) {
    throw new EwsError('ErrorMailboxDataArrayEmpty', 'Mailbox data array cannot be null or empty.')
  }
  if (mailboxes.length > maxMailboxes) {
    const message = `The maximum number of mailboxes in a request is ${maxMailboxes}.`
    throw new EwsError('ErrorMailboxDataArrayTooBig', message)
  }
  const options = childOf(request, 'FreeBusyViewOptions')
  if (options === undefined) {
    throw new EwsError('ErrorInvalidFreeBusyViewType', 'FreeBusyViewOptions or SuggestionsViewOptions is required.')
  }
  const range = readWindow(options, rules)
  return {
    rules,
    addresses: mailboxes.map((mailbox) => textOf(childOf(mailbox, 'Email'), 'Address') ?? ''),
    range,
    interval: readInterval(options, range.to - range.from),
    view: readView(options),
  }
}

/** The rules in the request, or since 2010 those of the zone named in its header. */
function rulesOf(call: EwsCall): ZoneRules {
  const zone = childOf(call.request, 'TimeZone')
  if (zone !== undefined) return readRules(zone)
  const context = contextZone(call)
  if (context !== undefined) return zoneRules(context.iana, new Date(call.world.now()).getUTCFullYear())
  throw new EwsError('ErrorTimeZone', 'The time zone is not valid or is missing from the request.')
}

function readWindow(options: XmlNode, rules: ZoneRules): AvailabilityRequest['range'] {
  const window = childOf(options, 'TimeWindow')
  const [from, to] = ['StartTime', 'EndTime'].map((name) => moment(textOf(window, name) ?? '', rules)) as [
    number,
    number,
  ]
  if (to <= from) {
    const message = 'The time duration specified for FreeBusyViewOptions.TimeWindow is invalid.'
    throw new EwsError('ErrorInvalidTimeInterval', message)
  }
  const days = Math.ceil((to - from) / DAY)
  if (days <= maxDays) return { from, to }
  throw new EwsError(
    'ErrorTimeIntervalTooBig',
    `The requested time duration specified for FreeBusyViewOptions.TimeWindow is too long. The allowed limit = ${maxDays} days; the actual limit = ${days} days.`,
  )
}

/** A time of the request; an offset takes precedence over the zone. */
function moment(text: string, rules: ZoneRules): number {
  try {
    if (/(Z|[+-]\d\d:\d\d)$/.test(text)) return Temporal.Instant.from(text).epochMilliseconds
    return instantByRules(rules, Temporal.PlainDateTime.from(text))
  } catch {
    throw schemaViolation(`The value '${text}' is invalid according to its datatype 'dateTime'.`)
  }
}

function readInterval(options: XmlNode, window: number): number {
  const minutes = Number(textOf(options, 'MergedFreeBusyIntervalInMinutes') ?? 30)
  if (Number.isInteger(minutes) && minutes >= 5 && minutes <= 1440 && minutes * MINUTE <= window)
    return minutes * MINUTE
  throw new EwsError(
    'ErrorInvalidMergedFreeBusyInterval',
    'The specified merged free/busy interval is not valid. Specify an interval that is less than the free/busy time window and between 5 and 1440 minutes.',
  )
}

function readView(options: XmlNode): ViewName {
  const named = textOf(options, 'RequestedView') ?? 'FreeBusy'
  const view = views.find((name) => name === named)
  if (view === undefined) throw new EwsError('ErrorInvalidFreeBusyViewType', 'The requested view is invalid.')
  return view
}

function integer(node: XmlNode | undefined, name: string): number {
  const text = textOf(node, name) ?? ''
  if (/^-?\d+$/.test(text)) return Number(text)
  throw new EwsError('ErrorTimeZone', `The time zone is not valid: ${name}.`)
}

/** `Bias` is added to the wall time to get UTC. */
function readRules(zone: XmlNode): ZoneRules {
  const bias = integer(zone, 'Bias')
  const [standard, daylight] = ['StandardTime', 'DaylightTime'].map((name) => childOf(zone, name))
  if (standard === undefined || daylight === undefined) {
    throw schemaViolation("The element 'TimeZone' has incomplete content.")
  }
  const standardOffset = -(bias + integer(standard, 'Bias'))
  const hasChanges = integer(standard, 'Month') > 0 && integer(daylight, 'Month') > 0
  const daylightOffset = -(bias + integer(daylight, 'Bias'))
  if (!hasChanges || daylightOffset === standardOffset) return { standardOffset }
  return {
    standardOffset,
    toStandard: readChange(standard, standardOffset),
    toDaylight: readChange(daylight, daylightOffset),
  }
}

function readChange(node: XmlNode, offset: number): ClockChange {
  const [hours = 0, minutes = 0] = (textOf(node, 'Time') ?? '').split(':').map(Number)
  const order = integer(node, 'DayOrder')
  const day = weekdays.findIndex((name) => capitalized(name) === textOf(node, 'DayOfWeek'))
  if (day < 0) throw schemaViolation("The 'DayOfWeek' element is invalid.")
  return {
    offset,
    month: integer(node, 'Month'),
    dayOfWeek: day + 1,
    occurrence: order >= 5 ? -1 : order,
    minutes: hours * 60 + minutes,
  }
}
