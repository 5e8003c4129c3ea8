/** Writes objects of a calendar conditionally, and retries after a concurrent change. */

import { ApiError } from '@waypost/platform/api-error'
import { isNotFound, notFound } from '../../shared/named-objects.ts'
import { providerReason, providerStatus } from '../../shared/refusal.ts'
import type { DavObject, Guard } from '../client.ts'
import type { DavSession } from '../session.ts'
import { isChangedMeanwhile } from '../writes.ts'
import { type Located, locateIn, openObject, readStored } from './event-objects.ts'
import { forgetCalendar, serviceOf } from './known-calendars.ts'
import { withoutRepetition, withPointSeconds } from './mapping/accepted-text.ts'
import { readPartsOf } from './object-reading.ts'

/** How often a change is retried after concurrent changes. */
const maxTries = 3

/**
 * Applies a change to a located event. After a concurrent change, the event is read again and the change is applied
 * to the new version. After `maxTries` attempts the request fails; nothing was overwritten.
 */
export async function rewriting<T>(
  session: DavSession,
  first: Located,
  change: (located: Located) => Promise<T>,
): Promise<T> {
  let located = first
  for (let left = maxTries; ; left -= 1) {
    try {
      return await change(located)
    } catch (error) {
      if (!isChangedMeanwhile(error) || left <= 1) throw asRefusal(error)
      located = await readAgain(session, located)
    }
  }
}

/** The current version of the same event. */
async function readAgain(session: DavSession, before: Located): Promise<Located> {
  const { place, stored } = before
  const found = await readStored(session, place.url, stored.href)
  return locateIn(openObject(session, found, place), before.what === 'occurrence' ? before.slot : undefined)
}

/** The guard of a write. A guest's copy changes when others answer; its schedule tag then stays the same. */
export async function guardOf(session: DavSession, stored: DavObject, isGuest: boolean): Promise<Guard> {
  if (isGuest && stored.scheduleTag !== undefined) return { ifScheduleTagMatch: stored.scheduleTag }
  if (stored.etag !== undefined) return { ifMatch: stored.etag }
  const { props } = await serviceOf(session).client.propsOf(stored.href, ['D:getetag'])
  const etag = props.text('D:getetag')
  if (etag !== undefined) return { ifMatch: etag }
  throw new ApiError('provider_refused', 'the server names no ETag of the event: it cannot be changed safely')
}

/** Stores an object and returns it as the server stores it. */
export async function putObject(
  session: DavSession,
  { url, text, guard }: { url: string; text: string; guard: Guard },
): Promise<DavObject> {
  const { client } = serviceOf(session)
  readPartsOf(session).forget()
  try {
    const written = await client.put(url, text, guard)
    // A server that returns no ETag has changed the data (RFC 4791 §5.3.4).
    if (written.etag === undefined) return await client.get(written.href)
    return { ...written, data: text }
  } catch (error) {
    // Cyrus rejects points in time. It also duplicates TRANSP in the copies of guests, and then rejects such a copy
    // itself.
    const other = /^C:valid-calendar/.test(providerReason(error)) ? withPointSeconds(withoutRepetition(text)) : text
    if (other === text) throw error
    return putObject(session, { url, text: other, guard })
  }
}

/** Maps refusals to API errors. */
export function asRefusal(error: unknown): unknown {
  if (isNotFound(error)) return notFound('event')
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

/** Maps the refusal of a new event; reports a deleted calendar as the cause. */
export async function asCreateRefusal(session: DavSession, calendar: string, error: unknown): Promise<unknown> {
  const status = providerStatus(error)
  if (status !== 404 && status !== 409) return asRefusal(error)
  forgetCalendar(session, calendar)
  const isThere = await serviceOf(session)
    .client.propsOf(calendar, ['D:resourcetype'])
    .then(
      () => true,
      (problem: unknown) => !isNotFound(problem),
    )
  return isThere ? error : notFound('calendar')
}
