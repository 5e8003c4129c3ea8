/** Maps a collection with events to a calendar of the API, and client changes to its properties. Pure. */

import type { Calendar, CalendarChange, Grant } from '@waypost/contract'
import { ContentTooLarge, parseComponents } from '@waypost/formats/icalendar/content-lines'
import { timeZone, write } from '@waypost/formats/icalendar/icalendar'
import { tzidOf, zoneReader } from '@waypost/formats/icalendar/zones-reading'
import { Steps } from '@waypost/formats/recurrence/steps'
import { resolveTimeZone } from '@waypost/formats/timezones/timezones'
import { needTimeZone } from '../../../calendar/event-input.ts'
import type { PropValues } from '../../bodies.ts'
import { isSameCollection, resolveHref } from '../../hrefs.ts'
import type { DavResponse, Props } from '../../multistatus.ts'
import { type DavName, nameOf } from '../../names.ts'

/** The properties to request for every collection. */
export const calendarProps = [
  'D:displayname',
  'D:resourcetype',
  'D:owner',
  'D:current-user-privilege-set',
  'C:supported-calendar-component-set',
  'C:calendar-description',
  'C:calendar-timezone',
  'C:calendar-timezone-id',
  'ICAL:calendar-color',
  'CS:source',
] as const satisfies readonly DavName[]

/** The properties of a calendar that its events need. */
export interface CalendarPlace {
  /** Absolute. */
  url: string
  id: string
  /** The zone in which its days begin. */
  zone: string
  readOnly: boolean
}

/**
 * Whether a collection contains events: not only tasks, and not the scheduling inbox. SOGo's main calendar is also
 * its outbox.
 */
export function holdsEvents({ props }: DavResponse): boolean {
  const types = props.names('D:resourcetype')
  if (!types.includes('C:calendar') || types.includes('C:schedule-inbox')) return false
  const components = props.get('C:supported-calendar-component-set')?.children ?? []
  return components.length === 0 || components.some(({ attributes }) => attributes.name?.toUpperCase() === 'VEVENT')
}

const writing = new Set(['D:all', 'D:write', 'D:write-content', 'D:bind'])

/** Without information about privileges, the calendar is writable. */
export function isReadOnly(props: Props): boolean {
  if (props.get('CS:source') !== undefined) return true
  const set = props.get('D:current-user-privilege-set')
  if (set === undefined) return false
  return !set.children.some((privilege) => privilege.children.some((each) => writing.has(nameOf(each))))
}

function isOwned(props: Props, { url, principal }: { url: string; principal: string | undefined }): boolean {
  const types = props.names('D:resourcetype')
  if (types.includes('CS:shared-owner')) return true
  if (types.includes('CS:shared')) return false
  const owner = resolveHref(props.hrefs('D:owner')[0] ?? '', url)
  return owner === undefined || principal === undefined || isSameCollection(owner, principal)
}

/** The zone of a calendar by name, or by its stored VTIMEZONE. */
export function zoneOf(props: Props): string | undefined {
  const named = resolveTimeZone(props.text('C:calendar-timezone-id') ?? '')
  if (named !== undefined) return named
  const text = props.data('C:calendar-timezone') ?? ''
  return text.length > maxZoneLength ? undefined : zoneIn(text)
}

/** The VTIMEZONE of any zone in the database is smaller, even with all its years. */
const maxZoneLength = 64 * 1024

/** Enough for all years of a zone in the database. */
const stepsOfZone = 10_000
/** The zones of definitions that were read, because a calendar's is read again with every event. */
const knownZones = new Map<string, string | undefined>()
const maxKnownZones = 200

function zoneIn(text: string): string | undefined {
  if (knownZones.has(text)) return knownZones.get(text)
  const zone = readZone(text)
  if (knownZones.size >= maxKnownZones) knownZones.clear()
  knownZones.set(text, zone)
  return zone
}

function readZone(text: string): string | undefined {
  try {
    const [calendar] = parseComponents(text)
    const component = calendar?.components.find(({ name }) => name === 'VTIMEZONE')
    return (component && zoneReader(calendar, new Steps(stepsOfZone))(tzidOf(component))?.name) ?? undefined
  } catch (error) {
    if (error instanceof ContentTooLarge) return undefined
    throw error
  }
}

/** Reads `#RRGGBBAA` and `#RRGGBB`. The alpha value is dropped, because other calendars do not support it. */
const colourOf = (text: string | undefined): string | null =>
  /^#[0-9a-f]{6}/i.exec(text ?? '')?.[0].toLowerCase() ?? null

export const placeOf = ({ props }: DavResponse, { url, id }: { url: string; id: string }): CalendarPlace => ({
  url,
  id,
  zone: zoneOf(props) ?? 'UTC',
  readOnly: isReadOnly(props),
})

export interface CalendarContext {
  url: string
  id: string
  grant: Grant
  principal: string | undefined
  isPrimary: boolean
}

/** Maps a collection to a calendar of the API. */
export const fromCollection = ({ props }: DavResponse, context: CalendarContext): Calendar => ({
  id: context.id,
  grant_id: context.grant.id,
  object: 'calendar',
  name: props.text('D:displayname') ?? context.id,
  description: props.text('C:calendar-description') ?? null,
  location: null,
  timezone: zoneOf(props) ?? 'UTC',
  hex_color: colourOf(props.text('ICAL:calendar-color')),
  hex_foreground_color: null,
  is_owned_by_user: isOwned(props, context),
  is_primary: context.isPrimary,
  read_only: isReadOnly(props),
  metadata: {},
})

/** The properties that a change sets; undefined removes one. `now` is in Unix seconds. */
export function toProps(change: CalendarChange, now: number): PropValues {
  const values: Record<string, string | undefined> = {}
  if (change.name !== undefined) values['D:displayname'] = change.name
  if (change.description !== undefined) values['C:calendar-description'] = change.description || undefined
  if (change.hex_color !== undefined) {
    values['ICAL:calendar-color'] = change.hex_color ? `${change.hex_color.toUpperCase()}FF` : undefined
  }
  if (change.timezone !== undefined) values['C:calendar-timezone'] = zoneText(change.timezone, now)
  return values
}

/** A zone as a calendar object with only a VTIMEZONE (RFC 4791 §5.2.2). */
function zoneText(name: string, now: number): string {
  const zone = needTimeZone(name)
  const year = 366 * 86_400
  return write({
    name: 'VCALENDAR',
    properties: [
      { name: 'VERSION', parameters: {}, value: '2.0' },
      { name: 'PRODID', parameters: {}, value: '-//Waypost//Waypost//EN' },
    ],
    components: [timeZone(zone, { from: now - year, to: now + year })],
  })
}
