/**
 * The HTTP API: every route of the contract, the pages next to it, and one shape for all errors. All paths are
 * compiled once into a table.
 */
import { type Contract, methodsOf, type NamedRoute, removed, routesOf, unavailable } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import type { VisitorLimits } from '../booking/visitor-limits.ts'
import { asApiError } from './http/answer.ts'
import type { HttpRequest, HttpResponse } from './http/http.ts'
import { PathMatcher } from './http/path-matcher.ts'
import { pathPattern } from './http/refusals.ts'
import { pathOf } from './http/request.ts'
import {
  allowedMethods,
  guestPaths,
  namesNoId,
  pathMethods,
  routePaths,
  unavailableMessage,
} from './http/route-table.ts'
import { requestFrom, responseFrom, webRequest } from './http/web-http.ts'
import type { ApiServices } from './pipeline/api-services.ts'
import { callRoute, type InternalAnswer, type InternalCall, routeOf } from './pipeline/internal-call.ts'
import { type AnyPage, type LivePage, methodOf } from './pipeline/page.ts'
import { preflight, refuse, refuseMethod, refusePath } from './pipeline/refuse.ts'
import type { AnyHandler, ArrivedRequest, ServedRoute } from './pipeline/request-context.ts'
import { answerPage, servePage } from './pipeline/serve-page.ts'
import { serveRoute } from './pipeline/serve-route.ts'
import { createVisits } from './pipeline/visits.ts'

export interface AppOptions extends Omit<ApiServices, 'patternOf' | 'routes' | 'visits'> {
  contract: Contract
  handlers: Record<string, Record<string, AnyHandler>>
  /** Pages outside the contract: reference, OpenAPI, metrics, tracked links. They may call routes (`callRoute`). */
  pages(api: ApiServices): readonly AnyPage[]
  /** The path of the base address, without a trailing slash. */
  prefix: string
  /** Headers of every answer; those of the answer itself take precedence. */
  guards: Readonly<Record<string, string>>
  visitorLimits: Pick<VisitorLimits, 'takeVisit' | 'takeBooking'>
  /** Is called with every request before it is matched. */
  onArrival?(request: HttpRequest): void
}

export interface App {
  /** All paths in the order in which they are tried; `ALL` stands for every method. */
  readonly routes: readonly { method: string; path: string }[]
  /** Counts the request of a visitor before it waits in line; false if `answer` can only refuse it. */
  arrive(request: HttpRequest): boolean
  /** Answers a request; never fails. */
  answer(request: HttpRequest): Promise<HttpResponse>
  /** The same within the process, with the signature of `fetch`: for tests and tools. */
  readonly fetch: (request: Request) => Promise<Response>
  request(target: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Calls a route for a caller that is known, without HTTP. */
  readonly call: (call: InternalCall) => Promise<InternalAnswer>
  /** What the pipeline uses. */
  readonly api: ApiServices
}

/** Answers a request, or returns undefined for the next match. */
type Responder = (arrived: ArrivedRequest) => HttpResponse | undefined | Promise<HttpResponse | undefined>

export function createApp(options: AppOptions): App {
  const { prefix, guards, onArrival, contract } = options
  const routes = new Map(routesOf(contract).map((named) => [named.id, servedOf(options, named)]))
  const api: ApiServices = {
    ...options,
    routes,
    patternOf: (path) => patternOf(path),
    visits: {
      arrive: (request) => visits.arrive(request),
      count: (request, visited) => visits.count(request, visited),
    },
  }
  const pages = options.pages(api)
  const visits = createVisits({
    limits: options.visitorLimits,
    addressOf: options.addressOf,
    prefix,
    paths: routePaths(routesOf(contract)),
    pages,
  })
  const patternOf = pathPattern(contract, pages)
  const table = new RoutingTable()
  addLeading(table, api, pages)
  // Before routes, because a removed name may match a parameter of a route.
  addRemoved(table, api)
  addUnavailable(table, api)
  const allowed = addRoutes(table, api, { contract, pages })
  const isForGuests = guestPaths(routePaths(routesOf(contract)))
  const isOpen = openPaths(pages)
  table.add('OPTIONS', '/*', (arrived) => preflight(api, arrived, (path) => isForGuests(path) || isOpen(path)))

  const refuseUnmatched = (arrived: ArrivedRequest): Promise<HttpResponse> => {
    const methods = allowed(arrived.path)
    return methods.length === 0 ? refusePath(api, arrived) : refuseMethod(api, arrived, methods)
  }
  const respondTo = async (arrived: ArrivedRequest): Promise<HttpResponse> => {
    const { request, path } = arrived
    const method = request.method === 'HEAD' ? 'GET' : request.method
    for (const match of table.matcher.match(method, path)) {
      const response = await match.value({ request, path, params: match.params })
      if (response) return response
    }
    return refuseUnmatched(arrived)
  }
  const guarded = ({ status, headers, body }: HttpResponse): HttpResponse => ({
    status,
    headers: { ...guards, ...headers },
    body,
  })
  const answer: App['answer'] = async (request) => {
    const arrived = { request, path: pathOf(request.target, prefix), params: {} }
    try {
      onArrival?.(request)
      return guarded(await respondTo(arrived))
    } catch (error) {
      return guarded(await refuse(api, arrived, asApiError(error)))
    }
  }
  const fetch: App['fetch'] = async (request) => {
    const response = await answer(requestFrom(request))
    return responseFrom(request.method === 'HEAD' ? { ...response, body: null } : response)
  }
  return {
    routes: table.routes,
    arrive: visits.arrive,
    answer,
    fetch,
    request: (target, init) => fetch(webRequest(target, init)),
    call: (call) => callRoute(api, call),
    api,
  }
}

/** The responders of all paths, in the order in which they were added. */
class RoutingTable {
  readonly matcher = new PathMatcher<Responder>()
  readonly routes: { method: string; path: string }[] = []

