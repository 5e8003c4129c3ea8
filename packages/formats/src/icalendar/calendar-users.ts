/**
 * Reads ORGANIZER and ATTENDEE lines as people (RFC 5545 §3.8.4). An address identifies a calendar user. It is in the
 * value (`mailto:` in upper or lower case), or in EMAIL (RFC 7986 §6.2) if the value is a path or a name specific to
 * the server.
 */
import type { Event, Participant, Resource } from '@waypost/contract'
import { type ComponentNode, ContentLine, type Item, unescapeText } from './content-lines.ts'

const STATUS: Readonly<Record<string, Participant['status']>> = {
  ACCEPTED: 'yes',
  DECLINED: 'no',
  TENTATIVE: 'maybe',
  // An attendee that delegates does not attend.
  DELEGATED: 'no',
}

/** The address of a calendar user, such as `mailto:ann@example.com`, or undefined if the text has none. */
export function addressOf(value: string): string | undefined {
  const at = value.toLowerCase().lastIndexOf('mailto:')
  const address = (at === -1 ? value : value.slice(at + 7)).trim()
  if (!/^[^\s/@]+@[^\s/@]+$/.test(address)) return undefined
  if (!address.includes('%')) return address
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** The address of the user that a line names. */
export function userAddress(line: ContentLine): string | undefined {
  const email = line.parameter('EMAIL')
  return (
    (email === undefined ? undefined : addressOf(email)) ??
    addressOf(line.value) ??
    addressOf(line.parameter('CN') ?? '')
  )
}

/** Whether the line names one of the addresses, which are in lower case. */
export function isUser(line: ContentLine, addresses: readonly string[]): boolean {
  const own = [line.parameter('EMAIL'), line.value, line.parameter('CN')]
  return own.some((text) => text !== undefined && addresses.includes(addressOf(text)?.toLowerCase() ?? ' '))
}

/** The name, unless it only repeats the address. */
function nameOf(line: ContentLine, email: string | undefined): string | null {
  const name = line.parameter('CN')?.trim()
  return name === undefined || name === '' || name.toLowerCase() === email?.toLowerCase() ? null : name
}

export const isRoom = (line: ContentLine): boolean => /^(?:ROOM|RESOURCE)$/i.test(line.parameter('CUTYPE') ?? '')

export const organizerOf = (line: ContentLine | undefined): Event['organizer'] => {
  const email = line && userAddress(line)
  return line && email !== undefined ? { email, name: nameOf(line, email) } : null
}

/** Comments of attendees, which some servers store in a separate line. */
const REMARK = 'X-CALENDARSERVER-ATTENDEE-COMMENT'

/** Comments by the value of the ATTENDEE line that they belong to. */
export type Remarks = ReadonlyMap<string, ContentLine>

function remarkOn(line: ContentLine, remarks: Remarks): string | undefined {
  const found = remarks.size === 0 ? undefined : remarks.get(line.value)
  return found && unescapeText(found.value)
}

export const remarksByUser = (remarks: readonly ContentLine[]): Remarks =>
  new Map(remarks.toReversed().map((one) => [one.parameter('X-CALENDARSERVER-ATTENDEE-REF') ?? '', one]))

/** The comment lines among the items. */
export const remarksIn = (items: readonly Item[]): ContentLine[] =>
  items.filter((item) => item instanceof ContentLine).filter(({ name }) => name === REMARK)

/** The guest that a line describes. */
export function participantOf(line: ContentLine, remarks: Remarks): Participant {
  const email = userAddress(line)
  const comment = line.parameter('X-RESPONSE-COMMENT') ?? remarkOn(line, remarks)
  return {
    ...(email === undefined ? {} : { email }),
    name: nameOf(line, email),
    comment: comment || null,
    phone_number: line.parameter('X-WAYPOST-PHONE') || null,
    status: STATUS[(line.parameter('PARTSTAT') ?? '').toUpperCase()] ?? 'noreply',
  }
}

export function guestsOf(event: ComponentNode): { participants: Participant[]; resources: Resource[] } {
  const participants: Participant[] = []
  const resources: Resource[] = []
  let remarks: Remarks | undefined
  for (const line of event.items) {
    if (line.name !== 'ATTENDEE' || !(line instanceof ContentLine)) continue
    if (isRoom(line)) {
      const email = userAddress(line)
      if (email !== undefined) resources.push({ email, name: nameOf(line, email) })
      continue
    }
    remarks ??= remarksByUser(remarksIn(event.items))
    participants.push(participantOf(line, remarks))
  }
  return { participants, resources }
}

export interface Person {
  readonly email: string
  readonly name?: string | null
}
