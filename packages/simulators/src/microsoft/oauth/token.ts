// The token endpoint: exchanges codes, refresh tokens and the application's own credentials for access tokens.
// https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
import { jsonAnswer, type RawAnswer, type RawRequest } from '../../shared/http.ts'
import { formOf } from '../../shared/oauth/errors.ts'
import type { Consent } from '../../shared/oauth/grants.ts'
import { fitsChallenge } from '../../shared/oauth/pkce.ts'
import { type AccountOwner, isPersonal } from '../owner.ts'
import { authenticateClient } from './client-auth.ts'
import { AadError, aadErrorAnswer, missingParameter } from './errors.ts'
import { idToken } from './id-token.ts'
import { authorityOf, type MicrosoftClient, type OAuth, type TokenAnswer } from './oauth.ts'
import { consentRequired, problemError } from './problems.ts'
import { isSignInScope, parseScopes, wholeScope } from './scopes.ts'

interface TokenRequest {
  readonly form: URLSearchParams
  readonly client: MicrosoftClient
  readonly tenant: string
}

export async function answerToken(oauth: OAuth, request: RawRequest, tenant: string): Promise<RawAnswer> {
  try {
    const form = formOf(request)
    authorityOf(oauth.world, tenant)
    const client = await authenticateClient(oauth, { form, headers: request.headers, tenant })
    const tokens = await issueTokens(oauth, { form, client, tenant })
    return jsonAnswer(200, tokens, { 'cache-control': 'no-store, no-cache' })
  } catch (error) {
    if (error instanceof AadError) return aadErrorAnswer(error, oauth.world.now())
    throw error
  }
}

function issueTokens(oauth: OAuth, request: TokenRequest): Promise<TokenAnswer> | TokenAnswer {
  const type = request.form.get('grant_type')
  switch (type) {
    case 'authorization_code':
      return redeemCode(oauth, request)
    case 'refresh_token':
      return refresh(oauth, request)
    case 'client_credentials':
      return applicationTokens(oauth, request)
    case null:
      throw missingParameter('grant_type')
    default:
      throw new AadError('unsupported_grant_type', 70003, `The app requested an unsupported grant type '${type}'.`)
  }
}

async function redeemCode(oauth: OAuth, { form, client, tenant }: TokenRequest): Promise<TokenAnswer> {
  const code = form.get('code')
  if (!code) throw missingParameter('code')
  const grant = oauth.codes.redeem(code)
  if (grant === undefined) throw invalidGrant(9002313, 'Invalid request. Request is malformed or invalid.')
  if (grant === 'used') {
    throw invalidGrant(
      54005,
      'OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an existing refresh token.',
    )
  }
  if (grant === 'expired') {
    throw invalidGrant(70008, 'The provided authorization code or refresh token has expired due to inactivity.')
  }
  if (grant.clientId !== client.id) {
    throw invalidGrant(700005, 'The provided authorization code is intended to be used with another application.')
  }
  if (grant.redirectUri !== form.get('redirect_uri')) {
    const text = `The reply address '${form.get('redirect_uri')}' does not match the reply address '${grant.redirectUri}' provided when requesting Authorization code.`
    throw invalidGrant(500112, text)
  }
  const { challenge } = grant
  if (challenge !== undefined && !fitsChallenge(challenge, form.get('code_verifier') ?? '')) {
    throw invalidGrant(
      501481,
      'The Code_Verifier does not match the code_challenge supplied in the authorization request.',
    )
  }
  const consent = oauth.grants.consent(grant.sub, client.id)
  if (consent === undefined) throw consentRequired(client.id)
  const account = signedIn(oauth, consent, tenant)
  const refreshToken = grant.offline ? oauth.grants.issueRefresh(consent, grant.scopes) : undefined
  return answer(oauth, { account, consent, scopes: grant.scopes, refreshToken, nonce: grant.nonce })
}

