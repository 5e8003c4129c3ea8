// The HTTP server: it hands over whole requests, and can leave one without an answer or close its connection.
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Outcome } from './faults.ts'
import type { RawAnswer, RawRequest } from './http.ts'

export interface Server {
  /** No slash at the end. */
  readonly url: string
  answerWith(answer: (request: RawRequest) => Promise<Outcome>): void
  close(): Promise<void>
}

/** Where simulators are found. */
const HOST = '127.0.0.1'
/** Where they listen: in a container on all addresses, whose ports are then published on the machine's own. */
const LISTENS_ON = process.env.SIMULATED_HOST || HOST

// Where a server was opened before this was loaded, it is a `Response` that is written without a look at its headers, and so
// once more. Asked for its body, it becomes a plain one.
void RESPONSE_ALREADY_SENT.body

/** Listens on a port, any free one for 0. */
export async function listen(port: number): Promise<Server> {
  let answer: (request: RawRequest) => Promise<Outcome> = async () => 'drop'

  async function handle(request: Request, { incoming, outgoing }: HttpBindings): Promise<Response> {
    const body = new Uint8Array(await request.arrayBuffer())
    const gone = new AbortController()
    outgoing.once('close', () => gone.abort())
    const outcome = await answer({
      method: request.method,
      url: new URL(request.url),
      headers: request.headers,
      body,
      connection: incoming.socket,
      signal: gone.signal,
    })
    if (outcome === 'drop') incoming.socket.destroy()
    if (outcome === 'hang') await new Promise<void>((resolve) => outgoing.once('close', resolve))
    if (typeof outcome === 'string') return RESPONSE_ALREADY_SENT
    // A `Response` would make one line of a header's several.
    if (outcome.isCut === true || outcome.stream !== undefined || hasSeveralLines(outcome)) {
      await write(outcome, outgoing as ServerResponse)
      return RESPONSE_ALREADY_SENT
    }
    const { status, headers } = outcome
    const empty = status === 204 || status === 304
    return new Response(empty ? null : Buffer.from(outcome.body), { status, headers })
  }

  const server = createAdaptorServer({ fetch: (request, env) => handle(request, env as HttpBindings), hostname: HOST })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, LISTENS_ON, resolve)
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
        if ('closeAllConnections' in server) server.closeAllConnections()
      })
    },
  }
}

/** Writes an answer as it is, piece by piece, or the first half of it and no more. */
async function write({ status, headers, body, stream, isCut }: RawAnswer, outgoing: ServerResponse): Promise<void> {
  const length = stream === undefined ? { 'content-length': String(body.length) } : {}
  outgoing.writeHead(status, { ...headerLines(headers), ...length })
  outgoing.flushHeaders()
  if (isCut === true) {
    const half = body.subarray(0, Math.floor(body.length / 2))
    await new Promise<void>((resolve) => outgoing.write(half, () => resolve()))
    outgoing.destroy()
    return
  }
  try {
    for await (const piece of stream ?? [body]) {
      if (outgoing.destroyed) return
      outgoing.write(piece)
    }
    outgoing.end()
  } catch {
    // What cannot go on ends without a word.
    outgoing.destroy()
  }
}

const hasSeveralLines = ({ headers }: RawAnswer): boolean =>
  Object.values(headers).some((value) => value.includes('\n'))

/** A header with several lines is written once for each. */
const headerLines = (headers: Readonly<Record<string, string>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.split('\n')]))
