/** Scheduled messages: how clients see and cancel them. */
import { limits, type ScheduleCode, type ScheduledMessage, ScheduleStatus } from '@waypost/contract'
import { invalidField } from '@waypost/platform/api-error'
import { type Clock, seconds } from '@waypost/platform/clock'
import type { Queries } from '@waypost/store/engine/database'
import { cancelSchedule, listSchedules, readSchedule } from '@waypost/store/tables/mail/send-schedules'
import { removeSendSource } from '@waypost/store/tables/mail/send-sources'
import type { GrantAddress, SendRow } from '@waypost/store/tables/mail/sends'

const hour = 3_600_000
const day = 24 * hour

/** The time of a schedule in milliseconds; throws outside the limits. `sendAt` is in seconds. */
export function dueTime(sendAt: number, now: number): number {
  const at = sendAt * 1_000
  if (sendAt < seconds(now) + limits.scheduleSecondsMin) {
    throw invalidField('send_at', `must be at least ${limits.scheduleSecondsMin} seconds from now`)
  }
  if (at > now + limits.scheduleDaysMax * day) {
    throw invalidField('send_at', `must be at most ${limits.scheduleDaysMax} days from now`)
  }
  return at
}

const codes: Partial<Record<string, ScheduleCode>> = { sent: 'success', failed: 'failed', cancelled: 'cancelled' }

/** A schedule for clients: every state before the end is `pending`. */
export function scheduledMessage({ schedule_id, state, closed_at }: SendRow): ScheduledMessage {
  const code = codes[state] ?? 'pending'
  return {
    schedule_id: schedule_id ?? '',
    status: { code, description: ScheduleStatus[code] },
    ...(closed_at === null ? {} : { close_time: seconds(closed_at) }),
  }
}

export interface Schedules {
  /** All pending schedules, and those due in the last 72 hours. */
  list(at: GrantAddress): Promise<ScheduledMessage[]>
  get(at: GrantAddress, scheduleId: string): Promise<ScheduledMessage | undefined>
  /** A single statement decides. Canceling a message again returns `stopped` again. */
  cancel(tx: Queries, at: GrantAddress, scheduleId: string): Promise<'stopped' | 'too late' | 'not found'>
}

export function createSchedules({ database, clock }: { database: Queries; clock: Clock }): Schedules {
  const since = (): number => clock.now() - limits.scheduleKeptHours * hour
  return {
    list: async (at) => (await listSchedules(database, at, since())).map(scheduledMessage),
    async get(at, scheduleId) {
      const row = await readSchedule(database, at, scheduleId)
      return row && (row.closed_at === null || row.due_at > since()) ? scheduledMessage(row) : undefined
    },
    async cancel(tx, at, scheduleId) {
      const now = clock.now()
      const dueAfter = now + limits.scheduleStopSeconds * 1_000
      const id = await cancelSchedule(tx, at, scheduleId, { now, dueAfter })
      if (id !== undefined) {
        await removeSendSource(tx, { applicationId: at.applicationId, id })
        return 'stopped'
      }
      const row = await readSchedule(tx, at, scheduleId)
      if (!row) return 'not found'
      return row.state === 'cancelled' ? 'stopped' : 'too late'
    },
  }
}
