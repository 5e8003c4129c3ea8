// The authorization endpoint: `GET` shows the consent page, and its form posts the decision back to the same URL.
// https://developers.zoom.us/docs/integrations/oauth/
//
// The scopes are those of the app: a request names none. Errors in a request are shown to the user.
import { html } from '../../shared/html.ts'
import { type RawAnswer, type RawRequest, textAnswer } from '../../shared/http.ts'
import { accountChoices, page } from '../../shared/oauth/page.ts'
import { type Challenge, readChallenge } from '../../shared/oauth/pkce.ts'
import { scopesOf, type Zoom, type ZoomClient } from '../zoom.ts'

interface AuthorizationRequest {
  readonly client: ZoomClient
  readonly redirectUri: string
  readonly state: string | null
  readonly challenge: Challenge | undefined
}

class BadRequest extends Error {}

export function beginAuthorization(zoom: Zoom, request: RawRequest): Promise<RawAnswer> {
  return onErrorPage(async () => {
    const { client } = readRequest(zoom, request.url.searchParams)
    return textAnswer(200, await consentPage(zoom, client, request.url))
  })
}

/** Handles the decision: `decision` is `allow` or `deny`, `account` is an address. */
export function decideAuthorization(zoom: Zoom, request: RawRequest): Promise<RawAnswer> {
  return onErrorPage(async () => {
    const wanted = readRequest(zoom, request.url.searchParams)
    const form = new URLSearchParams(new TextDecoder().decode(request.body))
    if (form.get('decision') !== 'allow') return sendBack(wanted, { error: 'access_denied' })
    const account = zoom.accounts.find(form.get('account') ?? '')
    if (account === undefined) throw new BadRequest('User does not exist.')
    const { client, redirectUri, challenge } = wanted
    const scopes = scopesOf(client)
    zoom.grants.allow(account.id, client.id, scopes)
    const issued = { sub: account.id, clientId: client.id, redirectUri, scopes, offline: true, nonce: undefined }
    return sendBack(wanted, { code: zoom.codes.issue({ ...issued, challenge }) })
  })
}

function readRequest({ clients }: Zoom, query: URLSearchParams): AuthorizationRequest {
  const client = clients.find(query.get('client_id') ?? '')
  if (client === undefined) throw new BadRequest('Invalid client_id (4,700)')
  const redirectUri = query.get('redirect_uri') ?? ''
  const isKnown = client.redirectUris?.includes(redirectUri) ?? URL.canParse(redirectUri)
  if (!isKnown) throw new BadRequest(`Invalid redirect url: ${redirectUri} (4,700)`)
  if (query.get('response_type') !== 'code') throw new BadRequest('Unsupported response type (4,700)')
  const challenge = readChallenge(query)
  if (challenge === 'unknown') throw new BadRequest('Invalid code challenge method (4,700)')
  return { client, redirectUri, state: query.get('state'), challenge }
}

function sendBack({ redirectUri, state }: AuthorizationRequest, fields: Record<string, string>): RawAnswer {
  const target = new URL(redirectUri)
  const all = { ...fields, ...(state !== null && { state }) }
  for (const [name, value] of Object.entries(all)) target.searchParams.set(name, value)
  return textAnswer(302, '', { location: target.href, 'cache-control': 'no-store' })
}

function consentPage({ accounts }: Zoom, client: ZoomClient, action: URL): Promise<string> {
  const people = accounts.list()
  return page(
    'Simulated Zoom',
    html`<h1>Sign in with Zoom</h1>
<p>This is a simulated Zoom.</p>
<form method="post" action="${action.pathname}${action.search}">
<fieldset><legend>Choose an account</legend>${accountChoices(people, people[0])}</fieldset>
<p><strong>${client.name ?? client.id}</strong> requests:</p>
<ul>${scopesOf(client).map((scope) => html`<li>${scope}</li>`)}</ul>
<button type="submit" name="decision" value="deny">Decline</button>
<button type="submit" name="decision" value="allow">Allow</button>
</form>`,
  )
}

async function onErrorPage(answer: () => Promise<RawAnswer>): Promise<RawAnswer> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error
    return textAnswer(400, await page('Simulated Zoom', html`<h1>Invalid request</h1><p>${error.message}</p>`))
  }
}
