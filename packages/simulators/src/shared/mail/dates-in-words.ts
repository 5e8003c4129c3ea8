// The dates that a search accepts: `2026-01-31`, `1/31/2026`, `2026-01-01..2026-01-31`, `today`, `this week`.

const DAY = 86_400_000

export interface Bounds {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** The bounds in milliseconds; days are UTC days. */
export function datesOf(value: string, now: number): Bounds {
  const named = namedDates(value.toLowerCase(), now)
  if (named !== undefined) return named
  const [first = '', last = first] = value.split('..')
  return { from: momentOf(first), to: momentOf(last) + (last.includes('T') ? 1 : DAY) }
}

function namedDates(name: string, now: number): Bounds | undefined {
  const date = new Date(now)
  const today = Math.floor(now / DAY) * DAY
  const week = today - date.getUTCDay() * DAY
  const month = (offset: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset)
  const year = (offset: number) => Date.UTC(date.getUTCFullYear() + offset, 0)
  const days: Record<string, Bounds> = {
    today: { from: today, to: today + DAY },
    yesterday: { from: today - DAY, to: today },
    'this week': { from: week, to: week + 7 * DAY },
    'last week': { from: week - 7 * DAY, to: week },
    'this month': { from: month(0), to: month(1) },
    'last month': { from: month(-1), to: month(0) },
    'this year': { from: year(0), to: year(1) },
    'last year': { from: year(-1), to: year(0) },
  }
  return days[name]
}

function momentOf(text: string): number {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  if (american !== null) return Date.UTC(Number(american[3]), Number(american[1]) - 1, Number(american[2]))
  return Date.parse(text.includes('T') ? text : `${text}T00:00:00Z`)
}
