/** Waits for changes that are under way, and finishes those whose process ended. */
import { ApiError } from '@waypost/platform/api-error'
import { sleep } from '@waypost/platform/clock'
import { liveNodes } from '@waypost/store/tables/applications/nodes'
import { hastenOutbox } from '@waypost/store/tables/notifications/outbox'
import { type BookingAddress, replaceIntent } from '@waypost/store/tables/scheduling/bookings'
import { JobDeferred, type JobHandlers } from '../../outbox/runner.ts'
import { carryOut, isDefinite, undo } from './carry-out.ts'
import { type Intent, isAbandoned } from './intents.ts'
import { type BookingRecord, findBooking, sealIntent } from './record.ts'
import { type SettlePayload, settleJob } from './settle-job.ts'
import type { BookedConfiguration, BookingTools } from './tools.ts'
import { type BookingWork, nextRevision } from './work.ts'

/** How long a request waits for the change of another one. */
const waitMs = 15_000
const pollMs = 100
/** Time between looks at a change whose process is alive. */
const deferMs = 1_000
/** Must fit into the lease of a job. */
const attemptMs = 45_000

const unsettled = (cause?: unknown): ApiError =>
  new ApiError(
    'provider_unavailable',
    'The calendar has not answered yet. The change is completed as soon as it does: send the same request again to get the outcome.',
    { retryAfter: 5, ...(cause === undefined ? {} : { cause }) },
  )

/** The booking once no change is under way; undefined if there is none, or its creation was refused. */
export async function settledBooking(
  tools: BookingTools,
  at: BookingAddress,
  signal: AbortSignal,
): Promise<BookingRecord | undefined> {
  for (const end = performance.now() + waitMs; ; ) {
    const record = await findBooking(tools.database, tools.seals, at)
    if (!record?.intent) return record
    if (performance.now() > end || signal.aborted) throw unsettled()
    await sleep(pollMs, signal)
  }
}

/** Puts an intent into other hands. Undefined if somebody else has changed it. */
async function passOn(
  tools: BookingTools,
  record: BookingRecord,
  node: string | null,
): Promise<BookingRecord | undefined> {
  if (!record.intent) return undefined
  const at = { applicationId: record.applicationId, id: record.id }
  const value: Intent = { ...record.intent.value, node, since: tools.clock.now() }
  const sealed = sealIntent(tools.seals, at, value)
  const isPassed = await replaceIntent(tools.database, at, { from: record.intent.sealed, to: sealed })
  return isPassed ? { ...record, intent: { value, sealed } } : undefined
}

/**
 * After an error: an intent that this process still has is left to the job, and the caller learns that the outcome is
 * open. Without one, the error is the outcome.
 */
export async function leaveToJob(tools: BookingTools, work: BookingWork, error: unknown): Promise<unknown> {
  if (isDefinite(error)) return error
  const record = await findBooking(tools.database, tools.seals, {
    applicationId: work.record.applicationId,
    id: work.record.id,
  })
  if (record?.intent?.value.node !== tools.nodeId || nextRevision({ record }) !== nextRevision(work)) return error
  await passOn(tools, record, null)
  tools.log.warn({ error, booking_id: record.id, kind: work.intent.kind }, 'a booking is completed in the background')
  return error instanceof ApiError ? unsettled(error) : error
}

export interface Settling extends BookingTools {
  /** Also finds a deleted configuration that still has bookings. */
  findConfiguration(at: { applicationId: string; id: string }): Promise<BookedConfiguration | undefined>
}

/** The longer a provider has not answered, the longer the next attempt waits. */
const pauseAfter = (age: number): number => Math.min(Math.max(age / 4, 2_000), 600_000)

async function settleLater(tools: Settling, payload: string, signal: AbortSignal): Promise<void> {
  const { applicationId, id, revision }: SettlePayload = JSON.parse(payload)
  const found = await findBooking(tools.database, tools.seals, { applicationId, id })
  if (!found?.intent || nextRevision({ record: found }) !== revision) return
  const live = await liveNodes(tools.database, tools.clock.now())
  if (!isAbandoned(found.intent.value, live, tools.clock.now())) throw new JobDeferred(deferMs)
  const record = await passOn(tools, found, tools.nodeId)
  const intent = record?.intent
  if (!record || !intent) throw new JobDeferred(deferMs)
  const configuration = await tools.findConfiguration({ applicationId, id: record.configurationId })
  // A configuration is removed with its grant, and the booking with both.
  if (!configuration) return
  const limit = AbortSignal.any([signal, AbortSignal.timeout(attemptMs)])
  const work: BookingWork = {
    ...{ record: { ...record, intent: undefined }, intent: intent.value, sealed: intent.sealed, configuration },
    ...{ again: true, signal: limit },
  }
  try {
    await carryOut(tools, work)
    tools.log.info({ booking_id: id, kind: intent.value.kind }, 'an interrupted change of a booking was completed')
  } catch (error) {
    if (isDefinite(error)) {
      tools.log.info(
        { booking_id: id, kind: intent.value.kind, error },
        'an interrupted change of a booking was undone',
      )
      return
    }
    await retryLater(tools, work, error)
  }
}

/** Leaves the intent for another attempt, until the booked time is over. */
async function retryLater(tools: Settling, { record, intent, ...work }: BookingWork, error: unknown): Promise<never> {
  const { applicationId, id } = record
  const current = await findBooking(tools.database, tools.seals, { applicationId, id })
  const now = tools.clock.now()
  if (current?.intent?.value.node === tools.nodeId) {
    if (now > intent.target.endTime * 1000) {
      await undo(tools, { ...work, record, intent, sealed: current.intent.sealed })
      throw error
    }
    await passOn(tools, current, null)
  }
  tools.log.warn({ error, booking_id: id }, 'a change of a booking could not be completed yet')
  throw new JobDeferred(pauseAfter(now - intent.begunAt))
}

export const settleHandlers = (tools: Settling): JobHandlers<typeof settleJob> => ({
  [settleJob]: (payload, signal) => settleLater(tools, payload, signal),
})

/** For the only node of a store, at its start: nobody else carries out intents. */
export const abandonIntents = async ({ database, clock }: Pick<BookingTools, 'database' | 'clock'>): Promise<void> => {
  await hastenOutbox(database, settleJob, clock.now())
}
