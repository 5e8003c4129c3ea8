/** What Exchange refuses to do with an event, in words of ours. */
import { ApiError, invalidField } from '../../../lib/api-error.ts'
import { providerReason, providerStatus } from '../../shared/refusal.ts'
import { isMissing } from '../errors.ts'

export const noEvent = (): ApiError => new ApiError('not_found', 'no event with this id')

/** By the code of Graph's error. */
const byReason: Readonly<Record<string, readonly [field: string, problem: string]>> = {
  ErrorOccurrenceCrossingBoundary: [
    'when',
    'an occurrence stays between the ones before and after it: Microsoft does not let it pass them',
  ],
  ErrorRecurrenceHasNoOccurrence: ['recurrence', 'the series has no occurrence'],
  ErrorRecurrenceEndDateTooBig: ['recurrence', 'UNTIL: is too far away for Microsoft'],
  TimeZoneNotSupportedException: ['when', 'Microsoft does not know the time zone'],
  ErrorInvalidRecipients: ['participants', 'Microsoft does not take an address'],
  ErrorInvalidTimeInterval: ['when', 'Microsoft does not take the time'],
}
/** By Graph's words, where the code says nothing. */
const byWords: readonly (readonly [RegExp, string])[] = [
  [/attendee|recipient/i, 'participants'],
  [/recur|pattern|range\./i, 'recurrence'],
  [/time ?zone|all-day|midnight|\bstart\b|\bend\b|duration/i, 'when'],
  [/reminder/i, 'reminders'],
  [/location/i, 'location'],
  [/body/i, 'description'],
]

function asWrongField(error: ApiError): ApiError {
  const { providerError } = error.details
  const said = String(providerError?.message ?? '')
  const [known, problem] = byReason[providerReason(error)] ?? []
  const field = known ?? byWords.find(([words]) => words.test(said))?.[1]
  if (field === undefined || providerError === undefined) return error
  const refusal = invalidField(field, problem ?? `Microsoft refuses it: ${said}`)
  return new ApiError(refusal.code, refusal.message, { ...refusal.details, providerError, cause: error })
}

function asRefusal(error: unknown): unknown {
  if (isMissing(error)) return noEvent()
  if (!(error instanceof ApiError) || error.code !== 'provider_refused') return error
  if (providerStatus(error) === 400) return asWrongField(error)
  if (providerStatus(error) !== 403) return error
  const { providerError } = error.details
  const problem = 'the event is read-only: the account may not write to this calendar'
  return new ApiError('invalid_request', problem, { ...(providerError ? { providerError } : {}), cause: error })
}

/** What is done with an event, with refusals in words of ours. */
export async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asRefusal(error)
  }
}
