// Time zones by Windows or IANA name. Responses repeat the name that was written.
import { windowsZones } from './windows-zones.ts'

export interface Zone {
  /** The name as written: `W. Europe Standard Time`, `Europe/Zurich`. */
  readonly name: string
  /** The IANA zone used for calculations. */
  readonly iana: string
}

export const UTC: Zone = { name: 'UTC', iana: 'UTC' }

const byLowerCase = new Map(
  Object.entries(windowsZones).map(([name, iana]) => [name.toLowerCase(), { name, iana: iana as string }]),
)
const windowsNames = new Map(Object.entries(windowsZones).map(([name, iana]) => [iana, name]))

/** Finds the zone of a name; undefined if neither Windows nor IANA defines it. */
export function findZone(name: string): Zone | undefined {
  const key = name.toLowerCase()
  if (key === 'utc' || key === 'tzone://microsoft/utc') return { name, iana: 'UTC' }
  const windows = byLowerCase.get(key)
  if (windows !== undefined) return windows
  if (!/^[a-z][\w+/-]*$/i.test(name)) return undefined
  try {
    return { name, iana: new Temporal.ZonedDateTime(0n, name).timeZoneId }
  } catch {
    return undefined
  }
}

/** The Windows name of an IANA zone, or the IANA name if Windows has none. */
export function windowsName(iana: string): string {
  return iana === 'UTC' || iana === 'Etc/UTC' ? 'UTC' : (windowsNames.get(iana) ?? iana)
}
