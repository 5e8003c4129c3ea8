/**
 * The calendar of somebody who gets only mail, by the letter of RFC 5546. It reads with ical.js and knows nothing of
 * the code that writes the mails.
 *
 * - An entry is known by its UID and, for an occurrence, its RECURRENCE-ID (§2.1.5).
 * - A mail that is not newer than its entry is ignored: by SEQUENCE, then by DTSTAMP. So is one about an entry of
 *   another organizer.
 * - REQUEST enters or replaces an entry. CANCEL removes it; without RECURRENCE-ID it removes all under the UID.
 * - A mail that breaks the rules is an error.
 */
import ICAL from 'ical.js'

export interface Entry {
  uid: string
  /** Unix seconds. */
  start: number
  end: number
  title: string
  location: string
  /** Addresses in order. */
  attendees: string[]
}

interface Version {
  sequence: number
  stamp: string
}

interface Kept extends Version {
  organizer: string
  /** Absent after a cancellation, whose version still counts. */
  entry?: Entry
}

const text = (component: ICAL.Component, name: string): string => String(component.getFirstPropertyValue(name) ?? '')
const secondsOf = (component: ICAL.Component, name: string): number => {
  const time = component.getFirstPropertyValue(name)
  if (!(time instanceof ICAL.Time)) throw new Error(`a mail without ${name}`)
  return time.toJSDate().getTime() / 1000
}
const addressOf = (value: unknown): string => String(value).toLowerCase().replace('mailto:', '')

const isNewer = (one: Version, other: Version): boolean =>
  one.sequence > other.sequence || (one.sequence === other.sequence && one.stamp > other.stamp)

export class StrictCalendar {
  readonly #address: string
  readonly #retained = new Map<string, Kept>()
  /** Ignored mails, with the reason. */
  readonly ignored: string[] = []

  constructor(address: string) {
    this.#address = address.toLowerCase()
  }

  apply(ics: string): void {
    const calendar = new ICAL.Component(ICAL.parse(ics))
    const method = text(calendar, 'method')
    if (method !== 'REQUEST' && method !== 'CANCEL') throw new Error(`a mail with the method ${method}`)
    const parts = calendar.getAllSubcomponents('vevent')
    if (parts.length === 0) throw new Error('a mail without an event')
    for (const part of parts) this.#applyPart(method, part)
  }

  entries(): Entry[] {
    return [...this.#retained.values()]
      .flatMap(({ entry }) => (entry ? [entry] : []))
      .sort((a, b) => a.start - b.start || a.uid.localeCompare(b.uid))
  }

  #applyPart(method: 'REQUEST' | 'CANCEL', part: ICAL.Component): void {
    const attendees = part.getAllProperties('attendee').map((each) => addressOf(each.getFirstValue()))
    if (!attendees.includes(this.#address)) throw new Error(`a mail to ${this.#address}, who does not attend`)
    const slot = part.getFirstProperty('recurrence-id') ? secondsOf(part, 'recurrence-id') : ''
    const uid = text(part, 'uid')
    const sequence = Number(part.getFirstPropertyValue('sequence') ?? 0)
    const version = { sequence, stamp: text(part, 'dtstamp'), organizer: addressOf(text(part, 'organizer')) }
    if (uid === '' || version.stamp === '' || version.organizer === '') throw new Error('a mail without its identity')
    const name = `${uid} ${slot}`
    const concerned = [...this.#retained].filter(([key]) => key === name || (slot === '' && key.startsWith(`${uid} `)))
    const doubts = concerned.flatMap(([key, retained]) => {
      if (retained.entry && retained.organizer !== version.organizer) return [`${key}: another organizer`]
      return isNewer(version, retained) ? [] : [`${key}: ${version.sequence} after ${retained.sequence}`]
    })
    this.ignored.push(...doubts)
    if (doubts.length > 0) return
    // A mail about the whole series replaces the entries of its occurrences.
    for (const [key] of concerned) this.#retained.set(key, version)
    this.#retained.set(name, version)
    if (method === 'CANCEL') return
    const times = { start: secondsOf(part, 'dtstart'), end: secondsOf(part, 'dtend') }
    const words = { title: text(part, 'summary'), location: text(part, 'location') }
    this.#retained.set(name, { ...version, entry: { uid, ...times, ...words, attendees: attendees.sort() } })
  }
}
