/** The HTTP edge: every route of the contract, the pages beside it, and one shape for everything that fails. */
import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import { type Contract, methodsOf, type NamedRoute, removed, routesOf, unavailable } from '@waypost/contract'
import { Hono, type Context as HonoContext, type MiddlewareHandler } from 'hono'
import { ApiError } from '../lib/api-error.ts'
import { newId } from '../lib/ids.ts'
import { answerError, asApiError, type WireAnswer } from './answer.ts'
import { corsAllowHeaders, corsHeaders } from './cors.ts'
import { dropFile, type FileAnswer, flowOf } from './file-answer.ts'
import type { AnyHandler, ServedRoute } from './handle-request.ts'
import { type LivePage, methodOf, type Page, visitOf } from './pages/page.ts'
import { type Outcome, runRoute } from './pipeline.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { pathPattern, whyOf } from './refusals.ts'
import { pathOf } from './request.ts'
import type { Incoming } from './request-admission.ts'
import { beginRequest, endRequest } from './request-span.ts'
import { allowedMethods, namesNoId, pathMethods, routePaths, unavailableMessage } from './route-table.ts'

export interface AppOptions {
  pipeline: PipelineContext
  contract: Contract
  handlers: Record<string, Record<string, AnyHandler>>
  /** What is served beside the contract: reference page, OpenAPI, metrics, tracked links. */
  pages: readonly (Page | LivePage)[]
  /** The path of the base address, without slash at the end. */
  prefix: string
  /** The client's address, taking trusted proxies into account. */
  addressOf(context: HonoContext): string
  /** Sees every request before anything is done for it. */
  arrived?(context: HonoContext): void
}

/** The same with what the edge itself knows. */
interface Edge extends AppOptions {
  /** A path without what is somebody's own in it. */
  patternOf(path: string): string
}

const deflate = promisify(gzip)

/** Builds the app: `Request` in, `Response` out. */
export function createApp(given: AppOptions): Hono {
  const { prefix } = given
  const options: Edge = { ...given, patternOf: pathPattern(given.contract, given.pages) }
  const app = new Hono({ getPath: (request) => pathOf(request.url, prefix) })
  const { arrived } = options
  if (arrived) {
    app.use(async (context, next) => {
      arrived(context)
      await next()
    })
  }

  // First, because the name of a removed endpoint may stand where a route has a parameter.
  for (const { paths, instead } of removed) {
    for (const path of paths) {
      app.all(path, (context) =>
        refuse(options, context, new ApiError('not_found', `this endpoint no longer exists; use ${instead}`)),
      )
    }
  }
  refuseUnavailable(app, options)
  const paths = routePaths(routesOf(options.contract))
  const takes = pathMethods(paths)
  const allowed = allowedMethods([
    ...takes,
    ...options.pages.map((page) => ({ path: page.path, methods: [methodOf(page)] })),
  ])
  const refuseMethod = (context: HonoContext, methods: readonly string[]): Promise<Response> => {
    const allow = methods.join(', ')
    const message = `${context.req.method} is not allowed on this path; it takes ${allow}`
    return refuse(options, context, new ApiError('method_not_allowed', message, { headers: { allow } }))
  }
  const noIds = new Set(namesNoId(takes))
  for (const page of options.pages) {
    if (!isLeading(page)) continue
    app.on(methodOf(page), page.path, async (context, next) => (await answerPage(options, page, context)) ?? next())
  }
  for (const [at, { named, path, asQuery }] of paths.entries()) {
    const served: ServedRoute = { named, handler: handlerOf(options, named), emptyQuery: undefined, known: undefined }
    app.on(methodsOf(named.route), path, (context) => serve(options, { served, asQuery }, context))
    // Behind the last route of this path, before those that would take its name for an id.
    if (noIds.has(path) && !paths.slice(at + 1).some((other) => other.path === path)) {
      const own = allowed(path)
      app.all(
        path,
        unlessAsked((context) => refuseMethod(context, own)),
      )
    }
  }
  for (const page of options.pages.filter((each) => !isLeading(each))) {
    app.on(methodOf(page), page.path, (context) => servePage(options, page, context))
  }
  app.options('*', (context) => preflight(options, context))
  app.notFound((context) => {
    const methods = allowed(pathOf(context.req.url, prefix))
    if (methods.length === 0) return refuse(options, context, new ApiError('not_found', noSuchPath(context)))
    return refuseMethod(context, methods)
  })
  app.onError((error, context) => refuse(options, context, asApiError(error)))
  return app
}

