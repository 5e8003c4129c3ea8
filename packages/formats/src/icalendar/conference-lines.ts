/**
 * Reads how to join an event: CONFERENCE (RFC 7986 §5.11), Google's and Microsoft's own lines, or an address in the
 * location, the link or the description. Details without a standard property are stored in X-WAYPOST-CONFERENCE. They
 * are valid only while the address in the other lines is the same.
 */
import type { Conferencing } from '@waypost/contract'
import { type ComponentNode, ContentLine, type Item, unescapeText } from './content-lines.ts'
import { isWebAddress } from './vevent.ts'

/** The property for details that iCalendar has no property for. */
export const DETAILS = 'X-WAYPOST-CONFERENCE'
const FOREIGN = new Set([
  'X-GOOGLE-CONFERENCE',
  'X-MICROSOFT-SKYPETEAMSMEETINGURL',
  'X-MICROSOFT-ONLINEMEETINGEXTERNALLINK',
])

/** Whether a line only describes how to join. */
export const isConferenceLine = (line: ContentLine): boolean =>
  line.name === DETAILS || FOREIGN.has(line.name) || line.name === 'CONFERENCE'

export function conferencingOf(
  event: ComponentNode,
  { location, description }: { location: string | null; description: string | null },
): Conferencing | undefined {
  const lines = conferenceLines(event.items)
  if (lines.length > 0) {
    const named = lines.find((line) => line.name === 'CONFERENCE' && isWebAddress(addressIn(line)))
    const line = named ?? lines.find(({ name, value }) => FOREIGN.has(name) && isWebAddress(value.trim()))
    if (line) return retained(lines, addressIn(line)) ?? described(lines, line)
  }
  const link = event.line('URL')?.value.trim() ?? ''
  return joinAddressIn(link, location ?? undefined) ?? joinAddressIn(undefined, description ?? undefined)
}

function conferenceLines(items: readonly Item[]): ContentLine[] {
  const found: ContentLine[] = []
  for (const item of items) if (item instanceof ContentLine && isConferenceLine(item)) found.push(item)
  return found
}

const addressIn = ({ value }: ContentLine): string => unescapeText(value).trim()

function described(lines: readonly ContentLine[], line: ContentLine): Conferencing {
  const url = addressIn(line)
  const label = line.parameter('LABEL') ?? ''
  const phone = lines.filter(({ name, value }) => name === 'CONFERENCE' && /^tel:/i.test(value.trim()))
  return {
    provider: conferenceProviderIn(label) ?? conferenceProviderIn(url) ?? (label || 'unknown'),
    details: { url, ...(phone.length > 0 ? { phone: phone.map((one) => addressIn(one).slice(4)) } : {}) },
  }
}

/** The details that a client stored through our API, if they still match this address. */
function retained(lines: readonly ContentLine[], url: string): Conferencing | undefined {
  const line = lines.find(({ name }) => name === DETAILS)
  if (line === undefined) return undefined
  try {
    const read: unknown = JSON.parse(unescapeText(line.value))
    return isDescription(read) && read.details.url === url ? read : undefined
  } catch {
    return undefined
  }
}

const isDescription = (value: unknown): value is Conferencing & { details: { url?: string } } =>
  typeof value === 'object' &&
  value !== null &&
  'details' in value &&
  typeof value.details === 'object' &&
  value.details !== null &&
  'provider' in value &&
  typeof value.provider === 'string'

// Names of conference providers as clients use them, and join addresses in the texts of an event. Pure.

/** Patterns for the name or address of each provider. */
const providers: readonly [RegExp, string][] = [
  [/meet\.google\.com|google meet|hangouts ?meet/i, 'Google Meet'],
  [/zoom/i, 'Zoom Meeting'],
  [/teams for business/i, 'Teams for Business'],
  [/teams/i, 'Microsoft Teams'],
  [/webex/i, 'WebEx'],
  [/goto(?:meeting|\.com)|gotomeet/i, 'GoToMeeting'],
  [/skype for business/i, 'Skype for Business'],
  [/skype/i, 'Skype for Consumer'],
]

export const conferenceProviderIn = (text: string): string | undefined =>
  providers.find(([pattern]) => pattern.test(text))?.[1]

const joinAddress =
  /https:\/\/(?:meet\.google\.com\/[a-z-]+|[\w.-]*zoom\.us\/(?:j|my|w|s)\/[^\s"'<>]+|teams\.(?:microsoft|live)\.com\/(?:l\/meetup-join|meet)\/[^\s"'<>]+|[\w.-]*webex\.com\/[^\s"'<>]+|(?:global\.gotomeeting\.com|meet\.goto\.com|gotomeet\.me)\/[^\s"'<>]+)/i

/** How to join an event through a recognized address in its location or description. */
export function joinAddressIn(location: string | undefined, description: string | undefined): Conferencing | undefined {
  const found = joinAddress.exec(location ?? '') ?? joinAddress.exec(description ?? '')
  if (!found) return undefined
  return {
    provider: conferenceProviderIn(found[0]) ?? 'unknown',
    details: { url: found[0].replaceAll('&amp;', '&').replace(/(?<![.,;)])[.,;)]+$/, '') },
  }
}
