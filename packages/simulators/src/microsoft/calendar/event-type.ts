// The event properties that `$select`, `$expand`, `$filter` and `$orderby` may name.
import { GraphError } from '../errors.ts'
import type { EntityType } from '../odata/entity.ts'
import { pathsOf } from '../odata/evaluate.ts'
import { readQuery } from '../odata/query.ts'

const PROPERTIES = [
  'id',
  'createdDateTime',
  'lastModifiedDateTime',
  'changeKey',
  'categories',
  'transactionId',
  'originalStartTimeZone',
  'originalEndTimeZone',
  'originalStart',
  'iCalUId',
  'reminderMinutesBeforeStart',
  'isReminderOn',
  'hasAttachments',
  'subject',
  'bodyPreview',
  'importance',
  'sensitivity',
  'isAllDay',
  'isCancelled',
  'isOrganizer',
  'responseRequested',
  'seriesMasterId',
  'showAs',
  'type',
  'webLink',
  'onlineMeetingUrl',
  'isOnlineMeeting',
  'onlineMeetingProvider',
  'allowNewTimeProposals',
  'occurrenceId',
  'isDraft',
  'hideAttendees',
  'responseStatus',
  'body',
  'start',
  'end',
  'location',
  'locations',
  'recurrence',
  'attendees',
  'organizer',
  'onlineMeeting',
]
const BY_SELECT = ['cancelledOccurrences', 'exceptionOccurrences']

export const EVENT: EntityType = {
  name: 'event',
  properties: [...PROPERTIES, ...BY_SELECT],
  bySelect: BY_SELECT,
  navigations: ['attachments', 'calendar', 'instances', 'exceptionOccurrences', 'singleValueExtendedProperties'],
}

/** In lists, exceptions of a series cannot be expanded; only a request for that series can do so. */
export const listedEvent: EntityType = {
  ...EVENT,
  navigations: ['attachments', 'calendar', 'singleValueExtendedProperties'],
}

const filterable = new Set([
  'subject',
  'start/dateTime',
  'end/dateTime',
  'createdDateTime',
  'lastModifiedDateTime',
  'isAllDay',
  'isCancelled',
  'isOrganizer',
  'isReminderOn',
  'hasAttachments',
  'importance',
  'sensitivity',
  'showAs',
  'type',
  'iCalUId',
  'seriesMasterId',
  'categories',
  'organizer/emailAddress/address',
  'organizer/emailAddress/name',
  'location/displayName',
])
const sortable = new Set(['subject', 'start/dateTime', 'end/dateTime', 'createdDateTime', 'lastModifiedDateTime'])

/** Rejects filters, orders and searches that Exchange has no index for. */
export function checkEventQuery(query: URLSearchParams): void {
  const { filter, orderBy, search } = readQuery(query)
  if (search !== undefined) throw invalidQuery("The query parameter '$search' is not supported on events.")
  if (filter !== undefined && pathsOf(filter).some((path) => !filterable.has(path))) throw invalidFilter()
  if (orderBy.some(({ path }) => !sortable.has(path))) {
    throw invalidQuery(`The property '${orderBy[0]?.path}' does not support sorting.`)
  }
}

export function invalidFilter(): GraphError {
  return new GraphError(400, 'ErrorInvalidUrlQueryFilter', 'The query filter contains one or more invalid nodes.')
}

export function invalidQuery(message: string): GraphError {
  return new GraphError(400, 'ErrorInvalidUrlQuery', message)
}