  add(method: string | undefined, path: string, responder: Responder): void {
    this.matcher.add(method, path, responder)
    this.routes.push({ method: method ?? 'ALL', path })
  }
}

function addLeading(table: RoutingTable, api: ApiServices, pages: readonly AnyPage[]): void {
  for (const page of pages) {
    if (isLeading(page)) table.add(methodOf(page), page.path, (arrived) => answerPage(api, page, arrived))
  }
}

function addRemoved(table: RoutingTable, api: ApiServices): void {
  for (const { paths, instead } of removed) {
    const message = `this endpoint no longer exists; use ${instead}`
    for (const path of paths) {
      table.add(undefined, path, (arrived) => refuse(api, arrived, new ApiError('not_found', message)))
    }
  }
}

function addUnavailable(table: RoutingTable, api: ApiServices): void {
  for (const later of unavailable) {
    const refusal = unlessRequested((arrived) =>
      refuse(api, arrived, new ApiError('not_implemented', unavailableMessage(later))),
    )
    for (const path of later.paths) table.add(undefined, `${path}/*`, refusal)
  }
}

/** Adds routes and pages; returns a function that lists the methods of a path. */
function addRoutes(
  table: RoutingTable,
  api: ApiServices,
  { contract, pages }: { contract: Contract; pages: readonly AnyPage[] },
): (path: string) => string[] {
  const paths = routePaths(routesOf(contract))
  const takes = pathMethods(paths)
  const allowed = allowedMethods([...takes, ...pages.map((page) => ({ path: page.path, methods: [methodOf(page)] }))])
  const noIds = new Set(namesNoId(takes))
  for (const [at, { named, path, asQuery }] of paths.entries()) {
    const served = routeOf(api, named.id)
    const responder: Responder = (arrived) => serveRoute(api, { served, asQuery }, arrived)
    for (const method of methodsOf(named.route)) table.add(method, path, responder)
    // After the last route of this path, and before routes that would match the literal as an id.
    if (noIds.has(path) && !paths.slice(at + 1).some((other) => other.path === path)) {
      const own = allowed(path)
      table.add(
        undefined,
        path,
        unlessRequested((arrived) => refuseMethod(api, arrived, own)),
      )
    }
  }
  for (const page of pages) {
    if (isLeading(page)) continue
    const serve: Responder = 'respond' in page ? page.respond : (arrived) => servePage(api, page, arrived)
    table.add(methodOf(page), page.path, serve)
  }
  return allowed
}

function servedOf({ handlers }: AppOptions, named: NamedRoute): ServedRoute {
  const handler = handlers[named.resource]?.[named.operation]
  if (!handler) throw new Error(`the route ${named.id} has no handler`)
  return { named, handler, known: undefined }
}

/** Whether a path belongs to a page that scripts of every origin may call. */
function openPaths(pages: readonly AnyPage[]): (path: string) => boolean {
  const matcher = new PathMatcher<true>()
  for (const page of pages) if ('isOpen' in page) matcher.add(undefined, page.path, true)
  return (path) => matcher.match('OPTIONS', path).length > 0
}

/** Refuses every method except the preflight request of browsers. */
const unlessRequested =
  (refusal: Responder): Responder =>
  async (arrived) =>
    arrived.request.method === 'OPTIONS' ? undefined : refusal(arrived)

const isLeading = (page: AnyPage): page is LivePage => 'answer' in page && page.leading === true
