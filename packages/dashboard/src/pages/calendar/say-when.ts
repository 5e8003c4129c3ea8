/** Formats the time of an event in the viewer's language and the displayed time zone. */
import type { When } from '@waypost/sdk'

const noon = (date: string): Date => new Date(`${date}T12:00:00Z`)
const dayWords = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
const timeWords = { ...dayWords, hour: '2-digit', minute: '2-digit' } as const

const days = new Intl.DateTimeFormat(undefined, { ...dayWords, timeZone: 'UTC' })

export function sayWhen(when: When, zone: string): string {
  if (when.object === 'date') return days.format(noon(when.date))
  if (when.object === 'datespan') return days.formatRange(noon(when.start_date), noon(when.end_date))
  const times = new Intl.DateTimeFormat(undefined, { ...timeWords, timeZone: zone })
  if (when.object === 'time') return times.format(when.time * 1000)
  return times.formatRange(when.start_time * 1000, when.end_time * 1000)
}

/** The event's own time zone if it differs from the displayed one. */
export function ownZoneOf(when: When, zone: string): string | undefined {
  const own = when.object === 'timespan' ? when.start_timezone : when.object === 'time' ? when.timezone : undefined
  return own && own !== zone ? own : undefined
}
