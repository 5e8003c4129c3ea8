// What a REQUEST makes of a guest's copy (RFC 5546 §3.2.2). Pure: the copy and the mail come in, the new text comes out.
//
// - Only the organizer changes the copy, and only the parts that the account is invited to count. Whoever organizes an event
//   is not told of it by others.
// - A part counts where it is newer than the one that is there. A newer series takes the place of all that is there, but for
//   occurrences that are newer still; one occurrence takes the place of itself.
// - The answer is the account's own: an organizer may take it back by asking anew, and cannot give it. So are alarms, and
//   how the event stands in the account's own calendar (TRANSP, CATEGORIES, COLOR); the alarms of others do not ring here.
import { isInvited } from '../icalendar/attendee-changes.ts'
import type { CalendarObject } from '../icalendar/calendar-object.ts'
import { isUser } from '../icalendar/calendar-users.ts'
import { addLines, changedLine, withoutLines } from '../icalendar/content-line-changes.ts'
import { type ComponentNode, ContentLine, type Item, writeItems } from '../icalendar/content-lines.ts'
import { tzidOf } from '../timezones/zones-reading.ts'
import { componentKey, type ItipContext, nothing, type Outcome, ownOrganizer, partsOf } from './objects.ts'
import { copyVersion, isNewer, versionOf, withVersion } from './versions.ts'

/** The copy after a REQUEST of its organizer. */
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
  const kept = [...before].filter(
    ([key, part]) =>
      key !== undefined &&
      !news.has(key) &&
      (!series || (key !== '' && isNewer(copyVersion(part), copyVersion(series)))),
  )
  const parts = [...kept, ...news].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)).map(([, part]) => part)
  return { change: 'write', text: textOf(mail, parts, zonesOf(stored)) }
}

const zonesOf = ({ calendar }: CalendarObject): ComponentNode[] =>
  calendar.components.filter(({ name }) => name === 'VTIMEZONE')

const withoutAlarms = ({ items }: ComponentNode): Item[] => items.filter((item) => item instanceof ContentLine)

const isOwnLine = (item: Item, { addresses }: ItipContext): item is ContentLine =>
  item.name === 'ATTENDEE' && item instanceof ContentLine && isUser(item, addresses)

/** The account has not answered yet. */
const asked = (items: readonly Item[], context: ItipContext): Item[] =>
  items.map((item) =>
    isOwnLine(item, context) ? changedLine(item, { parameters: { PARTSTAT: 'NEEDS-ACTION', RSVP: 'TRUE' } }) : item,
  )

const OWN = ['TRANSP', 'CATEGORIES', 'COLOR']

/** The organizer's part with what is the account's own in the one that was there. */
function merged(part: ComponentNode, there: ComponentNode | undefined, context: ItipContext): Item[] {
  const items = withVersion(withoutAlarms(part), versionOf(part))
  if (!there) return asked(items, context)
  const own = there.lines.filter(({ name }) => OWN.includes(name))
  const others = withoutLines(
    items,
    own.map(({ name }) => name),
  )
  const answer = there.lines.find((line) => isOwnLine(line, context))
  const answered = others.map((item) => (isOwnLine(item, context) ? withAnswerOf(answer, item) : item))
  return [...addLines(answered, own), ...there.components]
}

/** Asked anew, or with the answer that was given: what the organizer believes to be the answer does not count. */
function withAnswerOf(answer: ContentLine | undefined, line: ContentLine): ContentLine {
  const isAsked = (line.parameter('PARTSTAT') ?? 'NEEDS-ACTION').toUpperCase() === 'NEEDS-ACTION'
  const PARTSTAT = isAsked ? undefined : answer?.parameter('PARTSTAT')
  if (PARTSTAT === undefined) return changedLine(line, { parameters: { PARTSTAT: 'NEEDS-ACTION' } })
  return changedLine(line, { parameters: { PARTSTAT } })
}

/** The text of the mail as it is stored: without METHOD, with these parts and the zones that they name. */
function textOf(mail: CalendarObject, parts: readonly ComponentNode[], zones: readonly ComponentNode[]): string {
  const head = mail.calendar.lines.filter(({ name }) => name !== 'METHOD')
  const known = new Map([...zones, ...zonesOf(mail)].map((zone) => [tzidOf(zone), zone]))
  const named = new Set(parts.flatMap((part) => part.lines.map((line) => line.parameter('TZID'))))
  const needed = [...known].filter(([tzid]) => named.has(tzid)).map(([, zone]) => zone)
  return crlf(writeItems([mail.calendar.with([...head, ...needed, ...parts])]))
}

const crlf = (text: string): string => text.replace(/\r*\n/g, '\r\n')
