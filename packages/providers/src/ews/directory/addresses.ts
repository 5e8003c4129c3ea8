/**
 * Mail addresses of people that a server names only by their directory name (`RoutingType` EX). Exchange usually
 * returns the address itself. If it does not, the directory is queried and the result is cached for the account.
 */
import { ApiError } from '@waypost/platform/api-error'
import { EwsError } from '../errors.ts'
import { ResolveNames } from '../operations/resolve-names.ts'
import type { Session } from '../session.ts'
import type { CalendarItem } from '../types/calendar-item.ts'
import type { Mailbox } from '../types/ids.ts'
import type { MessageItem } from '../types/message.ts'

type Peopled = Partial<
  Pick<MessageItem, 'From' | 'Sender' | 'ToRecipients' | 'CcRecipients' | 'BccRecipients' | 'ReplyTo'> &
    Pick<CalendarItem, 'Organizer' | 'RequiredAttendees' | 'OptionalAttendees' | 'Resources'>
>

/** At most this many lookups per answer, because each is a call. */
const maxRequested = 20
const atOnce = 4
const maxKnown = 1000

/** By directory name; undefined for an entry without an address. */
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

/** The directory name, if it is in the place of an address. */
const directoryName = ({ EmailAddress: name, RoutingType: type }: Mailbox): string | undefined =>
  name && (type?.toUpperCase() === 'EX' || /^\/o=/i.test(name)) ? name : undefined

/** Replaces directory names in items by addresses. A person who cannot be found stays as is. */
export async function fillAddresses(session: Session, items: readonly Peopled[]): Promise<void> {
  const named = items.flatMap(peopleOf).filter((person) => directoryName(person) !== undefined)
  if (named.length === 0) return
  const known = session.io.retained('addresses of the directory', () => new KnownAddresses())
  const unknown = [...new Set(named.flatMap((person) => directoryName(person) ?? []))].filter(
    (name) => !known.has(name),
  )
  const requested = unknown.slice(0, maxRequested)
  if (known.size + requested.length > maxKnown) known.clear()
  for (let first = 0; first < requested.length; first += atOnce) {
    const some = requested.slice(first, first + atOnce)
    await Promise.all(some.map(async (name) => known.set(name, await addressOf(session, name))))
  }
  for (const person of named) {
    const address = known.get(directoryName(person) ?? '')
    if (address !== undefined) Object.assign(person, { EmailAddress: address, RoutingType: 'SMTP' })
  }
}

/** A failure of the directory does not fail the request. */
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
