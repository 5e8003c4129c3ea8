/**
 * Changes of the events of a calendar. A series is notified as a whole: changes of instances are notified for their
 * master. Google reports when an event was created and changed, but not whether it is new to the calendar. It counts
 * as new if it was created after the last poll, by Google's own clock.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { Change } from '../../provider.ts'
import { providerStatus } from '../../shared/refusal.ts'
import type { Query, Session } from '../session.ts'
import { calendarPath, eventFields, type GoogleEvent, type GoogleEvents, googleEvents } from './calendar-api.ts'
import { tokenMs } from './calendar-list-changes.ts'
import { eventNotifications } from './event-notifications.ts'

export interface WatchedCalendar {
  id: string
  /** The access role of the account. */
  accessRole: string
}

export interface EventsState {
  token: string
  /**
   * When the token was issued, in milliseconds. A token without changes is reused for a while, so that nothing is
   * written.
   */
  taken: number
  /** The next page of a sync. */
  page?: string
  /** Changes up to this time were notified, in milliseconds of Google's clock. */
  at: number
  /** The events that were created in the second of `at`: Google reports creation times in seconds. */
  fresh: string[]
}

const pageSize = 250
/** Pages per round; more take several rounds. */
const pagesAtOnce = 4
const maxPages = 200
const bytesOfPage = 32 * 1024 * 1024

const list = (session: Session, { id }: WatchedCalendar, query: Query, fields: string): Promise<GoogleEvents> => {
  const options = { query: { ...query, fields }, maxBytes: bytesOfPage, read: googleEvents }
  return session.call('calendar', 'GET', `${calendarPath(session, id)}/events`, options)
}

const timeOf = (text: string | undefined): number => (text === undefined ? 0 : Date.parse(text) || 0)
const wholeSecond = (time: number): number => Math.floor(time / 1000) * 1000

/** The events that were created in the second of a time. */
const madeAt = (events: readonly GoogleEvent[], at: number): string[] =>
  events.filter(({ created }) => timeOf(created) >= wholeSecond(at)).map(({ id }) => id)

/** Starts the watch. Google returns the token at the end of the whole list, and only the token is needed. */
async function begin(session: Session, calendar: WatchedCalendar): Promise<EventsState> {
  let pageToken: string | undefined
  for (let count = 0; count < maxPages; count += 1) {
    const query = { maxResults: 2500, pageToken }
    const answer = await list(session, calendar, query, 'nextPageToken,nextSyncToken,updated')
    if (answer.nextSyncToken !== undefined) {
      const at = timeOf(answer.updated) || session.io.clock.now()
      const updatedMin = new Date(wholeSecond(at)).toISOString()
      const latest = await list(session, calendar, { updatedMin, maxResults: pageSize }, 'items(id,created)').catch(
        // Nothing changed for so long that Google does not search.
        (error: unknown) => (providerStatus(error) === 410 ? { items: [] } : Promise.reject(error)),
      )
      const taken = session.io.clock.now()
      return { token: answer.nextSyncToken, taken, at, fresh: madeAt(latest.items ?? [], at) }
    }
    pageToken = answer.nextPageToken
    if (pageToken === undefined) break
  }
  throw new ApiError('provider_unavailable', 'Google ends its list of events without a token; try again')
}

/** Reads some pages of a query. */
async function readPages(
  session: Session,
  calendar: WatchedCalendar,
  query: Query,
  from: string | undefined,
  max: number,
): Promise<{ items: GoogleEvent[]; page: string | undefined; token: string | undefined; zone: string | undefined }> {
  const items: GoogleEvent[] = []
  let pageToken = from
  let answer: GoogleEvents = {}
  for (let count = 0; count < max; count += 1) {
    const fields = `nextPageToken,nextSyncToken,timeZone,items(${eventFields})`
    answer = await list(session, calendar, { ...query, maxResults: pageSize, pageToken }, fields)
    items.push(...(answer.items ?? []))
    pageToken = answer.nextPageToken
    if (pageToken === undefined) break
  }
  return { items, page: pageToken, token: answer.nextSyncToken, zone: answer.timeZone }
}

/** The state after events were notified. */
function after(state: EventsState, items: readonly GoogleEvent[]): Pick<EventsState, 'at' | 'fresh'> {
  const at = Math.max(state.at, ...items.map(({ updated }) => timeOf(updated)))
  const same = wholeSecond(at) === wholeSecond(state.at)
  return { at, fresh: [...new Set([...(same ? state.fresh : []), ...madeAt(items, at)])] }
}

const telling = ({ id, accessRole }: WatchedCalendar) => ({ calendarId: id, accessRole })

const isNewSince =
  ({ at, fresh }: Pick<EventsState, 'at' | 'fresh'>) =>
  ({ id, created }: GoogleEvent): boolean =>
    timeOf(created) >= wholeSecond(at) && !fresh.includes(id)

async function resume(
  session: Session,
  calendar: WatchedCalendar,
  state: EventsState,
): Promise<{ changes: Change[]; state: EventsState; more: boolean }> {
  const query = { syncToken: state.token }
  const { items, page, token, zone } = await readPages(session, calendar, query, state.page, pagesAtOnce)
  const now = session.io.clock.now()
  const isQuiet = items.length === 0 && page === undefined && state.page === undefined
  if (isQuiet && now - state.taken < tokenMs) return { changes: [], state, more: false }
  const changes = await eventNotifications(session, items, { ...telling(calendar), isNew: isNewSince(state), zone })
  const taken = page === undefined ? now : state.taken
  const next = { ...after(state, items), token: token ?? state.token, taken }
  return page === undefined ? { changes, state: next, more: false } : { changes, state: { ...next, page }, more: true }
}

/** Google has forgotten the token. Changes since the last poll are found by their dates. */
async function findByDate(
  session: Session,
  calendar: WatchedCalendar,
  state: Pick<EventsState, 'at' | 'fresh'>,
): Promise<{ changes: Change[]; state: EventsState; more: boolean }> {
  const fresh = await begin(session, calendar)
  try {
    const query = { updatedMin: new Date(state.at).toISOString(), showDeleted: true }
    const { items, zone } = await readPages(session, calendar, query, undefined, maxPages)
    const missed = items.filter(({ updated }) => timeOf(updated) > state.at)
    return {
      changes: await eventNotifications(session, missed, { ...telling(calendar), isNew: isNewSince(state), zone }),
      state: fresh,
      more: false,
    }
  } catch (error) {
    // The last poll is too long ago for that, so the watch restarts.
    if (providerStatus(error) === 410) return { changes: [], state: fresh, more: false }
    throw error
  }
}

/**
 * The changes in a calendar. Without a state the watch starts: nothing is notified, or, for a calendar that is new,
 * the changes since a time.
 */
export async function eventsSince(
  session: Session,
  calendar: WatchedCalendar,
  state: EventsState | undefined,
  since?: number,
): Promise<{ changes: Change[]; state: EventsState; more: boolean }> {
  if (!state && since !== undefined) return findByDate(session, calendar, { at: since, fresh: [] })
  if (!state) return { changes: [], state: await begin(session, calendar), more: false }
  try {
    return await resume(session, calendar, state)
  } catch (error) {
    if (providerStatus(error) === 410) return findByDate(session, calendar, state)
    throw error
  }
}
