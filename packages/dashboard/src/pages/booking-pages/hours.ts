/** Converts open hours between the API, which lists blocks of days, and the weekly editor, which lists days. Pure. */

/** A block as the API has it: the same hours on several days. */
export interface HoursBlock {
  days: number[]
  start: string
  end: string
  timezone?: string | null | undefined
  exdates?: string[] | null | undefined
  /** Alias of `exdates`. */
  ex_dates?: string[] | null | undefined
}

const closedDays = ({ exdates, ex_dates }: HoursBlock): readonly string[] => exdates ?? ex_dates ?? []

/** Hours of one day, as `HH:MM`; the end may be `24:00`. */
export interface Span {
  start: string
  end: string
}

/** The spans of each day, from Sunday (0) to Saturday (6). */
export type Week = readonly (readonly Span[])[]

/** Days in the order of the editor. */
export const weekOrder = [1, 2, 3, 4, 5, 6, 0] as const
export const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

const workday: readonly Span[] = [{ start: '09:00', end: '17:00' }]
/** Monday to Friday, nine to five. */
export const usualWeek: Week = dayNames.map((_, day) => (day === 0 || day === 6 ? [] : workday))

const two = (value: number): string => String(value).padStart(2, '0')

/** `9:00` as `09:00`. */
const padded = (time: string): string => {
  const [hour = '0', minute = '00'] = time.split(':')
  return `${two(Number(hour))}:${minute}`
}
export const minutesOf = (time: string): number => {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}
const timeAt = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`

const byStart = (a: Span, b: Span): number => minutesOf(a.start) - minutesOf(b.start)

export const weekOf = (blocks: readonly HoursBlock[]): Week =>
  dayNames.map((_, day) =>
    blocks
      .filter(({ days }) => days.includes(day))
      .map(({ start, end }) => ({ start: padded(start), end: padded(end) }))
      .sort(byStart),
  )

/** What all blocks have in common besides their hours. */
export interface Common {
  timezone: string | undefined
  exdates: readonly string[]
}

/** Undefined if the blocks differ in time zone or closed days. The weekly editor cannot show such hours. */
export function commonOf(blocks: readonly HoursBlock[]): Common | undefined {
  const each = blocks.map((block) => JSON.stringify([block.timezone || null, closedDays(block)]))
  if (new Set(each).size > 1) return undefined
  const [first] = blocks
  return { timezone: first?.timezone || undefined, exdates: first ? closedDays(first) : [] }
}

/** Blocks of days with the same hours, in the order of the week. */
export function blocksOf(week: Week, { timezone, exdates }: Common): HoursBlock[] {
  const found = new Map<string, HoursBlock>()
  for (const day of weekOrder) {
    for (const { start, end } of week[day] ?? []) {
      const block = found.get(`${start} ${end}`)
      if (block) block.days.push(day)
      else {
        found.set(`${start} ${end}`, {
          days: [day],
          start,
          end,
          ...(timezone ? { timezone } : {}),
          ...(exdates.length > 0 ? { exdates: [...exdates] } : {}),
        })
      }
    }
  }
  return [...found.values()]
}

/** The first problem of a day; undefined if there is none. */
export function problemOf(spans: readonly Span[]): string | undefined {
  if (spans.some(({ start, end }) => minutesOf(end) <= minutesOf(start))) return 'The end must be after the start.'
  const sorted = [...spans].sort(byStart)
  return sorted.some(({ start }, index) => minutesOf(start) < minutesOf(sorted[index - 1]?.end ?? '0:00'))
    ? 'The hours overlap.'
    : undefined
}

/** The first problem of a week, with the name of its day. */
export function problemOfWeek(week: Week): string | undefined {
  for (const day of weekOrder) {
    const problem = problemOf(week[day] ?? [])
    if (problem) return `${dayNames[day]}: ${problem}`
  }
  return undefined
}

const lastStart = 23 * 60
/** Hours to add to a day: after the last ones, or nine to five. */
export function nextSpan(spans: readonly Span[]): Span {
  const end = Math.max(0, ...spans.map((span) => minutesOf(span.end)))
  if (end === 0) return { start: '09:00', end: '17:00' }
  const start = Math.min(end + 60, lastStart)
  return { start: timeAt(start), end: timeAt(Math.min(start + 120, 1440)) }
}

export const withDay = (week: Week, day: number, spans: readonly Span[]): Week =>
  week.map((each, index) => (index === day ? spans : each))

/** Copies the hours of a day to all other days that have hours. */
export const copied = (week: Week, from: number): Week =>
  week.map((each, day) => (day === from || each.length > 0 ? (week[from] ?? []) : each))

const step = 15
/** Times to choose from, in steps of 15 minutes, and the current one. */
export function timesFor(current: string, { first = 0, last = 1440 } = {}): string[] {
  const times = Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) =>
    timeAt(first + index * step),
  )
  return times.includes(current) ? times : [...times, current].sort((a, b) => minutesOf(a) - minutesOf(b))
}

const isRow = (days: readonly number[]): boolean =>
  days.length > 2 &&
  days.every((day, index) => index === 0 || weekOrder.indexOf(day as 0) === weekOrder.indexOf(days[index - 1] as 0) + 1)

/** Hours in words, such as `Mon–Fri 09:00–17:00`. */
export function sayHours(blocks: readonly HoursBlock[]): string {
  const short = (day: number | undefined): string => (dayNames[day ?? 0] ?? '').slice(0, 3)
  const said = blocksOf(weekOf(blocks), { timezone: undefined, exdates: [] }).map(({ days, start, end }) => {
    const which = isRow(days) ? `${short(days[0])}–${short(days.at(-1))}` : days.map(short).join(', ')
    return `${which} ${start}–${end}`
  })
  return said.join('; ') || 'No hours'
}
