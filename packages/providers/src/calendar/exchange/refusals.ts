/** Maps refusals of Exchange to API errors. */
import { ApiError, invalidField } from '@waypost/platform/api-error'
import type { ExchangeEvent } from './event-model.ts'

export const noEvent = (): ApiError => new ApiError('not_found', 'no event with this id')
export const noCalendar = (): ApiError => new ApiError('not_found', 'no calendar with this id')
export const noSeries = (): ApiError => new ApiError('not_found', 'no series with this id')

/** The field and the problem for an error code of Exchange. */
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

/** An error that names a field and contains the provider's error. */
export function wrongField(error: ApiError, field: string, problem: string): ApiError {
  const { providerError } = error.details
  const refusal = invalidField(field, problem)
  const said = providerError === undefined ? {} : { providerError }
  return new ApiError(refusal.code, refusal.message, { ...refusal.details, ...said, cause: error })
}

/** The error for an account with read-only access. */
export const readOnly = (error: ApiError): ApiError =>
  withSaid(error, 'the event is read-only: the account may not write to this calendar')

/** The series was changed, but its changed occurrences are not written again yet. */
export function halfChanged(error: ApiError): ApiError {
  const problem = 'the series was changed, but not yet all of its changed occurrences: send the request again'
  return new ApiError(error.code, problem, { ...error.details, cause: error })
}

/** The series was changed, but some of its changed occurrences could not be written again. */
export function refusedOccurrences(error: ApiError, ids: readonly string[]): ApiError {
  const problem = `the series was changed, but Exchange refused what was changed in ${ids.join(', ')}: ${error.message}`
  return new ApiError('provider_refused', problem, { cause: error })
}

/** Rejects changes by a guest, who has only a copy. */
export function needOrganizer({ isOrganizer, attendees = [] }: ExchangeEvent): void {
  if (isOrganizer !== false || attendees.length === 0) return
  throw new ApiError('invalid_request', onlyOrganizer)
}

/** Rejects answers by the organizer. */
export function needGuest({ isOrganizer }: ExchangeEvent): void {
  if (isOrganizer) throw new ApiError('invalid_request', onlyGuests)
}

/** Exchange allows only one calendar per name. */
export const nameTaken = ({ details }: ApiError): ApiError =>
  new ApiError('conflict', 'name: the account has a calendar of this name already: choose another name', details)

/** Runs changes and maps their refusals. */
export const refusingBy =
  (asRefusal: (error: unknown) => unknown) =>
  async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw asRefusal(error)
    }
  }

/** The error with the provider's own error. */
export function withSaid(error: ApiError, problem: string): ApiError {
  const { providerError } = error.details
  return new ApiError('invalid_request', problem, { ...(providerError ? { providerError } : {}), cause: error })
}

/** The errors of a guest and of an organizer who do what only the other can. */
export const onlyOrganizer = 'only the organizer can change this event; answer it with send-rsvp'
export const onlyGuests = 'the account organizes this event: it has nothing to answer'
