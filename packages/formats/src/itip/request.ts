/**
 * Applies a REQUEST to a guest's copy (RFC 5546 §3.2.2). Pure: it takes the copy and the mail and returns the new
 * text.
 *
 * - Only the organizer may change the copy, and only parts with an invitation of the account count. An event that the
 *   account organizes is never changed by a REQUEST.
 * - A part counts if it is newer than the stored one. A newer series replaces the stored copy, except occurrences
 *   that are newer still. One occurrence replaces only itself.
 * - The answer belongs to the account: an organizer may reset it by inviting again, but cannot set it. The same
 *   applies to alarms and to the display in the account's calendar (TRANSP, CATEGORIES, COLOR). Alarms of the
 *   organizer are removed.
 */
import { isInvited } from '../icalendar/attendee-changes.ts'
import type { CalendarObject } from '../icalendar/calendar-object.ts'
import { isUser } from '../icalendar/calendar-users.ts'
import { addLines, changedLine, withoutLines } from '../icalendar/content-line-changes.ts'
import { type ComponentNode, ContentLine, type Item, writeItems } from '../icalendar/content-lines.ts'
import { copyVersion, isNewer, versionOf, withVersion } from '../icalendar/versions.ts'
import { tzidOf } from '../icalendar/zones-reading.ts'
import { componentKey, type ItipContext, nothing, type Outcome, ownOrganizer, partsOf } from './objects.ts'

/** The copy after a REQUEST from its organizer. */
export function applyRequest(stored: CalendarObject | undefined, mail: CalendarObject, context: ItipContext): Outcome {
  const organizer = ownOrganizer(mail, context)
  if ('why' in organizer) return nothing(organizer.why)
  const invited = partsOf(mail).filter((part) => isInvited(part, context.addresses))
  if (invited.length === 0) return nothing('the account is not invited')
  if (!stored) {
    const parts = invited.map((part) => part.with(merged(part, undefined, context)))
    return { change: 'write', text: textOf(mail, parts, []) }
  }
  const known = ownOrganizer(stored, { ...context, sender: undefined })
  if ('why' in known) return nothing(known.why)
  if (known.address !== organizer.address) return nothing('the event has another organizer')
  const keyOf = componentKey(mail.master ? mail : stored, context.zone)
  const before = new Map(partsOf(stored).map((part) => [keyOf(part, stored), part]))
  const news = new Map(
    invited.flatMap((part) => {
      const key = keyOf(part, mail)
      const there = key === undefined ? undefined : before.get(key)
      const counts = key !== undefined && (!there || isNewer(versionOf(part), copyVersion(there)))
      return counts ? [[key, part.with(merged(part, there, context))] as const] : []
    }),
  )
  if (news.size === 0) return nothing('it is not newer than what is there')
  const series = news.get('')
  const retained = [...before].filter(
    ([key, part]) =>
      key !== undefined &&
      !news.has(key) &&
      (!series || (key !== '' && isNewer(copyVersion(part), copyVersion(series)))),
  )
  const parts = [...retained, ...news].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)).map(([, part]) => part)
  return { change: 'write', text: textOf(mail, parts, zonesOf(stored)) }
}

const zonesOf = ({ calendar }: CalendarObject): ComponentNode[] =>
  calendar.components.filter(({ name }) => name === 'VTIMEZONE')

const withoutAlarms = ({ items }: ComponentNode): Item[] => items.filter((item) => item instanceof ContentLine)

const isOwnLine = (item: Item, { addresses }: ItipContext): item is ContentLine =>
  item.name === 'ATTENDEE' && item instanceof ContentLine && isUser(item, addresses)

/** Marks the account's answer as outstanding. */
const requested = (items: readonly Item[], context: ItipContext): Item[] =>
  items.map((item) =>
    isOwnLine(item, context) ? changedLine(item, { parameters: { PARTSTAT: 'NEEDS-ACTION', RSVP: 'TRUE' } }) : item,
  )

const OWN = ['TRANSP', 'CATEGORIES', 'COLOR']

/** The organizer's part, with the account's own properties of the stored part. */
function merged(part: ComponentNode, there: ComponentNode | undefined, context: ItipContext): Item[] {
  const items = withVersion(withoutAlarms(part), versionOf(part))
  if (!there) return requested(items, context)
  const own = there.lines.filter(({ name }) => OWN.includes(name))
  const others = withoutLines(
    items,
    own.map(({ name }) => name),
  )
  const answer = there.lines.find((line) => isOwnLine(line, context))
  const answered = others.map((item) => (isOwnLine(item, context) ? withAnswerOf(answer, item) : item))
  return [...addLines(answered, own), ...there.components]
}

/**
 * Keeps the stored answer unless the organizer requests a new one. The organizer's record of the answer does not
 * count.
 */
function withAnswerOf(answer: ContentLine | undefined, line: ContentLine): ContentLine {
  const isRequested = (line.parameter('PARTSTAT') ?? 'NEEDS-ACTION').toUpperCase() === 'NEEDS-ACTION'
  const PARTSTAT = isRequested ? undefined : answer?.parameter('PARTSTAT')
  if (PARTSTAT === undefined) return changedLine(line, { parameters: { PARTSTAT: 'NEEDS-ACTION' } })
  return changedLine(line, { parameters: { PARTSTAT } })
}

/** The mail's text in stored form: without METHOD, with these parts and the zones that they name. */
function textOf(mail: CalendarObject, parts: readonly ComponentNode[], zones: readonly ComponentNode[]): string {
  const head = mail.calendar.lines.filter(({ name }) => name !== 'METHOD')
  const known = new Map([...zones, ...zonesOf(mail)].map((zone) => [tzidOf(zone), zone]))
  const named = new Set(parts.flatMap((part) => part.lines.map((line) => line.parameter('TZID'))))
  const needed = [...known].filter(([tzid]) => named.has(tzid)).map(([, zone]) => zone)
  return crlf(writeItems([mail.calendar.with([...head, ...needed, ...parts])]))
}

const crlf = (text: string): string => text.replace(/(?<!\r)\r*\n/g, '\r\n')