function handlerOf(options: AppOptions, named: NamedRoute): AnyHandler {
  const handler = options.handlers[named.resource]?.[named.operation]
  if (!handler) throw new Error(`the route ${named.id} has no handler`)
  return handler
}

/** Before the routes, because a name of these paths may stand where a route has a parameter. */
function refuseUnavailable(app: Hono, options: Edge): void {
  for (const later of unavailable) {
    const error = new ApiError('not_implemented', unavailableMessage(later))
    for (const path of later.paths)
      app.all(
        `${path}/*`,
        unlessAsked((context) => refuse(options, context, error)),
      )
  }
}

type Refusal = (context: HonoContext) => Promise<Response>

/** Refuses every method but the question of browsers whether they may ask. */
const unlessAsked =
  (refusal: Refusal): MiddlewareHandler =>
  async (context, next) =>
    context.req.method === 'OPTIONS' ? next() : refusal(context)

const isLeading = (page: Page | LivePage): page is LivePage => 'answer' in page && page.leading === true

/** What a live page answers, if it does. */
async function answerPage(options: AppOptions, page: LivePage, context: HonoContext): Promise<Response | undefined> {
  const started = performance.now()
  const params = readable(context.req.param() as Record<string, string>)
  const visit = await visitOf(page, { request: context.req.raw, params, address: options.addressOf(context) })
  const answer = await options.pipeline.underWay.within(Promise.try(page.answer, visit))
  if (!answer) return undefined
  options.pipeline.metrics.answered(page.path, answer.status, performance.now() - started)
  return new Response(answer.body, answer)
}

async function servePage(options: Edge, page: Page | LivePage, context: HonoContext): Promise<Response> {
  const request = context.req.raw
  if ('answer' in page) {
    const answer = await answerPage(options, page, context)
    return answer ?? refuse(options, context, new ApiError('not_found', noSuchPath(context)))
  }
  const body = await page.read()
  const headers = { 'content-type': page.contentType, 'x-request-id': newId(), ...page.headers }
  return respond(request, { status: 200, headers, body }, headers)
}

const noSuchPath = (context: HonoContext): string =>
  `no such endpoint: ${context.req.method} ${pathOf(context.req.url, '').slice(0, 200)}; GET /openapi.json lists all`

interface ServedPath {
  served: ServedRoute
  /** The parameters of this path that are fields of the query. */
  asQuery: readonly string[]
}

async function serve(options: AppOptions, { served, asQuery }: ServedPath, context: HonoContext): Promise<Response> {
  const { pipeline } = options
  const { named } = served
  const started = performance.now()
  const request = context.req.raw
  const requestId = newId()
  const params = readable(context.req.param() as Record<string, string>)
  const inPath: Record<string, string> = {}
  for (const name of asQuery) {
    inPath[name] = params[name] ?? ''
    delete params[name]
  }
  const address = options.addressOf(context)
  const span = pipeline.tracer && beginRequest(pipeline.tracer, named, { request, requestId })
  const incoming = { request, requestId, params, inPath, path: context.req.path, address, span }
  const outcome = await runRoute(pipeline, served, incoming)
  if (span) endRequest(span, outcome)
  const { answer } = outcome
  const headers: Record<string, string> = { ...headersOf(requestId), ...answer.headers }
  const origin = request.headers.get('origin')
  if (origin) Object.assign(headers, await corsHeaders(pipeline, origin, outcome.caller?.id))
  const milliseconds = performance.now() - started
  pipeline.metrics.answered(named.id, answer.status, milliseconds)
  report(pipeline, served, outcome, { ...incoming, milliseconds })
  if ('file' in answer)
    return respondFile(pipeline, context, answer, { headers, line: { request_id: requestId, route: named.id } })
  return respond(request, answer, headers)
}

/** What every answer of the API carries. */
const headersOf = (requestId: string): Record<string, string> => ({
  'content-type': 'application/json',
  'x-request-id': requestId,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
})

/** Path parameters as text that every store takes: what no stored value can hold finds nothing. */
function readable(params: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(params)) {
    if (value.includes('\0') || !value.isWellFormed()) params[name] = '\uFFFD'
  }
  return params
}

