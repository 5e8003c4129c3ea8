// The request of an application at the authorization endpoint, and the response to it.

import { html } from '../../shared/html.ts'
import { type RawAnswer, textAnswer } from '../../shared/http.ts'
import { page } from '../../shared/oauth/page.ts'
import { type Challenge, readChallenge } from '../../shared/oauth/pkce.ts'
import type { AccountOwner } from '../owner.ts'
import { AadError, describe, missingParameter } from './errors.ts'
import { type Authority, authorityOf, type Fields, type MicrosoftClient, type OAuth, servesAccount } from './oauth.ts'
import { isKnownScope, parseScopes } from './scopes.ts'

export interface ReplyAddress {
  readonly redirectUri: string
  readonly responseMode: string
  readonly state: string | undefined
}

export interface AuthorizationRequest extends ReplyAddress {
  readonly client: MicrosoftClient
  readonly authority: Authority
  readonly scopes: readonly string[]
  readonly prompt: string | undefined
  readonly loginHint: string | undefined
  readonly domainHint: string | undefined
  readonly nonce: string | undefined
  readonly challenge: Challenge | undefined
}

/** An error that is sent back to the application, because its redirect URI is valid. */
export class RepliedError extends Error {
  readonly reply: ReplyAddress
  readonly error: AadError

  constructor(reply: ReplyAddress, error: AadError) {
    super(error.message)
    this.reply = reply
    this.error = error
  }
}

export function readClient({ clients }: OAuth, query: URLSearchParams, tenant: string): MicrosoftClient {
  const id = query.get('client_id')
  if (!id) throw missingParameter('client_id')
  const client = clients.find(id)
  if (client !== undefined) return client
  throw new AadError(
    'unauthorized_client',
    700016,
    `Application with identifier '${id}' was not found in the directory '${tenant}'. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant.`,
  )
}

export function readReply(client: MicrosoftClient, query: URLSearchParams): ReplyAddress {
  const redirectUri = query.get('redirect_uri')
  if (!redirectUri) throw missingParameter('redirect_uri')
  const isKnown = client.redirectUris?.includes(redirectUri) ?? URL.canParse(redirectUri)
  if (!isKnown) {
    throw new AadError(
      'invalid_request',
      50011,
      `The redirect URI '${redirectUri}' specified in the request does not match the redirect URIs configured for the application '${client.id}'.`,
    )
  }
  return { redirectUri, responseMode: query.get('response_mode') ?? 'query', state: query.get('state') ?? undefined }
}

export function readAuthorization(oauth: OAuth, tenant: string, query: URLSearchParams): AuthorizationRequest {
  const authority = authorityOf(oauth.world, tenant)
  const client = readClient(oauth, query, tenant)
  const reply = readReply(client, query)
  const refuse = (code: string, number: number, message: string) =>
    new RepliedError(reply, new AadError(code, number, message))
  const { audience = 'all' } = client
  if (authority.tenant === undefined && !['all', 'organizations'].includes(audience)) {
    const text = `Application '${client.id}' is not configured as a multi-tenant application. Usage of the /common endpoint is not supported for such apps created after '10/15/2018'. Use a tenant-specific endpoint or configure the application to be multi-tenant.`
    throw new AadError('invalid_request', 50194, text)
  }
  const responseType = query.get('response_type')
  if (responseType !== 'code') {
    throw refuse(
      'unsupported_response_type',
      700054,
      `response_type '${responseType}' is not enabled for the application.`,
    )
  }
  const scopes = parseScopes(query.get('scope') ?? '')
  if (scopes.length === 0) throw new RepliedError(reply, missingParameter('scope'))
  const unknown = scopes.find((scope) => !isKnownScope(scope))
  if (unknown !== undefined) {
    const text = `The application '${client.name ?? client.id}' asked for scope '${unknown}' that doesn't exist on the resource '00000003-0000-0000-c000-000000000000'. Contact the app vendor.`
    throw refuse('invalid_client', 650053, text)
  }
  const challenge = readChallenge(query)
  if (challenge === 'unknown') {
    throw refuse(
      'invalid_request',
      501491,
      'Invalid size of Code_Challenge parameter or unknown Code_Challenge_method.',
    )
  }
  return {
    ...reply,
    client,
    authority,
    scopes,
    prompt: query.get('prompt') ?? undefined,
    loginHint: query.get('login_hint') ?? undefined,
    domainHint: query.get('domain_hint') ?? undefined,
    nonce: query.get('nonce') ?? undefined,
    challenge,
  }
}

/** The accounts that may sign in with this request. */
export function candidates({ world }: OAuth, { authority, client, domainHint }: AuthorizationRequest): AccountOwner[] {
  const admitted = [...world.accounts.values()].filter(
    (account) => authority.admits(account) && servesAccount(client, account),
  )
  if (domainHint === undefined) return admitted
  const hint = domainHint.toLowerCase()
  const fits = ({ tenant }: AccountOwner) =>
    hint === 'organizations'
      ? tenant.domain !== ''
      : hint === 'consumers'
        ? tenant.domain === ''
        : tenant.domain === hint
  const hinted = admitted.filter(fits)
  return hinted.length > 0 ? hinted : admitted
}

/** Redirects the browser back to the application. */
export async function sendBack({ redirectUri, responseMode, state }: ReplyAddress, fields: Fields): Promise<RawAnswer> {
  const all = { ...fields, ...(state !== undefined && { state }) }
  const headers = { 'cache-control': 'no-store, no-cache' }
  if (responseMode === 'form_post') {
    const inputs = Object.entries(all).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    )
    const form = html`<form method="post" action="${redirectUri}">${inputs}<button type="submit">Continue</button></form>
<script>document.forms[0].submit()</script>`
    return textAnswer(200, await page('Working...', form), headers)
  }
  const target = new URL(redirectUri)
  if (responseMode === 'fragment') target.hash = new URLSearchParams(all).toString()
  else for (const [name, value] of Object.entries(all)) target.searchParams.set(name, value)
  return textAnswer(302, '', { ...headers, location: target.href })
}

/** The error fields sent to the application. */
export function errorFields(error: AadError, now: number): Fields {
  const { code, number, extra } = error
  return {
    error: code,
    error_description: describe(error, now),
    error_uri: `https://login.microsoftonline.com/error?code=${number}`,
    ...(extra.suberror !== undefined && { error_subcode: extra.suberror }),
  }
}
