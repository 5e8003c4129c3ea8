/**
 * Carries an intent out:
 *
 *   slot checked ──▶ conference created ──▶ validated ──▶ calendars changed ──▶ settled
 *        └─────────────────┴── refused: undone, as if nothing was intended ──┘
 *
 * Calendars of our own store are changed in the transaction that settles the booking. Others are changed before it,
 * under a name that makes a repetition harmless.
 */
import type { Event } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { Queries } from '@waypost/store/engine/database'
import { keepObjectMetadata } from '@waypost/store/tables/calendars-contacts/object-metadata'
import { withdrawOutbox } from '@waypost/store/tables/notifications/outbox'
import {
  giveUpIntent,
  removeIntendedBooking,
  replaceIntent,
  settleBooking,
} from '@waypost/store/tables/scheduling/bookings'
import { isDefinite } from '../../outbox/recorded-work.ts'
import { announceChange } from './booking-notifications.ts'
import { type BookingRecord, type Intent, sealDetails, sealIntent } from './booking-record.ts'
import { type BookingWork, needsSlot, nextRevision, outcomeOf } from './booking-states.ts'
import { conferenceUrlOf, metadataOf } from './event-draft.ts'
import { eventPlacement } from './event-placement.ts'
import { formerEventOf, slotOf, tellingOf } from './guest-sequence.ts'
import { type CalendarStep, type Placement, unavailable } from './placement.ts'
import { seatPlacement } from './seat-placement.ts'
import type { BookingTools } from './tools.ts'

/** Another process has taken the intent over. */
export class IntentTakenOver extends Error {
  override readonly name = 'IntentTakenOver'
}

/** How a booking takes place. The booking decides, because the type of its configuration may change later. */
export const placementOf = ({ details }: Pick<BookingRecord, 'details'>): Placement =>
  details.group ? seatPlacement : eventPlacement

export const settleJob = 'bookings.settle'

/** The job that finishes a change of a booking. It is withdrawn when the change is settled or undone. */
export const settleJobOf = (record: BookingRecord) =>
  ({
    applicationId: record.applicationId,
    id: `${record.id} ${nextRevision(record)}`,
    kind: settleJob,
  }) as const

/**
 * Returns the settled booking. A definite refusal is undone before it is thrown; after any other error the intent is
 * still there.
 */
export async function carryOut(tools: BookingTools, begun: BookingWork): Promise<BookingRecord> {
  let work = begun
  try {
    if (needsSlot(work.intent) && !work.intent.validated) {
      if (!(await placementOf(work.record).isFree(tools, work))) throw unavailable()
      await tools.failpoint?.('checked')
    }
    const steps = await placementOf(work.record).steps(tools, work)
    return await prepared(steps, async () => {
      work = await markValidated(tools, work, steps)
      return changeCalendars(tools, work, steps)
    })
  } catch (error) {
    if (!isDefinite(error) && !(work.intent === begun.intent && isUnchanged(work, error))) throw error
    await undo(tools, work)
    throw error
  }
}

/** Before the first change of a calendar, errors of providers change nothing either. */
const isUnchanged = ({ intent, again }: BookingWork, error: unknown): boolean =>
  !intent.validated && !again && error instanceof ApiError

/** Prepares the steps and runs the work. A definite refusal discards what was prepared. */
async function prepared<T>(steps: readonly CalendarStep[], run: () => Promise<T>): Promise<T> {
  try {
    for (const step of steps) await step.prepare?.()
    return await run()
  } catch (error) {
    if (isDefinite(error) || steps.every(({ isLocal }) => isLocal)) {
      for (const step of steps) await step.discard?.()
    }
    throw error
  }
}

/** Records that calendars may change from now on, unless they are part of the final transaction. */
async function markValidated(
  tools: BookingTools,
  work: BookingWork,
  steps: readonly CalendarStep[],
): Promise<BookingWork> {
  if (work.intent.validated || steps.every(({ isLocal }) => isLocal)) return work
  const former = work.intent.former ?? (await formerEvent(tools.database, work, { steps, when: 'before' }))
  const intent = { ...work.intent, validated: true, former }
  const sealed = sealIntent(tools.seals, work.record, intent)
  const isOurs = await replaceIntent(tools.database, work.record, { from: work.sealed, to: sealed })
  if (!isOurs) throw new IntentTakenOver()
  await tools.failpoint?.('validated')
  return { ...work, intent, sealed }
}

/** What the mails have to know of the event that the booking leaves. A repeated change no longer finds it. */
async function formerEvent(
  queries: Queries,
  { record }: BookingWork,
  { steps, when }: { steps: readonly CalendarStep[]; when: 'before' | 'after' },
): Promise<Intent['former']> {
  for (const { poll } of steps) {
    const event = poll?.when === when ? await poll.read(queries) : undefined
    if (event) return formerEventOf(event, { guest: record.details.guest, goesOn: when === 'after' })
  }
  return undefined
}

