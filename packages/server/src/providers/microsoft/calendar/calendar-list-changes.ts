/** What happens to the list of an account's calendars: Graph tells nothing of it, so it is compared with what is known. */
import type { Change } from '../../provider.ts'
import { listAll } from '../graph-pages.ts'
import { mailboxPath, type Session } from '../session.ts'
import { calendarFields, type GraphCalendar, graphCalendar } from './calendar-api.ts'
import { fromCalendar } from './mapping/calendar.ts'

export interface ListState {
  /** When the list was last looked at and told something, in milliseconds. */
  taken: number
  /** The name of each calendar, by its id. */
  known: Record<string, string>
}

/** Every calendar must be read: one that is not in the list is gone. */
const readAll = (session: Session): Promise<GraphCalendar[]> =>
  listAll(session, {
    path: mailboxPath(session, 'calendars'),
    query: { $select: calendarFields, $top: 100 },
    read: graphCalendar,
  })

export async function listSince(
  session: Session,
  before: ListState | undefined,
): Promise<{ changes: Change[]; state: ListState; calendars: GraphCalendar[] }> {
  const taken = session.io.clock.now()
  const calendars = await readAll(session)
  const known = Object.fromEntries(calendars.map(({ id, name = '' }) => [id, name]))
  if (!before) return { changes: [], state: { taken, known }, calendars }
  const changes = calendars.flatMap((calendar): Change[] => {
    const name = before.known[calendar.id]
    if (name === known[calendar.id]) return []
    const trigger = name === undefined ? 'calendar.created' : 'calendar.updated'
    return [{ trigger, object: fromCalendar(calendar, session.grant), happenedAt: taken }]
  })
  const gone = Object.keys(before.known)
    .filter((id) => !(id in known))
    .map((id): Change => {
      const object = { id, grant_id: session.grant.id, object: 'calendar' as const }
      return { trigger: 'calendar.deleted', object, happenedAt: taken }
    })
  const told = [...changes, ...gone]
  // Nothing need be written where nothing was told.
  return { changes: told, state: told.length > 0 ? { taken, known } : before, calendars }
}
