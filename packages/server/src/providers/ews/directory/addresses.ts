/**
 * Addresses of mail of people whom a server names by their place in its directory alone (`RoutingType` EX). Exchange mostly
 * says the address itself; where it does not, the directory is asked, and what it says is remembered for the account.
 */
import { ApiError } from '../../../lib/api-error.ts'
import { EwsError } from '../errors.ts'
import { ResolveNames } from '../operations/resolve-names.ts'
import type { Session } from '../session.ts'
import type { CalendarItem } from '../types/calendar-item.ts'
import type { Mailbox } from '../types/mailbox.ts'
import type { MessageItem } from '../types/message.ts'

type Peopled = Partial<
  Pick<MessageItem, 'From' | 'Sender' | 'ToRecipients' | 'CcRecipients' | 'BccRecipients' | 'ReplyTo'> &
    Pick<CalendarItem, 'Organizer' | 'RequiredAttendees' | 'OptionalAttendees' | 'Resources'>
>

/** So many are asked for of one answer: each is a call. */
const mostAsked = 20
const atOnce = 4
const mostKnown = 1000

/** By the name in the directory; undefined for who has none. */
class KnownAddresses extends Map<string, string | undefined> implements AsyncDisposable {
  async [Symbol.asyncDispose](): Promise<void> {
    this.clear()
  }
}

function peopleOf(item: Peopled): Mailbox[] {
  const attendees = [item.RequiredAttendees, item.OptionalAttendees, item.Resources].flatMap((list) => list ?? [])
  const recipients = [item.ToRecipients, item.CcRecipients, item.BccRecipients, item.ReplyTo]
  const single = [item.From, item.Sender, item.Organizer, ...attendees]
  return [...recipients.flatMap((list) => list ?? []), ...single.flatMap((each) => each?.Mailbox ?? [])]
}

/** The name that somebody has in the directory, where it stands in the place of an address. */
const directoryName = ({ EmailAddress: name, RoutingType: type }: Mailbox): string | undefined =>
  name && (type?.toUpperCase() === 'EX' || /^\/o=/i.test(name)) ? name : undefined

/** Writes the addresses of the people of items where names of the directory stood. Who cannot be found stays as they are. */
export async function fillAddresses(session: Session, items: readonly Peopled[]): Promise<void> {
  const named = items.flatMap(peopleOf).filter((person) => directoryName(person) !== undefined)
  if (named.length === 0) return
  const known = session.io.kept('addresses of the directory', () => new KnownAddresses())
  const unknown = [...new Set(named.flatMap((person) => directoryName(person) ?? []))].filter(
    (name) => !known.has(name),
  )
  const asked = unknown.slice(0, mostAsked)
  if (known.size + asked.length > mostKnown) known.clear()
  for (let first = 0; first < asked.length; first += atOnce) {
    const some = asked.slice(first, first + atOnce)
    await Promise.all(some.map(async (name) => known.set(name, await addressOf(session, name))))
  }
  for (const person of named) {
    const address = known.get(directoryName(person) ?? '')
    if (address !== undefined) Object.assign(person, { EmailAddress: address, RoutingType: 'SMTP' })
  }
}

/** What was asked for is read without the directory, too: its failures are none of the answer's. */
async function addressOf(session: Session, name: string): Promise<string | undefined> {
  const request = { ReturnFullContactData: false, SearchScope: 'ActiveDirectory', UnresolvedEntry: name } as const
  try {
    const [answer] = await session.each(ResolveNames, request)
    if (answer === undefined || answer instanceof EwsError) return undefined
    const [only, ...others] = answer.ResolutionSet ?? []
    const address = others.length === 0 ? only?.Mailbox?.EmailAddress?.replace(/^smtp:/i, '') : undefined
    return address?.includes('@') ? address : undefined
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
    session.io.signal.throwIfAborted()
    return undefined
  }
}
