/** Import: events that a calendar already has become group events. */
import { type Event, type GroupEventImport, type GroupEventImportResult, limits } from '@waypost/contract'
import { ApiError, invalidField } from '@waypost/platform/api-error'
import {
  countGroupEvents,
  type GroupEventAddress,
  type GroupEventRow,
  getGroupEvent,
  insertGroupEvent,
  updateGroupEvent,
} from '@waypost/store/tables/scheduling/group-events'
import { type GroupServices, readEvent, refuseUnsupported, type Transaction, whyUnsupported } from './group-calendar.ts'
import { newRow, occurrenceRow } from './group-details.ts'
import { addressIn, calendarOf, type GroupRequest, hostsIn } from './group-events.ts'

type Failure = { reason: string }

/** Imports each event on its own: one that fails does not stop the others. */
export async function importGroupEvents(
  services: GroupServices,
  request: GroupRequest & { transaction: Transaction<GroupEventImportResult> },
  items: readonly GroupEventImport[],
): Promise<GroupEventImportResult> {
  calendarOf(request.record, undefined)
  for (const item of items) refuseUnsupported(services, request.account, { capacity: item.capacity })
  const { record } = request
  const known = await countGroupEvents(services.database, { ...record, configurationId: record.id })
  if (known + items.length > limits.groupEvents) {
    throw invalidField('body', `a configuration has at most ${limits.groupEvents} group events: ${known} exist`)
  }
  const read = await Promise.all(items.map(async (item) => ({ item, event: await readable(services, request, item) })))
  const prepared = read.map(({ item, event }) => ({
    item,
    wanted: 'reason' in event ? event : rowsFor(services, request, { item, event }),
  }))
  return request.transaction(async (tx) => {
    const result: GroupEventImportResult = { imported_events: [], import_failed: [] }
    for (const { item, wanted } of prepared) {
      const { event_id } = item
      if ('reason' in wanted) {
        result.import_failed.push({ event_id, ...wanted })
        continue
      }
      if (!(await insertGroupEvent(tx, wanted.row))) {
        result.import_failed.push({ event_id, reason: 'Event already imported' })
        continue
      }
      for (const exception of wanted.exceptions) {
        // A row of the occurrence may be left from a booking of an earlier import.
        if (await insertGroupEvent(tx, exception)) continue
        const at: GroupEventAddress = { ...wanted.at, eventId: exception.event_id }
        const before = await getGroupEvent(tx, at)
        if (before) await updateGroupEvent(tx, at, { ...exception, now: exception.updated_at })
      }
      result.imported_events.push({ event_id })
    }
    return result
  })
}

/** The event of an item, or why it cannot be imported. */
async function readable(
  services: GroupServices,
  { account }: GroupRequest,
  item: GroupEventImport,
): Promise<Event | Failure> {
  const place = { calendarId: item.calendar_id, eventId: item.event_id }
  const event = await readEvent(services, account, place).catch((error: unknown) => {
    // A calendar that does not exist concerns only this item; an account that cannot be reached concerns all.
    if (error instanceof ApiError && error.status < 500 && error.code !== 'grant_invalid')
      return { reason: error.message }
    throw error
  })
  if (!event) return { reason: 'Event not found' }
  if ('reason' in event) return event
  if (!('start_time' in event.when)) return { reason: 'The event has no start and end time' }
  if (event.read_only) return { reason: 'The event is read-only' }
  if (event.master_event_id) return { reason: 'The event is one occurrence: import its series' }
  const why = event.recurrence ? whyUnsupported(services, account, 'recurrence') : undefined
  if (why !== undefined) return { reason: `recurrence: ${why}` }
  if (!event.recurrence && (item.exceptions ?? []).length > 0) {
    return { reason: 'exceptions: the event is no series, and so has no occurrences' }
  }
  return event
}

function rowsFor(
  services: GroupServices,
  request: GroupRequest,
  { item, event }: { item: GroupEventImport; event: Event },
): { at: GroupEventAddress; row: GroupEventRow; exceptions: GroupEventRow[] } {
  const { record } = request
  const at = addressIn(request, event)
  const details = { hosts: hostsIn(item.participants), reminders: [] }
  const row = newRow(services, record, { at, kind: 'imported', capacity: item.capacity, details })
  const exceptions = (item.exceptions ?? []).map(({ event_id, capacity }) => ({
    ...occurrenceRow(row, { ...at, eventId: event_id }, row.created_at),
    capacity,
    own_capacity: 1,
  }))
  return { at, row, exceptions }
}
