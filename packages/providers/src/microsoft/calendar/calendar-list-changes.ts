/**
 * Changes of the list of calendars of an account. Graph does not report them, so the list is compared with the
 * recorded one.
 */
import { MalformedJson, nonEmptyText, object, type Reader } from '@waypost/platform/json/reader'
import type { Change } from '../../provider.ts'
import { listChanges } from '../../shared/list-changes.ts'
import { type List, listAll, listOf } from '../graph-pages.ts'
import { type BatchCall, mailboxPath, type Session } from '../session.ts'
import { calendarFields, type GraphCalendar, graphCalendar } from './calendar-api.ts'
import { fromCalendar } from './mapping/calendar.ts'

export interface ListState {
  /** When the list last changed, in milliseconds. */
  taken: number
  /** The name of each calendar, by id. */
  known: Record<string, string>
}

/** A calendar of the list. One that cannot be read still exists. */
interface ListedCalendar {
  id?: string
  calendar?: GraphCalendar
}

const itsId = object({}, { id: nonEmptyText })

const listedCalendar: Reader<ListedCalendar> = (value, onDropped) => {
  try {
    const calendar = graphCalendar(value, onDropped)
    return { id: calendar.id, calendar }
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error
    onDropped(error)
    try {
      return itsId(value, onDropped)
    } catch {
      return {}
    }
  }
}

const listed = (session: Session): List<ListedCalendar> => ({
  path: mailboxPath(session, 'calendars'),
  query: { $select: calendarFields, $top: 100 },
  read: listedCalendar,
})

/** The calendars of an account; undefined if they do not fit on one page. */
export interface FirstCalendars {
  calendars: ListedCalendar[] | undefined
}

/** The list as a call of a batch. */
export const listCall = (session: Session): BatchCall => {
  const { path, query } = listed(session)
  return { path, query }
}

export const firstCalendars: Reader<FirstCalendars> = (value, onDropped) => {
  const { value: calendars, '@odata.nextLink': next } = listOf(listedCalendar)(value, onDropped)
  return { calendars: next === undefined ? calendars : undefined }
}

export interface ListFound {
  changes: Change[]
  state: ListState
  calendars: GraphCalendar[]
}

/** The changes of the list; `first` is the page that was already read. */
export async function listSince(
  session: Session,
  before: ListState | undefined,
  first?: FirstCalendars,
): Promise<ListFound> {
  const taken = session.io.clock.now()
  const all = first?.calendars ?? (await listAll(session, listed(session)))
  const calendars = all.flatMap(({ calendar }) => calendar ?? [])
  const known = { ...unreadable(all, before), ...Object.fromEntries(calendars.map(({ id, name = '' }) => [id, name])) }
  if (!before) return { changes: [], state: { taken, known }, calendars }
  const recorded = Object.entries(before.known).map(([id, name]) => [id, { name }] as const)
  const changes = listChanges({
    kind: 'calendar',
    grantId: session.grant.id,
    happenedAt: taken,
    recorded: new Map(recorded),
    listed: calendars.map((calendar) => fromCalendar(calendar, session.grant)),
    deleted: Object.keys(before.known).filter((id) => !(id in known)),
  })
  // The state stays the same object if nothing was notified, so that nothing is written.
  return { changes, state: changes.length > 0 ? { taken, known } : before, calendars }
}

/** The recorded names of calendars that cannot be read now; all of them, if an entry has no readable id. */
function unreadable(all: readonly ListedCalendar[], before: ListState | undefined): Record<string, string> {
  const known = before?.known ?? {}
  if (all.some(({ id }) => id === undefined)) return known
  const ids = new Set(all.filter(({ calendar }) => calendar === undefined).map(({ id }) => id))
  return Object.fromEntries(Object.entries(known).filter(([id]) => ids.has(id)))
}
