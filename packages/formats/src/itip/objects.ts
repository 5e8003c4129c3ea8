/** Common rules of iTIP: which sender may change an event, and which of its parts is affected. */
import { type CalendarObject, slotOfLine } from '../icalendar/calendar-object.ts'
import { seriesStart, spanOf, type TimeContext } from '../icalendar/calendar-times.ts'
import { addressOf, userAddress } from '../icalendar/calendar-users.ts'
import type { ComponentNode } from '../icalendar/content-lines.ts'

export interface ItipContext {
  /** The account's own addresses, in lower case. */
  readonly addresses: readonly string[]
  /** The sender of the mail, in lower case. */
  readonly sender: string | undefined
  /** The zone of floating times. */
  readonly zone: string
  /** Milliseconds. */
  readonly now: number
}

/** The change to the account's calendar. */
export type Outcome =
  | { readonly change: 'none'; readonly why: string }
  | { readonly change: 'write'; readonly text: string }

export const nothing = (why: string): Outcome => ({ change: 'none', why })

/** All VEVENTs of an object. */
export const partsOf = ({ master, overrides }: CalendarObject): ComponentNode[] => [
  ...(master ? [master] : []),
  ...overrides,
]

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

/**
 * The organizer of an event, if the sender is the organizer or an address of the same domain that acts on their
 * behalf (SENT-BY). Otherwise the reason why the mail is not trusted. Without a sender, returns the organizer of a
 * stored event.
 */
export function ownOrganizer(
  object: CalendarObject,
  { addresses, sender }: Pick<ItipContext, 'addresses' | 'sender'>,
): { address: string } | { why: string } {
  const lines = partsOf(object).map((part) => part.line('ORGANIZER'))
  const [first] = lines
  const address = first && userAddress(first)?.toLowerCase()
  if (!first || address === undefined) return { why: 'nobody organizes the event' }
  if (lines.some((line) => !line || userAddress(line)?.toLowerCase() !== address)) {
    return { why: 'its parts have different organizers' }
  }
  if (addresses.includes(address)) return { why: 'the account organizes the event itself' }
  if (sender === undefined || sender === address) return { address }
  const sentBy = addressOf(first.parameter('SENT-BY') ?? '')?.toLowerCase()
  if (sentBy === sender && domainOf(sender) === domainOf(address)) return { address }
  return { why: 'the sender does not organize the event' }
}

/** A key for the parts of an event: `''` for the event or the series itself, the slot for an occurrence. */
export function componentKey(
  whole: CalendarObject,
  zone: string,
): (part: ComponentNode, of: CalendarObject) => string | undefined {
  const span = whole.master && spanOf(whole.master, { zones: whole.zones, floating: zone })
  const start = span && seriesStart(span)
  return (part, of) => {
    const line = part.line('RECURRENCE-ID')
    const context: TimeContext = { zones: of.zones, floating: zone }
    return line ? slotOfLine(line, start, context) : ''
  }
}
