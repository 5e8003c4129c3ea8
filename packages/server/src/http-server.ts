/**
 * The port of a node, from its opening to its end. A node that is to end first says so, while it goes on answering: its
 * `/ready` is 503, and every answer carries `Connection: close`, so that balancers choose other nodes and clients open
 * their next connection elsewhere. Then the port closes, and requests under way have their time.
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
import type { ErrorCode } from '@waypost/contract'
import { answerError } from './api/http/answer.ts'
import { guardsOf } from './api/http/answer-guards.ts'
import { answersOfTurn } from './api/http/answers-of-turn.ts'
import { prefixOf } from './api/http/base-path.ts'
import type { HttpResponse } from './api/http/http.ts'
import { discardRest, NodeRequest, send, targetOf } from './api/http/node-http.ts'
import { requestProblem } from './api/http/raw-request.ts'
import { createServerApp } from './create-app.ts'
import { ApiError } from './lib/api-error.ts'
import { sleep } from './lib/clock.ts'
import { newId } from './lib/ids.ts'
import { after } from './lib/ready.ts'
import type { BuiltServices } from './services/services.ts'
import type { Refusal } from './telemetry/load.ts'

export interface HttpServer {
  readonly port: number
  /** From now on every answer says that its connection ends. */
  announceEnd(): void
  /** Takes no more connections; resolves when requests under way have ended, or were cut after their time. */
  close(shutdownGraceMs: number): Promise<void>
}

/** What requests that were cut are given to be answered. */
const answeringMs = 150
/**
 * Connections that wait to be accepted while a turn of the event loop is long. Beyond it the kernel drops what arrives, and
 * who is dropped tries again a second later or three: a modest client would wait that long for a flood that is refused.
 */
const waitingConnections = 4_096
/** Open connections, each of some 30 KB; more are closed as they come. */
const maxConnections = 8_192

export async function listen(services: BuiltServices): Promise<HttpServer> {
  const { config, log, underWay, load } = services
  let isEnding = false
  const answer = answering(services, () => isEnding)
  /** Requests that are not over. */
  let open = 0
  const prefix = prefixOf(config.baseUrl)
  // Who asks the node itself may not know what path its address has for others.
  const always = new Set(['/health', '/ready', '/metrics'].flatMap((path) => [path, `${prefix}${path}`]))
  let onQuiet: (() => void) | undefined
  const isApi = config.roles.includes('api')
  /** Who asks whether the node lives is answered at once; all others have their turn, where the node takes requests. */
  const takeInTurn = (request: IncomingMessage, response: ServerResponse): (() => void) | undefined => {
    const begin = (): void => {
      if (awaitsContinue(request)) response.writeContinue()
      answer(request, response)
    }
    if (always.has(pathOf(request.url ?? ''))) {
      begin()
      return undefined
    }
    if (!isApi) {
      const error = new ApiError('not_found', 'this node answers no requests: ask one with the role api')
      refuseRequest(services, { request, response }, error)
      return undefined
    }
    const { authorization, cookie } = request.headers
    return load.take({
      credential: authorization ?? cookie,
      address: request.socket.remoteAddress ?? '',
      begin,
      refuse: (why) => {
        response.shouldKeepAlive &&= !isEnding
        refuseForLoad(services, why, request, response)
      },
    })
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
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, config)))
    server.listen({ port: config.port, host: config.host, backlog: waitingConnections }, resolve)
  })
  server.on('error', (error) => log.error({ error }, 'the HTTP server failed'))
  const address = server.address()

  /** Resolves when no request is under way, or after so long. */
  const quiet = async (milliseconds: number): Promise<void> => {
    if (open === 0) return
    const pause = new AbortController()
    onQuiet = () => pause.abort()
    await sleep(milliseconds, pause.signal)
    onQuiet = undefined
  }

  return {
    port: typeof address === 'object' && address ? address.port : 0,
    announceEnd() {
      isEnding = true
    },
    async close(shutdownGraceMs) {
      // The server of HTTP would cut idle connections at once, on which the next request may be under way.
      NetServer.prototype.close.call(server)
      await quiet(shutdownGraceMs)
      underWay.end()
      await quiet(answeringMs)
      server.closeAllConnections()
      Server.prototype.close.call(server)
    },
  }
}

/** Answers requests, those of a turn of the event loop together; where the node is to end, connections end with them. */
function answering(services: BuiltServices, isEnding: () => boolean): RequestListener {
  const app = createServerApp(services)
  const answers = answersOfTurn()
  return (request, response) => {
    const target = targetOf(request)
    if (target === undefined) {
      refuseRequest(services, { request, response }, unreadable())
      return
    }
    const write = (answered: HttpResponse): void => {
      try {
        response.shouldKeepAlive &&= !isEnding()
        send(answered, request, response)
      } catch (error) {
        services.log.error({ error }, 'an answer could not be written')
        response.destroy()
      }
    }
    void after(app.answer(new NodeRequest(request, response, target)), (answered) => answers.add(() => write(answered)))
  }
}

