/** Bookings: what their changes need, and the job that finishes interrupted ones. */

import { hastenOutbox } from '@waypost/store/tables/notifications/outbox'
import { settleHandlers } from '../booking/bookings/booking-changes.ts'
import { settleJob } from '../booking/bookings/calendar-changes.ts'
import { removeJob, removeLater } from '../booking/bookings/removals.ts'
import type { BookingTools } from '../booking/bookings/tools.ts'
import { findConfiguration } from '../booking/configurations.ts'
import { type BookingMails, createBookingMails } from '../booking/mail/booking-mails.ts'
import { createVisitorLimits, type VisitorLimits } from '../booking/visitor-limits.ts'
import type { Conferences } from '../conferences/conferences.ts'
import type { Notify } from '../grants/notify.ts'
import type { JobHandlers } from '../outbox/runner.ts'
import type { Accounts } from './accounts.ts'
import type { Given } from './build-options.ts'
import type { Mail } from './mail.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'

/** The tools of bookings are complete: whatever works on bookings receives this group alone. */
export interface Scheduling extends BookingTools {
  conferences: Conferences
  mails: BookingMails
  /** Limits of the routes that anyone may call. */
  visitorLimits: VisitorLimits
  handlers: JobHandlers<typeof settleJob | typeof removeJob>
  /** For the only node of a store, at its start: no other process works on bookings. */
  abandon(): Promise<void>
}

interface SchedulingParts extends Pick<Accounts, 'sessions' | 'conferences'>, Pick<Telemetry, 'limiter'> {
  storage: Storage
  mail: Mail
  notify: Notify
  nodeId: string
}

export function openScheduling({ config, overrides }: Given, parts: SchedulingParts): Scheduling {
  const { storage, mail, notify, nodeId, sessions, conferences, limiter } = parts
  const { database, clock, log, seals } = storage
  const { baseUrl, mailPerDay } = config
  const { ledger, sender, identity } = mail
  const common = { database, clock, log, seals, sessions, notify, baseUrl }
  const mails = createBookingMails({ ...common, ledger, sender, mailPerDay, mailAddress: identity?.address })
  const tools = { ...common, conferences, nodeId, mails, ...overrides.bookingOptions }
  const reading = { queries: database, seals }
  return {
    ...tools,
    visitorLimits: createVisitorLimits({ limiter, clock, isLimited: config.rateLimits }),
    handlers: {
      ...settleHandlers({ ...tools, findConfiguration: (at) => findConfiguration(reading, at) }),
      [removeJob]: removeLater(tools),
    },
    abandon: async () => void (await hastenOutbox(database, settleJob, clock.now())),
  }
}
