/**
 * Which process carries a change of a booking out (`outbox/recorded-work.ts`). One transaction records the intent, which
 * names the process, claims the time or the seat, and queues the job that finishes what the process leaves:
 *
 *   recorded ──carried out──▶ settled, or undone if it is refused
 *      └─ the outcome is open, or the process died ──▶ the job carries it out again, until the booked time is over
 */
import { ApiError } from '@waypost/platform/api-error'
import { seconds } from '@waypost/platform/clock'
import { lockHosts } from '@waypost/store/tables/scheduling/booking-hosts'
import {
  type BookingAddress,
  beginIntent,
  countOpenBookings,
  insertBooking,
  readBookingOfGuest,
  replaceIntent,
} from '@waypost/store/tables/scheduling/bookings'
import { finishWork, isAbandoned, isDefinite, pollWork, queueWork } from '../../outbox/recorded-work.ts'
import type { JobHandlers } from '../../outbox/runner.ts'
import { needRoomFor } from '../visitor-limits.ts'
import { type BookingRecord, findBooking, type Intent, recordsOf, sealDetails, sealIntent } from './booking-record.ts'
import { type BookingWork, type IntendedChange, needsSlot, nextRevision } from './booking-states.ts'
import { carryOut, IntentTakenOver, placementOf, settleJob, settleJobOf, undo } from './calendar-changes.ts'
import { unavailable } from './placement.ts'
import type { BookedConfiguration, BookingTools } from './tools.ts'

/** How long a request waits for the change of another one. */
const waitMs = 15_000

interface RequestedChange extends IntendedChange {
  signal: AbortSignal
}

interface SettlePayload extends BookingAddress {
  /** Of the booking after the change. */
  revision: number
}

const jobOf = (record: BookingRecord) => {
  const { applicationId, id, grantId } = record
  const payload: SettlePayload = { applicationId, id, revision: nextRevision(record) }
  return { ...settleJobOf(record), grantId, payload }
}

/**
 * Creates a booking, or finds the one that the guest already has for this slot; undefined if its creation was refused.
 * The accounts of the hosts are locked in order, so of several requests for the same time one finds it free, and the
 * others find its claim.
 */
export async function addBooking(
  tools: BookingTools,
  wanted: RequestedChange,
): Promise<{ booking: BookingRecord | undefined; isNew: boolean }> {
  const { database, seals, clock } = tools
  const { record, intent, signal } = wanted
  const { applicationId, guestKey, configurationId, startTime: start, endTime: end } = record
  const sealed = sealIntent(seals, record, intent)
  const found = await database.transaction(async (tx) => {
    await lockHosts(tx, applicationId, [record.grantId, ...intent.target.hosts])
    const existing = await readBookingOfGuest(tx, { applicationId, guestKey, configurationId, start, end })
    if (existing) return existing
    const now = clock.now()
    needRoomFor(await countOpenBookings(tx, { applicationId, guestKey }, seconds(now)))
    await insertBooking(tx, {
      id: record.id,
      application_id: applicationId,
      configuration_id: configurationId,
      grant_id: record.grantId,
      host_grant_id: record.hostGrantId,
      status: record.status,
      revision: record.revision,
      start_time: start,
      end_time: end,
      calendar_id: record.calendarId,
      event_id: null,
      guest_key: guestKey,
      sealed_document: sealDetails(seals, record, record.details),
      sealed_intent: sealed,
      created_at: now,
      updated_at: now,
    })
    await placementOf(record).claim(tx, tools, wanted)
    await queueWork(tx, jobOf(record), now)
    return undefined
  })
  const [existing] = found ? await recordsOf(seals, [found]) : []
  if (existing) return { booking: await settledBooking(tools, existing, signal), isNew: false }
  return { booking: await run(tools, { ...wanted, sealed, again: false }), isNew: true }
}

/** Changes a booking. Undefined if it was changed by another request meanwhile. */
export async function changeBooking(tools: BookingTools, wanted: RequestedChange): Promise<BookingRecord | undefined> {
  const { database, seals, clock } = tools
  const { record, intent } = wanted
  const sealed = sealIntent(seals, record, intent)
  const isRecorded = await database.transaction(async (tx) => {
    const now = clock.now()
    if (needsSlot(intent)) await lockHosts(tx, record.applicationId, [record.grantId, ...intent.target.hosts])
    if (!(await beginIntent(tx, record, { revision: record.revision, sealedIntent: sealed, now }))) return false
    if (needsSlot(intent)) await placementOf(record).claim(tx, tools, wanted)
    await queueWork(tx, jobOf(record), now)
    return true
  })
  return isRecorded ? run(tools, { ...wanted, sealed, again: false }) : undefined
}

/** Carries out what was recorded. If another process took over, its outcome counts. */
async function run(tools: BookingTools, work: BookingWork): Promise<BookingRecord> {
  await tools.failpoint?.('recorded')
  try {
    return await carryOut(tools, work)
  } catch (error) {
    if (!(error instanceof IntentTakenOver)) throw await leaveToJob(tools, work, error)
    const record = await settledBooking(tools, work.record, work.signal)
    if (!record) throw unavailable()
    return record
  }
}

