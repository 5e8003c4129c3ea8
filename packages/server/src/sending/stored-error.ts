/** Why a message failed, as it is written down. */
import { ApiError } from '../lib/api-error.ts'

export const storedError = ({ code, message, details }: ApiError): string =>
  JSON.stringify({ code, message, providerError: details.providerError, retryAfter: details.retryAfter })

/** The error that a message failed with, as it was written down. */
export function errorOf({ error }: { error: string | null }): ApiError {
  const { code, message, ...details } = JSON.parse(error ?? '{"code":"send_failed"}')
  return new ApiError(code, message, details)
}
