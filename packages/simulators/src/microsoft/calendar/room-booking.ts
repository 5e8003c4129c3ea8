// Rooms answer invitations by themselves: yes where they are free, no where they are not.
import { answerMeeting } from './responses.ts'
import { itemOf, occurrencesIn, viewOf } from './series.ts'
import {
  type CalendarState,
  defaultCalendar,
  type EventItem,
  type Mailbox,
  type StoredCalendar,
  type StoredEvent,
} from './state.ts'

/** How far ahead a room looks at a series, as Exchange's BookingWindowInDays. */
const BOOKING_WINDOW = 180 * 86_400_000

export function answerAsRoom(
  state: CalendarState,
  mailbox: Mailbox,
  { organizer, uid }: { organizer: StoredCalendar; uid: string },
): void {
  if (!mailbox.isRoom) return
  const calendar = defaultCalendar(mailbox)
  const copy = [...calendar.events.values()].find((event) => event.uid === uid)
  if (copy === undefined || copy.response.response === 'accepted' || organizer === calendar) return
  const response = isFree(calendar, copy) ? 'accepted' : 'declined'
  answerMeeting(state, mailbox, { calendar, item: itemOf(copy), response, sendResponse: true, comment: '' })
}

function isFree(calendar: StoredCalendar, event: StoredEvent): boolean {
  const range = { from: event.start.ms, to: event.start.ms + BOOKING_WINDOW }
  const wanted = event.recurrence === null ? [itemOf(event)] : [...occurrencesIn(event, range)]
  const others = viewOf(calendar, range).filter(({ uid, isCancelled }) => uid !== event.uid && !isCancelled)
  return !wanted.some((one) => others.some((other) => overlaps(one, other)))
}

function overlaps(left: EventItem, right: EventItem): boolean {
  return left.start.ms < right.end.ms && right.start.ms < left.end.ms
}
