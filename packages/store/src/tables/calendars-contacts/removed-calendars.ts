/**
 * Deleted calendars with many events. The row of the calendar stays for a while and is invisible: every statement of
 * `calendars.ts` that reads calendars leaves it out, and events are found only through their calendar. A job removes
 * the events in batches, and the row after the last.
 */
import { type Queries, sql } from '../../engine/database.ts'
import { nodesOlderThan } from '../applications/nodes.ts'
import { piece } from '../notifications/notification-purge.ts'
import { addToOutbox, type JobKind } from '../notifications/outbox.ts'

export const removeCalendarJob = 'calendars.remove' satisfies JobKind
/** Older nodes do not know the mark, and would show the calendar with the events that are left. */
const knownSince = '1.0.0'

const beyondPiece = sql<{ id: string }>('events.beyondPiece')`select id from events
   where application_id = $1 and grant_id = $2 and calendar_id = $3 limit 1 offset ${piece}`
const setAside = sql('calendars.setAside')`update calendars set removed_at = $4, tells_guests = $5, is_primary = 0
   where application_id = $1 and grant_id = $2 and id = $3 and removed_at is null`
const get = sql<{ document: string; tells_guests: number }>('calendars.removed')`select document, tells_guests
   from calendars where application_id = $1 and grant_id = $2 and id = $3 and removed_at is not null`
const removeOverrides = sql('events.removeOverridesPiece')`delete from events
   where application_id = $1 and grant_id = $2 and id in (
     select id from events where application_id = $1 and grant_id = $2 and calendar_id = $3 and kind = 'override'
     limit ${piece})`
const removeRow = sql('calendars.removeSetAside')`delete from calendars
   where application_id = $1 and grant_id = $2 and id = $3 and removed_at is not null`
const forgotten = sql<{ application_id: string; grant_id: string; id: string }>('calendars.removedForgotten')`
   select application_id, grant_id, id from calendars where removed_at <= $1 order by removed_at, id limit 100`
/** Beyond this number, an exact count is not needed. */
const maxCounted = 100_000
const left = sql<{ n: number }>('events.ofRemovedCalendars')`select count(*) as n from (select 1 from calendars c
     join events e on e.application_id = c.application_id and e.grant_id = c.grant_id and e.calendar_id = c.id
     where c.removed_at is not null limit ${maxCounted}) as counted`

// Tombstones (`grant-tombstones.ts`), without the calendars that are counted above.
const leftOfGrants = sql<{ n: number }>('events.ofDeletedGrants')`select count(*) as n from (select 1 from grants g
     join calendars c on c.application_id = g.application_id and c.grant_id = g.id and c.removed_at is null
     join events e on e.application_id = c.application_id and e.grant_id = c.grant_id and e.calendar_id = c.id
     where g.purge_at is not null and g.document = 'null' limit ${maxCounted}) as counted`

export interface CalendarAddress {
  applicationId: string
  grantId: string
  id: string
}
const valuesOf = ({ applicationId, grantId, id }: CalendarAddress): string[] => [applicationId, grantId, id]

/** Whether a calendar has so many events that they are removed in batches, and all nodes know of that. */
export async function isRemovedInPieces(queries: Queries, at: CalendarAddress, now: number): Promise<boolean> {
  if (!(await queries.get(beyondPiece, valuesOf(at)))) return false
  return (await nodesOlderThan(queries, knownSince, now)).length === 0
}

/** Hides a calendar and everything in it, and queues the removal. */
export async function setCalendarAside(
  tx: Queries,
  at: CalendarAddress,
  { tellsGuests, now }: { tellsGuests: boolean; now: number },
): Promise<void> {
  await tx.post(setAside, [...valuesOf(at), now, tellsGuests ? 1 : 0])
  await queueRemoval(tx, at, now)
}

/** The job has the name of its calendar, so a second one is not added. */
const queueRemoval = (tx: Queries, at: CalendarAddress, now: number): Promise<number> =>
  addToOutbox(tx, {
    id: `remove ${at.id}`,
    applicationId: at.applicationId,
    grantId: at.grantId,
    kind: removeCalendarJob,
    payload: JSON.stringify(at),
    dueAt: now,
    now,
  })

/** A calendar that was set aside; undefined if it is gone. */
export async function readSetAside(
  queries: Queries,
  at: CalendarAddress,
): Promise<{ document: string; tellsGuests: boolean } | undefined> {
  const row = await queries.get(get, valuesOf(at))
  return row && { document: row.document, tellsGuests: row.tells_guests === 1 }
}

/** Deletes some of the changed occurrences that are left, and returns their number; or, after the last, the row. */
export async function removeRest(tx: Queries, at: CalendarAddress): Promise<number | undefined> {
  const removed = await tx.run(removeOverrides, valuesOf(at))
  if (removed === piece) return removed
  await tx.post(removeRow, valuesOf(at))
  return undefined
}

/** After this time, housekeeping adds the job again, in case it was lost or has failed permanently. */
const checkAgainMs = 3_600_000

/** Restarts the removal of calendars whose job was lost. */
export async function removeForgottenCalendars(queries: Queries, now: number): Promise<void> {
  for (const { application_id, grant_id, id } of await queries.all(forgotten, [now - checkAgainMs])) {
    await queueRemoval(queries, { applicationId: application_id, grantId: grant_id, id }, now)
  }
}

/** The number of events of deleted calendars and accounts that wait to be removed, counted up to `maxCounted`. */
export async function countEventsToRemove(queries: Queries): Promise<number> {
  const counts = [await queries.get(left), await queries.get(leftOfGrants)]
  return Math.min(
    counts.reduce((sum, count) => sum + (count?.n ?? 0), 0),
    maxCounted,
  )
}
