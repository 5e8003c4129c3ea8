// The authorization endpoint: `GET` shows the consent page, and its form posts the user's decision back to the same
// URL. https://developers.google.com/identity/protocols/oauth2/web-server
//
// The page is skipped if `login_hint` names a user that has already granted all requested scopes, unless `prompt`
// requires it. With `access_type=offline`, a refresh token is issued when the page was shown: at the first consent,
// for new scopes, and with `prompt=consent`.

import { type RawAnswer, type RawRequest, textAnswer } from '../../shared/http.ts'
import type { OAuthClient } from '../../shared/oauth/clients.ts'
import type { CodeGrant } from '../../shared/oauth/codes.ts'
import { OAuthError } from '../../shared/oauth/errors.ts'
import { readChallenge } from '../../shared/oauth/pkce.ts'
import type { AccountOwner } from '../owner.ts'
import { consentPage, errorPage } from './consent-page.ts'
import { ISSUER, type OAuth } from './oauth.ts'
import { isSignInScope, parseScopes } from './scopes.ts'

interface AuthorizationRequest {
  readonly client: OAuthClient
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly state: string | undefined
  readonly prompts: ReadonlySet<string>
  readonly loginHint: string | undefined
  readonly offline: boolean
  readonly includeGranted: boolean
  readonly nonce: string | undefined
  readonly challenge: CodeGrant['challenge']
}

/** Shows the consent page, or redirects immediately if no consent is needed. */
export async function beginAuthorization(oauth: OAuth, request: RawRequest): Promise<RawAnswer> {
  return onErrorPage(async () => {
    const wanted = readRequest(oauth, request.url.searchParams)
    const hinted = findHinted(oauth, wanted)
    const covered = hinted !== undefined && !mustAsk(oauth, wanted, hinted)
    if (covered && !wanted.prompts.has('select_account')) return sendCode(oauth, wanted, hinted, wanted.scopes)
    if (wanted.prompts.has('none')) return sendBack(wanted, { error: 'interaction_required' })
    const accounts = [...oauth.world.accounts.values()]
    const { client, scopes } = wanted
    return textAnswer(200, await consentPage({ action: request.url, client, scopes, accounts, chosen: hinted }))
  })
}

/**
 * Handles the decision: `decision` is `allow` or `deny`, `account` is an email address, `scope` contains the checked
 * scopes.
 */
export async function decideAuthorization(oauth: OAuth, request: RawRequest): Promise<RawAnswer> {
  return onErrorPage(async () => {
    const wanted = readRequest(oauth, request.url.searchParams)
    const form = new URLSearchParams(new TextDecoder().decode(request.body))
    if (form.get('decision') !== 'allow') return sendBack(wanted, { error: 'access_denied' })
    const account = oauth.world.findAccount(form.get('account') ?? '')
    if (account === undefined) throw new OAuthError(400, 'invalid_request', "Couldn't find your Google Account")
    const checked = new Set(form.getAll('scope'))
    const granted = wanted.scopes.filter((scope) => isSignInScope(scope) || checked.has(scope))
    return sendCode(oauth, wanted, account, granted)
  })
}

function readRequest({ clients }: OAuth, query: URLSearchParams): AuthorizationRequest {
  const clientId = query.get('client_id')
  if (!clientId) throw new OAuthError(400, 'invalid_request', 'Missing required parameter: client_id')
  const client = clients.find(clientId)
  if (client === undefined) throw new OAuthError(401, 'invalid_client', 'The OAuth client was not found.')
  const redirectUri = query.get('redirect_uri')
  if (!redirectUri) throw new OAuthError(400, 'invalid_request', 'Missing required parameter: redirect_uri')
  const isKnown = client.redirectUris?.includes(redirectUri) ?? URL.canParse(redirectUri)
  if (!isKnown) throw new OAuthError(400, 'redirect_uri_mismatch', `redirect_uri=${redirectUri}`)
  const responseType = query.get('response_type')
  if (!responseType) throw new OAuthError(400, 'invalid_request', 'Required parameter is missing: response_type')
  if (responseType !== 'code') {
    throw new OAuthError(400, 'unsupported_response_type', `Invalid response_type: ${responseType}`)
  }
  const scopes = parseScopes(query.get('scope') ?? '')
  if (scopes.length === 0) throw new OAuthError(400, 'invalid_request', 'Missing required parameter: scope')
  return {
    client,
    redirectUri,
    scopes,
    state: query.get('state') ?? undefined,
    prompts: new Set((query.get('prompt') ?? '').split(' ').filter(Boolean)),
    loginHint: query.get('login_hint') ?? undefined,
    offline: query.get('access_type') === 'offline',
    includeGranted: query.get('include_granted_scopes') === 'true',
    nonce: query.get('nonce') ?? undefined,
    challenge: challengeOf(query),
  }
}

function challengeOf(query: URLSearchParams): CodeGrant['challenge'] {
  const challenge = readChallenge(query)
  if (challenge !== 'unknown') return challenge
  throw new OAuthError(400, 'invalid_request', `Invalid code_challenge_method: ${query.get('code_challenge_method')}`)
}

/** The account that `login_hint` names, by address or id. */
function findHinted({ world }: OAuth, { loginHint }: AuthorizationRequest): AccountOwner | undefined {
  if (loginHint === undefined) return undefined
  return world.findAccount(loginHint)
}

/** Whether the consent page is needed: a scope is new, or the client requires the page. */
function mustAsk({ grants }: OAuth, wanted: AuthorizationRequest, account: AccountOwner): boolean {
  const consent = grants.consent(account.sub, wanted.client.id)
  if (consent === undefined || wanted.prompts.has('consent')) return true
  if (wanted.offline && !consent.offline) return true
  return wanted.scopes.some((scope) => !consent.scopes.has(scope))
}

function sendCode(
  oauth: OAuth,
  wanted: AuthorizationRequest,
  account: AccountOwner,
  granted: readonly string[],
): RawAnswer {
  const { client, redirectUri, nonce, challenge, includeGranted, prompts } = wanted
  const requested = mustAsk(oauth, wanted, account)
  const before = oauth.grants.consent(account.sub, client.id)?.scopes ?? []
  const scopes = includeGranted ? [...new Set([...granted, ...before])] : granted
  if (scopes.length === 0) return sendBack(wanted, { error: 'access_denied' })
  oauth.grants.allow(account.sub, client.id, granted)
  const offline = wanted.offline && requested
  const { email, sub } = account
  const code = oauth.codes.issue({ sub, clientId: client.id, redirectUri, scopes, offline, nonce, challenge })
  const domain = email.slice(email.indexOf('@') + 1)
  return sendBack(wanted, {
    code,
    scope: scopes.join(' '),
    authuser: '0',
    ...(domain !== 'gmail.com' && { hd: domain }),
    prompt: requested ? 'consent' : ([...prompts][0] ?? 'none'),
  })
}

function sendBack({ redirectUri, state }: AuthorizationRequest, fields: Record<string, string>): RawAnswer {
  const target = new URL(redirectUri)
  const all = { ...(state !== undefined && { state }), iss: ISSUER, ...fields }
  for (const [name, value] of Object.entries(all)) target.searchParams.set(name, value)
  return textAnswer(302, '', { location: target.href, 'cache-control': 'no-store' })
}

async function onErrorPage(answer: () => Promise<RawAnswer>): Promise<RawAnswer> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return textAnswer(error.status, await errorPage(error))
  }
}
