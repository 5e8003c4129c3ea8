/** Bookings with an event of their own: it is created in the calendar of the host, and claims the time of all hosts. */
import type { Conferencing, Event, EventChange } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { checkLimits } from '@waypost/providers/limits'
import type { Queries } from '@waypost/store/engine/database'
import { type GrantRecord, getGrant } from '@waypost/store/tables/grants/grants'
import {
  addClaim,
  always,
  findClaims,
  holdClaims,
  keepClaims,
  removeAllClaims,
  removeClaims,
} from '@waypost/store/tables/scheduling/booking-hosts'
import type { Ordered } from '../../conferences/conferences.ts'
import { isSlotFree } from '../find-slots.ts'
import type { BookingDetails } from './booking-record.ts'
import { type BookingWork, endsBooking, isPendingAfter, nextRevision } from './booking-states.ts'
import { bookedFields, draftOf, metadataOf, nameOf, whenOf } from './event-draft.ts'
import { type CalendarStep, type Placement, unavailable } from './placement.ts'
import { removeEvent, removing } from './removals.ts'
import type { BookingTools } from './tools.ts'

/** How long claims block after a change. By then every calendar shows the event. */
const visibleMs = 600_000

/** Throws if another booking claims a part of the time, or of the buffers around it. */
const claim: Placement['claim'] = async (tx, { clock }, { record, intent, configuration }) => {
  const { applicationId, id: bookingId } = record
  const { startTime: start, endTime: end, hosts } = intent.target
  const { before = 0, after = 0 } = configuration.configuration.availability.availability_rules?.buffer ?? {}
  // Buffers surround existing meetings, as in availability.
  const window = { from: start - (after ?? 0) * 60, to: end + (before ?? 0) * 60, now: clock.now() }
  const revision = nextRevision(record)
  for (const grantId of hosts) {
    const claims = await findClaims(tx, { applicationId, grantId }, { ...window, exceptBooking: bookingId })
    if (claims.length > 0) throw unavailable()
    await addClaim(tx, { applicationId, grantId, bookingId, revision, start, end, holdsUntil: always })
  }
}

const isFree: Placement['isFree'] = (tools, { record, intent, configuration, signal }) => {
  const { startTime: start, endTime: end, hostGrantId } = intent.target
  const { id, calendarId, eventId } = record
  const organizer = intent.details.organizer ?? record.details.organizer
  const exceptBooking = { id, hostGrantId: record.hostGrantId || hostGrantId, calendarId, eventId }
  const slot = { record: configuration, start, end, emails: [organizer.email] }
  return isSlotFree(tools, { ...slot, exceptBooking, signal: () => signal })
}

/** After a change, the calendars decide about the host with the event. The others are claimed until the end. */
const settle: Placement['settle'] = async (tx, { clock }, work, next) => {
  const { applicationId, id: bookingId } = next
  if (next.status === 'cancelled') return removeAllClaims(tx, { applicationId, bookingId })
  if (work.intent.kind === 'reschedule') await keepClaims(tx, { applicationId, bookingId, revision: next.revision })
  if (next.status !== 'booked') return
  await holdClaims(tx, { applicationId, bookingId, grantId: next.hostGrantId }, clock.now() + visibleMs)
}

const release: Placement['release'] = (tx, _tools, { record, intent }) =>
  intent.kind === 'reschedule'
    ? removeClaims(tx, { applicationId: record.applicationId, bookingId: record.id, revision: nextRevision(record) })
    : Promise.resolve()

/** An account whose calendar is changed, for one piece of work. */
interface Account {
  record: GrantRecord
  isLocal: boolean
  use(queries: Queries): { queries: Queries; signal(): AbortSignal; responseHeaders: Record<string, string> }
}

/** The account with an id. If it was deleted, its calendar is out of reach for good. */
async function needAccount(tools: BookingTools, work: BookingWork, grantId: string): Promise<Account> {
  const found = await getGrant(tools.database, work.record.applicationId, grantId)
  if (!found) throw new ApiError('grant_not_found', 'the account of the host was deleted')
  const record = tools.sessions.usable(found)
  return {
    record,
    isLocal: tools.sessions.providerOf(record, 'events.create').local !== undefined,
    use: (queries) => ({ queries, signal: () => work.signal, responseHeaders: {} }),
  }
}

const notifyOf = ({ configuration }: BookingWork): boolean =>
  configuration.configuration.event_booking.notify_participants ?? false

const notifying = (work: BookingWork): { notify_participants: boolean } => ({ notify_participants: notifyOf(work) })

const detailsAfter = ({ record, intent }: BookingWork): BookingDetails => ({ ...record.details, ...intent.details })

/**
 * The conference that another grant creates for the event. The application that stored the configuration chose the
 * grant, so any grant of the application may be used.
 */
