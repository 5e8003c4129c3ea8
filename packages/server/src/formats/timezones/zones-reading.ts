// Resolves the TZIDs of other calendars. A recognized name takes precedence over the rules in the text, which are
// often old or wrong. Recognized are IANA and Windows names, the end of a path
// (`/example.org/20250101_1/Europe/Berlin`) and X-LIC-LOCATION. Otherwise the rules of the VTIMEZONE are compared
// with those of all zones (`vtimezone.ts`), and used as they are if no zone matches. Without rules, an offset in the
// name counts (`UTC+02:00`). If nothing applies, times with this TZID are read as floating.
import { type ComponentNode, unescapeText } from '../icalendar/content-lines.ts'
import { zoneOfOffset, zoneOfRules } from '../icalendar/vtimezone.ts'
import { type ReadZone, resolveTimeZone } from './timezones.ts'

export type ZoneReader = (tzid: string) => ReadZone | undefined

/** Resolves the TZIDs of one text, with its own VTIMEZONE components if necessary. */
export function zoneReader(calendar: ComponentNode | undefined): ZoneReader {
  let known: Map<string, ReadZone | undefined> | undefined
  return (tzid) => {
    const named = zoneOfName(tzid)
    if (named !== undefined) return { id: named, name: named }
    known ??= new Map()
    if (!known.has(tzid)) known.set(tzid, zoneOfComponent(calendar, tzid))
    return known.get(tzid)
  }
}

function zoneOfComponent(calendar: ComponentNode | undefined, tzid: string): ReadZone | undefined {
  const found = calendar?.components.find((one) => one.name === 'VTIMEZONE' && tzidOf(one) === tzid)
  if (found === undefined) return offsetIn(tzid)
  const location = found.line('X-LIC-LOCATION')
  const named = location && zoneOfName(unescapeText(location.value))
  if (named !== undefined) return { id: named, name: named }
  return zoneOfRules(found) ?? offsetIn(tzid)
}

/** The TZID of a VTIMEZONE. */
export const tzidOf = (component: ComponentNode): string => unescapeText(component.line('TZID')?.value ?? '').trim()

function zoneOfName(tzid: string): string | undefined {
  const name = tzid.trim()
  const known = resolveTimeZone(name)
  if (known !== undefined || !/[/:]/.test(name)) return known
  if (/^tzone:\/\/microsoft\/utc$/i.test(name)) return 'UTC'
  const parts = name.split('/').slice(-3)
  for (let from = 0; from < parts.length; from++) {
    const tail = parts.slice(from).join('/')
    const zone = tail === name ? undefined : resolveTimeZone(tail)
    if (zone !== undefined) return zone
  }
  return undefined
}

/** Parses `GMT+0100`, `UTC-05:30`, `(UTC+01:00) Amsterdam, Berlin`. East of Greenwich is positive. */
function offsetIn(tzid: string): ReadZone | undefined {
  const found = /^\(?(?:utc|gmt)\s*([+-])(\d{1,2})[:.]?(\d{2})?\b/i.exec(tzid.trim())
  if (found === null) return undefined
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0)
  if (minutes > 15 * 60) return undefined
  return zoneOfOffset((found[1] === '-' ? -60 : 60) * minutes)
}
