// Finds events on the calendars of a mailbox.
import type { Mailbox } from '../store/stored.ts'
import type { CalendarItem } from './content.ts'
import { isCalendarItem } from './occurrences.ts'

/** An attendee's copy or the organizer's event, by UID: on any calendar, without deleted items. */
export function eventByUid(mailbox: Mailbox, uid: string): CalendarItem | undefined {
  return mailbox
    .items()
    .filter(isCalendarItem)
    .find(({ content, folder }) => content.uid === uid && folder.element === 'CalendarFolder')
}
