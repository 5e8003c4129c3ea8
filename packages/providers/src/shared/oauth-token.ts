/**
 * An OAuth 2.0 token endpoint (RFC 6749): codes with PKCE, refresh tokens, client credentials and signed assertions
 * (RFC 7523), and the errors of the API for what it refuses. What differs between providers is in `TokenEndpoint`.
 */
import { ApiError } from '@waypost/platform/api-error'
import { assertionGrantType } from '@waypost/platform/crypto/assertion'
import type { EgressRequest, EgressResponse } from '@waypost/platform/egress/egress'
import type { OAuthTokens } from '../identity.ts'
import type { Io } from '../io.ts'
import type { SignIn } from '../oauth.ts'
import { retryAfterSeconds } from './retry.ts'

/** The answer of the endpoint, or `{}` if it is not a JSON object. */
export type TokenAnswer = Readonly<Record<string, unknown>>

/** The meaning of a refusal, in our words. */
export interface Explanation {
  words: string
  /** Only the end user can fix it, by signing in again. */
  needsSignIn?: boolean
}

/** What differs between providers. */
export interface TokenEndpoint {
  /** The name of the provider in errors. */
  name: string
  url(io: Pick<Io, 'providerUrl'>): string
  /** The client's id and secret go into the `Authorization` header instead of the form (RFC 6749, 2.3.1). */
  basic?: true
  /**
   * Fields of a refusal that are passed on in addition to `error` and `error_description`: codes and numbers, never a
   * token.
   */
  passedOn?: readonly string[]
  /** Explains a refusal that contains more than the standard fields; undefined if it is unknown. */
  explain?(said: Readonly<Record<string, unknown>>): Explanation | undefined
}

/** The fields that authenticate a client: its secret, or an assertion. */
export type ClientForm = Readonly<Record<string, string>>

const maxBytes = 65_536
const deadlineMs = 10_000
/** Seconds to wait after a rate limit that does not name a time. */
const pauseSeconds = 30

export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** One request outside the APIs of a provider: to its token endpoint, or to one that identifies a token. */
export async function ask(
  io: Io,
  request: Pick<EgressRequest, 'method' | 'url' | 'headers' | 'body'>,
  failure: string,
): Promise<{ response: EgressResponse; answer: TokenAnswer }> {
  const response = await io.request({ ...request, signal: io.signal, deadlineMs, maxBytes }).catch((cause) => {
    io.signal.throwIfAborted()
    throw new ApiError('provider_unavailable', failure, { cause })
  })
  return { response, answer: readAnswer(response) }
}

function readAnswer({ body }: EgressResponse): TokenAnswer {
  try {
    const answer: unknown = JSON.parse(body.toString('utf8'))
    return typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? { ...answer } : {}
  } catch {
    return {}
  }
}

/** A refusal as it is passed on: it contains a reason, never a token. */
export function saidBy(status: number, answer: TokenAnswer, passedOn: readonly string[] = []): Record<string, unknown> {
  const named = ['error', 'error_description', ...passedOn].filter((name) => answer[name] !== undefined)
  return { status, ...Object.fromEntries(named.map((name) => [name, answer[name]])) }
}

/** Posts a form to the token endpoint; throws an ApiError whose `provider_error` contains the provider's answer. */
export async function askForTokens(
  endpoint: TokenEndpoint,
  form: Readonly<Record<string, string>>,
  io: Io,
): Promise<OAuthTokens> {
  const { client_id: id = '', client_secret: secret = '', ...rest } = form
  const request = {
    method: 'POST',
    url: endpoint.url(io),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...(endpoint.basic ? { authorization: basicOf(id, secret) } : {}),
    },
    body: new URLSearchParams(endpoint.basic ? rest : form).toString(),
  } as const
  const failure = `${endpoint.name} could not be reached for an access token`
  const { response, answer } = await ask(io, request, failure)
  const accessToken = text(answer.access_token)
  if (response.status !== 200 || !accessToken) throw refusal(endpoint, response, answer)
  return {
    accessToken,
    expiresAt: io.clock.now() + lifeOf(answer.expires_in),
    refreshToken: text(answer.refresh_token),
    scope: text(answer.scope)?.split(' ').filter(Boolean),
    idToken: text(answer.id_token),
  }
}

/** A client's id and secret in the `Authorization` header. */
export const basicOf = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/**
 * The lifetime of a token in milliseconds, whether its seconds are a number or a text; an hour if the value is
 * unusable.
 */
function lifeOf(expiresIn: unknown): number {
  const said = typeof expiresIn === 'string' ? Number(expiresIn) : expiresIn
  return typeof said === 'number' && said >= 0 && said < 1e9 ? Math.floor(said * 1000) : 3_600_000
}

