/**
 * Receivers of webhooks on loopback, well-behaved and hostile, each on its own free port. The hostile ones are a table,
 * so that a test can send to all of them; `ends` is the expected outcome of a post: a status, or the reason of an
 * `EgressError`. Receivers that answer without end wait for the client to read, so that the memory of the test stays
 * constant.
 */
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import tls from 'node:tls'
import zlib from 'node:zlib'
import type { EgressReason } from '@waypost/platform/egress/egress'

// Self-signed for mail.test and 127.0.0.1, valid from 2020 to 2120. It protects nothing.
export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNZQPAv8xzbJuw8ES
9tmrzo0h0M1oGzQgcfW02B4wpyqhRANCAASf6IomshX+IE7S0nKN3MOYClelRk4D
dlLhNd/1+1q2gDbVwT1wxdR4Py8O8dR9KCH3MIqeH69oQObF6n2WWlXI
-----END PRIVATE KEY-----`
/**
 * The certificate of `startSecureReceiver`. Only clients that trust it can connect, and only to mail.test or 127.0.0.1.
 */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBZjCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAltYWlsLnRl
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CW1haWwudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJ/oiiayFf4gTtLS
co3cw5gKV6VGTgN2UuE13/X7WraANtXBPXDF1Hg/Lw7x1H0oIfcwip4fr2hA5sXq
fZZaVcijTjBMMBoGA1UdEQQTMBGCCW1haWwudGVzdIcEfwAAATAPBgNVHRMBAf8E
BTADAQH/MB0GA1UdDgQWBBQrvdsOI5Gy7ttvdv3zmsdrZav98jAKBggqhkjOPQQD
AgNHADBEAiBs5tNjCcaPIapnZAKimjfyMVSnSqASd4SPgcEAg1VSBwIgULHbcrsH
aSu2JWLu+XY2w7piD1ncgDJBxapaIB6lSuU=
-----END CERTIFICATE-----`

export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Connections so far. */
  readonly connections: number
  /** Connections open now. */
  readonly open: number
  /** The number of bytes received. */
  readonly received: number
  /** Closes every connection, like a server that restarts. */
  hangUp(): void
}

