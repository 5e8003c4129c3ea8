/** Which Windows time zone stands for an IANA zone, and which IANA zone for a Windows zone, by the table of CLDR. Pure. */
import { windowsZoneRows } from './windows-zones.ts'

const rows = Object.entries(windowsZoneRows).map(([name, ids]) => ({ name, ids: ids.split(' ') }))

/** Windows name to the IANA zone that stands for it everywhere. */
export const windowsZones: Readonly<Record<string, string>> = Object.fromEntries(
  rows.map(({ name, ids }) => [name, ids[0] ?? 'UTC']),
)

/** By IANA id. Links that CLDR does not list are added when they are first used; IANA has a few hundred of them. */
const names = new Map<string, string | undefined>(rows.flatMap(({ name, ids }) => ids.map((id) => [id, name] as const)))

const midnight = (zone: string): Temporal.ZonedDateTime => new Temporal.ZonedDateTime(0n, zone)

/** The name of a zone that is only another name of one in the table, such as `US/Eastern` or `Europe/Kiev`. */
function nameOfLink(iana: string): string | undefined {
  const link = midnight(iana)
  return rows.find(({ ids }) => ids.some((id) => midnight(id).equals(link)))?.name
}

/** The name that Windows has for an IANA zone; undefined for the few that it has none for. */
export function windowsName(iana: string): string | undefined {
  if (!names.has(iana)) names.set(iana, nameOfLink(iana))
  return names.get(iana)
}