/** Temporary errors (RFC 6749, 4.1.2.1), which some endpoints return with a status below 500. */
const passes: ReadonlySet<unknown> = new Set(['temporarily_unavailable', 'server_error'])

function refusal(endpoint: TokenEndpoint, { status, headers }: EgressResponse, answer: TokenAnswer): ApiError {
  const { name, passedOn, explain } = endpoint
  const said = saidBy(status, answer, passedOn)
  const details = { providerError: said }
  if (status === 429) {
    const header = (one: string): string | undefined => [headers[one]].flat()[0]
    const retryAfter = retryAfterSeconds(header) ?? pauseSeconds
    return new ApiError('provider_rate_limited', undefined, { ...details, retryAfter })
  }
  if (status >= 500 || passes.has(answer.error)) {
    return new ApiError('provider_unavailable', `${name} gave no access token for now`, details)
  }
  const explained = explain?.(said)
  // `invalid_grant`: the token was revoked, has expired, or belongs to another client. All else is the client's fault.
  if (answer.error === 'invalid_grant' || explained?.needsSignIn) {
    return new ApiError('grant_invalid', explained?.words, details)
  }
  // RFC 6749 §5.2: a refusal names its error. A page of a proxy or of a broken server says nothing about the grant.
  if (!explained && text(answer.error) === undefined) return notOAuth(name, { status, headers }, details)
  const words = explained?.words ?? text(answer.error_description) ?? text(answer.error) ?? `status ${status}`
  return new ApiError(
    'authentication_failed',
    `${name} refused the connector's client or the request: ${words}`,
    details,
  )
}

function notOAuth(
  name: string,
  { status, headers }: Pick<EgressResponse, 'status' | 'headers'>,
  details: object,
): ApiError {
  const type = text([headers['content-type']].flat()[0])?.split(';')[0] ?? 'no content type'
  return new ApiError(
    'provider_unavailable',
    `${name} answered the request for an access token with status ${status} (${type}) and no OAuth answer`,
    details,
  )
}

/** Exchanges the code of a sign-in; throws `authentication_failed` if it is refused. */
export async function exchangeCode(
  endpoint: TokenEndpoint,
  client: ClientForm,
  { code, redirectUri, codeVerifier }: { code: string; redirectUri: string; codeVerifier: string },
  io: Io,
): Promise<OAuthTokens> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier }
  return askForTokens(endpoint, { ...form, ...client }, io).catch((error) => {
    if (!(error instanceof ApiError) || error.code !== 'grant_invalid') throw error
    const explained = endpoint.explain?.(error.details.providerError ?? {})
    const message = explained?.words ?? `${endpoint.name} did not take its own code: begin the sign-in again`
    throw new ApiError('authentication_failed', message, { ...error.details })
  })
}

/**
 * A new access token for a refresh token; throws `grant_invalid` if it is not accepted any more. Providers that
 * rotate return another refresh token, which replaces this one. `more` contains further fields of the form.
 */
export async function refreshTokens(
  endpoint: TokenEndpoint,
  client: ClientForm,
  refreshToken: string | undefined,
  io: Io,
  more: Readonly<Record<string, string>> = {},
): Promise<OAuthTokens> {
  if (!refreshToken) {
    throw new ApiError('grant_invalid', 'the grant has no refresh token: the end user must sign in again')
  }
  return askForTokens(endpoint, { grant_type: 'refresh_token', refresh_token: refreshToken, ...more, ...client }, io)
}

/** An access token of the client itself, without a user. */
export const clientCredentials = (
  endpoint: TokenEndpoint,
  client: ClientForm,
  scope: string,
  io: Io,
): Promise<OAuthTokens> => askForTokens(endpoint, { grant_type: 'client_credentials', scope, ...client }, io)

/** An access token for an assertion (RFC 7523, 2.1). */
export const assertionGrant = (endpoint: TokenEndpoint, assertion: string, io: Io): Promise<OAuthTokens> =>
  askForTokens(endpoint, { grant_type: assertionGrantType, assertion }, io)

/** What a client presents instead of a secret (RFC 7523, 2.2). */
export const assertedClient = (clientId: string, assertion: string): ClientForm => ({
  client_id: clientId,
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: assertion,
})

/** The URL of the sign-in page, with PKCE; `more` contains the provider's own parameters. */
export function authorizationUrl(
  url: string,
  clientId: string,
  { redirectUri, state, codeChallenge, scope, loginHint }: SignIn,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scope.join(' '),
    state,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...(loginHint ? { login_hint: loginHint } : {}),
    ...more,
  })
  return `${url}?${query}`
}
