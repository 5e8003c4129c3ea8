/**
 * Changes of the calendars of an account: the list is compared with the recorded one, and the events of each are
 * read. A calendar that cannot be read now does not delay the others; the next poll reads it from where it was.
 */

import { ApiError } from '@waypost/platform/api-error'
import type { Change, SinceOptions } from '../../provider.ts'
import { listChanges } from '../../shared/list-changes.ts'
import { isRetryable } from '../../shared/retryable.ts'
import { type PartFound, pushedSeconds, type WatchedPart } from '../../shared/watched-parts.ts'
import { ourId } from '../ids.ts'
import { hasPart } from '../scopes.ts'
import type { Session } from '../session.ts'
import { isQuiet, settled } from '../watch/folder-sync.ts'
import { type PolledFolder, polledFolders } from '../watch/polled-folders.ts'
import { clocksMs, eventsSince } from './event-changes.ts'
import { calendarsAmong } from './known-calendars.ts'
import type { WatchedCalendar } from './known-events.ts'
import { fromFolder, shownCalendar } from './mapping/calendar.ts'

/** The state of watching the calendars of an account, stored in the cursor. */
export interface CalendarState {
  /** The last poll with a change, in milliseconds. */
  taken: number
  /** By id in the API. */
  calendars: Record<string, WatchedCalendar>
}

/** At most this many calendars are read, the primary one first. */
const maxCalendars = 50

interface ListedCalendar {
  polled: PolledFolder
  id: string
  name: string
}

/** The calendars of the account, the primary one first. */
async function listedCalendars(session: Session): Promise<{ all: ListedCalendar[]; primaryId: string }> {
  const { folders, wellKnown } = await polledFolders(session)
  const primaryId = wellKnown.get('calendar') ?? ''
  const found = folders.map(({ folder }) => folder)
  const calendars = new Set(calendarsAmong(found, wellKnown))
  const all = folders
    .filter(({ folder }) => calendars.has(folder))
    .map((polled) => ({ polled, id: ourId(polled.id), name: polled.folder.DisplayName ?? '' }))
    .sort((a, b) => Number(b.polled.id === primaryId) - Number(a.polled.id === primaryId))
  return { all, primaryId }
}

/** Notifies calendars that were created, renamed or deleted. */
const calendarChanges = (
  { grant, io }: Session,
  { all, primaryId }: { all: readonly ListedCalendar[]; primaryId: string },
  state: CalendarState,
): Change[] =>
  listChanges({
    kind: 'calendar',
    grantId: grant.id,
    happenedAt: io.clock.now(),
    recorded: new Map(Object.entries(state.calendars).map(([id, { name }]) => [id, { name }])),
    listed: all.map(({ polled }) => shownCalendar(fromFolder(polled.folder, primaryId), grant)),
  })

/**
 * From when on changes are notified in a calendar that is read for the first time, in milliseconds. At the start of
 * the watch it is the creation of the grant. A calendar that appeared later may have received events before it was
 * noticed.
 */
const beginningOf = (state: CalendarState | undefined, { notBefore, beganAt = notBefore }: SinceOptions): number =>
  state ? state.taken - clocksMs : Math.floor(beganAt / 1000) * 1000

async function since(
  session: Session,
  state: CalendarState | undefined,
  options: SinceOptions,
): Promise<PartFound<CalendarState>> {
  const taken = session.io.clock.now()
  const list = await listedCalendars(session)
  const changes = state ? calendarChanges(session, list, state) : []
  const calendars: Record<string, WatchedCalendar> = {}
  let more = false
  let isLate = false
  for (const [place, { polled, id, name }] of list.all.entries()) {
    const before: WatchedCalendar = { ...state?.calendars[id], name }
    calendars[id] = before
    if (place >= maxCalendars || isQuiet(before, polled.mark)) continue
    const from = before.from ?? beginningOf(state, options)
    try {
      const found = await eventsSince({ session, ewsId: polled.id, id, before, from })
      changes.push(...found.changes)
      more ||= found.more ?? false
      if (found.calendar) calendars[id] = { ...found.calendar, ...settled(before, polled.mark, taken) }
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'grant_invalid') throw error
      if (before.s === undefined) calendars[id] = { ...before, from }
      isLate ||= isRetryable(error)
      session.io.log.debug({ error, grant_id: session.grant.id }, 'changes of one calendar cannot be read now')
    }
  }
  const next = { calendars, taken: state && isSame(state.calendars, calendars) ? state.taken : taken }
  const again = isLate ? {} : { again: Math.max(pushedSeconds, session.io.pollSeconds) }
  return { changes, state: next, ...(more ? { more } : again) }
}

const isSame = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b)

export const calendar: WatchedPart<Session, CalendarState> = {
  name: 'calendar',
  isWatched: ({ grant }) => hasPart(grant, 'calendars'),
  since,
}