const unsettled = (cause?: unknown): ApiError =>
  new ApiError(
    'provider_unavailable',
    'The calendar has not answered yet. The change is completed as soon as it does: send the same request again to get the outcome.',
    { retryAfter: 5, ...(cause === undefined ? {} : { cause }) },
  )

/** The booking once no change is under way; undefined if there is none, or its creation was refused. */
export async function settledBooking(
  { database, seals }: BookingTools,
  { applicationId, id }: BookingAddress,
  signal: AbortSignal,
): Promise<BookingRecord | undefined> {
  const read = () => findBooking(database, seals, { applicationId, id })
  const record = await pollWork(read, (found) => found?.intent !== undefined, { waitMs, signal })
  if (record?.intent) throw unsettled()
  return record
}

/** Puts an intent into other hands. Undefined if another process has changed it. */
async function passOn(
  tools: BookingTools,
  record: BookingRecord,
  node: string | null,
): Promise<BookingRecord | undefined> {
  if (!record.intent) return undefined
  const value: Intent = { ...record.intent.value, node, since: tools.clock.now() }
  const sealed = sealIntent(tools.seals, record, value)
  const isPassed = await replaceIntent(tools.database, record, { from: record.intent.sealed, to: sealed })
  return isPassed ? { ...record, intent: { value, sealed } } : undefined
}

/** The booking with the intent, if this process still has it. */
async function ownIntent(tools: BookingTools, { record }: BookingWork) {
  const current = await findBooking(tools.database, tools.seals, record)
  const isOwn = current?.intent?.value.node === tools.nodeId && nextRevision(current) === nextRevision(record)
  return isOwn ? current : undefined
}

/**
 * After an error: an intent that this process still has is left to the job, and the caller learns that the outcome is
 * open. Without one, the error is the outcome.
 */
async function leaveToJob(tools: BookingTools, work: BookingWork, error: unknown): Promise<unknown> {
  const current = isDefinite(error) ? undefined : await ownIntent(tools, work)
  if (!current) return error
  await passOn(tools, current, null)
  tools.log.warn({ error, booking_id: current.id, kind: work.intent.kind }, 'a booking is completed in the background')
  return error instanceof ApiError ? unsettled(error) : error
}

export interface Settling extends BookingTools {
  /** Also finds a deleted configuration that still has bookings. */
  findConfiguration(at: BookingAddress): Promise<BookedConfiguration | undefined>
}

export const settleHandlers = (tools: Settling): JobHandlers<typeof settleJob> => ({
  [settleJob]: finishWork<SettlePayload, BookingRecord>(tools, {
    async find({ revision, ...at }) {
      const record = await findBooking(tools.database, tools.seals, at)
      return record?.intent && nextRevision(record) === revision ? record : undefined
    },
    async takeOver(record) {
      const { database, clock, nodeId } = tools
      const isFree = record.intent && (await isAbandoned(database, record.intent.value, clock.now()))
      return isFree ? passOn(tools, record, nodeId) : undefined
    },
    attempt: (record, signal) => carryOutAgain(tools, record, signal),
    begunAt: ({ intent }) => intent?.value.begunAt ?? 0,
    maxPauseMs: 600_000,
  }),
})

async function carryOutAgain(
  tools: Settling,
  { intent: recorded, ...booking }: BookingRecord,
  signal: AbortSignal,
): Promise<'settled' | 'later'> {
  const { applicationId, configurationId } = booking
  const configuration = await tools.findConfiguration({ applicationId, id: configurationId })
  // A configuration is removed with its grant, and the booking with both.
  if (!configuration || !recorded) return 'settled'
  const { value: intent, sealed } = recorded
  const record = { ...booking, intent: undefined }
  const work: BookingWork = { record, intent, sealed, configuration, again: true, signal }
  const facts = { booking_id: record.id, kind: intent.kind }
  try {
    await carryOut(tools, work)
    tools.log.info(facts, 'an interrupted change of a booking was completed')
    return 'settled'
  } catch (error) {
    if (!isDefinite(error)) return retryLater(tools, work, error)
    tools.log.info({ ...facts, error }, 'an interrupted change of a booking was undone')
    return 'settled'
  }
}

/** Leaves the intent for another attempt, until the booked time is over. */
async function retryLater(tools: Settling, work: BookingWork, error: unknown): Promise<'later'> {
  const current = await ownIntent(tools, work)
  if (current?.intent) {
    if (tools.clock.now() > work.intent.target.endTime * 1000) {
      await undo(tools, { ...work, sealed: current.intent.sealed })
      throw error
    }
    await passOn(tools, current, null)
  }
  tools.log.warn({ error, booking_id: work.record.id }, 'a change of a booking could not be completed yet')
  return 'later'
}
