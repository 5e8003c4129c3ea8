// The HTTP server: it hands over whole requests, and can leave one without an answer or close its connection.
import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Outcome } from './faults.ts'
import type { RawRequest } from './http.ts'

export interface Server {
  /** No slash at the end. */
  readonly url: string
  answerWith(answer: (request: RawRequest) => Promise<Outcome>): void
  close(): Promise<void>
}

const HOST = '127.0.0.1'

/** Listens on a port, any free one for 0. */
export async function listen(port: number): Promise<Server> {
  let answer: (request: RawRequest) => Promise<Outcome> = async () => 'drop'

  async function handle(request: Request, { incoming, outgoing }: HttpBindings): Promise<Response> {
    const body = new Uint8Array(await request.arrayBuffer())
    const outcome = await answer({ method: request.method, url: new URL(request.url), headers: request.headers, body })
    if (outcome === 'drop') incoming.socket.destroy()
    if (outcome === 'hang') await new Promise<void>((resolve) => outgoing.once('close', resolve))
    if (typeof outcome === 'string') return RESPONSE_ALREADY_SENT
    const empty = outcome.status === 204 || outcome.status === 304
    return new Response(empty ? null : Buffer.from(outcome.body), { status: outcome.status, headers: outcome.headers })
  }

  const server = createAdaptorServer({ fetch: (request, env) => handle(request, env as HttpBindings), hostname: HOST })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, resolve)
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
