// The recorded responses of a meeting's attendees, and the fields that an attendee's copy has of its own.
import { type Attendee, type Response, sameAddress } from './people.ts'
import { exceptionItems, type ItemOf, type OccurrenceException, type SeriesEvent } from './series.ts'

/** The attendees after one of them responded. Earlier time proposals are removed. */
export function withAnswer(
  attendees: readonly Attendee[],
  address: string,
  { status, proposedNewTime }: { status: Response; proposedNewTime?: Attendee['proposedNewTime'] },
): Attendee[] {
  return attendees.map(({ proposedNewTime: _, ...attendee }) =>
    sameAddress(attendee.address, address)
      ? { ...attendee, status, ...(proposedNewTime !== undefined && { proposedNewTime }) }
      : attendee,
  )
}

/** The attendees with their responses reset, for a new invitation. */
export function unanswered(attendees: readonly Attendee[]): Attendee[] {
  return attendees.map(({ proposedNewTime: _, ...attendee }) =>
    attendee.status.response === 'organizer' ? attendee : { ...attendee, status: { response: 'none' } },
  )
}

/** Keeps the recorded responses: writing the attendee list cannot change how an attendee responded. */
export function withKnownAnswers(
  written: readonly Attendee[],
  { known, organizer }: { known: readonly Attendee[]; organizer: string },
): Attendee[] {
  return written.map((attendee) => {
    const status = known.find(({ address }) => sameAddress(address, attendee.address))?.status
    if (status !== undefined) return { ...attendee, status }
    return sameAddress(attendee.address, organizer) ? { ...attendee, status: { response: 'organizer' } } : attendee
  })
}

/** An attendee as other attendees see it: invited, without a response. */
export function withoutAnswer({ address, name, type }: Attendee): Attendee {
  return { address, name, type, status: { response: 'none' } }
}

/** Compares two attendee lists by address, without the organizer: added, remaining and removed attendees. */
export function guestChanges(
  before: readonly Attendee[],
  after: readonly Attendee[],
  organizer: string,
): { added: string[]; kept: string[]; gone: string[] } {
  const guests = (all: readonly Attendee[]) =>
    all.map(({ address }) => address).filter((one) => !sameAddress(one, organizer))
  const has = (all: readonly Attendee[], address: string) => all.some((one) => sameAddress(one.address, address))
  const now = guests(after)
  return {
    added: now.filter((address) => !has(before, address)),
    kept: now.filter((address) => has(before, address)),
    gone: guests(before).filter((address) => !has(after, address)),
  }
}

/** The exceptions of an attendee's copy, updated from the organizer's series. The copy's own fields are preserved. */
export function copiedExceptions<Event extends SeriesEvent, Details extends object>(
  event: Event,
  known: ReadonlyMap<string, OccurrenceException<Details>>,
  contentOf: (item: ItemOf<Event>) => Partial<Details>,
): Map<string, OccurrenceException<Details>> {
  const result = new Map(known)
  for (const item of exceptionItems(event)) {
    const date = item.date ?? ''
    const own = known.get(date)
    const { created, modified, version } = own ?? item
    result.set(date, {
      created,
      modified,
      version,
      changes: { ...own?.changes, ...contentOf(item) } as Partial<Details>,
    })
  }
  return result
}
