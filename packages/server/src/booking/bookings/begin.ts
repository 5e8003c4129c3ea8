/**
 * The transaction that records an intent. The accounts of the hosts are locked in order, so of several requests for
 * the same time one finds it free, and the others find its claim.
 */
import { seconds } from '@waypost/platform/clock'
import {
  beginIntent,
  countOpenBookings,
  insertBooking,
  readBookingOfGuest,
} from '@waypost/store/tables/scheduling/bookings'
import { lockHosts } from '@waypost/store/tables/scheduling/scheduler-hosts'
import { needRoomFor } from '../visitor-limits.ts'
import type { Intent } from './intents.ts'
import { placementOf } from './placements.ts'
import { type BookingRecord, recordsOf, sealDetails, sealIntent } from './record.ts'
import { queueSettling } from './settle-job.ts'
import type { BookedConfiguration, BookingTools } from './tools.ts'
import type { BookingWork } from './work.ts'

interface Beginning {
  record: BookingRecord
  intent: Intent
  configuration: BookedConfiguration
  signal: AbortSignal
}

/** Records a new booking, or finds the one that the guest already has for this slot. */
export async function beginCreation(
  tools: BookingTools,
  { record, intent, configuration, signal }: Beginning,
): Promise<{ work: BookingWork } | { existing: BookingRecord }> {
  const { database, seals, clock } = tools
  const at = { applicationId: record.applicationId, id: record.id }
  const sealed = sealIntent(seals, at, intent)
  const found = await database.transaction(async (tx) => {
    const { applicationId, guestKey, configurationId, startTime: start, endTime: end } = record
    await lockHosts(tx, applicationId, [record.grantId, ...intent.target.hosts])
    const existing = await readBookingOfGuest(tx, { applicationId, guestKey, configurationId, start, end })
    if (existing) return existing
    const now = clock.now()
    needRoomFor(await countOpenBookings(tx, { applicationId, guestKey }, seconds(now)))
    await insertBooking(tx, {
      ...{ id: record.id, application_id: applicationId, configuration_id: configurationId, grant_id: record.grantId },
      ...{ host_grant_id: record.hostGrantId, status: record.status, revision: record.revision },
      ...{ start_time: start, end_time: end, calendar_id: record.calendarId, event_id: null, guest_key: guestKey },
      sealed_document: sealDetails(seals, at, record.details),
      ...{ sealed_intent: sealed, created_at: now, updated_at: now },
    })
    await placementOf(record).claim(tx, tools, { record, intent, configuration })
    await queueSettling(tx, record, now)
    return undefined
  })
  const [existing] = found ? await recordsOf(seals, [found]) : []
  if (existing) return { existing }
  await tools.failpoint?.('recorded')
  return { work: { record, intent, sealed, configuration, again: false, signal } }
}

/** Records a change of a booking. Undefined if the booking was changed meanwhile. */
export async function beginChange(
  tools: BookingTools,
  { record, intent, configuration, signal }: Beginning,
): Promise<BookingWork | undefined> {
  const { database, seals, clock } = tools
  const at = { applicationId: record.applicationId, id: record.id }
  const sealed = sealIntent(seals, at, intent)
  const isBegun = await database.transaction(async (tx) => {
    const now = clock.now()
    if (intent.kind === 'reschedule') await lockHosts(tx, at.applicationId, [record.grantId, ...intent.target.hosts])
    if (!(await beginIntent(tx, at, { revision: record.revision, sealedIntent: sealed, now }))) return false
    if (intent.kind === 'reschedule') await placementOf(record).claim(tx, tools, { record, intent, configuration })
    await queueSettling(tx, record, now)
    return true
  })
  if (!isBegun) return undefined
  await tools.failpoint?.('recorded')
  return { record, intent, sealed, configuration, again: false, signal }
}
