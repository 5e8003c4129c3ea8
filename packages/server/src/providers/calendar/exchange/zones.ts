/** Time zones as Exchange takes and gives them. Pure. */
import { isRulesZone, resolveTimeZone, zoneOffset } from '../../../formats/timezones.ts'
import { windowsZones } from '../../../formats/windows-zones.ts'

const windowsNames = new Map(Object.entries(windowsZones).map(([windows, iana]) => [iana, windows]))
/** Days on which offsets are compared: every fifth from 2024 until 2038, each change of the clock between two of them. */
const sampled = Array.from({ length: 1024 }, (_, place) => 1_704_067_200 + place * 5 * 86_400)

/** Whether the clocks of two zones show the same, as far as anybody plans. */
export const runAlike = (a: string, b: string): boolean =>
  sampled.every((at) => zoneOffset(a, at) === zoneOffset(b, at))

/**
 * The name that Exchange takes for an IANA zone. It takes those of Windows, and few of IANA: a zone that Windows has no name for
 * goes by another with the same clock, such as Europe/Zurich by that of Berlin; where there is none, by its own name.
 */
export function windowsZone(iana: string): string {
  if (iana === 'UTC' || iana === 'Etc/UTC') return 'UTC'
  // Two zones differ within a few days of the sample: each look ends early but for the one that is found.
  return windowsNames.get(iana) ?? Object.entries(windowsZones).find(([, zone]) => runAlike(zone, iana))?.[0] ?? iana
}

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
