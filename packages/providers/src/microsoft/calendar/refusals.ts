/** Maps Exchange's refusals of event changes. */
import { ApiError } from '@waypost/platform/api-error'
import { noEvent, readOnly, refusingBy, wrongField, wrongFields } from '../../calendar/exchange/refusals.ts'
import { providerReason, providerStatus } from '../../shared/refusal.ts'
import { isMissing } from '../errors.ts'

/** Only Graph reports this. */
const wrongZone = ['when', 'Microsoft does not know the time zone'] as const
/** By Graph's text, if the code says nothing. */
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
  const reason = providerReason(error)
  const [known, problem] = reason === 'TimeZoneNotSupportedException' ? wrongZone : (wrongFields[reason] ?? [])
  const field = known ?? byWords.find(([words]) => words.test(said))?.[1]
  if (field === undefined || providerError === undefined) return error
  return wrongField(error, field, problem ?? `Microsoft refuses it: ${said}`)
}

function asRefusal(error: unknown): unknown {
  if (isMissing(error)) return noEvent()
  if (!(error instanceof ApiError) || error.code !== 'provider_refused') return error
  if (providerStatus(error) === 400) return asWrongField(error)
  return providerStatus(error) === 403 ? readOnly(error) : error
}

export const refusing = refusingBy(asRefusal)
