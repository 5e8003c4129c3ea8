/** Times as the visitor reads them: in a language, a time zone, and with 12 or 24 hours. */
import type { Day, Month } from './days.ts'

export interface Formats {
  /** The day of a moment in the time zone. */
  dayOf(seconds: number): Day
  /** The hour of a moment in the time zone, 0 to 23. */
  hourOf(seconds: number): number
  time(seconds: number): string
  /** Such as "Wednesday, November 18, 2026". */
  longDay(day: Day): string
  /** Such as "Wed, Nov 18". */
  shortDay(day: Day): string
  month(month: Month): string
  /** Such as "10:00 – 10:30"; with days if it passes midnight. */
  times(start: number, end: number): string
  number(value: number): string
}

const inUtc = (day: Day): Date => new Date(`${day.length === 7 ? `${day}-01` : day}T00:00:00Z`)
const at = (seconds: number): Date => new Date(seconds * 1000)

export function formatsOf(tag: string, timeZone: string, hour12: boolean): Formats {
  const plain = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const clock: Intl.DateTimeFormatOptions = hour12
    ? { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' }
    : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  const time = new Intl.DateTimeFormat(tag, { timeZone, ...clock })
  const dated = (options: Intl.DateTimeFormatOptions): ((day: Day) => string) => {
    const format = new Intl.DateTimeFormat(tag, { timeZone: 'UTC', ...options })
    return (day) => format.format(inUtc(day))
  }
  const whole = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' } as const
  const number = new Intl.NumberFormat(tag)
  return {
    dayOf: (seconds) => plain.format(at(seconds)).slice(0, 10),
    hourOf: (seconds) => Number(plain.format(at(seconds)).slice(11, 13)),
    time: (seconds) => time.format(at(seconds)),
    longDay: dated(whole),
    shortDay: dated({ weekday: 'short', month: 'short', day: 'numeric' }),
    month: dated({ year: 'numeric', month: 'long' }),
    times: (start, end) => time.formatRange(at(start), at(end)),
    number: (value) => number.format(value),
  }
}

/** The visitor's own variety of the page's language, such as en-GB, which decides about formats. */
export function formatTagOf(language: string, preferred: readonly string[] = navigator.languages): string {
  const plain = language.split('-')[0]
  return preferred.find((tag) => tag.split('-')[0] === plain) ?? language
}

export const usesHour12 = (tag: string): boolean =>
  new Intl.DateTimeFormat(tag, { hour: 'numeric' }).resolvedOptions().hour12 ?? false

interface WeekInfo {
  firstDay: number
}

/** The first day of the week, 0 for Sunday. */
export function firstWeekdayOf(tag: string): number {
  const locale: Intl.Locale & { getWeekInfo?(): WeekInfo; weekInfo?: WeekInfo } = new Intl.Locale(tag)
  const info = locale.getWeekInfo?.() ?? locale.weekInfo
  if (info) return info.firstDay % 7
  return /^(?:en|ja|ko|pt|zh)\b/.test(tag) && tag !== 'en-GB' ? 0 : 1
}

/** Names of the weekdays in order of the week: short, and in full for screen readers. */
export function weekdaysOf(tag: string, first: number): { short: string; long: string }[] {
  const named = (weekday: 'short' | 'long', index: number): string =>
    new Intl.DateTimeFormat(tag, { timeZone: 'UTC', weekday }).format(new Date(Date.UTC(2023, 0, 1 + index)))
  return Array.from({ length: 7 }, (_, index) => {
    const day = (first + index) % 7
    return { short: named('short', day), long: named('long', day) }
  })
}
