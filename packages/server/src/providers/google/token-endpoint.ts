/** Google's token endpoint and the hosts beside it. */
import { ApiError } from '../../lib/api-error.ts'
import type { EgressResponse } from '../../lib/egress.ts'
import type { Io, OAuthTokens } from '../provider.ts'

export const hosts = {
  accounts: 'https://accounts.google.com',
  oauth: 'https://oauth2.googleapis.com',
  identity: 'https://openidconnect.googleapis.com',
}

/** Where a path of one of Google's hosts is. */
export const at = (host: keyof typeof hosts, path: string, { providerUrl }: Pick<Io, 'providerUrl'>): string =>
  `${providerUrl ?? hosts[host]}${path}`

export const maxBytes = 65_536
export const deadlineMs = 10_000

/** What Google answers about tokens, or `{}` where it is not JSON. */
export function readAnswer({ body }: EgressResponse): Record<string, unknown> {
  try {
    const answer: unknown = JSON.parse(body.toString('utf8'))
    return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** Google's refusal as it is passed on: it names a reason, never a token. */
export const saidBy = (status: number, answer: Record<string, unknown>): Record<string, unknown> => ({
  status,
  ...(text(answer.error) ? { error: text(answer.error) } : {}),
  ...(text(answer.error_description) ? { error_description: text(answer.error_description) } : {}),
})

/** Posts a form to the token endpoint; throws an ApiError whose `provider_error` says what Google said. */
export async function askForTokens(form: Record<string, string>, io: Io): Promise<OAuthTokens> {
  const response = await io
    .request({
      method: 'POST',
      url: at('oauth', '/token', io),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
      signal: io.signal,
      deadlineMs,
      maxBytes,
    })
    .catch((cause) => {
      throw new ApiError('provider_unavailable', 'Google could not be reached for an access token', { cause })
    })
  const answer = readAnswer(response)
  const accessToken = text(answer.access_token)
  if (response.status === 200 && accessToken) {
    return {
      accessToken,
      expiresAt: io.clock.now() + lifeOf(answer.expires_in),
      refreshToken: text(answer.refresh_token),
      scope: text(answer.scope)?.split(' ').filter(Boolean),
      idToken: text(answer.id_token),
    }
  }
  throw refusal(response, answer)
}

/** Milliseconds that a token is good for, however its seconds are written; an hour where nothing sensible is said. */
function lifeOf(expiresIn: unknown): number {
  const said = typeof expiresIn === 'string' ? Number(expiresIn) : expiresIn
  return typeof said === 'number' && said >= 0 && said < 1e9 ? Math.floor(said * 1000) : 3_600_000
}

function refusal({ status, headers }: EgressResponse, answer: Record<string, unknown>): ApiError {
  const details = { providerError: saidBy(status, answer) }
  const wait = Number(headers['retry-after'])
  if (status === 429) {
    return new ApiError('provider_rate_limited', undefined, { ...details, retryAfter: wait > 0 ? wait : 30 })
  }
  if (status >= 500) return new ApiError('provider_unavailable', 'Google gave no access token for now', details)
  // `invalid_grant`: the token was revoked, has expired, or belongs to another client. All else is the client's fault.
  if (answer.error === 'invalid_grant') return new ApiError('grant_invalid', undefined, details)
  const said = text(answer.error_description) ?? text(answer.error) ?? `status ${status}`
  return new ApiError('authentication_failed', `Google refused the connector's client or the request: ${said}`, details)
}
