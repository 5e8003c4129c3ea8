/**
 * Bookings of seats at group events. The seat is taken in the transaction that records the intent; then the guests are
 * added to the event. Every step can be repeated, so an interrupted change is completed by doing it again.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { SeatPerson } from '@waypost/scheduling/group-seats'
import { type GrantRecord, getGrant } from '@waypost/store/tables/grants/grants'
import type { GroupEventAddress } from '@waypost/store/tables/scheduling/group-events'
import { type GroupAccount, readEvent } from '../group-events/group-calendar.ts'
import { dropSeat, inspectEvent, leaveSeat, returnToSeat, settleSeat, takeSeat } from '../group-events/seats.ts'
import type { BookingRecord } from './booking-record.ts'
import { type BookingWork, endsBooking, type IntendedChange, needsSlot } from './booking-states.ts'
import { type CalendarStep, type Placement, unavailable } from './placement.ts'
import { removing } from './removals.ts'
import type { BookingTools } from './tools.ts'

/** A place in a group event. */
interface SeatPlace {
  at: GroupEventAddress
  masterId: string | null
}

const addressOf = (
  { applicationId, grantId }: BookingRecord,
  calendarId: string,
  eventId: string,
): GroupEventAddress => ({ applicationId, grantId, calendarId, eventId })

/** The seat that the change wants. */
function wantedSeat({ record, intent }: IntendedChange): SeatPlace & { others: number } {
  const { calendarId, group } = intent.target
  if (!group) throw new Error('a booking of a seat names its event')
  return { at: addressOf(record, calendarId, group.eventId), masterId: group.masterId, others: group.others }
}

/** The seat that the booking has; undefined before it is created. */
const presentSeat = (record: BookingRecord): SeatPlace | undefined =>
  record.eventId === null
    ? undefined
    : {
        at: addressOf(record, record.calendarId, record.eventId),
        masterId: record.details.group?.masterId ?? null,
      }

const peopleOf = ({ details }: BookingRecord): SeatPerson[] => [details.guest, ...details.additionalGuests]

const claim: Placement['claim'] = async (tx, tools, intended) => {
  const { record } = intended
  const { at, masterId, others } = wantedSeat(intended)
  await takeSeat(tx, tools, { at, masterId }, { bookingId: record.id, people: peopleOf(record), others })
}

/** The account whose calendar has the event. If it was deleted, its calendar is gone with it. */
async function needAccount(tools: BookingTools, { record, signal }: BookingWork): Promise<GroupAccount> {
  const found = await getGrant(tools.database, record.applicationId, record.grantId)
  if (!found) throw new ApiError('grant_not_found', 'the account with the calendar was deleted')
  return { record: tools.sessions.usable(found), signal: () => signal }
}

const isFree: Placement['isFree'] = async (tools, work) => {
  const { configuration, intent } = work
  const { at, masterId } = wantedSeat(work)
  const { startTime, endTime } = intent.target
  const chosen = { calendarId: at.calendarId, eventId: at.eventId, masterId, startTime, endTime }
  const open = await inspectEvent(tools, { record: configuration, account: await needAccount(tools, work) }, chosen)
  // The seat of the booking is already taken, so nothing needs to be left.
  return open.left >= 0
}

const settlingOf = (tools: BookingTools, { record }: BookingWork, seat: SeatPlace, account: GroupAccount) => ({
  ...seat,
  account,
  bookingId: record.id,
  nodeId: tools.nodeId,
  notify: false,
})

/** Adds the guests to the event. */
function joining(tools: BookingTools, work: BookingWork, account: GroupAccount): CalendarStep {
  const seat = wantedSeat(work)
  return {
    isLocal: false,
    async run() {
      await settleSeat(tools, settlingOf(tools, work, seat, account))
      const event = await readEvent(tools, account, seat.at)
      if (!event) throw unavailable()
      return event
    },
    async undo() {
      await leaveSeat(tools.database, seat.at, work.record.id)
      await settleSeat(tools, settlingOf(tools, work, seat, account))
    },
  }
}

/** Removes the guests from an event, and frees their seats. */
function leaving(
  tools: BookingTools,
  work: BookingWork,
  { found, seat: { at, masterId } }: { found: GrantRecord; seat: SeatPlace },
): CalendarStep {
  const { grantId, calendarId, eventId } = at
  return removing(tools, work, { grantId, calendarId, eventId, seat: { masterId }, notify: false }, found)
}

const steps: Placement['steps'] = async (tools, work) => {
  const { record, intent } = work
  const before = presentSeat(record)
  if (endsBooking(intent)) {
    const found = await getGrant(tools.database, record.applicationId, record.grantId)
    return found && before ? [leaving(tools, work, { found, seat: before })] : []
  }
  if (intent.kind === 'confirm') return []
  const account = await needAccount(tools, work)
  const join = joining(tools, work, account)
  const isSame =
    before?.at.eventId === intent.target.group?.eventId && before?.at.calendarId === intent.target.calendarId
  return before && !isSame ? [join, leaving(tools, work, { found: account.record, seat: before })] : [join]
}

/** A refused change leaves the booking with the seat that it had. */
const release: Placement['release'] = async (tx, tools, work) => {
  const { record, intent } = work
  const before = presentSeat(record)
  if (needsSlot(intent)) {
    const { at } = wantedSeat(work)
    if (before?.at.eventId !== at.eventId) await dropSeat(tx, tools, at, record.id)
  }
  if (before) await returnToSeat(tx, before.at, record.id)
}

export const seatPlacement: Placement = {
  // The event belongs to all who have a seat.
  ownsEvent: false,
  claim,
  isFree,
  steps,
  release,
  settle: () => Promise.resolve(),
}
