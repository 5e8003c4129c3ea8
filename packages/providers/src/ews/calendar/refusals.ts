/** Maps Exchange's refusals of event changes. */
import { ApiError } from '@waypost/platform/api-error'
import {
  noEvent,
  onlyGuests,
  onlyOrganizer,
  readOnly,
  refusingBy,
  withSaid,
  wrongField,
  wrongFields,
} from '../../calendar/exchange/refusals.ts'
import { EwsError, isMissing } from '../errors.ts'

/** Only EWS reports these. */
const further: Readonly<Record<string, readonly [field: string, problem: string]>> = {
  ErrorCalendarInvalidRecurrence: ['recurrence', 'Exchange has no such series'],
  ErrorUnsupportedRecurrence: ['recurrence', 'Exchange has no such series'],
  ErrorCalendarInvalidDayForWeeklyRecurrence: ['recurrence', 'BYDAY: Exchange does not take a day'],
  ErrorCalendarOutOfRange: ['when', 'is too far away for Exchange'],
  ErrorOccurrenceTimeSpanTooBig: ['when', 'an occurrence is longer than the time until the next one'],
  ErrorCalendarDurationIsTooLong: ['when', 'an event is at most five years long in Exchange'],
  ErrorCalendarEndDateIsEarlierThanStartDate: ['when', 'the end is before the start'],
  ErrorCalendarInvalidTimeZone: ['when', 'Exchange does not know the time zone'],
  ErrorTimeZone: ['when', 'Exchange does not know the time zone'],
  ErrorInvalidSmtpAddress: ['participants', 'Exchange does not take an address'],
  // Exchange does not change the attendees of one occurrence if the series has none.
  ErrorInvalidPropertySet: ['participants', 'Exchange does not change them for this event: change the series instead'],
}

const denied = new Set(['ErrorAccessDenied', 'ErrorCreateItemAccessDenied', 'ErrorInsufficientPermissions'])
const cancelled = /^ErrorCalendarIsCancelledFor/
const organizes = /^ErrorCalendarIsOrganizerFor/

function asRefusal(error: unknown): unknown {
  if (isMissing(error)) return noEvent()
  if (!(error instanceof EwsError)) return error
  const { responseCode: code } = error
  const [field, problem] = wrongFields[code] ?? further[code] ?? []
  if (field !== undefined && problem !== undefined) return wrongField(error, field, problem)
  if (denied.has(code)) return readOnly(error)
  if (code === 'ErrorCalendarIsNotOrganizer') return withSaid(error, onlyOrganizer)
  if (cancelled.test(code)) return noEvent()
  if (organizes.test(code)) return withSaid(error, onlyGuests)
  if (code === 'ErrorCalendarMeetingRequestIsOutOfDate') {
    return new ApiError('conflict', 'the invitation was changed in the meantime; read the event again, then answer it')
  }
  return error
}

export const refusing = refusingBy(asRefusal)
