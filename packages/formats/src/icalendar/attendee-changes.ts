/**
 * Changes ATTENDEE and ORGANIZER lines. A guest that stays keeps the line with all foreign parameters. The
 * organizer's own line, and lines without an address that a client could name, always stay.
 */
import type { Participant, Resource } from '@waypost/contract'
import { isRoom, isUser, type Person, participantOf, remarksByUser, remarksIn, userAddress } from './calendar-users.ts'
import { addLines, changedLine, lineOf } from './content-line-changes.ts'
import { type ComponentNode, ContentLine, type Item } from './content-lines.ts'
import { mailto, type Parameters, plain } from './icalendar.ts'
import { commonName } from './vevent.ts'

export type ScheduleAgent = 'SERVER' | 'CLIENT' | 'NONE'

const PARTSTAT = { yes: 'ACCEPTED', no: 'DECLINED', maybe: 'TENTATIVE', noreply: 'NEEDS-ACTION' } as const

const isAttendee = (item: Item): item is ContentLine => item.name === 'ATTENDEE' && item instanceof ContentLine

/** The organizer's address in lower case, or undefined if there is no organizer. */
const organizerAddress = (items: readonly Item[]): string | undefined => {
  const line = items.find((item) => item.name === 'ORGANIZER' && item instanceof ContentLine)
  return line instanceof ContentLine ? userAddress(line)?.toLowerCase() : undefined
}

const isOrganizers = (line: ContentLine, organizer: string | undefined): boolean =>
  organizer !== undefined && isUser(line, [organizer])

/** The items with these guests. */
export function withParticipants(items: readonly Item[], participants: readonly Participant[]): Item[] {
  const organizer = organizerAddress(items)
  const remarks = remarksByUser(remarksIn(items))
  const left = new Map(participants.flatMap((one) => (one.email === undefined ? [] : [[one.email.toLowerCase(), one]])))
  const retained = items.flatMap((item) => {
    if (!isAttendee(item) || isRoom(item)) return item
    const address = userAddress(item)?.toLowerCase()
    const guest = address === undefined ? undefined : left.get(address)
    if (address !== undefined) left.delete(address)
    if (guest) return changedLine(item, { parameters: guestParameters(guest, participantOf(item, remarks)) })
    return address === undefined || isOrganizers(item, organizer) ? item : []
  })
  return addLines(retained, Array.from(left.values(), newGuest))
}

/** The parameters of a guest's line that must change. */
function guestParameters(guest: Participant, now: Participant): Parameters {
  const name = commonName(guest)
  return {
    ...(name === undefined || name === now.name ? {} : { CN: name }),
    ...(guest.status === now.status ? {} : { PARTSTAT: PARTSTAT[guest.status] }),
    ...(guest.comment === now.comment ? {} : { 'X-RESPONSE-COMMENT': guest.comment ?? undefined }),
    ...(guest.phone_number === now.phone_number ? {} : { 'X-WAYPOST-PHONE': guest.phone_number ?? undefined }),
  }
}

const newGuest = (guest: Participant): ContentLine =>
  lineOf(
    plain('ATTENDEE', mailto(guest.email ?? ''), {
      CN: commonName(guest),
      CUTYPE: 'INDIVIDUAL',
      ROLE: 'REQ-PARTICIPANT',
      PARTSTAT: PARTSTAT[guest.status],
      RSVP: 'TRUE',
      'X-RESPONSE-COMMENT': guest.comment ?? undefined,
      'X-WAYPOST-PHONE': guest.phone_number ?? undefined,
    }),
  )

