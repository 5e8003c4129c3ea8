/**
 * The HTTP port of a node. A node that stops announces it first and keeps answering: `/ready` is 503, and every
 * answer has `Connection: close`, so that load balancers choose other nodes and clients reconnect elsewhere. Then the
 * port closes, and running requests get some time to finish.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { type ErrorCode, limits } from '@waypost/contract'
import { ApiError } from '@waypost/platform/api-error'
import { sleep } from '@waypost/platform/clock'
import { newId } from '@waypost/platform/ids'
import { openPort } from '@waypost/platform/listening'
import type { App } from './api/app.ts'
import { answerError } from './api/http/answer.ts'
import { guardsOf } from './api/http/answer-guards.ts'
import { answersOfTurn } from './api/http/answers-of-turn.ts'
import { prefixOf } from './api/http/base-path.ts'
import { addressFinder } from './api/http/client-address.ts'
import { eventStreamHeaders } from './api/http/event-stream.ts'
import type { HttpResponse } from './api/http/http.ts'
import { discardRest, NodeRequest, send, targetOf } from './api/http/node-http.ts'
import { requestProblem } from './api/http/raw-request.ts'
import { createServerApp } from './create-app.ts'
import type { BuiltServices } from './services/services.ts'
import { type GivenConnections, maxConnections } from './supervisor/given-connections.ts'
import type { Refusal } from './telemetry/load.ts'

export interface HttpServer {
  /** 0 if a supervisor has the port. */
  readonly port: number
  /** From now on every answer closes its connection. */
  announceEnd(): void
  /**
   * Accepts no more connections; resolves when running requests have finished, or were cut after `shutdownGraceMs`.
   */
  close(shutdownGraceMs: number): Promise<void>
}

/** Time to write the answers of requests that were cut. */
const answeringMs = 150
/** Answers requests on the port of the settings, or on connections that a supervisor gives to this process. */
export async function listen(services: BuiltServices, given?: GivenConnections): Promise<HttpServer> {
  const { config } = services
  const { log } = services.storage
  const { underWay, load } = services.telemetry
  let isEnding = false
  const app = createServerApp(services)
  const answer = answering(services, app, () => isEnding)
  const addressOf = addressFinder(config.trustedProxies)
  /** Unfinished requests. */
  let open = 0
  const always = alwaysAnswered(prefixOf(config.baseUrl))
  let onQuiet: (() => void) | undefined
  const isApi = config.roles.includes('api')
  /**
   * Health checks are answered at once. All other requests go through load shedding, if the node has the role api.
   */
  const takeInTurn = (request: IncomingMessage, response: ServerResponse): (() => void) | undefined => {
    const target = targetOf(request)
    if (target === undefined) return refuseRequest(services, { request, response }, unreadable())
    const requested = new NodeRequest(request, response, target)
    let leave: (() => void) | undefined
    // A stream that stays open is no work: it must not keep other requests of its application out.
    const reply = (): void => answer(requested, { request, response }, () => leave?.())
    const begin = (): void => {
      if (awaitsContinue(request)) response.writeContinue()
      reply()
    }
    if (always.has(pathOf(request.url ?? ''))) {
      begin()
      return undefined
    }
    if (!isApi) {
      const error = new ApiError('not_found', 'this node answers no requests: ask one with the role api')
      return refuseRequest(services, { request, response }, error)
    }
    const { authorization, cookie } = request.headers
    leave = load.take({
      credential: authorization ?? cookie,
      address: addressOf(requested),
      isRefused: !app.arrive(requested),
      begin,
      refuse: (why, waitedMs) => {
        response.shouldKeepAlive &&= !isEnding
        if (why === 'visitor') reply()
        else refuseForLoad(services, refusals[why](waitedMs), request, response)
      },
    })
    return leave
  }
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    open++
    response.shouldKeepAlive &&= !isEnding
    let over: (() => void) | undefined
    response.on('close', () => {
      over?.()
      open--
      if (open === 0) onQuiet?.()
    })
    const problem = requestProblem({ target: request.url ?? '', headers: request.rawHeaders })
    if (problem === undefined) over = takeInTurn(request, response)
    else refuseRequest(services, { request, response }, new ApiError('invalid_request', problem))
  }
  const server = createListener(take, services)
  given?.attach(server)
  const port = given ? 0 : await openPort(server, config)
  server.on('error', (error) => log.error({ error }, 'the HTTP server failed'))

  /** Resolves when no request is running, or after this time. */
  const quiet = async (milliseconds: number): Promise<void> => {
    if (open === 0) return
    const pause = new AbortController()
    onQuiet = () => pause.abort()
    await sleep(milliseconds, pause.signal)
    onQuiet = undefined
  }

  return {
    port,
    announceEnd() {
      isEnding = true
    },
    async close(shutdownGraceMs) {
      // The HTTP server's own close would cut idle connections at once, although the next request may be on its way.
      given?.close()
      NetServer.prototype.close.call(server)
      await quiet(shutdownGraceMs)
      underWay.end()
      await quiet(answeringMs)
      server.closeAllConnections()
      Server.prototype.close.call(server)
    },
  }
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

/** The paths of health checks. A client that calls the node directly may not know the path prefix of its public address. */
const alwaysAnswered = (prefix: string): ReadonlySet<string> =>
  new Set(['/health', '/ready', '/metrics'].flatMap((path) => [path, `${prefix}${path}`]))

type Answering = (requested: NodeRequest, exchange: Exchange, onStream: () => void) => void