async function refresh(oauth: OAuth, { form, client, tenant }: TokenRequest): Promise<TokenAnswer> {
  const token = form.get('refresh_token')
  if (!token) throw missingParameter('refresh_token')
  const known = oauth.grants.find(token)
  if (known !== undefined && known.consent.clientId !== client.id) {
    throw invalidGrant(700005, 'The provided refresh token is intended to be used with another application.')
  }
  if (known !== undefined) signedIn(oauth, known.consent, tenant)
  const requested = parseScopes(form.get('scope') ?? '').filter((scope) => scope !== '.default')
  const granted = new Set(known?.consent.scopes ?? [])
  if (known !== undefined && requested.some((scope) => !isSignInScope(scope) && !granted.has(scope))) {
    throw consentRequired(client.id)
  }
  const result = oauth.grants.refresh(token, client.id)
  if (result === undefined) {
    const text = 'The provided grant has expired due to it being revoked, a fresh auth token is needed.'
    throw new AadError('invalid_grant', 50173, text, { suberror: 'bad_token' })
  }
  const { consent, refreshToken } = result
  const account = signedIn(oauth, consent, tenant)
  // A refresh may request any consented scopes. Without `scope`, it gets those of the original code.
  const scopes =
    requested.length > 0 ? [...new Set([...requested, ...result.scopes.filter(isSignInScope)])] : result.scopes
  return answer(oauth, { account, consent, scopes, refreshToken })
}

/** The user of a consent; throws if a problem prevents the sign-in. */
function signedIn({ world, problems }: OAuth, consent: Consent, tenant: string): AccountOwner {
  const account = world.findAccount(consent.sub)
  if (account === undefined) throw invalidGrant(50034, 'The user account does not exist in the directory.')
  if (!authorityOf(world, tenant).admits(account)) {
    const text = `User account '${account.email}' from identity provider does not exist in tenant '${tenant}' and cannot access the application in that tenant.`
    throw invalidGrant(50020, text)
  }
  const problem = problems.find(account.oid)
  if (problem !== undefined) throw problemError(problem, consent.clientId)
  return account
}

function applicationTokens(
  { world, tenants, grants }: OAuth,
  { form, client, tenant: name }: TokenRequest,
): TokenAnswer {
  const { tenant } = authorityOf(world, name)
  if (tenant === undefined) {
    throw new AadError(
      'invalid_request',
      50059,
      'No tenant-identifying information found in either the request or implied by any provided credentials.',
    )
  }
  if (form.get('scope') !== 'https://graph.microsoft.com/.default') {
    const text = `The provided value for scope ${form.get('scope')} is not valid. Client credential flows must have a scope value with /.default suffixed to the resource identifier (application ID URI).`
    throw new AadError('invalid_scope', 1002012, text)
  }
  const roles = tenants.roles(tenant, client.id)
  if (roles === undefined) {
    const text = `Application with identifier '${client.id}' was not found in the directory '${tenant.domain}'. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You may have sent your authentication request to the wrong tenant.`
    throw new AadError('unauthorized_client', 700016, text)
  }
  const consent = grants.allow(applicationSubject(tenant.id), client.id, [...roles])
  const { accessToken, expiresIn } = grants.issueAccess(consent, [...roles])
  return { token_type: 'Bearer', expires_in: expiresIn, ext_expires_in: expiresIn, access_token: accessToken }
}

/** The consent subject for an application that acts on its own. */
export function applicationSubject(tenantId: string): string {
  return `application in ${tenantId}`
}

interface Issued {
  readonly account: AccountOwner
  readonly consent: Consent
  readonly scopes: readonly string[]
  readonly refreshToken: string | undefined
  readonly nonce?: string | undefined
}

async function answer({ world, grants }: OAuth, issued: Issued): Promise<TokenAnswer> {
  const { account, consent, scopes, refreshToken, nonce } = issued
  const { accessToken, expiresIn } = grants.issueAccess(consent, scopes, refreshToken)
  // Organizations use full scope names, personal accounts the shortest form; both omit `offline_access`.
  const named = scopes.filter((scope) => scope !== 'offline_access')
  return {
    token_type: 'Bearer',
    scope: (isPersonal(account) ? named : named.map(wholeScope)).join(' '),
    expires_in: expiresIn,
    ext_expires_in: expiresIn,
    access_token: accessToken,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(scopes.includes('openid') && {
      id_token: await idToken(world, account, { clientId: consent.clientId, nonce, scopes }),
    }),
  }
}

function invalidGrant(number: number, message: string): AadError {
  return new AadError('invalid_grant', number, message)
}
