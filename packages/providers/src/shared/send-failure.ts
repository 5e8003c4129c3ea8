/** Whether a message was sent, judged by the failure of a sending API. */
import { ApiError } from '@waypost/platform/api-error'
import { EgressError } from '@waypost/platform/egress/error'
import { SendFailed } from '../provider.ts'
import { providerStatus } from './refusal.ts'

/** Failures of the connection in which nothing was sent. */
const unsent = new Set([
  'refused_url',
  'refused_address',
  'refused_port',
  'dns_failed',
  'connect_failed',
  'tls_failed',
  'overloaded',
])

/** The error for a failure after `begin`: whether the message may have been accepted, and whether it ever will be. */
export function sendFailure(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const status = providerStatus(error)
  const { cause, message } = error
  if (cause instanceof EgressError)
    return new SendFailed(message, { maybeSent: !unsent.has(cause.reason), cause: error })
  if (status === undefined || status >= 500) return new SendFailed(message, { maybeSent: true, status, cause: error })
  const isRetryable = status === 401 || error.code === 'provider_rate_limited'
  return new SendFailed(message, { permanent: !isRetryable, status, cause: error })
}
