import { findPageSlots } from '../../../booking/page-slots.ts'
import { findPageVisitor } from '../../../booking/page-visitor.ts'
import type { Services } from '../../../services/services.ts'
import type { Handlers } from '../../pipeline/handler-types.ts'

export const schedulingAvailability = ({
  scheduling,
}: Pick<Services, 'scheduling'>): Handlers['schedulingAvailability'] => ({
  find: async (context) => {
    const { start_time: start, end_time: end, booking_id: bookingId } = context.query
    const { record } = await findPageVisitor(scheduling, context)
    return findPageSlots(scheduling, {
      record,
      window: { start, end },
      bookingId,
      signal: () => context.signal,
    })
  },
})