export interface Arrival {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

export interface GoodReceiver extends Receiver {
  /** Complete requests, in the order of arrival. */
  readonly arrivals: readonly Arrival[]
}

/** Starts a receiver that accepts everything and answers with 200, or with `answer`. */
export async function startReceiver(
  answer: (response: http.ServerResponse, arrival: Arrival) => void = (response) => response.end('ok'),
): Promise<GoodReceiver> {
  const arrivals: Arrival[] = []
  const receiver = await listen(http.createServer(keeping(arrivals, answer)), 'http')
  return Object.assign(receiver, { arrivals })
}

/** The same over TLS, with `certificate`. */
export async function startSecureReceiver(
  answer: (response: http.ServerResponse, arrival: Arrival) => void = (response) => response.end('ok'),
): Promise<GoodReceiver> {
  const arrivals: Arrival[] = []
  const inner = http.createServer(keeping(arrivals, answer))
  const server = tls.createServer({ key: certificateKey, cert: certificate }, (socket) =>
    inner.emit('connection', socket),
  )
  return Object.assign(await listen(server, 'https'), { arrivals })
}

/** Starts a receiver with full control of a connection, once the first bytes of a request have arrived. */
export async function startRudeReceiver(misbehave: (socket: net.Socket) => void): Promise<Receiver> {
  return await listen(
    net.createServer((socket) => socket.once('data', () => misbehave(socket))),
    'http',
  )
}

export interface HostileReceiver {
  readonly what: string
  /** The outcome of a post to it: a status, or the reason of an `EgressError`. */
  readonly ends: number | EgressReason
  start(): Promise<Receiver>
}

/** A plain receiver with a status and headers. */
const answering = (status: number, headers: http.OutgoingHttpHeaders = {}, body: string | Buffer = 'no') =>
  startReceiver((response) => response.writeHead(status, headers).end(body))

const bomb = zlib.brotliCompressSync(Buffer.alloc(5_000_000))

export const hostileReceivers: readonly HostileReceiver[] = [
  { what: 'hangs before its head', ends: 'timeout', start: () => startRudeReceiver(() => {}) },
  { what: 'accepts connections and never reads', ends: 'timeout', start: startDeafReceiver },
  {
    what: 'accepts TLS connections and says nothing',
    ends: 'timeout',
    start: () => listen(net.createServer(), 'https'),
  },
  {
    what: 'drips its head byte by byte',
    ends: 'timeout',
    start: () => startRudeReceiver((socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX: ', 'x')),
  },
  {
    what: 'drips its body byte by byte',
    ends: 'timeout',
    start: () => startRudeReceiver((socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n', 'x')),
  },
  {
    what: 'sends 103 again and again',
    ends: 'timeout',
    start: () => startRudeReceiver((socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 400)),
  },
  {
    what: 'sends 103 in a flood',
    ends: 'protocol_error',
    start: () =>
      startRudeReceiver((socket) => flood(socket, '', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(300))),
  },
  {
    what: 'sends headers without end',
    ends: 'too_large',
    start: () =>
      startRudeReceiver((socket) => flood(socket, 'HTTP/1.1 200 OK\r\n', `X-More: ${'a'.repeat(1_000)}\r\n`)),
  },
  {
    what: 'sends one huge header',
    ends: 'too_large',
    start: () => startRudeReceiver((socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`)),
  },
  {
    what: 'sends trailers without end',
    ends: 'too_large',
    start: () =>
      startRudeReceiver((socket) =>
        flood(
          socket,
          'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n',
          `X-More: ${'a'.repeat(1_000)}\r\n`,
        ),
      ),
  },
  {
    what: 'sends a body of many tiny chunks without end',
    ends: 200,
    start: () =>
      startRudeReceiver((socket) =>
        flood(socket, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'.repeat(1_000)),
      ),
  },
  {
    what: 'sends a body without end',
    ends: 200,
    start: () =>
      startRudeReceiver((socket) =>
        flood(socket, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', `4000\r\n${'x'.repeat(0x4000)}\r\n`),
      ),
  },
  {
    what: 'sends a huge body',
    ends: 200,
    start: () => answering(200, {}, Buffer.alloc(10_000_000, 'x')),
  },
  { what: 'sends a brotli bomb', ends: 200, start: () => answering(200, { 'content-encoding': 'br' }, bomb) },
  {
    what: 'sends garbage',
    ends: 'protocol_error',
    start: () => startRudeReceiver((socket) => socket.write('-ERR unknown command s3cret\r\n')),
  },
  {
    what: 'says what HTTP it speaks and no more',
    ends: 'protocol_error',
    start: () => startRudeReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-')),
  },
  {
    what: 'answers 101 unasked',
    ends: 'protocol_error',
    start: () =>
      startRudeReceiver((socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      ),
  },
  {
    what: 'resets the connection',
    ends: 'protocol_error',
    start: () => startRudeReceiver((socket) => socket.resetAndDestroy()),
  },
  { what: 'closes its half without an answer', ends: 'protocol_error', start: startHalfCloser },
  {
    what: 'closes in the middle of its body',
    ends: 'protocol_error',
    start: () => startRudeReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf')),
  },
  {
    what: 'sends two content lengths',
    ends: 'protocol_error',
    start: () =>
      startRudeReceiver((socket) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 7\r\n\r\nokokoko'),
      ),
  },
  {
    what: 'sends a content length and chunks',
    ends: 'protocol_error',
    start: () =>
      startRudeReceiver((socket) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'),
      ),
  },
  { what: 'has a certificate nobody trusts', ends: 'tls_failed', start: () => startSecureReceiver() },
  { what: 'is not there', ends: 'connect_failed', start: startGoneReceiver },
  {
    what: 'redirects to a place inside',
    ends: 302,
    start: () => answering(302, { location: 'http://169.254.169.254/latest/meta-data/', refresh: '0;url=/again' }),
  },
  { what: 'redirects to itself for ever', ends: 307, start: () => answering(307, { location: '/' }) },
  { what: 'is gone for good', ends: 410, start: () => answering(410) },
  { what: 'asks for patience', ends: 429, start: () => answering(429, { 'retry-after': '7' }) },
  { what: 'fails', ends: 500, start: () => answering(500) },
]

/** Starts one receiver of every kind that `pick` selects. Disposing the result ends them all. */
export async function startHostileReceivers(
  pick: (kind: HostileReceiver) => boolean = () => true,
): Promise<AsyncDisposable & { readonly receivers: readonly (Receiver & { readonly kind: HostileReceiver })[] }> {
  const stack = new AsyncDisposableStack()
  const receivers = await Promise.all(
    hostileReceivers.filter(pick).map(async (kind) => Object.assign(stack.use(await kind.start()), { kind })),
  )
  return { receivers, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

function keeping(
  arrivals: Arrival[],
  answer: (response: http.ServerResponse, arrival: Arrival) => void,
): http.RequestListener {
  return (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const arrival = { method, path, headers, body: Buffer.concat(pieces) }
      arrivals.push(arrival)
      answer(response, arrival)
    })
  }
}

async function startDeafReceiver(): Promise<Receiver> {
  return await listen(
    net.createServer({ pauseOnConnect: true }, () => {}),
    'http',
  )
}

async function startHalfCloser(): Promise<Receiver> {
  return await listen(
    net.createServer({ allowHalfOpen: true }, (socket) => socket.once('data', () => socket.end())),
    'http',
  )
}

/** Nothing listens on this port: it is assigned to no service, and is not one of the ports that the system assigns. */
const portOfNobody = 998

async function startGoneReceiver(): Promise<Receiver> {
  return {
    ...{ url: `http://127.0.0.1:${portOfNobody}/hook`, port: portOfNobody },
    ...{ connections: 0, open: 0, received: 0 },
    hangUp: () => undefined,
    async [Symbol.asyncDispose]() {},
  }
}

function drip(socket: net.Socket, start: string, drop: string, everyMs = 5): void {
  socket.write(start)
  const timer = setInterval(() => socket.write(drop), everyMs)
  socket.on('close', () => clearInterval(timer))
}

function flood(socket: net.Socket, start: string, more: string): void {
  const pour = (): void => {
    for (let count = 0; count < 16 && socket.writable; count += 1) if (!socket.write(more)) return
    if (socket.writable) setImmediate(pour)
  }
  socket.on('drain', pour)
  socket.write(start)
  pour()
}

async function listen(server: net.Server, scheme: 'http' | 'https'): Promise<Receiver> {
  const sockets = new Set<net.Socket>()
  let connections = 0
  let closedBytes = 0
  server.on('connection', (socket: net.Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      closedBytes += socket.bytesRead
      sockets.delete(socket)
    })
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  const { port } = address
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `${scheme}://127.0.0.1:${port}/hook`,
    port,
    get connections() {
      return connections
    },
    get open() {
      return sockets.size
    },
    get received() {
      return Array.from(sockets, ({ bytesRead }) => bytesRead).reduce((sum, bytes) => sum + bytes, closedBytes)
    },
    hangUp,
    async [Symbol.asyncDispose]() {
      hangUp()
      server.close()
      await once(server, 'close')
    },
  }
}