function conferenceFor({ conferences }: BookingTools, work: BookingWork, record: GrantRecord, event: EventChange) {
  let ordered: Ordered | undefined
  const step = {
    async prepare() {
      const use = { account: record, mayUse: () => true, signal: () => work.signal, again: work.again }
      ordered = await conferences.order(use, event)
    },
    discard: async () => ordered?.remove(),
  }
  return {
    step,
    field: (): { conferencing?: Conferencing } => (ordered ? { conferencing: ordered.conferencing } : {}),
    async checked(written: Event): Promise<Event> {
      await ordered?.removeUnlessIn(written)
      return written
    },
  }
}

/** Creates the event in the calendar of the host. */
function placing(tools: BookingTools, work: BookingWork, account: Account): CalendarStep {
  const { configuration } = work.configuration
  const { target } = work.intent
  const { record, isLocal } = account
  const details = detailsAfter(work)
  const draft = draftOf(configuration, details, {
    slot: target,
    isPending: isPendingAfter(work),
    hostEmails: [details.organizer.email, record.grant.email],
  })
  const at = { calendar_id: target.calendarId, ...notifying(work) }
  const limits = { query: at, headers: {}, body: draft }
  const conference = conferenceFor(tools, work, record, draft)
  return {
    isLocal,
    ...conference.step,
    async run(queries) {
      checkLimits(tools.sessions.providerOf(record, 'events.create'), 'events.create', limits)
      const create = tools.sessions.operation(record, { resource: 'events', operation: 'create' }, account.use(queries))
      // Metadata at a provider is stored by us when the booking is settled.
      const body = { ...draft, ...conference.field() }
      if (isLocal) return create(at, { ...body, metadata: metadataOf(configuration) })
      const once = { name: nameOf(work.record.id, nextRevision(work.record)), again: work.again }
      return conference.checked(await create({ ...at, once }, body))
    },
    undo: (queries, event) =>
      removeEvent(tools, { ...eventAddress(event), notify: notifyOf(work) }, { ...account.use(queries), record }),
  }
}

interface EventPlace {
  eventId: string
  calendarId: string
}
const eventAddress = (event: Event): EventPlace => ({ eventId: event.id, calendarId: event.calendar_id })

/** Changes the event where it is. One that its host has deleted is created again. */
function changing(
  tools: BookingTools,
  work: BookingWork,
  { account, eventId, calendarId, change }: EventPlace & { account: Account; change: EventChange },
): CalendarStep {
  const { record, isLocal } = account
  const { title } = detailsAfter(work)
  const when = whenOf(work.configuration.configuration, work.intent.target)
  const conference = conferenceFor(tools, work, record, { title, when, ...change })
  return {
    isLocal,
    ...conference.step,
    async run(queries) {
      const update = tools.sessions.operation(record, { resource: 'events', operation: 'update' }, account.use(queries))
      const at = { event_id: eventId, calendar_id: calendarId, ...notifying(work) }
      try {
        return await update(at, { ...change, ...conference.field() })
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
        return placing(tools, work, account).run(queries)
      }
    },
  }
}

/** The deletion of the booking's event; nothing if there is none, or its account is gone. */
async function removals(tools: BookingTools, work: BookingWork): Promise<CalendarStep[]> {
  const { eventId, calendarId, hostGrantId } = work.record
  const found = eventId === null ? undefined : await getGrant(tools.database, work.record.applicationId, hostGrantId)
  if (!found || eventId === null) return []
  const presence = { grantId: hostGrantId, calendarId, eventId, notify: notifyOf(work) }
  return [removing(tools, work, presence, found)]
}

const steps: Placement['steps'] = async (tools, work) => {
  const { record, intent } = work
  const { configuration } = work.configuration
  if (endsBooking(intent)) return removals(tools, work)
  const account = await needAccount(tools, work, intent.target.hostGrantId)
  const { eventId, calendarId } = record
  if (eventId === null) return [placing(tools, work, account)]
  const details = detailsAfter(work)
  const when = whenOf(configuration, intent.target)
  if (intent.kind === 'confirm') {
    const hostEmails = [details.organizer.email, account.record.grant.email]
    // The organizer confirms the time that was asked for, wherever the placeholder is by now.
    const change = { ...bookedFields(configuration, details, hostEmails), when }
    return [changing(tools, work, { account, eventId, calendarId, change })]
  }
  if (intent.target.hostGrantId === record.hostGrantId) {
    return [changing(tools, work, { account, eventId, calendarId, change: { when } })]
  }
  // The new event first: if it is refused, the old one is still there.
  return [placing(tools, work, account), ...(await removals(tools, work))]
}

export const eventPlacement: Placement = { ownsEvent: true, claim, isFree, steps, settle, release }
