/**
 * Detects changes of an account's calendars and their events. One request for the home returns a tag for every
 * calendar; only changed calendars are read. The cursor stores the reported state.
 */

import type { Calendar } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { yieldBetween } from '@waypost/platform/parsing/yielding'
import type { Change, SinceOptions } from '../../provider.ts'
import { listChanges, recordedDigest } from '../../shared/list-changes.ts'
import { isNotFound } from '../../shared/named-objects.ts'
import { isRetryable } from '../../shared/retryable.ts'
import { type PartFound, pacedPart, type WatchedPart } from '../../shared/watched-parts.ts'
import type { Collection } from '../collection-changes.ts'
import { collectionAddress, isSameCollection } from '../hrefs.ts'
import { collectionId, collectionUrl } from '../ids.ts'
import { shortHash } from '../known-objects.ts'
import type { DavResponse } from '../multistatus.ts'
import type { DavName } from '../names.ts'
import type { DavSession, Home } from '../session.ts'
import {
  type EventsFound,
  type EventsState,
  eventsFromBeginning,
  eventsSince,
  firstEvents,
  type ObjectReader,
} from './event-changes.ts'
import type { Telling } from './event-notifications.ts'
import { isPrimary, maxCollections, readCollection, serviceOf } from './known-calendars.ts'
import { calendarProps, fromCollection, holdsEvents, placeOf } from './mapping/calendar.ts'
import { readObjects } from './object-reading.ts'
import type { CalDavTraits } from './traits.ts'

interface WatchedCalendar {
  /** A short hash of the calendar's reported fields. */
  digest: string
  /** Absent if its events could not be read yet. */
  events?: EventsState
}

export interface CalendarState {
  /** When a change was last reported, in milliseconds. */
  at: number
  /** By their ids. */
  calendars: Record<string, WatchedCalendar>
  /** The server sends only sync tokens, no tags. */
  byTokens?: true
}

/** The number of calendars to poll, the primary one first. */
const maxCalendars = 100

/** Some servers read a whole calendar to create a tag, so only one kind of tag is requested if that is enough. */
const watchedProps = (before: CalendarState | undefined): readonly DavName[] =>
  before && !before.byTokens ? [...calendarProps, 'CS:getctag'] : [...calendarProps, 'CS:getctag', 'D:sync-token']

/** The digest that cursors of former versions recorded. */
const formerDigestOf = ({ name, description, timezone }: Calendar): string =>
  shortHash(JSON.stringify([name, description, timezone]), 10)

/** The traits that matter here. */
type Traits = Pick<CalDavTraits, 'hasPrimary' | 'title' | 'endsSeries'>

/** A calendar as listed in the home. */
interface ListedCalendar {
  calendar: Calendar
  collection: Collection
  /** Whether it has a tag in addition to a token. */
  isTagged: boolean
  telling: Telling
}

/** The data of one poll. */
interface CalendarPoll {
  session: DavSession
  now: number
  before: CalendarState | undefined
  home: Home
  found: ListedCalendar[]
}

async function inspect<S extends DavSession>(
  session: S,
  traits: Traits,
  before: CalendarState | undefined,
  { notBefore, beganAt = notBefore }: SinceOptions,
): Promise<CalendarPoll> {
  const { responses, home } = await serviceOf(session).listHome(watchedProps(before))
  const now = session.io.clock.now()
  const all = responses.filter((each) => !isSameCollection(each.href, home.url) && holdsEvents(each))
  const othersTurn = yieldBetween()
  const every: ListedCalendar[] = []
  for (const each of all.slice(0, maxCollections)) {
    await othersTurn()
    every.push(listed(session, each, { home, traits, now, after: before?.at ?? beganAt }))
  }
  const found = every
    .sort(
      (a, b) =>
        Number(b.calendar.is_primary) - Number(a.calendar.is_primary) || (a.calendar.id < b.calendar.id ? -1 : 1),
    )
    .slice(0, maxCalendars)
  return { session, now, before, home, found }
}

function listed(
  { grant }: DavSession,
  response: DavResponse,
  { home, traits, now, after }: { home: Home; traits: Traits; now: number; after: number },
): ListedCalendar {
  const url = collectionAddress(response.href)
  const id = collectionId(home.url, url)
  const syncToken = response.props.text('D:sync-token')
  const tag = response.props.text('CS:getctag')
  return {
    calendar: fromCollection(response, {
      url,
      id,
      grant,
      principal: home.principal,
      isPrimary: isPrimary(home, traits, url),
    }),
    collection: { url, tag: tag ?? syncToken, syncToken },
    isTagged: tag !== undefined,
    telling: { grant, place: placeOf(response, { url, id }), now, after },
  }
}

