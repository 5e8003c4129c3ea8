/**
 * The authorization server of agents: metadata, registration, tokens and their revocation. Errors have OAuth's own
 * form. Scripts of any origin may call these addresses: none of them uses cookies.
 */
import { isUuid } from '@waypost/platform/ids'
import { decodeUtf8, parseJsonBytes } from '@waypost/platform/json/guard'
import type { Log } from '@waypost/platform/log'
import { type ClientTools, registerClient } from '../../../agents/oauth/clients.ts'
import {
  revokeShownToken,
  type TokenAnswer,
  tradeAgentCode,
  tradeAgentRefreshToken,
} from '../../../agents/oauth/consent.ts'
import { needed, OAuthError } from '../../../agents/oauth/oauth-error.ts'
import { applicationOf, resourceUrl } from '../../../agents/oauth/resources.ts'
import { agentScopes } from '../../../agents/oauth/scopes.ts'
import { accessTokenSeconds } from '../../../agents/oauth/tokens.ts'
import type { RateLimiter } from '../../../telemetry/rate-limit.ts'
import { asApiError } from '../../http/answer.ts'
import { openCors } from '../../http/cors.ts'
import type { LivePage, PageAnswer, PageVisit } from '../../pipeline/page.ts'

export interface OAuthOptions extends ClientTools {
  baseUrl: string
  log: Log
  limiter: RateLimiter
  /** Whether requests are rate-limited. */
  limits: boolean
  hasDocs: boolean
}

/** Limits per minute. */
const max = { registered: 10, registeredByAll: 100, refusedTokens: 60 }
const bodyBytes = 16_384

const answerWith = (status: number, body: object | null, more: Record<string, string> = {}): PageAnswer => ({
  status,
  headers: {
    ...openCors,
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    ...more,
  },
  body: body === null ? null : JSON.stringify(body),
})

/** Any error in the form of OAuth. */
function refusalOf(error: unknown, log: Log, requestId: string): PageAnswer {
  const known = { 'x-request-id': requestId }
  if (error instanceof OAuthError) {
    const wait: Record<string, string> = error.retryAfter ? { 'retry-after': String(error.retryAfter) } : {}
    const challenge: Record<string, string> = error.status === 401 ? { 'www-authenticate': 'Basic realm="OAuth"' } : {}
    const body = { error: error.error, error_description: error.message }
    return answerWith(error.status, body, { ...known, ...wait, ...challenge })
  }
  const { status, code, message, details, cause } = asApiError(error)
  if (status >= 500) log.error({ request_id: requestId, error: cause ?? error }, 'authorization of an agent failed')
  const wait: Record<string, string> = details.retryAfter ? { 'retry-after': String(details.retryAfter) } : {}
  const name = status >= 500 ? 'server_error' : status === 429 ? 'temporarily_unavailable' : 'invalid_request'
  const said = code === 'rate_limited' ? 'too many requests: wait a minute' : message
  return answerWith(status, { error: name, error_description: said }, { ...known, ...wait })
}

type Answering = (visit: PageVisit) => Promise<PageAnswer | undefined>

const caught =
  ({ log }: OAuthOptions, answer: Answering): Answering =>
  (visit) =>
    answer(visit).catch((error) => refusalOf(error, log, visit.requestId))

