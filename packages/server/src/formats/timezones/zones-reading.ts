// What zone a TZID of somebody else's calendar means. A name that is known beats the rules that come along with it, which
// are often old or wrong: IANA's, Windows', the end of a path (`/example.org/20250101_1/Europe/Berlin`), an offset
// (`UTC+02:00`), what X-LIC-LOCATION says. Where the name says nothing, the rules of the VTIMEZONE are compared with those
// of all zones (`vtimezone.ts`); where no zone keeps them, they are kept as they are. A TZID without any of these says
// nothing, and its times are read as floating ones.
import { type ComponentNode, unescapeText } from '../icalendar/content-lines.ts'
import { zoneOfOffset, zoneOfRules } from '../icalendar/vtimezone.ts'
import { type ReadZone, resolveTimeZone } from './timezones.ts'

export type ZoneReader = (tzid: string) => ReadZone | undefined

/** Reads the TZIDs of one text, by its own VTIMEZONE components where it needs them. */
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

/** What a VTIMEZONE is named by. */
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

/** `GMT+0100`, `UTC-05:30`, `(UTC+01:00) Amsterdam, Berlin`: what is east of Greenwich is positive. */
function offsetIn(tzid: string): ReadZone | undefined {
  const found = /^\(?(?:utc|gmt)\s*([+-])(\d{1,2})[:.]?(\d{2})?\b/i.exec(tzid.trim())
  if (found === null) return undefined
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0)
  if (minutes > 15 * 60) return undefined
  return zoneOfOffset((found[1] === '-' ? -60 : 60) * minutes)
}
