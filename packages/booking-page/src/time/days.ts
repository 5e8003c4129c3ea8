/** Days and months of the calendar, without a time zone: `2026-11-18` and `2026-11`. */
export type Day = string
export type Month = string

const pad = (value: number): string => String(value).padStart(2, '0')
const utcOf = (day: Day): Date => new Date(`${day}T00:00:00Z`)
const dayFrom = (date: Date): Day => date.toISOString().slice(0, 10)

export const monthOf = (day: Day): Month => day.slice(0, 7)

export function addDays(day: Day, count: number): Day {
  const date = utcOf(day)
  date.setUTCDate(date.getUTCDate() + count)
  return dayFrom(date)
}

export function addMonths(month: Month, count: number): Month {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const at = year * 12 + number - 1 + count
  return `${Math.floor(at / 12)}-${pad((((at % 12) + 12) % 12) + 1)}`
}

/** 0 is Sunday. */
export const weekdayOf = (day: Day): number => utcOf(day).getUTCDay()

export function daysOf(month: Month): Day[] {
  const first = `${month}-01`
  const days: Day[] = []
  for (let day = first; monthOf(day) === month; day = addDays(day, 1)) days.push(day)
  return days
}

/** The same day of another month, or the last one of a shorter month. */
export function dayInMonth(day: Day, month: Month): Day {
  const days = daysOf(month)
  return days[Math.min(Number(day.slice(8)), days.length) - 1] ?? `${month}-01`
}

/** Weeks of a month; days of its neighbors are undefined. */
export function weeksOf(month: Month, firstWeekday: number): (Day | undefined)[][] {
  const days = daysOf(month)
  const before = (weekdayOf(`${month}-01`) - firstWeekday + 7) % 7
  const cells: (Day | undefined)[] = [...Array.from({ length: before }, () => undefined), ...days]
  while (cells.length % 7 !== 0) cells.push(undefined)
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}

const hour = 3600

/** Seconds from the earliest start to the latest end of a month in any time zone (UTC+14 to UTC-12). */
export function windowOf(month: Month): { start: number; end: number } {
  const at = (day: Day): number => utcOf(day).getTime() / 1000
  return { start: at(`${month}-01`) - 14 * hour, end: at(`${addMonths(month, 1)}-01`) + 12 * hour }
}
