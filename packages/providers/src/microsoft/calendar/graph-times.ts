/** Times of an event in the form that Graph accepts. Pure. */
import { invalidField } from '@waypost/platform/api-error'
import type { ExchangeFields, ExchangeTime } from '../../calendar/exchange/event-model.ts'
import { secondsOf, utcTime } from '../../calendar/exchange/when.ts'
import { isWindowsName } from '../../calendar/exchange/zones.ts'

const isKnown = ({ timeZone = 'UTC' }: ExchangeTime): boolean => isWindowsName(timeZone)

/**
 * Graph accepts only Windows zones and no rules of other zones. A single event in another zone is written in UTC,
 * with its zone in our own property. A series is refused, because it would repeat in the wrong zone.
 */
export function graphTimes(fields: ExchangeFields): ExchangeFields {
  const { start, end, recurrence } = fields
  const unknown = [start, end].find((time) => time !== undefined && !isKnown(time))
  if (!unknown) return fields
  if (recurrence) {
    throw invalidField(
      'when.start_timezone',
      `Microsoft has no time zone with the clock of ${unknown.timeZone}, so a series cannot repeat in it: use another zone, such as UTC`,
    )
  }
  const known = (time: ExchangeTime): ExchangeTime => (isKnown(time) ? time : utcTime(secondsOf(time)))
  return { ...fields, ...(start ? { start: known(start) } : {}), ...(end ? { end: known(end) } : {}) }
}
