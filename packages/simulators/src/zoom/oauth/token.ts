// The token endpoint and revocation. The client authenticates in the `Authorization` header. Each refresh issues a new
// refresh token, and the old one is refused from then on. https://developers.zoom.us/docs/integrations/oauth/
import { jsonAnswer, type RawAnswer, type RawRequest } from '../../shared/http.ts'
import { clientCredentials, formOf } from '../../shared/oauth/errors.ts'
import type { Consent } from '../../shared/oauth/grants.ts'
import { fitsChallenge } from '../../shared/oauth/pkce.ts'
import type { Zoom, ZoomClient } from '../zoom.ts'

/** A refusal, as Zoom words it: `{ reason, error }`. */
class TokenRefusal extends Error {
  readonly status: number
  readonly error: string

  constructor(status: number, error: string, reason: string) {
    super(reason)
    this.status = status
    this.error = error
  }
}

const noStore = { 'cache-control': 'no-store' }

function answered(answer: () => unknown): RawAnswer {
  try {
    return jsonAnswer(200, answer(), noStore)
  } catch (error) {
    if (!(error instanceof TokenRefusal)) throw error
    return jsonAnswer(error.status, { reason: error.message, error: error.error }, noStore)
  }
}

export const answerToken = (zoom: Zoom, request: RawRequest): RawAnswer =>
  answered(() => {
    const form = formOf(request)
    const client = authenticateClient(zoom, request)
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return redeemCode(zoom, form, client)
      case 'refresh_token':
        return refresh(zoom, form, client)
      default:
        throw new TokenRefusal(400, 'unsupported_grant_type', 'Unsupported grant type')
    }
  })

export const answerRevocation = (zoom: Zoom, request: RawRequest): RawAnswer =>
  answered(() => {
    authenticateClient(zoom, request)
    if (zoom.grants.revoke(formOf(request).get('token') ?? '')) return { status: 'success' }
    throw new TokenRefusal(400, 'invalid_request', 'Invalid Token!')
  })

function authenticateClient({ clients }: Zoom, { headers }: RawRequest): ZoomClient {
  const { id, secret } = clientCredentials(new URLSearchParams(), headers)
  const client = clients.find(id ?? '')
  if (client !== undefined && client.secret === secret) return client
  throw new TokenRefusal(401, 'invalid_client', 'Invalid client_id or client_secret')
}

function redeemCode(zoom: Zoom, form: URLSearchParams, client: ZoomClient): unknown {
  const grant = zoom.codes.redeem(form.get('code') ?? '')
  const consent = typeof grant === 'object' ? zoom.grants.consent(grant.sub, client.id) : undefined
  if (typeof grant !== 'object' || grant.clientId !== client.id || consent === undefined) {
    throw new TokenRefusal(400, 'invalid_grant', 'Invalid authorization code')
  }
  if (grant.redirectUri !== form.get('redirect_uri')) {
    throw new TokenRefusal(400, 'invalid_request', 'Redirect URI mismatch.')
  }
  const { challenge } = grant
  if (challenge !== undefined && !fitsChallenge(challenge, form.get('code_verifier') ?? '')) {
    throw new TokenRefusal(400, 'invalid_grant', 'Code verifier is invalid')
  }
  return tokensOf(zoom, consent, zoom.grants.issueRefresh(consent, grant.scopes))
}

function refresh(zoom: Zoom, form: URLSearchParams, client: ZoomClient): unknown {
  const result = zoom.grants.refresh(form.get('refresh_token') ?? '', client.id)
  if (result === undefined) throw new TokenRefusal(400, 'invalid_grant', 'Invalid Token!')
  return tokensOf(zoom, result.consent, result.familyToken)
}

function tokensOf({ grants, url }: Zoom, consent: Consent, refreshToken: string): unknown {
  const scopes = [...consent.scopes]
  const { accessToken, expiresIn } = grants.issueAccess(consent, scopes, refreshToken)
  return {
    access_token: accessToken,
    token_type: 'bearer',
    refresh_token: refreshToken,
    expires_in: expiresIn,
    scope: scopes.join(' '),
    api_url: url,
  }
}
