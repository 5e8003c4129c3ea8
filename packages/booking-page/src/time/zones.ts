/** Time zones with names that people recognize. The browser knows them, so the page loads no list. */
export interface ZoneName {
  id: string
  /** Such as "Berlin". */
  city: string
  /** Such as "Central European Standard Time". */
  name: string
  /** Such as "GMT+1". */
  offset: string
}

const partOf = (tag: string, timeZone: string, timeZoneName: 'shortOffset' | 'long'): string =>
  new Intl.DateTimeFormat(tag, { timeZone, timeZoneName })
    .formatToParts(new Date())
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

const cityOf = (id: string): string => (id.split('/').pop() ?? id).replaceAll('_', ' ')

export const zoneNameOf = (id: string, tag: string): ZoneName => ({
  id,
  city: cityOf(id),
  name: partOf(tag, id, 'long'),
  offset: partOf('en', id, 'shortOffset'),
})

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

export function isZone(id: string | null | undefined): id is string {
  if (!id) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: id })
    return true
  } catch {
    return false
  }
}

/** Minutes east of UTC, to sort the list from west to east. */
function minutesOf({ offset }: ZoneName): number {
  const [, sign, hours = '0', minutes = '0'] = /([+-−])(\d+)(?::(\d+))?/.exec(offset) ?? []
  return (sign === '+' ? 1 : -1) * (Number(hours) * 60 + Number(minutes))
}

/** All time zones, the visitor's own one first, then from west to east. */
export function allZones(tag: string, own: string): ZoneName[] {
  const ids = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', own])
  return Array.from(ids, (id) => zoneNameOf(id, tag)).sort(
    (a, b) =>
      Number(b.id === own) - Number(a.id === own) || minutesOf(a) - minutesOf(b) || a.city.localeCompare(b.city),
  )
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('_', ' ')
    .toLowerCase()

/** Zones whose city, region, name or offset contains every word. */
export function zonesMatching(zones: readonly ZoneName[], text: string): ZoneName[] {
  const words = plain(text).split(/\s+/).filter(Boolean)
  return zones.filter(({ id, name, offset }) => {
    const all = plain(`${id} ${name} ${offset}`)
    return words.every((word) => all.includes(word))
  })
}
