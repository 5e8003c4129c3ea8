// Graph: dispatches a request to its route, or returns the error that Graph would return.
import { jsonAnswer, type RawAnswer, type RawRequest } from '../shared/http.ts'
import type { Match, RouteTable } from '../shared/routing.ts'
import { accessDenied, badRequest, errorBody, GraphError, type RequestMark, requestMark } from './errors.ts'
import { type Caller, type GraphAnswer, type GraphRoute, parseJson } from './http.ts'
import type { AccountOwner } from './owner.ts'
import { type Preferences, readPreferences } from './preferences.ts'
import { overConcurrency, type Throttle } from './throttle.ts'
import type { World } from './world.ts'

const root = '/v1.0'

export interface Api {
  readonly routes: RouteTable<GraphRoute>
  readonly world: World
  readonly throttle: Throttle
  /** Waits for the simulated latency of a response. */
  pause(): Promise<void>
  /** `expired` for an expired token, undefined for an unknown one. */
  findCaller(token: string): Caller | 'expired' | undefined
}

/** A request that has a route, a caller and a mailbox. */
export interface Prepared {
  readonly match: Match<GraphRoute>
  readonly caller: Caller
  readonly owner: AccountOwner | undefined
  /** The mailbox whose limits apply. */
  readonly mailbox: string | undefined
}

export function isGraph(url: URL): boolean {
  return url.pathname === root || url.pathname.startsWith(`${root}/`)
}

/** Answers one request. It occupies one slot of its mailbox while it runs. */
export async function answerApi(api: Api, request: RawRequest): Promise<RawAnswer> {
  return answering(api, request, async (prepared) => {
    const { mailbox } = prepared
    if (mailbox !== undefined && api.throttle.take(mailbox, 1) === 0) throw overConcurrency()
    try {
      await api.pause()
      return await handle(api, request, prepared)
    } finally {
      if (mailbox !== undefined) api.throttle.give(mailbox, 1)
    }
  })
}

/** Answers a request inside a batch. The batch reserved the slots: `hasPlace` says whether this request got one. */
export async function answerInBatch(api: Api, request: RawRequest, hasPlace: boolean): Promise<RawAnswer> {
  return answering(api, request, async (prepared) => {
    if (!hasPlace) throw overConcurrency()
    return handle(api, request, prepared)
  })
}

/** The mailbox whose limits apply to a request; undefined if the request will be rejected first. */
export function mailboxOfRequest(api: Api, request: RawRequest): string | undefined {
  try {
    return prepare(api, request).mailbox
  } catch (error) {
    if (error instanceof GraphError) return undefined
    throw error
  }
}

async function answering(
  api: Api,
  request: RawRequest,
  run: (prepared: Prepared) => Promise<GraphAnswer>,
): Promise<RawAnswer> {
  const mark = requestMark(request.headers, api.world.now())
  let account: string | undefined
  try {
    account = accountOf(api, request)
    const prepared = prepare(api, request)
    if (prepared.mailbox !== undefined) api.throttle.count(prepared.mailbox)
    const answer = await run(prepared)
    return { ...rawAnswer(answer, readPreferences(request.headers), mark), account }
  } catch (error) {
    if (!(error instanceof GraphError)) throw error
    return { ...errorAnswer(error, mark), account }
  }
}

export function errorAnswer(error: GraphError, mark: RequestMark): RawAnswer {
  return jsonAnswer(error.status, errorBody(error, mark), { ...marked(mark), ...error.headers })
}

function accountOf(api: Api, request: RawRequest): string | undefined {
  const caller = api.findCaller(bearer(request) ?? '')
  return typeof caller === 'object' ? caller.account?.email : undefined
}

function prepare(api: Api, request: RawRequest): Prepared {
  const caller = authenticate(api, request)
  const path = normalPath(request.url.pathname)
  const match = api.routes.find(request.method, path)
  if (match === undefined) throw badRequest(`Resource not found for the segment '${path.split('/').at(-1)}'.`)
  if (match === 'otherMethod') {
    throw new GraphError(405, 'BadRequest', 'Specified HTTP method is not allowed for the request target.')
  }
  const owner = ownerOf(api.world, caller, match)
  checkScopes(match.route, caller, owner)
  const mailbox = owner && `${caller.clientId} ${owner.oid}`
  return { match, caller, owner, mailbox }
}

