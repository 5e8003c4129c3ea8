/**
 * Time zones in the form of Exchange. Pure.
 *
 * Exchange uses the zone names of Windows. CLDR defines which Windows zone an IANA zone belongs to; other zones with
 * similar offsets are never used. Many IANA zones share a Windows zone, so an event also stores the IANA name
 * (own-property.ts). The stored name counts only while Exchange returns the Windows zone that it was written as: a
 * zone chosen in Outlook wins.
 */
import { haveSameClock, isRulesZone, resolveTimeZone, zoneOffset } from '@waypost/formats/timezones/timezones'
import { windowsName, windowsZones } from '@waypost/formats/timezones/windows-names'

/** For how long the Windows zone must have the same offsets as the IANA zone. */
const comparedSeconds = 10 * 366 * 86_400

/** The Windows zone of CLDR for an offset; undefined for offsets that are not whole hours. */
function nameOfOffset(offset: number): string | undefined {
  const hours = offset / 3600
  const zone = hours === 0 ? 'Etc/UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
  return Number.isInteger(hours) ? windowsName(zone) : undefined
}

/**
 * The Windows zone for an event in an IANA zone. Node's database may contain changes that CLDR or Windows do not have
 * yet. If the offsets of a zone and its Windows zone differ, the Windows zone of its offset is used, if the offset
 * stays constant from then on. Otherwise undefined.
 */
export function windowsZone(iana: string, from: number): string | undefined {
  if (iana === 'UTC') return 'UTC'
  const range = { from, to: from + comparedSeconds }
  const names = [isRulesZone(iana) ? undefined : windowsName(iana), nameOfOffset(zoneOffset(iana, from))]
  return names.find((name) => {
    const clock = windowsZones[name ?? '']
    return clock !== undefined && haveSameClock(iana, clock, range)
  })
}

/** The zone name of an event to write: the Windows name, or the IANA name if Windows has no such zone. */
export const exchangeZone = (iana: string, from: number): string => windowsZone(iana, from) ?? iana

/** Whether Exchange recognizes a name as a Windows zone. */
export const isWindowsName = (name: string): boolean => Object.hasOwn(windowsZones, name)

/**
 * The IANA zone for a name from Exchange, which is an IANA or Windows name. Undefined for custom zones from old
 * versions of Outlook (`tzone://Microsoft/Custom`, `Customized Time Zone`), because Exchange does not return their
 * rules.
 */
export function ianaZone(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  return /^tzone:\/\/microsoft\/utc$/i.test(name) ? 'UTC' : resolveTimeZone(name)
}

/** The zone for calculations only, including zones that have rules but no name. */
export const clockZone = (name: string | undefined): string | undefined =>
  name !== undefined && isRulesZone(name) ? name : ianaZone(name)
