/** Maps IANA zones to Windows zones and back, by the table of CLDR. Pure. */
import { windowsZoneRows } from './windows-zones.ts'

const rows = Object.entries(windowsZoneRows).map(([name, ids]) => ({ name, ids: ids.split(' ') }))

/** Windows name to its default IANA zone in all territories. */
export const windowsZones: Readonly<Record<string, string>> = Object.fromEntries(
  rows.map(({ name, ids }) => [name, ids[0] ?? 'UTC']),
)

/** Windows names by IANA id. Links that CLDR does not list are added on first use; IANA has a few hundred of them. */
const names = new Map<string, string | undefined>(rows.flatMap(({ name, ids }) => ids.map((id) => [id, name] as const)))

const midnight = (zone: string): Temporal.ZonedDateTime => new Temporal.ZonedDateTime(0n, zone)

/** The Windows name of an alias of a zone in the table, such as `US/Eastern` or `Europe/Kiev`. */
function nameOfLink(iana: string): string | undefined {
  const link = midnight(iana)
  return rows.find(({ ids }) => ids.some((id) => midnight(id).equals(link)))?.name
}

/** The Windows name of an IANA zone, or undefined for the few zones without one. */
export function windowsName(iana: string): string | undefined {
  if (!names.has(iana)) names.set(iana, nameOfLink(iana))
  return names.get(iana)
}
