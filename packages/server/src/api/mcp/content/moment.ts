/** Times in results: ISO 8601 with the offset of a zone, and Unix seconds. Pure. */
import { civilDate, digits2, digits4 } from '@waypost/formats/timezones/dates'
import { resolveTimeZone, zoneOffset } from '@waypost/formats/timezones/timezones'
import { z } from 'zod'

export const Moment = z
  .object({
    iso: z.string().meta({ description: 'ISO 8601 with the offset of the time zone' }),
    unix: z.int().meta({ description: 'Unix seconds' }),
    timezone: z.string().meta({ description: 'IANA time zone of `iso`' }),
  })
  .meta({ description: 'A point in time' })
export type Moment = z.output<typeof Moment>

/** A time in a zone; UTC if the zone is unknown. */
export function momentOf(unix: number, zone: string): Moment {
  const timezone = resolveTimeZone(zone) ?? 'UTC'
  const offset = zoneOffset(timezone, unix)
  const wall = unix + offset
  const { year, month, day } = civilDate(Math.floor(wall / 86_400))
  const second = ((wall % 86_400) + 86_400) % 86_400
  const clock = [second / 3600, (second / 60) % 60, second % 60].map((part) => digits2(Math.floor(part))).join(':')
  const date = `${digits4(year)}-${digits2(month)}-${digits2(day)}`
  return { iso: `${date}T${clock}${offsetText(offset)}`, unix, timezone }
}

function offsetText(offset: number): string {
  if (offset === 0) return 'Z'
  const minutes = Math.floor(Math.abs(offset) / 60)
  return `${offset < 0 ? '-' : '+'}${digits2(Math.floor(minutes / 60))}:${digits2(minutes % 60)}`
}
