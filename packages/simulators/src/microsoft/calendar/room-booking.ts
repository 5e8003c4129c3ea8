// Rooms respond to invitations automatically: they accept if they are free and decline otherwise.

import { isFreeFor } from '../../shared/calendar/busy.ts'
import { itemOf } from '../../shared/calendar/series.ts'
import { answerMeeting } from './responses.ts'
import { type CalendarState, defaultCalendar, type Mailbox, type StoredCalendar } from './state.ts'

export function answerAsRoom(
  state: CalendarState,
  mailbox: Mailbox,
  { organizer, uid }: { organizer: StoredCalendar; uid: string },
): void {
  if (!mailbox.isRoom) return
  const calendar = defaultCalendar(mailbox)
  const copy = [...calendar.events.values()].find((event) => event.uid === uid)
  if (copy === undefined || copy.response.response === 'accepted' || organizer === calendar) return
  const response = isFreeFor(calendar, copy) ? 'accepted' : 'declined'
  answerMeeting(state, mailbox, { calendar, item: itemOf(copy), response, sendResponse: true, comment: '' })
}
