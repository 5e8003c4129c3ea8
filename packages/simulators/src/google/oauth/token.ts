// The token endpoint: exchanges codes, refresh tokens and assertions of service accounts for access tokens.

import { jsonAnswer, type RawAnswer, type RawRequest } from '../../shared/http.ts'
import type { OAuthClient } from '../../shared/oauth/clients.ts'
import type { CodeGrant } from '../../shared/oauth/codes.ts'
import { clientCredentials, formOf, OAuthError, oauthErrorAnswer } from '../../shared/oauth/errors.ts'
import type { Consent, IssuedAccess } from '../../shared/oauth/grants.ts'
import { fitsChallenge } from '../../shared/oauth/pkce.ts'
import { idToken } from './id-token.ts'
import type { OAuth } from './oauth.ts'
import { parseScopes } from './scopes.ts'

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export async function answerToken(oauth: OAuth, request: RawRequest): Promise<RawAnswer> {
  try {
    const form = formOf(request)
    const tokens = await issueTokens(oauth, form, request.headers)
    return jsonAnswer(200, tokens, { 'cache-control': 'no-cache, no-store, max-age=0, must-revalidate' })
  } catch (error) {
    if (error instanceof OAuthError) return oauthErrorAnswer(error)
    throw error
  }
}

async function issueTokens(oauth: OAuth, form: URLSearchParams, headers: Headers): Promise<unknown> {
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return redeemCode(oauth, form, authenticateClient(oauth, form, headers))
    case 'refresh_token':
      return refresh(oauth, form, authenticateClient(oauth, form, headers))
    case jwtBearer:
      return redeemAssertion(oauth, form)
    case null:
      throw new OAuthError(400, 'invalid_request', 'Missing required parameter: grant_type')
    default:
      throw new OAuthError(400, 'unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type')}`)
  }
}

function authenticateClient({ clients }: OAuth, form: URLSearchParams, headers: Headers): OAuthClient {
  const { id, secret } = clientCredentials(form, headers)
  if (!id) throw new OAuthError(400, 'invalid_request', 'Could not determine client ID from request.')
  const client = clients.find(id)
  if (client === undefined) throw new OAuthError(401, 'invalid_client', 'The OAuth client was not found.')
  if (secret === null) throw new OAuthError(400, 'invalid_request', 'client_secret is missing.')
  if (secret !== client.secret) throw new OAuthError(401, 'invalid_client', 'Unauthorized')
  return client
}

async function redeemCode(oauth: OAuth, form: URLSearchParams, client: OAuthClient): Promise<unknown> {
  const code = form.get('code')
  if (!code) throw new OAuthError(400, 'invalid_request', 'Missing required parameter: code')
  const grant = oauth.codes.redeem(code)
  if (typeof grant !== 'object') throw new OAuthError(400, 'invalid_grant', 'Bad Request')
  if (grant.clientId !== client.id) throw new OAuthError(401, 'unauthorized_client', 'Unauthorized')
  if (grant.redirectUri !== form.get('redirect_uri')) throw new OAuthError(400, 'redirect_uri_mismatch', 'Bad Request')
  checkVerifier(grant, form.get('code_verifier'))
  const consent = oauth.grants.consent(grant.sub, client.id)
  if (consent === undefined) throw new OAuthError(400, 'invalid_grant', 'Bad Request')
  const refreshToken = grant.offline ? oauth.grants.issueRefresh(consent, grant.scopes) : undefined
  const access = oauth.grants.issueAccess(consent, grant.scopes, refreshToken)
  return answer(oauth, consent, access, { refreshToken, nonce: grant.nonce })
}

function checkVerifier({ challenge }: CodeGrant, verifier: string | null): void {
  if (challenge === undefined) return
  if (verifier === null) throw new OAuthError(400, 'invalid_grant', 'Missing code verifier.')
  if (!fitsChallenge(challenge, verifier)) throw new OAuthError(400, 'invalid_grant', 'Invalid code verifier.')
}

async function refresh(oauth: OAuth, form: URLSearchParams, client: OAuthClient): Promise<unknown> {
  const token = form.get('refresh_token')
  if (!token) throw new OAuthError(400, 'invalid_request', 'Missing required parameter: refresh_token')
  const result = oauth.grants.refresh(token, client.id)
  if (result === undefined) throw new OAuthError(400, 'invalid_grant', 'Token has been expired or revoked.')
  const { consent, refreshToken, familyToken } = result
  const narrowed = parseScopes(form.get('scope') ?? '')
  if (narrowed.some((scope) => !result.scopes.includes(scope))) {
    throw new OAuthError(400, 'invalid_scope', 'Some requested scopes were invalid.')
  }
  const scopes = narrowed.length > 0 ? narrowed : result.scopes
  return answer(oauth, consent, oauth.grants.issueAccess(consent, scopes, familyToken), { refreshToken })
}

async function redeemAssertion(oauth: OAuth, form: URLSearchParams): Promise<unknown> {
  const assertion = await oauth.serviceAccounts.verify(form.get('assertion') ?? '').catch(() => {
    throw new OAuthError(400, 'invalid_grant', 'Invalid JWT Signature.')
  })
  const { subject, serviceAccount } = assertion
  const scopes = parseScopes(assertion.scope)
  if (scopes.length === 0) {
    throw new OAuthError(400, 'invalid_scope', 'Invalid OAuth scope or ID token audience provided.')
  }
  const account = subject === undefined ? undefined : oauth.world.findAccount(subject)
  if (subject !== undefined && account === undefined) {
    throw new OAuthError(400, 'invalid_grant', 'Invalid email or User ID')
  }
  const consent = oauth.grants.allow(account?.sub ?? serviceAccount, serviceAccount, scopes)
  const { accessToken, expiresIn } = oauth.grants.issueAccess(consent, scopes)
  return { access_token: accessToken, expires_in: expiresIn, token_type: 'Bearer' }
}

async function answer(
  { world }: OAuth,
  { sub, clientId }: Consent,
  { accessToken, scopes, expiresIn }: IssuedAccess,
  { refreshToken, nonce }: { refreshToken: string | undefined; nonce?: string | undefined },
): Promise<unknown> {
  const account = world.findAccount(sub)
  return {
    access_token: accessToken,
    expires_in: expiresIn,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    scope: scopes.join(' '),
    token_type: 'Bearer',
    ...(account &&
      scopes.includes('openid') && {
        id_token: await idToken(world, account, { clientId, accessToken, nonce, scopes }),
      }),
  }
}
