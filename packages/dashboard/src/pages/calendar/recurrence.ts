/** Recurrence rules: a few common ones as form fields, all others as the text of the rule (RFC 5545). */
import { addDays, dateOf, secondsOf, stampOf, wallOf } from './zones.ts'

export const repeats = ['never', 'daily', 'weekdays', 'weekly', 'monthly', 'yearly', 'rule'] as const
export type Repeat = (typeof repeats)[number]

/** Values of the form fields. */
export interface Repetition {
  repeat: Repeat
  ends: 'never' | 'on' | 'after'
  /** The last day. */
  until: string
  times: number
  /** The whole rule, if none of the common ones matches. */
  rule: string
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const workdays = 'MO,TU,WE,TH,FR'
const usual: Record<string, Repeat> = { DAILY: 'daily', WEEKLY: 'weekly', MONTHLY: 'monthly', YEARLY: 'yearly' }

export const ruleOf = (recurrence: readonly string[] | undefined): string =>
  recurrence?.find((line) => /^RRULE:/i.test(line))?.slice(6) ?? ''

const partsOf = (rule: string): Map<string, string> =>
  new Map(
    rule
      .toUpperCase()
      .split(';')
      .filter((part) => part.includes('='))
      .map((part) => part.split('=', 2) as [string, string]),
  )
const textOf = (parts: ReadonlyMap<string, string>): string =>
  [...parts].map(([name, value]) => `${name}=${value}`).join(';')

const dateOfStamp = (stamp: string): string => `${stamp.slice(0, 4)}-${stamp.slice(4, 6)}-${stamp.slice(6, 8)}`
const secondsOfStamp = (stamp: string): number =>
  Date.parse(`${dateOfStamp(stamp)}T${stamp.slice(9, 11)}:${stamp.slice(11, 13)}:${stamp.slice(13, 15)}Z`) / 1000

/** The last day of a rule in a time zone. */
function lastDay(until: string | undefined, zone: string): string {
  if (until === undefined) return ''
  return until.endsWith('Z') ? dateOf(wallOf(secondsOfStamp(until), zone)) : dateOfStamp(until)
}

function presetOf(parts: ReadonlyMap<string, string>, weekday: number): Repeat {
  const others = [...parts.keys()].filter((name) => !['FREQ', 'COUNT', 'UNTIL', 'WKST', 'BYDAY'].includes(name))
  if (others.some((name) => name !== 'INTERVAL' || parts.get(name) !== '1')) return 'rule'
  const [frequency, days] = [parts.get('FREQ') ?? '', parts.get('BYDAY')]
  if (frequency === 'WEEKLY' && days === workdays) return 'weekdays'
  if (days !== undefined && !(frequency === 'WEEKLY' && days === weekdays[weekday])) return 'rule'
  return usual[frequency] ?? 'rule'
}

/** Converts a rule to form fields. `weekday` is the weekday of the first day. */
export function repetitionOf(recurrence: readonly string[] | undefined, weekday: number, zone: string): Repetition {
  const rule = ruleOf(recurrence)
  const parts = partsOf(rule)
  const until = parts.get('UNTIL')
  const times = parts.get('COUNT')
  const hasDatesAlone = rule === '' && (recurrence?.length ?? 0) > 0
  return {
    repeat: rule === '' ? (hasDatesAlone ? 'rule' : 'never') : presetOf(parts, weekday),
    ends: until ? 'on' : times ? 'after' : 'never',
    until: lastDay(until, zone),
    times: times ? Number(times) : 10,
    rule,
  }
}

const frequencies: Partial<Record<Repeat, string>> = {
  daily: 'FREQ=DAILY',
  weekdays: `FREQ=WEEKLY;BYDAY=${workdays}`,
  weekly: 'FREQ=WEEKLY',
  monthly: 'FREQ=MONTHLY',
  yearly: 'FREQ=YEARLY',
}

/** Converts form fields to a rule; undefined if the event does not repeat. */
export function writtenRule(repetition: Repetition, allDay: boolean, zone: string): string | undefined {
  const { repeat, ends, until, times, rule } = repetition
  if (repeat === 'never') return undefined
  if (repeat === 'rule') return rule.trim().replace(/^RRULE:/i, '')
  const end =
    ends === 'on' && until ? `;UNTIL=${untilOf(until, allDay, zone)}` : ends === 'after' ? `;COUNT=${times}` : ''
  return `${frequencies[repeat]}${end}`
}

const untilOf = (date: string, allDay: boolean, zone: string): string =>
  allDay ? date.replaceAll('-', '') : stampOf(secondsOf(`${addDays(date, 1)}T00:00`, zone) - 1)

/** Replaces the rule; excluded and additional dates stay. */
export const withRule = (recurrence: readonly string[] | undefined, rule: string | undefined): string[] =>
  rule === undefined
    ? []
    : [...(rule === '' ? [] : [`RRULE:${rule}`]), ...(recurrence ?? []).filter((line) => !/^RRULE:/i.test(line))]

/** Shifts the weekdays of a rule when the event moved by `days` days. */
export function onOtherDays(recurrence: readonly string[], days: number): string[] {
  const parts = partsOf(ruleOf(recurrence))
  const named = parts.get('BYDAY')
  if (days % 7 === 0 || parts.get('FREQ') !== 'WEEKLY' || named === undefined) return [...recurrence]
  const moved = named.split(',').map((day) => weekdays[(((weekdays.indexOf(day) + days) % 7) + 7) % 7] ?? day)
  return withRule(recurrence, textOf(new Map([...parts, ['BYDAY', moved.join(',')]])))
}

/** The occurrence at which a series is split, by time or by date. */
export type SeriesCut = { seconds: number } | { date: string }

const stampOfCut = (cut: SeriesCut): string => ('date' in cut ? cut.date.replaceAll('-', '') : stampOf(cut.seconds))

/** Dates of a line before or after a cut. Local times are compared by date. */
function datesOf(line: string, cut: SeriesCut, isRetained: (isBefore: boolean) => boolean): string[] {
  const [head = '', values = ''] = line.split(/:(.*)/s)
  const at = stampOfCut(cut)
  const comparable = (value: string): boolean =>
    value.endsWith('Z') && at.endsWith('Z') ? value < at : value.slice(0, 8) < at.slice(0, 8)
  const retained = values.split(',').filter((value) => isRetained(comparable(value)))
  return retained.length > 0 ? [`${head}:${retained.join(',')}`] : []
}

const linesOf = (
  recurrence: readonly string[],
  cut: SeriesCut,
  rule: string,
  isRetained: (isBefore: boolean) => boolean,
): string[] => [
  ...(rule === '' ? [] : [`RRULE:${rule}`]),
  ...recurrence.filter((line) => !/^RRULE:/i.test(line)).flatMap((line) => datesOf(line, cut, isRetained)),
]

/** The series before an occurrence. */
export function partBefore(recurrence: readonly string[], cut: SeriesCut): string[] {
  const parts = partsOf(ruleOf(recurrence))
  if (parts.size === 0) return linesOf(recurrence, cut, '', (isBefore) => isBefore)
  parts.delete('COUNT')
  const last = 'date' in cut ? addDays(cut.date, -1).replaceAll('-', '') : stampOf(cut.seconds - 1)
  parts.set('UNTIL', last)
  return linesOf(recurrence, cut, textOf(parts), (isBefore) => isBefore)
}

/** The series from an occurrence on; `before` occurrences are over. */
export function partFrom(recurrence: readonly string[], cut: SeriesCut, before: number): string[] {
  const parts = partsOf(ruleOf(recurrence))
  const times = parts.get('COUNT')
  if (times) parts.set('COUNT', String(Math.max(1, Number(times) - before)))
  return linesOf(recurrence, cut, textOf(parts), (isBefore) => !isBefore)
}

export const countOf = (recurrence: readonly string[]): number | undefined => {
  const times = partsOf(ruleOf(recurrence)).get('COUNT')
  return times ? Number(times) : undefined
}

/** Number of excluded dates before a cut. They count toward `COUNT`. */
export const takenOutBefore = (recurrence: readonly string[], cut: SeriesCut): number =>
  recurrence
    .filter((line) => /^EXDATE/i.test(line))
    .flatMap((line) => datesOf(line, cut, (isBefore) => isBefore))
    .reduce((sum, line) => sum + (line.split(/:(.*)/s)[1] ?? '').split(',').length, 0)

const names = {
  daily: 'Every day',
  weekdays: 'Every weekday',
  weekly: 'Every week',
  monthly: 'Every month',
  yearly: 'Every year',
}

/** Describes a recurrence rule. */
export function sayRepetition(recurrence: readonly string[], weekday: number, zone: string): string {
  const { repeat, ends, until, times, rule } = repetitionOf(recurrence, weekday, zone)
  if (repeat === 'never') return 'Never'
  if (repeat === 'rule') return rule || recurrence.join(' ')
  const end = ends === 'on' ? `, until ${until}` : ends === 'after' ? `, ${times} times` : ''
  return `${names[repeat]}${end}`
}