/** Answers requests, and writes the answers of one turn together. Connections close if the node is stopping. */
function answering(services: BuiltServices, app: App, isEnding: () => boolean): Answering {
  const answers = answersOfTurn()
  return (requested, { request, response }, onStream) => {
    const write = (answered: HttpResponse): void => {
      try {
        response.shouldKeepAlive &&= !isEnding()
        if (answered.headers['content-type'] === eventStreamHeaders['content-type']) onStream()
        send(answered, request, response)
      } catch (error) {
        services.storage.log.error({ error }, 'an answer could not be written')
        response.destroy()
      }
    }
    void app.answer(requested).then((answered) => answers.add(() => write(answered)))
  }
}

/** An HTTP server with our limits, and with our own answers for requests that it would refuse without a body. */
function createListener(take: RequestListener, services: BuiltServices): Server {
  const server = createServer(
    {
      maxHeaderSize: 32_768,
      headersTimeout: 20_000,
      // For uploads of large files. Bodies that are held in memory have less time (`node-http.ts`).
      requestTimeout: limits.uploadMinutes * 60_000,
      keepAliveTimeout: 65_000,
      // Node's answer to a missing Host has no body; ours has one.
      requireHostHeader: false,
    },
    take,
  )
  // Without a listener, Node's answer to an unknown Expect has no body.
  server.on('checkExpectation', take)
  // Without a listener, Node tells the client to send its body before we can refuse the request.
  server.on('checkContinue', take)
  server.on('clientError', (error, socket: Socket) => answerBrokenRequest(services, error, socket))
  server.on('connection', () => services.telemetry.load.accepted())
  server.maxConnections = maxConnections
  // Idle connections make room for new ones.
  server.on('drop', () => server.closeIdleConnections())
  return server
}

/** Whether the client waits for 100 Continue before it sends its body (RFC 9110 §10.1.1). */
const awaitsContinue = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion !== '1.0' && headers.expect?.toLowerCase() === '100-continue'

function refuseForLoad(
  services: BuiltServices,
  error: ApiError,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { headers } = request
  // The client stops sending when it reads this answer; anything else that it sends is discarded.
  if (headers['transfer-encoding'] || Number(headers['content-length'] ?? 0) > 16_384) response.shouldKeepAlive = false
  if (!request.complete) discardRest(request)
  answerRefused(services, { request, response }, error, { 'cache-control': 'no-store' })
}

interface RefusedRequest {
  requestId: string
  status: number
  method?: string | undefined
  /** The peer address of the connection. Proxy headers are ignored, because the request was not parsed. */
  client: string | undefined
}

/** Counts and logs a request that was refused before it reached the app. */
function noteRefusal(
  { telemetry: { metrics, refusals: log } }: BuiltServices,
  error: ApiError,
  { requestId, status, method, client = '' }: RefusedRequest,
): void {
  metrics.answered('none', status, 0)
  metrics.erred(error.code)
  log.note({ address: client }, () => ({
    request_id: requestId,
    method,
    status,
    client,
    refused: error.code,
    reason: error.message,
  }))
}

const refusals: Record<Exclude<Refusal, 'visitor'>, (waitedMs?: number) => ApiError> = {
  overloaded: (waitedMs = 0) => {
    const problem =
      waitedMs > 0
        ? `the request waited too long for its turn (${Math.round(waitedMs)} ms)`
        : 'too many requests wait for their turn'
    return new ApiError('service_unavailable', `${problem}: this node has too much to do; try again`, { retryAfter: 1 })
  },
  share: () =>
    new ApiError('rate_limited', 'too many requests of this application wait or are under way: wait for some of them', {
      retryAfter: 1,
    }),
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/** Broken requests: not HTTP, headers too large, too slow. Answered in the shape of all errors. */
function answerBrokenRequest(services: BuiltServices, error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const large = error.code === 'HPE_HEADER_OVERFLOW'
  const status = slow ? 408 : large ? 431 : 400
  const code: ErrorCode = 'invalid_request'
  const message = slow
    ? 'the request took too long to arrive'
    : large
      ? 'the headers are too large'
      : 'not a valid HTTP request'
  const requestId = newId()
  const refused = new ApiError(code, message)
  const { body } = answerError(refused, requestId)
  noteRefusal(services, refused, { requestId, status, client: socket.remoteAddress })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
    ...Object.entries(guardsOf(services.config.baseUrl)).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Refuses a request and closes the connection, because the end of the request may be ambiguous too. */
const refuseRequest = (services: BuiltServices, exchange: Exchange, error: ApiError): undefined =>
  answerRefused(services, exchange, error, { connection: 'close' })

/** Answers a request that does not reach the app. */
function answerRefused(
  services: BuiltServices,
  { request: { method, socket }, response }: Exchange,
  error: ApiError,
  own: Record<string, string>,
): undefined {
  const requestId = newId()
  const { status, headers, body } = answerError(error, requestId)
  noteRefusal(services, error, { requestId, status, method, client: socket.remoteAddress })
  const length = Buffer.byteLength(body)
  const common = { 'content-type': 'application/json', 'content-length': length, 'x-request-id': requestId }
  response.writeHead(status, { ...guardsOf(services.config.baseUrl), ...common, ...own, ...headers }).end(body)
}

/** For requests whose target cannot be parsed: no Host, `*`, another scheme. */
const unreadable = (): ApiError => new ApiError('invalid_request', 'the Host header or the path is not valid')
