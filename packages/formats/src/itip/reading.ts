/**
 * Reads replies of guests (RFC 5546 §3.2.3 REPLY, §3.2.6 REFRESH, §3.2.7 COUNTER): the guest, the event or
 * occurrence, and the answer. Pure. The input is untrusted; anything that is not an answer is skipped.
 *
 * - A guest that delegates (PARTSTAT=DELEGATED) does not attend, which the API can only express as `no`; the comment
 *   names the delegate. The delegate is not invited: a guest must not be able to make the service write to arbitrary
 *   addresses.
 * - A guest that proposes another time (COUNTER) has answered if the proposal says TENTATIVE or DECLINED, as
 *   calendars write it that offer both in one step. ACCEPTED would refer to a time that the event does not have. The
 *   comment contains the proposal: the organizer decides whether to move the event.
 */
import type { Participant } from '@waypost/contract'
import {
  type ComponentNode,
  type ContentLine,
  ContentTooLarge,
  parameterValues,
  parseComponents,
  unescapeText,
} from '../icalendar/content-lines.ts'
import {
  type BasicTime,
  basicDate,
  basicUtc,
  keyOfWall,
  parseBasic,
  type SeriesStart,
  startKey,
  wallOfKey,
} from '../recurrence/series.ts'
import { digits2, formatDate, SECONDS_PER_DAY } from '../timezones/dates.ts'
import { resolveTimeZone, wallToInstant } from '../timezones/timezones.ts'

/** The original start of an occurrence, as the guest's calendar writes it. */
export interface WrittenSlot {
  readonly time: BasicTime
  /** The raw TZID; calendars have their own names for zones. */
  readonly zone?: string
}

const METHODS = ['REPLY', 'REFRESH', 'COUNTER'] as const
type ReplyMethod = (typeof METHODS)[number]

/** One guest's answer about one event or one occurrence. */
export interface AttendeeReply {
  readonly method: ReplyMethod
  readonly uid: string
  readonly attendee: string
  /** The address that answers on behalf of the attendee. */
  readonly sentBy?: string
  /** Absent with REFRESH, and with a COUNTER without an answer. */
  readonly status?: Participant['status']
  readonly comment?: string
  readonly sequence: number
  /** DTSTAMP in Unix seconds; 0 if there is none. */
  readonly stamp: number
  readonly slot?: WrittenSlot
}

const MAX_CHARACTERS = 512 * 1024
const MAX_REPLIES = 100
const PARTSTAT: Readonly<Record<string, Participant['status']>> = {
  ACCEPTED: 'yes',
  DECLINED: 'no',
  TENTATIVE: 'maybe',
  'NEEDS-ACTION': 'noreply',
  DELEGATED: 'no',
}

/** The answers in an iCalendar text; none if its METHOD is another one. */
export function readReplies(text: string): AttendeeReply[] {
  const calendar = componentsOf(text.slice(0, MAX_CHARACTERS)).find(({ name }) => name === 'VCALENDAR')
  const method = calendar?.line('METHOD')?.value.trim().toUpperCase()
  const known = METHODS.find((one) => one === method)
  const events = calendar?.components.filter(({ name }) => name === 'VEVENT') ?? []
  return known ? events.flatMap((event) => repliesIn(event, known)).slice(0, MAX_REPLIES) : []
}

function componentsOf(text: string): ComponentNode[] {
  try {
    return parseComponents(text)
  } catch (error) {
    if (error instanceof ContentTooLarge) return []
    throw error
  }
}

