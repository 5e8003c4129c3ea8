// The authorization endpoint: `GET` shows the consent page, and its form posts the user's decision back to the same
// URL. https://developer.yahoo.com/oauth2/guide/flows_authcode/
//
// Errors in a request are shown to the user and never sent back to the client. Consent covers all scopes or none.
import { type RawAnswer, type RawRequest, textAnswer } from '../../shared/http.ts'
import type { CodeGrant } from '../../shared/oauth/codes.ts'
import { readChallenge } from '../../shared/oauth/pkce.ts'
import { type OAuth, parseScopes, type YahooClient } from './oauth.ts'
import { consentPage, errorPage } from './pages.ts'

interface AuthorizationRequest {
  readonly client: YahooClient
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly state: string | null
  readonly nonce: string | undefined
  readonly challenge: CodeGrant['challenge']
}

class BadRequest extends Error {}

export function beginAuthorization(oauth: OAuth, request: RawRequest): Promise<RawAnswer> {
  return onErrorPage(async () => {
    const { searchParams } = request.url
    const { client, scopes } = readRequest(oauth, searchParams)
    const chosen = oauth.accounts.find(searchParams.get('login_hint') ?? '')
    const accounts = oauth.accounts.list()
    return textAnswer(200, await consentPage({ action: request.url, client, scopes, accounts, chosen }))
  })
}

/** Handles the decision: `decision` is `allow` or `deny`, `account` is an address. */
export function decideAuthorization(oauth: OAuth, request: RawRequest): Promise<RawAnswer> {
  return onErrorPage(async () => {
    const wanted = readRequest(oauth, request.url.searchParams)
    const form = new URLSearchParams(new TextDecoder().decode(request.body))
    if (form.get('decision') !== 'allow') return sendBack(wanted, { error: 'access_denied' })
    const account = oauth.accounts.find(form.get('account') ?? '')
    if (account === undefined) throw new BadRequest('Sorry, we don’t recognize this account.')
    const { client, redirectUri, scopes, nonce, challenge } = wanted
    oauth.grants.allow(account.guid, client.id, scopes)
    oauth.problems.delete(account.guid)
    const issued = { sub: account.guid, clientId: client.id, redirectUri, scopes, offline: true, nonce, challenge }
    return sendBack(wanted, { code: oauth.codes.issue(issued) })
  })
}

function readRequest({ clients }: OAuth, query: URLSearchParams): AuthorizationRequest {
  const client = clients.find(query.get('client_id') ?? '')
  if (client === undefined) throw new BadRequest('Please specify a valid client and submit again.')
  const redirectUri = query.get('redirect_uri') ?? ''
  const isKnown = client.redirectUris?.includes(redirectUri) ?? URL.canParse(redirectUri)
  if (!isKnown) throw new BadRequest('Please specify a valid redirect URI and submit again.')
  if (query.get('response_type') !== 'code')
    throw new BadRequest('Please specify a valid response type and submit again.')
  const scopes = parseScopes(query.get('scope') ?? '')
  const registered = client.scopes
  if (registered !== undefined && scopes.some((scope) => !registered.includes(scope))) {
    throw new BadRequest('Please request scope from registered scopes and submit again.')
  }
  const challenge = readChallenge(query)
  if (challenge === 'unknown') throw new BadRequest('Please specify a valid code challenge method and submit again.')
  return {
    client,
    redirectUri,
    // A request without scopes gets the scopes that the application was registered with.
    scopes: scopes.length > 0 ? scopes : (registered ?? []),
    state: query.get('state'),
    nonce: query.get('nonce') ?? undefined,
    challenge,
  }
}

function sendBack({ redirectUri, state }: AuthorizationRequest, fields: Record<string, string>): RawAnswer {
  const target = new URL(redirectUri)
  const all = { ...fields, ...(state !== null && { state }) }
  for (const [name, value] of Object.entries(all)) target.searchParams.set(name, value)
  return textAnswer(302, '', { location: target.href, 'cache-control': 'no-store' })
}

async function onErrorPage(answer: () => Promise<RawAnswer>): Promise<RawAnswer> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error
    return textAnswer(400, await errorPage(error.message))
  }
}
