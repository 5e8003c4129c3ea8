/** An event with two guests, its iTIP objects, and their parsing by ical.js. */
import type { Event, When } from '@waypost/contract'
import ICAL from 'ical.js'
import type { Moment } from '../../src/icalendar/icalendar.ts'
import type { EventSet } from '../../src/itip/invitation-copies.ts'
import { type Change, type Invitation, invitationsFor } from '../../src/itip/invitations.ts'
import { type InviteOptions, inviteFor } from '../../src/itip/itip.ts'

export const NOW = Date.UTC(2026, 0, 5, 8, 30)
export const unix = (...parts: [number, number, number, number?, number?]): number => {
  const [year, month, day, hour = 0, minute = 0] = parts
  return Date.UTC(year, month - 1, day, hour, minute) / 1000
}

export const berlin = (start: number, minutes = 60): When => ({
  object: 'timespan',
  start_time: start,
  end_time: start + minutes * 60,
  start_timezone: 'Europe/Berlin',
  end_timezone: 'Europe/Berlin',
})

export const guest = (
  email: string,
  fields: Partial<Event['participants'][number]> = {},
): Event['participants'][number] => ({
  email,
  name: null,
  comment: null,
  phone_number: null,
  status: 'noreply',
  ...fields,
})

export const event = (fields: Partial<Event> = {}): Event => ({
  id: 'event-1',
  object: 'event',
  grant_id: '6f0c3c0e-5a0e-4f0a-9d8e-0a3d5d1f0001',
  calendar_id: 'calendar-1',
  title: 'Planning',
  description: null,
  location: 'Room 5',
  when: berlin(unix(2026, 1, 15, 9)),
  busy: true,
  status: 'confirmed',
  hide_participants: false,
  participants: [guest('ann@example.com', { name: 'Ann' }), guest('bob@example.com', { status: 'yes' })],
  resources: [],
  organizer: { email: 'olga@example.com', name: 'Olga' },
  ical_uid: 'uid-1@waypost.test',
  sequence: 2,
  read_only: false,
  metadata: {},
  created_at: null,
  updated_at: null,
  ...fields,
})

export const sender = { organizer: { email: 'olga@example.com', name: 'Olga' } }
type Options = Partial<InviteOptions> & { slot?: Moment }
export const request = (given: Event, { slot, ...options }: Options = {}): string =>
  inviteFor([{ event: given, slot }], {
    ...sender,
    method: 'REQUEST',
    to: 'ann@example.com',
    sequence: 0,
    now: NOW,
    ...options,
  }).ics
export const cancel = (given: Event, options: Options = {}): string => request(given, { method: 'CANCEL', ...options })

const alone = (main: Event | undefined): EventSet | undefined => main && { main, overrides: [] }
type Single = Omit<Change, 'before' | 'after'> & { before?: Event | undefined; after?: Event | undefined }

/** The mails of a change of a single event. */
export const invitationsOf = ({ before, after, ...rest }: Single): Invitation[] =>
  invitationsFor({ ...rest, before: alone(before), after: alone(after) })

/** The object as parsed by ical.js. */
export function read(ics: string) {
  const calendar = new ICAL.Component(ICAL.parse(ics))
  const vevent = calendar.getAllSubcomponents('vevent')[0] ?? new ICAL.Component('vevent')
  const value = (name: string): string | undefined => vevent.getFirstPropertyValue(name)?.toString()
  return {
    calendar,
    vevent,
    method: calendar.getFirstPropertyValue('method'),
    value,
    names: vevent.getAllProperties().map((property) => property.name),
    zoneIn: (name: string) => vevent.getFirstProperty(name)?.getFirstParameter('tzid'),
    type: (name: string) => vevent.getFirstProperty(name)?.type,
    values: (name: string) => vevent.getAllProperties(name).map((property) => String(property.getFirstValue())),
    attendees: vevent.getAllProperties('attendee').map((property) => ({
      address: String(property.getFirstValue()),
      cutype: property.getFirstParameter('cutype'),
      role: property.getFirstParameter('role'),
      partstat: property.getFirstParameter('partstat'),
      rsvp: property.getFirstParameter('rsvp'),
      cn: property.getFirstParameter('cn'),
    })),
    zones: calendar
      .getAllSubcomponents('vtimezone')
      .map((component) => new ICAL.Timezone({ component, tzid: String(component.getFirstPropertyValue('tzid')) })),
  }
}

export const physicalLines = (ics: string): string[] => ics.split('\r\n').slice(0, -1)
