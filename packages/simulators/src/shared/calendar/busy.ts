// Free/busy data: the merged view that Exchange returns for a calendar, and whether a room can be booked.
import { type EventsHolder, itemOf, occurrencesIn, type Range, type SeriesEvent, viewOf } from './series.ts'

export type ShowAs = 'free' | 'tentative' | 'busy' | 'oof' | 'workingElsewhere' | 'unknown'

export interface BusyItem extends Pick<SeriesEvent, 'start' | 'end'> {
  readonly showAs: ShowAs
}

/** How far ahead a room checks a series for conflicts, as Exchange's BookingWindowInDays. */
const bookingWindow = 180 * 86_400_000

/** One digit per interval: the highest-ranking status among the items in it. */
export function mergedView(
  items: readonly BusyItem[],
  { from: begin, to: end }: Range,
  { interval, digits }: { interval: number; digits: Readonly<Record<ShowAs, number>> },
): string {
  let view = ''
  for (let from = begin; from < end; from += interval) {
    const to = Math.min(end, from + interval)
    const busy = items.filter((item) => item.start.ms < to && item.end.ms > from).map(({ showAs }) => digits[showAs])
    view += String(Math.max(0, ...busy))
  }
  return view
}

interface Booking extends SeriesEvent {
  readonly uid: string
  readonly isCancelled: boolean
}

/** Whether an event, or every occurrence of a series, overlaps nothing else on the calendar. */
export function isFreeFor<Event extends Booking>(calendar: EventsHolder<Event>, event: Event): boolean {
  const range = { from: event.start.ms, to: event.start.ms + bookingWindow }
  const wanted = event.recurrence === null ? [itemOf(event)] : [...occurrencesIn(event, range)]
  const others = viewOf(calendar, range).filter(({ uid, isCancelled }) => uid !== event.uid && !isCancelled)
  return !wanted.some((one) => others.some((other) => overlaps(one, other)))
}

function overlaps(left: Pick<SeriesEvent, 'start' | 'end'>, right: Pick<SeriesEvent, 'start' | 'end'>): boolean {
  return left.start.ms < right.end.ms && right.start.ms < left.end.ms
}
