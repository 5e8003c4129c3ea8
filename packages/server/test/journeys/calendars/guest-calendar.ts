/**
 * The calendar of a guest who gets only mail, written with ical.js. It is strict where real calendars differ:
 * - A series replaces everything under its UID; an occurrence replaces only itself.
 * - An occurrence that the series excludes is not shown.
 * - A part that is not newer (SEQUENCE, then DTSTAMP) is rejected.
 */
import ICAL from 'ical.js'

export interface Shown {
  start: number
  end: number
  title: string
  location: string
}

interface Kept {
  main: ICAL.Component | undefined
  overrides: Map<string, ICAL.Component>
  /** The version of the newest mail about each part, and about the whole event under the empty name. */
  versions: Map<string, [sequence: number, stamp: string]>
}

const text = (component: ICAL.Component, name: string): string => String(component.getFirstPropertyValue(name) ?? '')
const slotOf = (component: ICAL.Component): string => text(component, 'recurrence-id')
const seconds = (time: ICAL.Time): number => time.toJSDate().getTime() / 1000

export class GuestCalendar {
  readonly #retained = new Map<string, Kept>()

  /** Applies a mail; throws if a calendar would not accept it. */
  apply(ics: string): void {
    const calendar = new ICAL.Component(ICAL.parse(ics))
    const method = calendar.getFirstPropertyValue('method')
    const parts = calendar.getAllSubcomponents('vevent')
    const uids = new Set(parts.map((part) => text(part, 'uid')))
    if (uids.size !== 1) throw new Error(`a mail about ${uids.size} events`)
    const [uid = ''] = uids
    const retained = this.#retained.get(uid) ?? { main: undefined, overrides: new Map(), versions: new Map() }
    for (const part of parts) believe(retained, part)
    this.#retained.set(uid, retained)
    const main = parts.find((part) => slotOf(part) === '')
    if (method === 'REQUEST') request(retained, main, parts)
    else if (method === 'CANCEL') cancel(retained, main, parts)
    else throw new Error(`a mail with the method ${method}`)
  }

  /** The events that it shows between two times, in order. */
  shows(from: number, to: number): Shown[] {
    const all = [...this.#retained.values()].flatMap((retained) => occurrencesOf(retained, to))
    return all
      .filter(({ start, end }) => start < to && end > from)
      .sort((a, b) => a.start - b.start || a.title.localeCompare(b.title))
  }
}

function believe({ versions }: Kept, part: ICAL.Component): void {
  const version: [number, string] = [Number(text(part, 'sequence')), text(part, 'dtstamp')]
  for (const name of new Set([slotOf(part), ''])) {
    const [sequence, stamp] = versions.get(name) ?? [-1, '']
    const isNewer = version[0] > sequence || (version[0] === sequence && version[1] > stamp)
    // Other parts of the same mail have the same version.
    const isBehind = name !== slotOf(part) && version[0] === sequence && version[1] === stamp
    if (!isNewer && !isBehind) throw new Error(`${version} after ${sequence},${stamp} of ${name || 'all'}`)
    versions.set(name, version)
  }
}

function request(retained: Kept, main: ICAL.Component | undefined, parts: ICAL.Component[]): void {
  if (main) {
    retained.main = main
    retained.overrides.clear()
  }
  for (const part of parts) if (part !== main) retained.overrides.set(slotOf(part), part)
}

function cancel(retained: Kept, main: ICAL.Component | undefined, parts: ICAL.Component[]): void {
  if (main) {
    retained.main = undefined
    retained.overrides.clear()
    return
  }
  for (const part of parts) {
    retained.overrides.delete(slotOf(part))
    const slot = part.getFirstProperty('recurrence-id')
    if (!retained.main || !slot) continue
    const exdate = new ICAL.Property('exdate', retained.main)
    exdate.resetType(slot.type)
    const zone = slot.getFirstParameter('tzid')
    if (zone) exdate.setParameter('tzid', zone)
    exdate.setValue(slot.getFirstValue() as ICAL.Time)
    retained.main.addProperty(exdate)
  }
}

const shownOf = (item: ICAL.Event, start: ICAL.Time, end: ICAL.Time): Shown => ({
  start: seconds(start),
  end: seconds(end),
  title: item.summary ?? '',
  location: item.location ?? '',
})

function occurrencesOf({ main, overrides }: Kept, to: number): Shown[] {
  const changed = Array.from(overrides.values(), (component) => new ICAL.Event(component))
  if (!main) return changed.map((event) => shownOf(event, event.startDate, event.endDate))
  const series = new ICAL.Event(main, { exceptions: [...overrides.values()] })
  if (!series.isRecurring()) return [shownOf(series, series.startDate, series.endDate)]
  const shown: Shown[] = []
  const excluded = new Set(main.getAllProperties('exdate').map((property) => String(property.getFirstValue())))
  // Only the rule: ical.js loses its position among the exceptions if one of them is not a slot of the series.
  const rule = main.getFirstPropertyValue('rrule') as ICAL.Recur
  const slots = rule.iterator(series.startDate)
  // Occurrences are moved by at most a few days.
  const horizon = to + 30 * 86_400
  for (let slot = slots.next(); slot && seconds(slot) < horizon; slot = slots.next()) {
    if (excluded.has(String(slot))) continue
    const { item, startDate, endDate } = series.getOccurrenceDetails(slot)
    shown.push(shownOf(item, startDate, endDate))
  }
  return shown
}
