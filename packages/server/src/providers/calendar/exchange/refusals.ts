/** What Exchange refuses to do with an event, in words of ours. Pure. */
import { ApiError, invalidField } from '../../../lib/api-error.ts'
import type { ExchangeEvent } from './event-model.ts'

export const noEvent = (): ApiError => new ApiError('not_found', 'no event with this id')
export const noSeries = (): ApiError => new ApiError('not_found', 'no series with this id')

/** The field that a code of Exchange's is about, and what is wrong with it. */
export const wrongFields: Readonly<Record<string, readonly [field: string, problem: string]>> = {
  ErrorOccurrenceCrossingBoundary: [
    'when',
    'an occurrence stays between the ones before and after it: Exchange does not let it pass them',
  ],
  ErrorRecurrenceHasNoOccurrence: ['recurrence', 'the series has no occurrence'],
  ErrorRecurrenceEndDateTooBig: ['recurrence', 'UNTIL: is too far away for Exchange'],
  ErrorInvalidRecipients: ['participants', 'Exchange does not take an address'],
  ErrorInvalidTimeInterval: ['when', 'Exchange does not take the time'],
}

/** A refusal that names a field, with what the provider said behind it. */
export function wrongField(error: ApiError, field: string, problem: string): ApiError {
  const { providerError } = error.details
  const refusal = invalidField(field, problem)
  const said = providerError === undefined ? {} : { providerError }
  return new ApiError(refusal.code, refusal.message, { ...refusal.details, ...said, cause: error })
}

/** A refusal of an account that may only read. */
export function readOnly(error: ApiError): ApiError {
  const { providerError } = error.details
  const problem = 'the event is read-only: the account may not write to this calendar'
  return new ApiError('invalid_request', problem, { ...(providerError ? { providerError } : {}), cause: error })
}

/** A series was changed, and what was changed of its occurrences is not written again yet. */
export function halfChanged(error: ApiError): ApiError {
  const problem = 'the series was changed, but not yet all of its changed occurrences: send the request again'
  return new ApiError(error.code, problem, { ...error.details, cause: error })
}

/** A series was changed, and some of what was changed of its occurrences could not be written again. */
export function refusedOccurrences(error: ApiError, ids: readonly string[]): ApiError {
  const problem = `the series was changed, but Exchange refused what was changed in ${ids.join(', ')}: ${error.message}`
  return new ApiError('provider_refused', problem, { cause: error })
}

/** Who is only invited has a copy, which is not theirs to change. */
export function needOrganizer({ isOrganizer, attendees = [] }: ExchangeEvent): void {
  if (isOrganizer !== false || attendees.length === 0) return
  throw new ApiError('invalid_request', 'only the organizer can change this event; answer it with send-rsvp')
}

/** Who organizes an event answers nobody. */
export function needGuest({ isOrganizer }: ExchangeEvent): void {
  if (isOrganizer) throw new ApiError('invalid_request', 'the account organizes this event: it has nothing to answer')
}

/** Exchange has one calendar of a name. */
export const nameTaken = ({ details }: ApiError): ApiError =>
  new ApiError('conflict', 'name: the account has a calendar of this name already: choose another name', details)
