// rrule-temporal as an independent implementation of RFC 5545, for comparison. Rules are passed as options, never as
// text. YEARLY rules that combine BYYEARDAY, BYWEEKNO and BYMONTHDAY with other parts are excluded: it expands them
// wrongly.
import { RRuleTemporal } from 'rrule-temporal'
import { type RecurrenceRule, type SeriesStart, startKey } from '../../src/recurrence/series.ts'

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
const given = <Item>(list: readonly Item[]): Item[] | undefined => (list.length === 0 ? undefined : [...list])

/** The keys of the rule's slots from `from` to `to`, inclusive. */
export function oracleKeys(
  start: SeriesStart,
  rule: RecurrenceRule,
  { from, to }: { from: number; to: number },
): number[] {
  const unit = start.kind === 'timed' ? 1 : 86_400
  const zone = start.kind === 'timed' ? start.zone : 'UTC'
  const library = new RRuleTemporal({
    dtstart: new Temporal.ZonedDateTime(BigInt(startKey(start) * unit) * 1_000_000_000n, zone),
    freq: rule.freq,
    interval: rule.interval,
    wkst: weekdays[rule.weekStart],
    byMonth: given(rule.byMonth),
    byMonthDay: given(rule.byMonthDay),
    byDay: given(rule.byDay.map(({ weekday, ordinal }) => `${ordinal === 0 ? '' : ordinal}${weekdays[weekday]}`)),
    byHour: given(rule.byHour),
    byMinute: given(rule.byMinute),
    bySecond: given(rule.bySecond),
    bySetPos: given(rule.bySetPos),
    maxIterations: 100_000,
    cache: false,
  })
  return library
    .between(new Date(from * unit * 1000), new Date(to * unit * 1000), true)
    .map(({ epochMilliseconds }) => epochMilliseconds / 1000 / unit)
}
