/** Cancels the bookings of a group event that is about to be deleted. */

import type { GroupEventAddress } from '@waypost/store/tables/scheduling/group-events'
import { bookingsAt, leaveAllSeats } from '@waypost/store/tables/scheduling/group-seats'
import { cancelBooking } from './bookings.ts'
import type { BookedConfiguration, BookingTools } from './tools.ts'

const reason = 'The event was cancelled.'

/**
 * Every guest is told once. All seats are marked first, so that one change of the calendar removes all guests. With a
 * series, the bookings of all its occurrences are cancelled.
 */
export async function cancelBookingsAt(
  tools: BookingTools,
  { configuration, at, signal }: { configuration: BookedConfiguration; at: GroupEventAddress; signal: AbortSignal },
): Promise<void> {
  const ids = await bookingsAt(tools.database, at)
  await leaveAllSeats(tools.database, at)
  const { applicationId } = at
  for (const id of ids) {
    signal.throwIfAborted()
    await cancelBooking(tools, { applicationId, id, configuration, signal, isBound: false, reason })
  }
}
