/** Times and numbers in the viewer's time zone and language. */
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const minute = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const dayAndMinute = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const whole = new Intl.NumberFormat()

export const now = (): number => Date.now() / 1000

const steps = [
  ['second', 60, 1],
  ['minute', 3600, 60],
  ['hour', 86_400, 3600],
  ['day', 7 * 86_400, 86_400],
] as const

/** A time relative to now if it is within a week, otherwise the date. */
export function sayTime(seconds: number, at = now()): string {
  const away = seconds - at
  const size = Math.abs(away)
  if (size < 10) return 'just now'
  for (const [unit, below, length] of steps) {
    if (size < below) return relative.format(Math.round(away / length), unit)
  }
  return day.format(seconds * 1000)
}
/** A day in words: today, yesterday, or its date. */
export function sayDay(seconds: number): string {
  const midnight = (at: number): number => new Date(at * 1000).setHours(0, 0, 0, 0)
  const days = Math.round((midnight(seconds) - midnight(now())) / 86_400_000)
  if (days !== 0 && days !== -1) return day.format(seconds * 1000)
  const words = relative.format(days, 'day')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
export const exactTime = (seconds: number): string => exact.format(seconds * 1000)
export const clockTime = (seconds: number): string => minute.format(seconds * 1000)
export const dayTime = (seconds: number): string => dayAndMinute.format(seconds * 1000)
export const count = (value: number): string => whole.format(value)
/** A count that the service caps at 1,000. */
export const capped = (value: number): string => (value >= 1000 ? `${count(1000)}+` : count(value))
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

export function sayDuration(seconds: number): string {
  if (seconds < 90) return plural(Math.round(seconds), 'second')
  if (seconds < 5400) return plural(Math.round(seconds / 60), 'minute')
  if (seconds < 129_600) return plural(Math.round(seconds / 3600), 'hour')
  return plural(Math.round(seconds / 86_400), 'day')
}

/** Length of a chart step for use after "per": `minute`, `5 minutes`, `hour`. */
export function sayStep(seconds: number): string {
  const [size, unit] = seconds % 3600 === 0 ? [seconds / 3600, 'hour'] : [seconds / 60, 'minute']
  return size === 1 ? unit : plural(size, unit)
}

/** Formats a month such as `2026-03`. */
export function sayMonth(month: string): string {
  const date = new Date(`${month}-01T12:00:00`)
  return Number.isNaN(date.getTime())
    ? month
    : new Intl.DateTimeFormat(undefined, { month: 'short', year: '2-digit' }).format(date)
}

export const shown = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '–' : JSON.stringify(value)
