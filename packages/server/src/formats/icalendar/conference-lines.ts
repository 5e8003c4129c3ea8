// How to join an event, as calendars write it: CONFERENCE (RFC 7986 §5.11), lines of Google's and Microsoft's own, or an
// address in the place, the link or the text. Details for which there is no property are kept in one of ours, which counts
// while the address beside it is the same.
import type { Conferencing } from '@waypost/contract'
import { type ComponentNode, ContentLine, type Item, unescapeText } from './content-lines.ts'
import { conferenceProviderIn, joinAddressIn } from './join-address.ts'
import { isWebAddress } from './vevent.ts'

/** Where details stand that iCalendar has no property for. */
export const DETAILS = 'X-WAYPOST-CONFERENCE'
const FOREIGN = new Set([
  'X-GOOGLE-CONFERENCE',
  'X-MICROSOFT-SKYPETEAMSMEETINGURL',
  'X-MICROSOFT-ONLINEMEETINGEXTERNALLINK',
])

/** Whether a line says how to join and nothing else. */
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
    if (line) return kept(lines, addressIn(line)) ?? described(lines, line)
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

/** What a client of ours described, where it is still about this address. */
function kept(lines: readonly ContentLine[], url: string): Conferencing | undefined {
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
