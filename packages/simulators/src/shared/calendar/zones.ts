// Time zones by the name that Windows has for them or by the IANA one. What was written is what is read again.
import { WINDOWS_ZONES } from './windows-zones.ts'

export interface Zone {
  /** As it was written: `W. Europe Standard Time`, `Europe/Zurich`. */
  readonly name: string
  /** The IANA zone that it runs by. */
  readonly iana: string
}

export const UTC: Zone = { name: 'UTC', iana: 'UTC' }

const byLowerCase = new Map(
  Object.entries(WINDOWS_ZONES).map(([name, iana]) => [name.toLowerCase(), { name, iana: iana as string }]),
)
const windowsNames = new Map(Object.entries(WINDOWS_ZONES).map(([name, iana]) => [iana, name]))

/** The zone of a name, or undefined where neither Windows nor IANA has it. */
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

/** The name that Windows has for an IANA zone; of those that it has none for, the IANA name. */
export function windowsName(iana: string): string {
  return iana === 'UTC' || iana === 'Etc/UTC' ? 'UTC' : (windowsNames.get(iana) ?? iana)
}