function repliesIn(event: ComponentNode, method: ReplyMethod): AttendeeReply[] {
  const first = (name: string): ContentLine | undefined => event.line(name)
  const uid = unescapeText(first('UID')?.value ?? '').trim()
  const written = first('RECURRENCE-ID')
  const slot = written && slotOf(written)
  if (uid === '' || (written && !slot)) return []
  const said = unescapeText(first('COMMENT')?.value ?? '')
  const sequence = Number.parseInt(first('SEQUENCE')?.value ?? '0', 10)
  return event.lines.flatMap((line): AttendeeReply[] => {
    if (line.name !== 'ATTENDEE') return []
    const attendee = addressOf(line.value)
    const sentBy = addressOf(line.parameter('SENT-BY') ?? '')
    const status = statusOf(line, method)
    if (!attendee || (method === 'REPLY' && !status)) return []
    const remark = method === 'COUNTER' ? proposalOf(first('DTSTART'), first('DTEND')) : delegationOf(line)
    const comment = [remark, said].filter(Boolean).join('. ').slice(0, 1024)
    return [
      {
        method,
        uid,
        attendee,
        sequence: Number.isSafeInteger(sequence) && sequence > 0 ? sequence : 0,
        stamp: stampOf(first('DTSTAMP')?.value ?? ''),
        ...(sentBy ? { sentBy } : {}),
        ...(status ? { status } : {}),
        ...(comment ? { comment } : {}),
        ...(slot ? { slot } : {}),
      },
    ]
  })
}

function statusOf(line: ContentLine, method: ReplyMethod): Participant['status'] | undefined {
  const status = PARTSTAT[(line.parameter('PARTSTAT') ?? '').toUpperCase()]
  if (method === 'REPLY') return status
  return method === 'COUNTER' && (status === 'maybe' || status === 'no') ? status : undefined
}

function delegationOf(line: ContentLine): string {
  const isDelegated = line.parameter('PARTSTAT')?.toUpperCase() === 'DELEGATED'
  const named = line.parameters.find(({ name }) => name === 'DELEGATED-TO')?.text ?? ''
  const delegates = parameterValues(named).flatMap((one) => addressOf(one) ?? [])
  if (!isDelegated) return ''
  return delegates.length > 0 ? `Delegated to ${delegates.join(', ')}` : 'Delegated'
}

/** The proposed time as written, because the zone name may be specific to the guest's calendar. */
function proposalOf(start: ContentLine | undefined, end: ContentLine | undefined): string {
  const times = [start, end].flatMap((line) => (line && slotOf(line)) ?? [])
  return times.length === 0 ? 'Proposes a change' : `Proposes ${times.map(timeText).join(' to ')}`
}

function timeText({ time: { day, seconds, utc }, zone }: WrittenSlot): string {
  if (seconds === undefined) return formatDate(day)
  const clock = `${digits2(Math.floor(seconds / 3600))}:${digits2(Math.floor((seconds % 3600) / 60))}`
  const name = utc ? 'UTC' : (zone ?? '')
  return `${formatDate(day)} ${clock}${name && ` ${name}`}`
}

/** The address of a calendar user such as `mailto:ann@example.com`, with or without `mailto:`. */
function addressOf(value: string): string | undefined {
  const address = value.trim().replace(/^mailto:/i, '')
  if (!address.includes('@')) return undefined
  try {
    return decodeURIComponent(address).toLowerCase()
  } catch {
    return address.toLowerCase()
  }
}

function slotOf(line: ContentLine): WrittenSlot | undefined {
  const time = parseBasic(line.value.trim())
  const zone = line.parameter('TZID')
  return time && { time, ...(zone ? { zone } : {}) }
}

function stampOf(value: string): number {
  const time = parseBasic(value.trim())
  return time ? time.day * SECONDS_PER_DAY + (time.seconds ?? 0) : 0
}

// Converts a slot as another calendar writes it: in UTC, in a zone under any name, or as a day.

export function slotIn(start: SeriesStart, { time, zone }: WrittenSlot): string {
  if (start.kind === 'all-day') return basicDate(time.day)
  if (time.seconds === undefined) return basicUtc(keyOfWall(start, wallOnDay(start, time.day)))
  const wall = time.day * SECONDS_PER_DAY + time.seconds
  if (time.utc) return basicUtc(wall)
  const known = zone === undefined ? undefined : resolveTimeZone(zone)
  return basicUtc(
    known === undefined || known === start.zone ? keyOfWall(start, wall) : wallToInstant(known, wall).instant,
  )
}

/** The local start time of the series on a day. */
const wallOnDay = (start: SeriesStart, day: number): number => {
  const wall = wallOfKey(start, startKey(start))
  return day * SECONDS_PER_DAY + (wall - Math.floor(wall / SECONDS_PER_DAY) * SECONDS_PER_DAY)
}
