/** What booking pages ask for: their settings, their free times, and sessions for private ones. */
import type { SchedulingSession } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import { isUuid } from '@waypost/platform/ids'
import { lockConfiguration } from '@waypost/store/tables/scheduling/configurations'
import { type BookingRecord, findBooking, provedBy } from '../../../booking/bookings/booking-record.ts'
import { findConfiguration, findNamedConfiguration } from '../../../booking/configurations.ts'
import { findPageSlots } from '../../../booking/page-slots.ts'
import { findPageVisitor, type PageVisitor } from '../../../booking/page-visitor.ts'
import { readReference } from '../../../booking/references.ts'
import {
  createSchedulingSession,
  defaultMinutes,
  endSchedulingSession,
  readSchedulingSession,
} from '../../../booking/scheduling-sessions.ts'
import { bookedEventOf, settingsOf } from '../../../booking/ui-settings.ts'
import { isInReach, type ReachingCaller } from '../../../grants/caller.ts'
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

interface Proof {
  booking_id?: string | undefined
  booking_ref?: string | undefined
  salt?: string | undefined
}

export const uiSettings = ({ scheduling }: Pick<Services, 'scheduling'>): Handlers['uiSettings'] => {
  const { database, seals, visitorLimits } = scheduling

  const bookingOf = async ({ record }: PageVisitor, id: string): Promise<BookingRecord> => {
    const booking = isUuid(id)
      ? await findBooking(database, seals, { applicationId: record.applicationId, id: id.toLowerCase() })
      : undefined
    const isShown = booking?.configurationId === record.id && booking.status !== 'creating'
    if (!booking || !isShown) throw new ApiError('not_found', 'no such booking: check booking_id')
    return booking
  }

  /** Whether the request has the right salt. A wrong one is counted, and answered like an unknown booking. */
  const isProvedBy = (booking: BookingRecord, { booking_ref, salt }: Proof, address: string): boolean => {
    const reference = booking_ref === undefined ? undefined : readReference(booking_ref)
    const given = booking_ref === undefined ? salt : reference?.bookingId === booking.id ? reference.salt : ''
    if (given === undefined) return false
    const at = { bookingId: booking.id, address }
    if (visitorLimits.countWrong(at, () => provedBy(booking, given) !== undefined)) {
      // The guest's salt opens the booking, and does not confirm it.
      return provedBy(booking, given) === 'organizer'
    }
    throw new ApiError('not_found', 'no such booking: check booking_id')
  }

  return {
    get: async (context) => {
      const { query, visitor } = context
      const found = await findPageVisitor(scheduling, context)
      const settings = settingsOf(found.record)
      if (query.booking_id === undefined) return settings
      const booking = await bookingOf(found, query.booking_id)
      const isProved = found.kind === 'application' || isProvedBy(booking, query, visitor.address)
      return { ...settings, booking: bookedEventOf(booking, isProved) }
    },
  }
}

export const schedulingSessions = ({ scheduling }: Pick<Services, 'scheduling'>): Handlers['schedulingSessions'] => {
  const { database, clock, seals } = scheduling
  /** Whether the caller may use the grant whose configuration a session opens. */
  const isSeen = async (caller: ReachingCaller, session: SchedulingSession): Promise<boolean> => {
    if (!caller.credential) return true
    const at = { applicationId: caller.id, id: session.configuration_id }
    const record = await findConfiguration({ queries: database, seals }, at)
    return record !== undefined && isInReach(database, caller, { by: 'id', value: record.grantId })
  }
  return {
    create: ({ application, body: { configuration_id: id, slug, time_to_live }, write }) => {
      if (!id && !slug) throw invalidField('configuration_id', 'is required, or slug')
      const { id: applicationId } = application
      return write(async (tx) => {
        const record = await findNamedConfiguration({ queries: tx, seals }, applicationId, { id, slug })
        // A configuration is deleted only while it has no sessions; the lock keeps both apart.
        const isSeen = record && (await isInReach(tx, application, { by: 'id', value: record.grantId }))
        const isOpen = isSeen && (await lockConfiguration(tx, applicationId, record.id))
        if (!isOpen) throw new ApiError('not_found', 'no configuration with this id or slug')
        return createSchedulingSession(tx, record, { now: clock.now(), minutes: time_to_live ?? defaultMinutes })
      })
    },
    get: async ({ application, params }) => {
      const session = await readSchedulingSession(scheduling, application.id, params.session_id)
      if (!session || !(await isSeen(application, session))) throw new ApiError('not_found')
      return session
    },
    delete: async ({ application, params, write }) => {
      const session =
        application.credential && (await readSchedulingSession(scheduling, application.id, params.session_id))
      if (session && !(await isSeen(application, session))) throw new ApiError('not_found')
      return write(async (tx) => {
        const at = { applicationId: application.id, id: params.session_id, now: clock.now() }
        if (!(await endSchedulingSession(tx, at))) throw new ApiError('not_found')
      })
    },
  }
}
