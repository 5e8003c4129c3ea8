// The HTTP server. It passes on complete requests, and can leave a request unanswered or close its connection.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Outcome } from './faults.ts'
import type { RawAnswer, RawRequest } from './http.ts'

export interface Server {
  /** Without a trailing slash. */
  readonly url: string
  answerWith(answer: (request: RawRequest) => Promise<Outcome>): void
  close(): Promise<void>
}

/** The address in the links of responses. */
const HOST = '127.0.0.1'
/**
 * The address to listen on. In a container it is 0.0.0.0, and the port is published on the machine's loopback
 * address.
 */
const listenAddress = (): string => process.env.SIMULATED_HOST || HOST

/** Listens on a port; 0 selects a free one. */
export async function listen(port: number): Promise<Server> {
  let answer: (request: RawRequest) => Promise<Outcome> = async () => 'drop'

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const gone = new AbortController()
    outgoing.once('close', () => gone.abort())
    const outcome = await answer({
      method: incoming.method ?? 'GET',
      url: new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? HOST}`),
      headers: headersOf(incoming),
      body: new Uint8Array(await buffer(incoming)),
      connection: incoming.socket,
      signal: gone.signal,
    })
    if (outcome === 'drop') incoming.socket.destroy()
    else if (outcome !== 'hang') await write(outcome, outgoing)
  }

  const server = createServer((incoming, outgoing) => {
    // If a request cannot be read or answered, close the connection without a response.
    handle(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, listenAddress(), resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://${HOST}:${address.port}`,
    answerWith(next) {
      answer = next
    },
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return headers
}

/** Writes a response, piece by piece if it is a stream, or only its first half. */
async function write({ status, headers, body, stream, isCut }: RawAnswer, outgoing: ServerResponse): Promise<void> {
  const hasLength = stream === undefined && status !== 204 && status !== 304
  outgoing.writeHead(status, { ...headerLines(headers), ...(hasLength ? { 'content-length': body.length } : {}) })
  if (isCut === true) {
    outgoing.flushHeaders()
    const half = body.subarray(0, Math.floor(body.length / 2))
    await new Promise<void>((resolve) => outgoing.write(half, () => resolve()))
    outgoing.destroy()
    return
  }
  if (stream === undefined) {
    outgoing.end(body)
    return
  }
  outgoing.flushHeaders()
  for await (const piece of stream) {
    if (outgoing.destroyed) return
    outgoing.write(piece)
  }
  outgoing.end()
}

/** A header with several lines is written once per line. */
const headerLines = (headers: Readonly<Record<string, string>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.split('\n')]))