/** The metadata of the authorization server (RFC 8414). */
export const serverMetadata = ({ baseUrl, hasDocs }: Pick<OAuthOptions, 'baseUrl' | 'hasDocs'>): object => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}/oauth/authorize`,
  token_endpoint: `${baseUrl}/oauth/token`,
  registration_endpoint: `${baseUrl}/oauth/register`,
  revocation_endpoint: `${baseUrl}/oauth/revoke`,
  scopes_supported: agentScopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  ...(hasDocs ? { service_documentation: `${baseUrl}/docs/guides/agent-authorization` } : {}),
})

/** The metadata of an endpoint (RFC 9728). An application without the endpoint looks like one that does not exist. */
async function resourceMetadata(options: OAuthOptions, { params }: PageVisit): Promise<PageAnswer | undefined> {
  const { baseUrl, database } = options
  const id = params.application_id?.toLowerCase()
  if (id !== undefined && !isUuid(id)) return undefined
  const url = resourceUrl(baseUrl, id)
  const application = id === undefined ? undefined : await applicationOf(database, { url, applicationId: id })
  if (id !== undefined && !application) return undefined
  const name = application === undefined ? undefined : JSON.parse(application.branding).name
  return answerWith(200, {
    resource: url,
    authorization_servers: [baseUrl],
    scopes_supported: agentScopes,
    bearer_methods_supported: ['header'],
    ...(typeof name === 'string' ? { resource_name: name } : {}),
    ...(options.hasDocs ? { resource_documentation: `${baseUrl}/docs/guides/agent-authorization` } : {}),
  })
}

/** The fields of a form. */
function formOf({ body, header }: PageVisit): URLSearchParams {
  const type = header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  const text = decodeUtf8(body)
  if (type !== 'application/x-www-form-urlencoded' || text === undefined) {
    throw new OAuthError('invalid_request', 'send the parameters as application/x-www-form-urlencoded')
  }
  // All clients are public, so any credential is one that belongs elsewhere.
  if (header('authorization') !== null) {
    const message = 'clients are public here: send client_id in the form, and no Authorization header'
    throw new OAuthError('invalid_client', message, { status: 401 })
  }
  const form = new URLSearchParams(text)
  if (form.has('client_secret') || form.has('client_assertion')) {
    throw new OAuthError('invalid_client', 'clients are public here: send no secret', { status: 401 })
  }
  return form
}

const tokensOf = ({ accessToken, refreshToken, scope }: TokenAnswer): object => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: accessTokenSeconds,
  refresh_token: refreshToken,
  scope,
})

async function giveTokens(options: OAuthOptions, visit: PageVisit): Promise<PageAnswer> {
  const countRefusal = options.limiter.takeFailure(
    `agent tokens ${visit.address}`,
    options.limits ? max.refusedTokens : Number.POSITIVE_INFINITY,
    options.clock.now(),
  )
  try {
    const form = formOf(visit)
    const type = needed(form, 'grant_type')
    if (type === 'authorization_code') return answerWith(200, tokensOf(await tradeAgentCode(options, form)))
    if (type === 'refresh_token') return answerWith(200, tokensOf(await tradeAgentRefreshToken(options, form)))
    const message = 'grant_type: must be "authorization_code" or "refresh_token"'
    throw new OAuthError('unsupported_grant_type', message)
  } catch (error) {
    if (error instanceof OAuthError) countRefusal()
    throw error
  }
}

async function register(options: OAuthOptions, visit: PageVisit): Promise<PageAnswer> {
  if (options.limits) {
    const counted: [string, number][] = [
      [`agent client ${visit.address}`, max.registered],
      ['agent clients', max.registeredByAll],
    ]
    options.limiter.takeAttempt(counted, options.clock.now())
  }
  const type = visit.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  const parsed = type === 'application/json' ? parseJsonBytes(visit.body) : undefined
  if (!parsed?.ok) throw new OAuthError('invalid_client_metadata', 'send the metadata as application/json')
  return answerWith(201, await registerClient(options, parsed.value))
}

const serverPaths = ['', '/mcp', '/mcp/:application_id'].map((path) => `/.well-known/oauth-authorization-server${path}`)
const resourcePaths = ['', '/mcp', '/mcp/:application_id'].map((path) => `/.well-known/oauth-protected-resource${path}`)

export function oauthPages(options: OAuthOptions): LivePage[] {
  const post = (path: string, answer: (visit: PageVisit) => Promise<PageAnswer>): LivePage => ({
    method: 'POST',
    path,
    bodyBytes,
    isOpen: true,
    answer: caught(options, answer),
  })
  return [
    ...serverPaths.map(
      (path): LivePage => ({ path, isOpen: true, answer: async () => answerWith(200, serverMetadata(options)) }),
    ),
    ...resourcePaths.map(
      (path): LivePage => ({
        path,
        isOpen: true,
        answer: caught(options, (visit) => resourceMetadata(options, visit)),
      }),
    ),
    post('/oauth/register', (visit) => register(options, visit)),
    post('/oauth/token', (visit) => giveTokens(options, visit)),
    post('/oauth/revoke', async (visit) => {
      await revokeShownToken(options, formOf(visit))
      return answerWith(200, {})
    }),
  ]
}
