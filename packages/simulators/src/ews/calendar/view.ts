// `CalendarView`: the events in a time window, with series expanded. Also the ids that name an occurrence by its
// index, or a series by one of its occurrences.
import { UTC } from '../../shared/calendar/zones.ts'
import type { EwsCall } from '../model.ts'
import { EwsError, schemaViolation } from '../soap/errors.ts'
import { itemOfId } from '../store/lookup.ts'
import type { StoredFolder, StoredItem } from '../store/stored.ts'
import type { XmlNode } from '../xml/read.ts'
import { contextZone } from './draft.ts'
import { isCalendarItem, itemsInView, occurrenceAt } from './occurrences.ts'
import { timeOf } from './times.ts'

const maxRows = 1000
const twoYears = 2 * 366 * 86_400_000

export function calendarView(call: EwsCall, folder: StoredFolder, view: XmlNode): StoredItem[] {
  if (folder.element !== 'CalendarFolder') {
    throw new EwsError('ErrorCalendarFolderIsInvalidForCalendarView', 'A calendar view needs a calendar folder.')
  }
  const { StartDate, EndDate, MaxEntriesReturned: max } = view.attributes
  if (StartDate === undefined || EndDate === undefined)
    throw schemaViolation('A CalendarView has StartDate and EndDate.')
  const zone = contextZone(call) ?? UTC
  const range = { from: timeOf(StartDate, zone), to: timeOf(EndDate, zone) }
  if (range.to < range.from) {
    throw new EwsError('ErrorCalendarEndDateIsEarlierThanStartDate', 'EndDate is earlier than StartDate')
  }
  if (range.to - range.from > twoYears) {
    throw new EwsError(
      'ErrorCalendarViewRangeTooBig',
      'The specified view range exceeds the maximum range of two years.',
    )
  }
  const rows = itemsInView(folder, range)
  if (rows.length > maxRows && (max === undefined || Number(max) > maxRows)) {
    const message =
      'You have exceeded the maximum number of objects that can be returned for the find operation. Use paging to reduce the result size and try your request again.'
    throw new EwsError('ErrorExceededFindCountLimit', message)
  }
  return rows as StoredItem[]
}

function occurrenceItemId(call: EwsCall, { attributes }: XmlNode): StoredItem {
  const master = itemOfId(call, attributes.RecurringMasterId ?? '')
  const index = Number(attributes.InstanceIndex)
  if (!Number.isInteger(index)) throw schemaViolation("The 'InstanceIndex' attribute is invalid.")
  if (!isCalendarItem(master) || master.content.recurrence === null) {
    throw new EwsError('ErrorCalendarCannotUseIdForOccurrenceId', 'The ID does not belong to a recurring master.')
  }
  return occurrenceAt(master, index) as StoredItem
}

function recurringMasterItemId(call: EwsCall, { attributes }: XmlNode): StoredItem {
  const occurrence = itemOfId(call, attributes.OccurrenceId ?? '')
  if (!isCalendarItem(occurrence) || occurrence.content.occurrence === undefined) {
    throw new EwsError('ErrorCalendarCannotUseIdForRecurringMasterId', 'The ID does not belong to an occurrence.')
  }
  return occurrence.content.occurrence.master as StoredItem
}

export const calendarItemIds = { OccurrenceItemId: occurrenceItemId, RecurringMasterItemId: recurringMasterItemId }
