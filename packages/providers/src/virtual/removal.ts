/** Removes the events of a deleted calendar in batches. Each batch is a transaction, with the mails to the guests. */
import type { Calendar } from '@waypost/contract'
import { tellGuestsOfRemoved } from './invitations.ts'
import type { Session } from './session.ts'

/**
 * Removes the next events of a calendar that was set aside, at most `piece` rows. Returns their number, or undefined
 * when the calendar is gone. Changed occurrences are removed last, because the mails about a series list them.
 */
export async function removePiece(session: Session, calendarId: string): Promise<number | undefined> {
  const { tables } = session.io
  await tables.lock()
  const aside = await tables.calendars.setAsideOf(calendarId)
  if (!aside) return undefined
  const rows = await tables.events.pieceOf(calendarId)
  if (aside.tellsGuests) await tellGuestsOfRemoved(session, aside.calendar satisfies Calendar, rows)
  await tables.events.removeAll(rows.map(({ event }) => event.id))
  if (rows.length > 0) return rows.length
  return tables.calendars.removeRest(calendarId)
}
