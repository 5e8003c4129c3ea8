// The JSON APIs: dispatches a request to its route, or returns the error that Google would return.

import { jsonAnswer, type RawAnswer, type RawRequest } from '../shared/http.ts'
import type { RouteTable } from '../shared/routing.ts'
import { errorBody, GoogleError } from './errors.ts'
import { projectFields } from './fields.ts'
import { type ApiAnswer, type ApiRoute, parseJson } from './http.ts'
import { expandScope } from './oauth/scopes.ts'
import type { AccountOwner } from './owner.ts'
import type { World } from './world.ts'

/** Parameters that every method accepts. https://cloud.google.com/apis/docs/system-parameters */
const commonParameters = new Set([
  '$.xgafv',
  'access_token',
  'alt',
  'callback',
  'fields',
  'key',
  'oauth_token',
  'prettyPrint',
  'quotaUser',
  'userIp',
  'uploadType',
  'upload_protocol',
  'upload_id',
])

const realm = 'Bearer realm="https://accounts.google.com/"'

/** The account and scopes of a bearer token. */
export interface Caller {
  readonly account: AccountOwner
  readonly scopes: ReadonlySet<string>
}

export interface ApiOptions {
  readonly routes: RouteTable<ApiRoute>
  readonly world: World
  /** Undefined for a token that is unknown, revoked or expired. */
  findCaller(token: string): Caller | undefined
}

/** Answers a request; undefined if no route has this path. */
export async function answerApi(options: ApiOptions, request: RawRequest): Promise<RawAnswer | undefined> {
  const { routes, world } = options
  const { url, headers, body } = request
  const match = routes.find(request.method, url.pathname)
  if (match === undefined) return undefined
  let account: string | undefined
  try {
    if (match === 'otherMethod') throw new GoogleError(405, 'httpMethodNotAllowed', 'Method Not Allowed')
    const caller = authenticate(options, request)
    account = caller.account.email
    checkScopes(match.route, caller)
    checkParameters(match.route, url.searchParams)
    const answer = await match.route.handle({
      ...caller,
      world,
      params: match.params,
      query: url.searchParams,
      headers,
      body,
      now: world.now(),
      url: url.href,
      json: () => parseJson(body),
    })
    return { ...rawAnswer(answer, url.searchParams.get('fields')), account }
  } catch (error) {
    if (!(error instanceof GoogleError)) throw error
    return { ...jsonAnswer(error.status, errorBody(error), error.extra.headers), account }
  }
}

function authenticate({ findCaller }: ApiOptions, { headers, url }: RawRequest): Caller {
  const header = headers.get('authorization')
  const token = header === null ? url.searchParams.get('access_token') : /^Bearer (.+)$/i.exec(header)?.[1]
  if (token === null || token === undefined) {
    throw new GoogleError(
      401,
      'required',
      'Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
      {
        detail: 'Login Required.',
        location: 'Authorization',
        locationType: 'header',
        headers: { 'www-authenticate': realm },
      },
    )
  }
  const caller = findCaller(token)
  if (caller !== undefined) return caller
  throw new GoogleError(
    401,
    'authError',
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
    {
      detail: 'Invalid Credentials',
      location: 'Authorization',
      locationType: 'header',
      headers: { 'www-authenticate': `${realm}, error="invalid_token"` },
    },
  )
}

function checkScopes(route: ApiRoute, { scopes }: Caller): void {
  const sufficient = route.scopes.map(expandScope)
  if (sufficient.some((scope) => scopes.has(scope))) return
  throw new GoogleError(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.', {
    detail: 'Insufficient Permission',
    headers: { 'www-authenticate': `${realm}, error="insufficient_scope", scope="${sufficient.join(' ')}"` },
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
        domain: 'googleapis.com',
        metadata: { path: route.path },
      },
    ],
  })
}

function checkParameters(route: ApiRoute, query: URLSearchParams): void {
  for (const name of query.keys()) {
    if (commonParameters.has(name) || route.query?.includes(name)) continue
    const message = `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. Field '${name}' could not be found in request message.`
    throw new GoogleError(400, 'badRequest', message)
  }
}

function rawAnswer({ status, json, bytes, headers = {} }: ApiAnswer, fields: string | null): RawAnswer {
  if (bytes !== undefined) return { status: status ?? 200, headers, body: bytes }
  if (json === undefined) return { status: status ?? 204, headers, body: new Uint8Array() }
  return jsonAnswer(status ?? 200, fields === null || fields === '' ? json : projectFields(json, fields), headers)
}
