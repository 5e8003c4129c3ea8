/**
 * Time zones as Exchange takes and gives them. Pure.
 *
 * Exchange names zones as Windows does. CLDR says which Windows zone an IANA zone belongs to; other zones with a similar
 * clock are never used. As many IANA zones share a Windows zone, an event also stores the IANA name (own-property.ts). The
 * stored name counts only while Exchange shows the Windows zone that it was written as: a zone chosen in Outlook wins.
 */
import { haveSameClock, isRulesZone, resolveTimeZone, zoneOffset } from '../../../formats/timezones/timezones.ts'
import { windowsName, windowsZones } from '../../../formats/timezones/windows-names.ts'

/** The Windows zone must have the same offsets as the IANA zone for this long. */
const comparedSeconds = 10 * 366 * 86_400

/** The Windows zone that CLDR has for an offset; undefined for offsets that are not whole hours. */
function nameOfOffset(offset: number): string | undefined {
  const hours = offset / 3600
  const zone = hours === 0 ? 'Etc/UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
  return Number.isInteger(hours) ? windowsName(zone) : undefined
}

/**
 * The Windows zone that an event in an IANA zone is written with. The database of Node knows changes of the clock that the
 * table of CLDR, or Windows, does not know yet. A zone whose clock differs from that of its Windows zone goes by the Windows
 * zone of its offset, where the offset stays the same from then on. Undefined where that is not so.
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

/** The name with which an event in an IANA zone is written: that of Windows, or its own where Windows has no zone like it. */
export const exchangeZone = (iana: string, from: number): string => windowsZone(iana, from) ?? iana

/** Whether a name is one of Windows, which Exchange knows. */
export const isWindowsName = (name: string): boolean => Object.hasOwn(windowsZones, name)

/**
 * The IANA zone that Exchange names, by its name or by that of Windows. Undefined for zones that somebody made up in an old
 * Outlook (`tzone://Microsoft/Custom`, `Customized Time Zone`): Exchange does not tell their rules.
 */
export function ianaZone(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  return /^tzone:\/\/microsoft\/utc$/i.test(name) ? 'UTC' : resolveTimeZone(name)
}

/** The same for reckoning alone: also a zone that has no name, by its rules. */
export const clockZone = (name: string | undefined): string | undefined =>
  name !== undefined && isRulesZone(name) ? name : ianaZone(name)
