/**
 * Resolves the TZIDs of other calendars. A recognized name takes precedence over the rules in the text, which are
 * often old or wrong. Recognized are IANA and Windows names, the end of a path
 * (`/example.org/20250101_1/Europe/Berlin`) and X-LIC-LOCATION. Otherwise the rules of the VTIMEZONE are compared
 * with those of all zones (`vtimezone.ts`), and used as they are if no zone matches. Without rules, an offset in the
 * name counts (`UTC+02:00`). If nothing applies, times with this TZID are read as floating. The same applies to a zone
 * whose rules take more steps than its text has left.
 */
import { RecurrenceTooLarge, type Steps } from '../recurrence/steps.ts'
import { type ReadZone, resolveTimeZone } from '../timezones/timezones.ts'
import { type ComponentNode, unescapeText } from './content-lines.ts'
import { zoneOfOffset, zoneOfRules } from './vtimezone.ts'

export type ZoneReader = (tzid: string) => ReadZone | undefined

/** The cost of looking up one name, in steps. The first use of a zone builds its table. */
const STEPS_OF_NAME = 1000

/**
 * Resolves the TZIDs of one text, with its own VTIMEZONE components if necessary. Each is resolved once, also one that
 * cannot be read.
 */
export function zoneReader(calendar: ComponentNode | undefined, steps: Steps): ZoneReader {
  const known = new Map<string, ReadZone | undefined>()
  let components: ReadonlyMap<string, ComponentNode> | undefined
  return (tzid) => {
    if (known.has(tzid)) return known.get(tzid)
    let zone: ReadZone | undefined
    try {
      steps.take(STEPS_OF_NAME)
      const named = zoneOfName(tzid)
      components ??= named === undefined ? componentsByName(calendar) : undefined
      zone = named === undefined ? zoneOfComponent(components?.get(tzid), tzid, steps) : { id: named, name: named }
    } catch (error) {
      if (!(error instanceof RecurrenceTooLarge)) throw error
      zone = offsetIn(tzid)
    }
    known.set(tzid, zone)
    return zone
  }
}

/** The VTIMEZONE components of a calendar; the first of each name. */
function componentsByName(calendar: ComponentNode | undefined): Map<string, ComponentNode> {
  const found = new Map<string, ComponentNode>()
  for (const one of calendar?.components ?? []) {
    const tzid = one.name === 'VTIMEZONE' ? tzidOf(one) : undefined
    if (tzid !== undefined && !found.has(tzid)) found.set(tzid, one)
  }
  return found
}

function zoneOfComponent(found: ComponentNode | undefined, tzid: string, steps: Steps): ReadZone | undefined {
  if (found === undefined) return offsetIn(tzid)
  const location = found.line('X-LIC-LOCATION')
  const named = location && zoneOfName(unescapeText(location.value))
  if (named !== undefined) return { id: named, name: named }
  return zoneOfRules(found, steps) ?? offsetIn(tzid)
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