/** A server of HTTP with our limits, and with our own answers to what it would refuse without a body. */
function createListener(take: RequestListener, services: BuiltServices): Server {
  const server = createServer(
    {
      maxHeaderSize: 32_768,
      headersTimeout: 20_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
      // Its own answer to a missing Host has no body; ours, a line later, has.
      requireHostHeader: false,
    },
    take,
  )
  // Without a listener the answer to an unknown Expect has no body.
  server.on('checkExpectation', take)
  // Without a listener the client is told to send its body before it is known whether the request is refused.
  server.on('checkContinue', take)
  server.on('clientError', (error, socket: Socket) => answerBrokenRequest(services, error, socket))
  server.on('connection', () => services.load.accepted())
  server.maxConnections = maxConnections
  // Those that nobody uses make room for those who come.
  server.on('drop', () => server.closeIdleConnections())
  return server
}

/** Whether the client sends its body only when it is told to (RFC 9110 §10.1.1). */
const awaitsContinue = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion !== '1.0' && headers.expect?.toLowerCase() === '100-continue'

function refuseForLoad(
  services: BuiltServices,
  why: Refusal,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { headers, method, socket } = request
  const requestId = newId()
  const error = refusals[why]()
  const { status, headers: told, body } = answerError(error, requestId)
  noteRefusal(services, error, { requestId, status, method, client: socket.remoteAddress })
  // A client that hears this stops sending, if it listens; what others still send is discarded.
  if (headers['transfer-encoding'] || Number(headers['content-length'] ?? 0) > 16_384) response.shouldKeepAlive = false
  if (!request.complete) discardRest(request)
  const length = Buffer.byteLength(body)
  const common = { 'content-type': 'application/json', 'content-length': length, 'x-request-id': requestId }
  const guards = guardsOf(services.config.baseUrl)
  response.writeHead(status, { ...guards, ...common, 'cache-control': 'no-store', ...told }).end(body)
}

interface RefusedRequest {
  requestId: string
  status: number
  method?: string | undefined
  /** The address that the connection is from: who passed the request on is not looked at where it was not read. */
  client: string | undefined
}

/** Counts and logs what was refused before it became a request of the app. */
function noteRefusal(
  { metrics, refusals: log }: BuiltServices,
  error: ApiError,
  { requestId, status, method, client = '' }: RefusedRequest,
): void {
  metrics.answered('none', status, 0)
  metrics.erred(error.code)
  log.note({ address: client }, () => ({
    ...{ request_id: requestId, method, status, client, refused: error.code, reason: error.message },
  }))
}

const refusals: Record<Refusal, () => ApiError> = {
  overloaded: () =>
    new ApiError('service_unavailable', 'more is asked of this node than it holds: try again', { retryAfter: 1 }),
  share: () =>
    new ApiError('rate_limited', 'too many requests of this application wait or are under way: wait for some of them', {
      retryAfter: 1,
    }),
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

function listenError(error: Error, config: { port: number; host: string }): Error {
  const code = 'code' in error ? error.code : ''
  if (code === 'EADDRINUSE')
    return new Error(`port ${config.port} is in use: set WAYPOST_PORT to another one`, { cause: error })
  if (code === 'EACCES')
    return new Error(`port ${config.port} may not be opened: choose one above 1023`, { cause: error })
  if (code === 'EADDRNOTAVAIL') {
    return new Error(`${config.host} is no address of this machine: check WAYPOST_HOST`, { cause: error })
  }
  return error
}

/** Requests that never become one: not HTTP, too large a header, too slow. Answered in the shape of all errors. */
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

/** Refuses a request without reading on: where it ends may be as doubtful as the rest of it. */
function refuseRequest(
  services: BuiltServices,
  { request: { method, socket }, response }: { request: IncomingMessage; response: ServerResponse },
  error: ApiError,
): void {
  const requestId = newId()
  const { body, status } = answerError(error, requestId)
  noteRefusal(services, error, { requestId, status, method, client: socket.remoteAddress })
  const guards = guardsOf(services.config.baseUrl)
  const headers = { ...guards, 'content-type': 'application/json', 'x-request-id': requestId, connection: 'close' }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}

/** Requests whose address cannot be read: no Host, `*`, another scheme. */
const unreadable = (): ApiError => new ApiError('invalid_request', 'the Host header or the path is not valid')