async function handle({ world }: Api, request: RawRequest, { match, caller, owner }: Prepared): Promise<GraphAnswer> {
  const { url, headers, body } = request
  return match.route.handle({
    world,
    caller,
    // Routes without a mailbox do not use `owner`.
    owner: (owner ?? caller.account) as AccountOwner,
    params: match.params,
    query: url.searchParams,
    prefer: readPreferences(headers),
    headers,
    body,
    now: world.now(),
    url,
    json: () => parseJson(body),
  })
}

function bearer({ headers }: RawRequest): string | undefined {
  return /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1]
}

function authenticate(api: Api, request: RawRequest): Caller {
  const token = bearer(request)
  if (token === undefined) throw unauthenticated('Access token is empty.')
  const caller = api.findCaller(token)
  if (caller === 'expired') throw unauthenticated('Lifetime validation failed, the token is expired.')
  if (caller === undefined) throw unauthenticated('IDX14100: JWT is not well formed, there are no dots (.).')
  return caller
}

function unauthenticated(message: string): GraphError {
  return new GraphError(401, 'InvalidAuthenticationToken', message, {
    'www-authenticate':
      'Bearer realm="", authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize", client_id="00000003-0000-0000-c000-000000000000"',
  })
}

/** `/me/mailFolders('inbox')/microsoft.graph.delta()` becomes `/me/mailFolders/inbox/delta`. */
export function normalPath(path: string): string {
  return path
    .slice(root.length)
    .replaceAll('%27', "'")
    .replaceAll('%28', '(')
    .replaceAll('%29', ')')
    .replace(/\('((?:[^'/]|'')*)'\)/g, '/$1')
    .replace(/\(\)/g, '')
    .replaceAll('/microsoft.graph.', '/')
    .replace(/\/$/, '')
}

function ownerOf(world: World, caller: Caller, { route, params }: Match<GraphRoute>): AccountOwner | undefined {
  if (/^\/me(?=\/|$)/.test(route.path)) {
    if (caller.account !== undefined) return caller.account
    throw badRequest('/me request is only valid with delegated authentication flow.')
  }
  if (!/^\/users\/:userId\//.test(route.path)) return undefined
  const wanted = params.userId ?? ''
  const owner = world.findAccount(wanted)
  if (owner !== undefined && owner.tenant.id === caller.tenant.id) return owner
  throw new GraphError(404, 'ErrorInvalidUser', `The requested user '${wanted}' is invalid.`)
}

function checkScopes(route: GraphRoute, caller: Caller, owner: AccountOwner | undefined): void {
  const { account, scopes } = caller
  if (route.scopes.length === 0) return
  const isOther = owner !== undefined && account !== undefined && owner.oid !== account.oid
  const holds = (scope: string) => scopes.has(`${scope}.Shared`) || (!isOther && scopes.has(scope))
  if (!route.scopes.some(holds)) throw accessDenied()
  if (!isOther || route.checksDelegates === false) return
  if (!owner.delegates.has(account.oid)) throw accessDenied()
}

function rawAnswer({ status, json, bytes, headers }: GraphAnswer, prefer: Preferences, mark: RequestMark): RawAnswer {
  const applied: Record<string, string> = prefer.applied === '' ? {} : { 'preference-applied': prefer.applied }
  const all = { ...marked(mark), ...applied, ...headers }
  if (bytes !== undefined) return { status: status ?? 200, headers: all, body: bytes }
  if (json === undefined) return { status: status ?? 204, headers: all, body: new Uint8Array() }
  const type = 'application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8'
  return jsonAnswer(status ?? 200, json, { 'content-type': type, ...all })
}

function marked({ requestId, clientRequestId }: RequestMark): Record<string, string> {
  return { 'request-id': requestId, 'client-request-id': clientRequestId }
}
