import { eventPlacement } from './event-placement.ts'
import type { BookingRecord } from './record.ts'
import { seatPlacement } from './seat-placement.ts'
import type { Placement } from './work.ts'

/** How a booking takes place. The booking decides, because the type of its configuration may change later. */
export const placementOf = ({ details }: Pick<BookingRecord, 'details'>): Placement =>
  details.group ? seatPlacement : eventPlacement
