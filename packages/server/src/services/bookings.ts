/** Bookings: what their changes need, and the job that finishes interrupted ones. */

import { removeJob, removeLater } from '../booking/bookings/removals.ts'
import type { settleJob } from '../booking/bookings/settle-job.ts'
import { abandonIntents, settleHandlers } from '../booking/bookings/settling.ts'
import type { BookingTools } from '../booking/bookings/tools.ts'
import { findConfiguration } from '../booking/configurations.ts'
import type { JobHandlers } from '../outbox/runner.ts'

export interface Bookings extends BookingTools {
  handlers: JobHandlers<typeof settleJob | typeof removeJob>
  /** For the only node of a store, at its start. */
  abandon(): Promise<void>
}

export function openBookings(tools: BookingTools): Bookings {
  const reading = { queries: tools.database, seals: tools.seals }
  return {
    ...tools,
    handlers: {
      ...settleHandlers({ ...tools, findConfiguration: (at) => findConfiguration(reading, at) }),
      [removeJob]: removeLater(tools),
    },
    abandon: () => abandonIntents(tools),
  }
}
