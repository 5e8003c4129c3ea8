// Converts an iCalendar event to the elements of a calendar item: clients may write it as MIME. Exceptions of a
// series are ignored.
import { findZone, windowsName } from '../../shared/calendar/zones.ts'
import { EwsError } from '../soap/errors.ts'
import type { WrittenBody } from '../written.ts'
import { recurrenceBody } from './ical-rule.ts'

interface Line {
  readonly name: string
  readonly params: Readonly<Record<string, string>>
  readonly value: string
}

const failed = (): EwsError =>
  new EwsError('ErrorMimeContentConversionFailed', 'The MIME content could not be converted to a calendar item.')

/** The lines of the first event, without its alarms. */
function eventLines(text: string): Line[] {
  const unfolded = text.replace(/\r?\n[ \t]/g, '')
  const event = /BEGIN:VEVENT\r?\n([\s\S]*?)END:VEVENT/i.exec(unfolded)?.[1]
  if (event === undefined) throw failed()
  const own = event.replace(/BEGIN:VALARM[\s\S]*?END:VALARM/gi, '')
  return own.split(/\r?\n/).flatMap(lineOf)
}

function lineOf(text: string): Line[] {
  const match = /^([A-Za-z-]+)((?:;[^:;="]+=(?:"[^"]*"|[^:;]*))*):(.*)$/.exec(text)
  if (match === null) return []
  const [, name = '', params = '', value = ''] = match
  const pairs = params.matchAll(/;([^=]+)=(?:"([^"]*)"|([^;]*))/g)
  const named = pairs.map(([, key = '', quoted, bare = '']) => [key.toUpperCase(), quoted ?? bare] as const)
  return [{ name: name.toUpperCase(), params: Object.fromEntries(named), value }]
}

const unescaped = (text: string): string => text.replace(/\\n/gi, '\r\n').replace(/\\([\\;,])/g, '$1')

/** `20260102T090000Z` or `20260102` as xs:dateTime. */
function timeOf({ value }: Line): string {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(value)
  if (match === null) throw failed()
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = ''] = match
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`
}

function people(
  lines: readonly Line[],
  fits: (params: Line['params']) => boolean,
): { Attendee: WrittenBody[] } | undefined {
  const attendees = lines.filter(({ name, params }) => name === 'ATTENDEE' && fits(params))
  const mailboxOf = ({ params, value }: Line): WrittenBody => {
    const EmailAddress = value.replace(/^mailto:/i, '')
    return { Mailbox: { Name: params.CN ?? EmailAddress, EmailAddress } }
  }
  return attendees.length === 0 ? undefined : { Attendee: attendees.map(mailboxOf) }
}

const isResource = ({ CUTYPE }: Line['params']): boolean => CUTYPE === 'RESOURCE' || CUTYPE === 'ROOM'
const isOptional = (params: Line['params']): boolean => params.ROLE === 'OPT-PARTICIPANT' && !isResource(params)
const isRequired = (params: Line['params']): boolean => !isOptional(params) && !isResource(params)

export function icalBody(text: string): WrittenBody {
  const lines = eventLines(text)
  const find = (name: string) => lines.find((line) => line.name === name)
  const [start, end, rule] = ['DTSTART', 'DTEND', 'RRULE'].map(find)
  if (start === undefined) throw failed()
  const isAllDay = start.params.VALUE === 'DATE' || !start.value.includes('T')
  const zone = start.params.TZID === undefined ? undefined : findZone(start.params.TZID)
  const said = (name: string) => {
    const line = find(name)
    return line === undefined || line.value === '' ? undefined : unescaped(line.value)
  }
  const body = said('DESCRIPTION')
  const given: Record<string, WrittenBody[string] | undefined> = {
    UID: said('UID'),
    Subject: said('SUMMARY'),
    Location: said('LOCATION'),
    Body: body === undefined ? undefined : { '@BodyType': 'Text', '#': body },
    Sensitivity: { PRIVATE: 'Private', CONFIDENTIAL: 'Confidential' }[said('CLASS') ?? ''],
    LegacyFreeBusyStatus: said('TRANSP') === 'TRANSPARENT' ? 'Free' : 'Busy',
    Start: timeOf(start),
    End: timeOf(end ?? start),
    IsAllDayEvent: isAllDay,
    StartTimeZone: zone === undefined ? undefined : { '@Id': windowsName(zone.iana) },
    RequiredAttendees: people(lines, isRequired),
    OptionalAttendees: people(lines, isOptional),
    Resources: people(lines, isResource),
    Recurrence: rule === undefined ? undefined : recurrenceBody(rule.value, timeOf(start).slice(0, 10)),
  }
  const known = Object.entries(given).filter((entry): entry is [string, WrittenBody[string]] => entry[1] !== undefined)
  return Object.fromEntries(known)
}
