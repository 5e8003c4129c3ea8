/** Writing the objects of a calendar: always as they were read, and once more where somebody else was quicker. */
import { ApiError } from '../../../lib/api-error.ts'
import { providerReason, providerStatus } from '../../shared/refusal.ts'
import type { DavObject, Guard } from '../client.ts'
import type { DavSession } from '../session.ts'
import { isChangedMeanwhile } from '../writes.ts'
import { type Located, locateIn, noEvent, openObject, readStored } from './event-objects.ts'
import { forgetCalendar, isMissing, noCalendar, serviceOf } from './known-calendars.ts'
import { withoutRepetition, withPointSeconds } from './mapping/accepted-text.ts'
import { readPartsOf } from './read-parts.ts'

/** How often a change is made on top of another one that came in between. */
const mostTries = 3

/**
 * Changes what was located. Where it was changed elsewhere in the meantime, it is read anew and the change is made on top
 * of that; after some times the client is told, and nothing was overwritten.
 */
export async function rewriting<T>(
  session: DavSession,
  first: Located,
  change: (located: Located) => Promise<T>,
): Promise<T> {
  let located = first
  for (let left = mostTries; ; left -= 1) {
    try {
      return await change(located)
    } catch (error) {
      if (!isChangedMeanwhile(error) || left <= 1) throw asRefusal(error)
      located = await readAgain(session, located)
    }
  }
}

/** The same event as it is now. */
async function readAgain(session: DavSession, before: Located): Promise<Located> {
  const { place, stored } = before
  const found = await readStored(session, place.url, stored.href)
  return locateIn(openObject(session, found, place), before.what === 'occurrence' ? before.slot : undefined)
}

/** What a write of an object depends on; a guest's copy changes by itself when others answer, and its tag then stays. */
export async function guardOf(session: DavSession, stored: DavObject, isGuest: boolean): Promise<Guard> {
  if (isGuest && stored.scheduleTag !== undefined) return { ifScheduleTagMatch: stored.scheduleTag }
  if (stored.etag !== undefined) return { ifMatch: stored.etag }
  const { props } = await serviceOf(session).client.propsOf(stored.href, ['D:getetag'])
  const etag = props.text('D:getetag')
  if (etag !== undefined) return { ifMatch: etag }
  throw new ApiError('provider_refused', 'the server names no ETag of the event: it cannot be changed safely')
}

/** Puts an object; answers it as the server keeps it. */
export async function putObject(
  session: DavSession,
  { url, text, guard }: { url: string; text: string; guard: Guard },
): Promise<DavObject> {
  const { client } = serviceOf(session)
  readPartsOf(session).forget()
  try {
    const written = await client.put(url, text, guard)
    // A server that names no ETag has changed what it was given (RFC 4791 §5.3.4).
    if (written.etag === undefined) return await client.get(written.href)
    return { ...written, data: text }
  } catch (error) {
    // Cyrus takes no points in time, and doubles TRANSP in the copies of guests, which it then takes from nobody.
    const other = /^C:valid-calendar/.test(providerReason(error)) ? withPointSeconds(withoutRepetition(text)) : text
    if (other === text) throw error
    return putObject(session, { url, text: other, guard })
  }
}

/** Refusals in words of ours. */
export function asRefusal(error: unknown): unknown {
  if (isMissing(error)) return noEvent()
  if (!(error instanceof ApiError) || providerStatus(error) !== 403) return error
  const { providerError } = error.details
  const details = { ...(providerError ? { providerError } : {}), cause: error }
  const reason = providerReason(error)
  if (reason === '' || reason === 'D:need-privileges') {
    return new ApiError(
      'invalid_request',
      'the event is read-only: the account may not write to this calendar',
      details,
    )
  }
  return error
}

/** A refusal of a new event: where the calendar is gone, that is what is wrong. */
export async function asCreateRefusal(session: DavSession, calendar: string, error: unknown): Promise<unknown> {
  const status = providerStatus(error)
  if (status !== 404 && status !== 409) return asRefusal(error)
  forgetCalendar(session, calendar)
  const isThere = await serviceOf(session)
    .client.propsOf(calendar, ['D:resourcetype'])
    .then(
      () => true,
      (problem: unknown) => !isMissing(problem),
    )
  return isThere ? error : noCalendar()
}
