/**
 * Writes `packages/formats/src/timezones/windows-zones.ts` from the table of Windows time zones in CLDR (the package
 * `cldr-core`); with --check it only reports whether the file is current. Run it after an update of that package.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const file = path.join(import.meta.dirname, '../packages/formats/src/timezones/windows-zones.ts')

interface MapZone {
  _other: string
  _type: string
  _territory: string
}
interface WindowsZonesFile {
  supplemental: { version: { _cldrVersion: string }; windowsZones: { mapTimezones: { mapZone: MapZone }[] } }
}

/** CLDR never renames a zone. These have a newer name at IANA. */
const renamed: Readonly<Record<string, string>> = {
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Europe/Kiev': 'Europe/Kyiv',
}

/** Each Windows zone with its IANA zones. The zone of territory 001 comes first: it represents the Windows zone. */
export function zonesByName(rows: readonly MapZone[]): Map<string, string[]> {
  const zones = new Map<string, string[]>()
  const isWorld = ({ _territory }: MapZone): boolean => _territory === '001'
  for (const { _other, _type } of [...rows.filter(isWorld), ...rows.filter((row) => !isWorld(row))]) {
    const known = zones.get(_other) ?? []
    const names = _type.trim().split(/\s+/)
    const present = names.map((name) => renamed[name] ?? name)
    zones.set(_other, [...new Set([...known, ...present])])
  }
  return new Map([...zones].sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
}

function fileText({ supplemental: { version, windowsZones } }: WindowsZonesFile): string {
  const zones = zonesByName(windowsZones.mapTimezones.map(({ mapZone }) => mapZone))
  const rows = [...zones].map(([name, ids]) => {
    const key = /^\w+$/.test(name) ? name : `'${name}'`
    const line = `  ${key}: '${ids.join(' ')}',`
    return line.length <= 120 ? line : `  ${key}:\n    '${ids.join(' ')}',`
  })
  return `/** Made from CLDR ${version._cldrVersion} by scripts/windows-zones.ts; do not edit. */

/**
 * The time zones that Windows names, each with its IANA zones in all territories. The first one stands for the Windows zone.
 * Seven zones that CLDR lists by an old name have the name that IANA has now.
 */
export const windowsZoneRows: Readonly<Record<string, string>> = {
${rows.join('\n')}
}
`
}

export function currentTable(): string {
  const source = createRequire(import.meta.url).resolve('cldr-core/supplemental/windowsZones.json')
  // The package is a development dependency whose shape the check compares with the file.
  return fileText(JSON.parse(readFileSync(source, 'utf8')) as WindowsZonesFile)
}

if (import.meta.main) {
  const text = currentTable()
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error('packages/formats/src/timezones/windows-zones.ts is not current: run node scripts/windows-zones.ts')
    process.exitCode = 1
  }
}
