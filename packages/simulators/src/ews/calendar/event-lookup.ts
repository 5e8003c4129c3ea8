// Finds what is on the calendars of a mailbox.
import type { Mailbox } from '../store/stored.ts'
import type { CalendarItem } from './content.ts'
import { isCalendarItem } from './occurrences.ts'

/** A copy, or the organizer's event, by its UID: on any calendar, never what was deleted. */
export function eventByUid(mailbox: Mailbox, uid: string): CalendarItem | undefined {
  return mailbox
    .items()
    .filter(isCalendarItem)
    .find(({ content, folder }) => content.uid === uid && folder.element === 'CalendarFolder')
}