/** The items with these rooms. */
export function withResources(items: readonly Item[], resources: readonly Resource[]): Item[] {
  const left = new Map(resources.map((one) => [one.email.trim().toLowerCase(), one]))
  const retained = items.flatMap((item) => {
    if (!isAttendee(item) || !isRoom(item)) return item
    const address = userAddress(item)?.toLowerCase()
    if (address === undefined) return item
    const room = left.get(address)
    left.delete(address)
    const name = room && commonName(room)
    return room ? changedLine(item, { parameters: name === undefined ? {} : { CN: name } }) : []
  })
  const added = Array.from(left.values(), (room) =>
    lineOf(
      plain('ATTENDEE', mailto(room.email.trim()), {
        CN: commonName(room),
        CUTYPE: 'ROOM',
        ROLE: 'NON-PARTICIPANT',
        PARTSTAT: 'NEEDS-ACTION',
        RSVP: 'TRUE',
      }),
    ),
  )
  return addLines(retained, added)
}

/** Adds an ORGANIZER line if there are guests and no organizer. */
export function withOrganizer(items: readonly Item[], { email, name }: Person): Item[] {
  const isThere = items.some((item) => item.name === 'ORGANIZER' && item instanceof ContentLine)
  if (isThere || !items.some(isAttendee)) return [...items]
  const first = items.findIndex(isAttendee)
  const line = lineOf(plain('ORGANIZER', mailto(email), { CN: commonName({ name: name ?? null }) }))
  return [...items.slice(0, first), line, ...items.slice(first)]
}

/** Resets the answers of all guests except the organizer, so that they are invited again. */
export function withoutAnswers(items: readonly Item[]): Item[] {
  const organizer = organizerAddress(items)
  return items.map((item) => {
    if (!isAttendee(item) || isOrganizers(item, organizer)) return item
    if ((item.parameter('PARTSTAT') ?? 'NEEDS-ACTION').toUpperCase() === 'NEEDS-ACTION') return item
    return changedLine(item, { parameters: { PARTSTAT: 'NEEDS-ACTION', RSVP: 'TRUE' } })
  })
}

/** Sets which party sends invitations to the guests: the server unless another agent is named (RFC 6638 §7.1). */
export function withScheduleAgent(items: readonly Item[], agent: ScheduleAgent): Item[] {
  const organizer = organizerAddress(items)
  return items.map((item) =>
    isAttendee(item) && !isOrganizers(item, organizer)
      ? changedLine(item, { parameters: agentParameter(item, agent) })
      : item,
  )
}

/** Sets which party sends an answer to the organizer. */
export const withAnswerAgent = (items: readonly Item[], agent: ScheduleAgent): Item[] =>
  items.map((item) =>
    item.name === 'ORGANIZER' && item instanceof ContentLine
      ? changedLine(item, { parameters: agentParameter(item, agent) })
      : item,
  )

const agentParameter = (line: ContentLine, agent: ScheduleAgent): Parameters => {
  const isServer = agent === 'SERVER'
  if (isServer && line.parameter('SCHEDULE-AGENT') === undefined) return {}
  return { 'SCHEDULE-AGENT': isServer ? undefined : agent }
}

/** Whether one of the addresses is invited. */
export const isInvited = (event: ComponentNode, addresses: readonly string[]): boolean =>
  event.items.some((item) => isAttendee(item) && isUser(item, addresses))

export interface AttendeeAnswer {
  /** The attendee's addresses in lower case; a match with any of them is enough. */
  readonly addresses: readonly string[]
  readonly status: Participant['status']
  /** If absent, the comment does not change. */
  readonly comment?: string | null
}

/** The items with one attendee's answer. An attendee that answered no longer has RSVP. */
export function withAnswer(items: readonly Item[], { addresses, status, comment }: AttendeeAnswer): Item[] {
  return items.map((item) => {
    if (!isAttendee(item) || !isUser(item, addresses)) return item
    return changedLine(item, {
      parameters: {
        PARTSTAT: PARTSTAT[status],
        ...(status === 'noreply' ? {} : { RSVP: undefined }),
        ...(comment === undefined ? {} : { 'X-RESPONSE-COMMENT': comment || undefined }),
      },
    })
  })
}
