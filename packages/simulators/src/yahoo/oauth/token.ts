// The token endpoint: exchanges codes and refresh tokens for access tokens. Errors have the names of
// https://developer.yahoo.com/oauth2/guide/errors/, and responses do not list scopes.
import { jsonAnswer, type RawAnswer, type RawRequest } from '../../shared/http.ts'
import { formOf, OAuthError, oauthErrorAnswer } from '../../shared/oauth/errors.ts'
import type { Consent } from '../../shared/oauth/grants.ts'
import { fitsChallenge } from '../../shared/oauth/pkce.ts'
import { authenticateClient } from './client.ts'
import { idToken } from './identity.ts'
import type { OAuth, YahooClient } from './oauth.ts'

const noStore = { 'cache-control': 'no-store' }

export async function answerToken(oauth: OAuth, request: RawRequest): Promise<RawAnswer> {
  try {
    const form = formOf(request)
    const client = authenticateClient(oauth, form, request.headers)
    return jsonAnswer(200, await issueTokens(oauth, form, client), noStore)
  } catch (error) {
    if (error instanceof OAuthError) return oauthErrorAnswer(error)
    throw error
  }
}

function issueTokens(oauth: OAuth, form: URLSearchParams, client: YahooClient): Promise<unknown> {
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return redeemCode(oauth, form, client)
    case 'refresh_token':
      return refresh(oauth, form, client)
    case null:
      throw new OAuthError(400, 'INVALID_INPUT', 'grant type cannot be null')
    default:
      throw new OAuthError(400, 'UNSUPPORTED_GRANT_TYPE', 'grant type is not supported')
  }
}

async function redeemCode(oauth: OAuth, form: URLSearchParams, client: YahooClient): Promise<unknown> {
  const code = form.get('code')
  if (!code) throw new OAuthError(400, 'INVALID_INPUT', 'code cannot be empty')
  const grant = oauth.codes.redeem(code)
  const consent = typeof grant === 'object' ? oauth.grants.consent(grant.sub, client.id) : undefined
  if (typeof grant !== 'object' || grant.clientId !== client.id || consent === undefined) {
    throw new OAuthError(401, 'INVALID_GRANT', 'the authorization code is invalid or expired')
  }
  if (grant.redirectUri !== form.get('redirect_uri')) throw otherRedirect()
  const { challenge } = grant
  if (challenge !== undefined && !fitsChallenge(challenge, form.get('code_verifier') ?? '')) {
    throw new OAuthError(401, 'INVALID_GRANT', 'code verifier is invalid')
  }
  const refreshToken = oauth.grants.issueRefresh(consent, grant.scopes)
  oauth.redirects.set(refreshToken, grant.redirectUri)
  return answer(oauth, { consent, scopes: grant.scopes, refreshToken, nonce: grant.nonce })
}

const otherRedirect = (): OAuthError =>
  new OAuthError(400, 'INVALID_REDIRECT_URI', 'redirect uri does not match the one of the authorization request')

const problemStatus = { TOKEN_EXPIRED: 401, INVALID_GRANT: 401, ACCOUNT_NOT_AUTHORIZED: 403 } as const

async function refresh(oauth: OAuth, form: URLSearchParams, client: YahooClient): Promise<unknown> {
  const token = form.get('refresh_token')
  if (!token) throw new OAuthError(400, 'INVALID_INPUT', 'refresh token parameter cannot be empty')
  const known = oauth.grants.find(token)
  if (known === undefined || known.consent.clientId !== client.id) {
    throw new OAuthError(400, 'INVALID_REFRESH_TOKEN', 'Failed to decode/encode refresh token')
  }
  // A token that was not issued for a code, such as a granted one, has no redirect URI to compare.
  const redirectUri = oauth.redirects.get(token)
  if (redirectUri !== undefined && form.get('redirect_uri') !== redirectUri) throw otherRedirect()
  const problem = oauth.problems.get(known.consent.sub)
  if (problem !== undefined) throw new OAuthError(problemStatus[problem], problem, 'the user must authorize again')
  const result = oauth.grants.refresh(token, client.id)
  if (result === undefined) throw new OAuthError(401, 'TOKEN_EXPIRED', 'the refresh token was used before')
  const { consent, scopes, familyToken } = result
  if (redirectUri !== undefined) oauth.redirects.set(familyToken, redirectUri)
  return answer(oauth, { consent, scopes, refreshToken: familyToken })
}

interface Issued {
  readonly consent: Consent
  readonly scopes: readonly string[]
  readonly refreshToken: string
  readonly nonce?: string | undefined
}

async function answer(oauth: OAuth, { consent, scopes, refreshToken, nonce }: Issued): Promise<unknown> {
  const { accessToken, expiresIn } = oauth.grants.issueAccess(consent, scopes, refreshToken)
  const account = oauth.accounts.find(consent.sub)
  const requested = { clientId: consent.clientId, nonce, scopes: new Set(scopes) }
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: expiresIn,
    token_type: 'bearer',
    xoauth_yahoo_guid: consent.sub,
    ...(account && scopes.includes('openid') && { id_token: await idToken(oauth, account, requested) }),
  }
}
