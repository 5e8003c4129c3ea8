/** The error of a failed message in the store. */
import { ApiError } from '@waypost/platform/api-error'

export const storedError = ({ code, message, details }: ApiError): string =>
  JSON.stringify({ code, message, providerError: details.providerError, retryAfter: details.retryAfter })

export function errorOf({ error }: { error: string | null }): ApiError {
  const { code, message, ...details } = JSON.parse(error ?? '{"code":"send_failed"}')
  return new ApiError(code, message, details)
}