function report(
  pipeline: PipelineContext,
  { named, known }: ServedRoute,
  { answer: { status }, caller, error }: Outcome,
  { requestId, milliseconds, request, address, span }: Incoming & { milliseconds: number },
): void {
  const line = (): Record<string, unknown> => ({
    request_id: requestId,
    method: request.method,
    route: named.id,
    status,
    ms: Math.round(milliseconds * 10) / 10,
    application_id: caller?.id,
    trace_id: span?.traceId,
  })
  if (error) pipeline.metrics.erred(error.code)
  if (status >= 500) pipeline.log.error({ ...line(), client: address, error: error?.cause ?? error }, 'request failed')
  else if (error) {
    const who = caller ? { application: caller.id } : { address }
    pipeline.refusals.note(who, () => ({ ...line(), client: address, ...whyOf(error, known) }))
  } else if (pipeline.log.isLevelEnabled('debug')) pipeline.log.debug(line(), 'request answered')
}

/** Bodies shorter than this are sent as they are. */
const worthCompressing = 200
const cheapToCompress = 16_384
/** Whether a client takes gzip: it names it, and not with a weight of nought. */
const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

async function respond(request: Request, answer: WireAnswer, headers: Record<string, string>): Promise<Response> {
  const { status, body } = answer
  if (body.length < worthCompressing || !takesGzip.test(request.headers.get('accept-encoding') ?? '')) {
    return new Response(body, { status, headers: withCookies(headers) })
  }
  const packed = body.length < cheapToCompress ? gzipSync(body) : await deflate(body)
  return new Response(packed, {
    status,
    headers: withCookies({
      ...headers,
      'content-encoding': 'gzip',
      vary: headers.vary ? `${headers.vary}, Accept-Encoding` : 'Accept-Encoding',
    }),
  })
}

/** Cookies stand one to a line; each goes out as a header of its own (RFC 6265 §3). */
function withCookies(headers: Record<string, string>): Record<string, string> | Headers {
  const { 'set-cookie': cookies = '', ...others } = headers
  if (!cookies.includes('\n')) return headers
  const all = new Headers(others)
  for (const cookie of cookies.split('\n')) all.append('set-cookie', cookie)
  return all
}

/** How long a file may go without progress: the provider is silent, or the client does not read. */
const fileQuietMs = 60_000

/** The bytes of a file as they are: not packed, and cut off visibly where they cannot go on. */
function respondFile(
  pipeline: PipelineContext,
  context: HonoContext,
  { status, file }: FileAnswer,
  { headers, line }: { headers: Record<string, string>; line: Record<string, string> },
): Response {
  const request = context.req.raw
  if (request.method === 'HEAD') {
    dropFile(file)
    return new Response(null, { status, headers })
  }
  const outgoing = context.env?.outgoing
  const flow = flowOf(file, {
    signal: request.signal,
    quietMs: fileQuietMs,
    ended: ({ bytes, error }) =>
      error === undefined
        ? pipeline.log.debug({ ...line, bytes }, 'file sent')
        : pipeline.log.info({ ...line, bytes, error }, 'file broken off'),
    breakOff: outgoing && (() => void outgoing.destroy()),
  })
  return new Response(flow, { status, headers })
}

/** An answer outside every route, in the shape of all errors. */
async function refuse(options: Edge, context: HonoContext, error: ApiError): Promise<Response> {
  const { pipeline } = options
  const requestId = newId()
  const answer = answerError(error, requestId)
  const { method } = context.req
  const line = { request_id: requestId, method, path: options.patternOf(pathOf(context.req.url, options.prefix)) }
  pipeline.metrics.answered('none', answer.status, 0)
  pipeline.metrics.erred(error.code)
  // That something is not there yet is no fault of the node.
  if (error.status >= 500 && error.code !== 'not_implemented')
    pipeline.log.error({ ...line, error: error.cause ?? error }, 'request failed')
  else {
    const address = options.addressOf(context)
    pipeline.refusals.note({ address }, () => ({ ...line, status: error.status, client: address, ...whyOf(error) }))
  }
  return respond(context.req.raw, answer, { ...headersOf(requestId), ...answer.headers })
}

/** A browser asks before it calls: origins that an application registered may. */
async function preflight(options: Edge, context: HonoContext): Promise<Response> {
  const origin = context.req.header('origin')
  const cors = origin ? await corsHeaders(options.pipeline, origin) : {}
  if (!cors['access-control-allow-origin']) {
    return refuse(
      options,
      context,
      new ApiError('not_found', 'this origin is not registered: add it to idp_settings.origins of the application', {
        headers: cors,
      }),
    )
  }
  const headers = {
    ...cors,
    'x-request-id': newId(),
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': corsAllowHeaders,
    'access-control-max-age': '600',
  }
  return new Response(null, { status: 204, headers })
}
