// ORGANIZER and ATTENDEE lines as people (RFC 5545 §3.8.4). A calendar user is known by an address, which may stand in the
// value (`mailto:`, in any case) or in EMAIL (RFC 7986 §6.2), where the value is a path or a name of the server's own.
import type { Event, Participant, Resource } from '@waypost/contract'
import { type ComponentNode, ContentLine, type Item, unescapeText } from './content-lines.ts'

const STATUS: Readonly<Record<string, Participant['status']>> = {
  ACCEPTED: 'yes',
  DECLINED: 'no',
  TENTATIVE: 'maybe',
  // Who delegates does not come.
  DELEGATED: 'no',
}

/** The address of a calendar user, such as `mailto:ann@example.com`; undefined where the text names none. */
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

/** The address by which a line's user is reached. */
export function userAddress(line: ContentLine): string | undefined {
  const email = line.parameter('EMAIL')
  return (
    (email === undefined ? undefined : addressOf(email)) ??
    addressOf(line.value) ??
    addressOf(line.parameter('CN') ?? '')
  )
}

/** Whether the line is about one of the addresses, which are in small letters. */
export function isUser(line: ContentLine, addresses: readonly string[]): boolean {
  const own = [line.parameter('EMAIL'), line.value, line.parameter('CN')]
  return own.some((text) => text !== undefined && addresses.includes(addressOf(text)?.toLowerCase() ?? ' '))
}

/** A name that says more than the address does. */
function nameOf(line: ContentLine, email: string | undefined): string | null {
  const name = line.parameter('CN')?.trim()
  return name === undefined || name === '' || name.toLowerCase() === email?.toLowerCase() ? null : name
}

export const isRoom = (line: ContentLine): boolean => /^(?:ROOM|RESOURCE)$/i.test(line.parameter('CUTYPE') ?? '')

export const organizerOf = (line: ContentLine | undefined): Event['organizer'] => {
  const email = line && userAddress(line)
  return line && email !== undefined ? { email, name: nameOf(line, email) } : null
}

/** Remarks that a server keeps beside the line of the one who made them. */
const REMARK = 'X-CALENDARSERVER-ATTENDEE-COMMENT'

/** Remarks by the value of the line that they are about. */
export type Remarks = ReadonlyMap<string, ContentLine>

function remarkOn(line: ContentLine, remarks: Remarks): string | undefined {
  const found = remarks.size === 0 ? undefined : remarks.get(line.value)
  return found && unescapeText(found.value)
}

export const remarksByUser = (remarks: readonly ContentLine[]): Remarks =>
  new Map(remarks.toReversed().map((one) => [one.parameter('X-CALENDARSERVER-ATTENDEE-REF') ?? '', one]))

/** The lines beside those of guests that belong to them. */
export const remarksIn = (items: readonly Item[]): ContentLine[] =>
  items.filter((item) => item instanceof ContentLine).filter(({ name }) => name === REMARK)

/** The guest of a line. */
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