/** Notifies calendars that were created, changed or deleted. */
function calendarChanges({ session, before, found, now }: CalendarPoll, deleted: readonly string[]): Change[] {
  const calendars = new Map(found.map(({ calendar }) => [calendar.id, calendar]))
  const recorded = Object.entries(before?.calendars ?? {}).map(([id, { digest }]) => {
    const calendar = calendars.get(id)
    const isFormer = calendar !== undefined && digest === formerDigestOf(calendar)
    return [id, { digest: isFormer ? recordedDigest(calendar) : digest }] as const
  })
  return listChanges({
    kind: 'calendar',
    grantId: session.grant.id,
    happenedAt: now,
    recorded: before && new Map(recorded),
    listed: [...calendars.values()],
    deleted,
  })
}

/** The calendars missing from the list: deleted if the server confirms it, otherwise only invisible now. */
async function missingCalendars({
  session,
  before,
  found,
  home,
}: CalendarPoll): Promise<{ gone: string[]; retained: string[] }> {
  const there = new Set(found.map(({ calendar }) => calendar.id))
  const gone: string[] = []
  const retained: string[] = []
  for (const id of Object.keys(before?.calendars ?? {})) {
    if (there.has(id)) continue
    const url = collectionUrl(home.url, id)
    ;(url === undefined || (await isGone(session, url)) ? gone : retained).push(id)
  }
  return { gone, retained }
}

async function isGone(session: DavSession, url: string): Promise<boolean> {
  try {
    await readCollection(session, url)
    return false
  } catch (error) {
    if (isNotFound(error)) return true
    if (error instanceof ApiError && error.code !== 'grant_invalid') return false
    throw error
  }
}

/**
 * The changes to events of one calendar: since the recorded state, since the last poll if the calendar is new, or
 * from the beginning.
 */
async function eventsOf(
  { session, before }: CalendarPoll,
  { calendar, collection, telling }: ListedCalendar,
): Promise<EventsFound> {
  const polling: ObjectReader = {
    client: serviceOf(session).client,
    read: (objects, place) => readObjects(session, objects, place),
  }
  const known = before?.calendars[calendar.id]
  if (known?.events) return eventsSince(polling, collection, known.events, telling)
  if (before && !known) return firstEvents(polling, collection, telling)
  return eventsFromBeginning(polling, collection, telling)
}

/** A calendar that cannot be read does not block the others. The next poll reads it from its former state. */
async function eventsOrNone(poll: CalendarPoll, listed: ListedCalendar): Promise<EventsFound | undefined> {
  try {
    return await eventsOf(poll, listed)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
    const { io, grant } = poll.session
    io.log[isRetryable(error) ? 'debug' : 'warn'](
      { error, grant_id: grant.id },
      'changes of one calendar cannot be read now',
    )
    return undefined
  }
}

async function since(poll: CalendarPoll): Promise<PartFound<CalendarState>> {
  const { before, found, now } = poll
  const { gone, retained } = await missingCalendars(poll)
  const changes = calendarChanges(poll, gone)
  const calendars: Record<string, WatchedCalendar> = {}
  for (const id of retained) calendars[id] = before?.calendars[id] ?? { digest: '' }
  let more = false
  for (const one of found) {
    const { id } = one.calendar
    const events = await eventsOrNone(poll, one)
    changes.push(...(events?.changes ?? []))
    more ||= events?.more ?? false
    const state = events?.state ?? before?.calendars[id]?.events
    calendars[id] = { digest: recordedDigest(one.calendar), ...(state ? { events: state } : {}) }
  }
  const isQuiet = changes.length === 0 && before !== undefined && isSame(before.calendars, calendars)
  const byTokens = before ? before.byTokens : found.some(({ isTagged }) => !isTagged) || undefined
  const state = isQuiet ? before : { at: now, calendars, ...(byTokens ? { byTokens } : {}) }
  return { changes, state, ...(more ? { more } : {}) }
}

/** Whether the state is unchanged and need not be stored. */
const isSame = (before: CalendarState['calendars'], after: CalendarState['calendars']): boolean =>
  JSON.stringify(before) === JSON.stringify(after)

/** The calendars of a provider's accounts, as a watched part. */
export const watchedCalendars = <S extends DavSession>(traits: CalDavTraits<S>): WatchedPart<S, CalendarState> =>
  pacedPart({
    name: 'calendar',
    polled: true,
    isWatched: ({ dav }) => dav.calendars !== undefined,
    since: async (session, state, options) => since(await inspect(session, traits, state, options)),
  })