async function changeCalendars(
  tools: BookingTools,
  work: BookingWork,
  steps: readonly CalendarStep[],
): Promise<BookingRecord> {
  const done: { step: CalendarStep; event: Event }[] = []
  try {
    for (const step of steps.filter(({ isLocal }) => !isLocal)) {
      const event = await step.run(tools.database)
      if (event) done.push({ step, event })
    }
    await tools.failpoint?.('placed')
    const former = work.intent.former ?? (await formerEvent(tools.database, work, { steps, when: 'after' }))
    const local = steps.filter(({ isLocal }) => isLocal)
    const settled = await settle(tools, work, { local, event: done[0]?.event, former })
    await tools.failpoint?.('settled')
    return settled
  } catch (error) {
    if (isDefinite(error)) await takeBack(tools, work, done)
    throw error
  }
}

/** Removes events that were created before a later step was refused. */
async function takeBack(
  tools: BookingTools,
  { record }: BookingWork,
  done: readonly { step: CalendarStep; event: Event }[],
): Promise<void> {
  for (const { step, event } of done) {
    try {
      await step.undo?.(tools.database, event)
    } catch (error) {
      tools.log.error({ error, booking_id: record.id }, 'the event of a refused booking could not be removed')
    }
  }
}

/** What was changed so far, and the steps of the final transaction. */
interface Done extends Pick<Intent, 'former'> {
  local: readonly CalendarStep[]
  event: Event | undefined
}

/** Writes the new state, its notification, its mails and its claims in one transaction. */
function settle(
  tools: BookingTools,
  work: BookingWork,
  { local, event: remote, ...known }: Done,
): Promise<BookingRecord> {
  const { database, clock, seals } = tools
  return database.transaction(async (tx) => {
    let event = remote
    const former = known.former ?? (await formerEvent(tx, work, { steps: local, when: 'before' }))
    for (const step of local) event = (await step.run(tx)) ?? event
    const outcome = withEvent(outcomeOf(work, event, clock.now()), event)
    const { told, withdrawn } = tellingOf({ before: work.record, next: outcome, event, former })
    const next: BookingRecord = { ...outcome, details: { ...outcome.details, told } }
    const row = {
      id: next.id,
      application_id: next.applicationId,
      host_grant_id: next.hostGrantId,
      status: next.status,
      revision: next.revision,
      start_time: next.startTime,
      end_time: next.endTime,
      calendar_id: next.calendarId,
      event_id: next.eventId,
      sealed_document: sealDetails(seals, next, next.details),
      updated_at: next.updatedAt,
    }
    if (!(await settleBooking(tx, row, work.sealed))) throw new IntentTakenOver()
    await placementOf(work.record).settle(tx, tools, work, next)
    if (remote && placementOf(work.record).ownsEvent) await keepMetadata(tx, work, remote, clock.now())
    await announceChange(tx, tools, work, { next, event, withdrawn })
    await withdrawOutbox(tx, settleJobOf(work.record))
    return next
  })
}

const withEvent = (next: BookingRecord, event: Event | undefined): BookingRecord => {
  if (!event) return next
  const conferenceUrl = conferenceUrlOf(event)
  const found = { ...(event.ical_uid ? { icalUid: event.ical_uid } : {}), ...(conferenceUrl ? { conferenceUrl } : {}) }
  return { ...next, details: { ...next.details, ...found, slot: slotOf(event) } }
}

/** Providers do not store metadata. An account that was deleted meanwhile has none. */
const keepMetadata = (tx: Queries, { record, intent, configuration }: BookingWork, event: Event, now: number) =>
  keepObjectMetadata(
    tx,
    { applicationId: record.applicationId, grantId: intent.target.hostGrantId },
    { object: 'event', id: event.id, calendarId: event.calendar_id },
    {
      metadata: metadataOf(configuration.configuration),
      masterId: event.master_event_id ?? null,
      madeAt: event.created_at ?? Math.floor(now / 1000),
      now,
    },
  )

/** Leaves the booking as it was before the intent. */
export async function undo(tools: BookingTools, work: BookingWork): Promise<void> {
  const { record, sealed } = work
  await tools.database.transaction(async (tx) => {
    const isOurs =
      record.status === 'creating'
        ? await removeIntendedBooking(tx, record, sealed)
        : await giveUpIntent(tx, record, { sealedIntent: sealed, now: tools.clock.now() })
    if (!isOurs) return
    await placementOf(record).release(tx, tools, work)
    await withdrawOutbox(tx, settleJobOf(record))
  })
}
