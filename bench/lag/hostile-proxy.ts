/** A proxy in front of a simulator: passes requests on, or returns hostile responses. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Hostile {
  /** Selects the requests that get the hostile response, by target and body. */
  isFor(target: string, body: string): boolean
  type: string
  body: string
}

export interface HostileProxy extends AsyncDisposable {
  url: string
  set(hostile: Hostile | undefined): void
}

const dropped = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect'])

const headersOf = (incoming: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(incoming.headers).flatMap(([name, value]) =>
      dropped.has(name) || value === undefined ? [] : [[name, String(value)]],
    ),
  )

export async function startHostileProxy(simulator: string): Promise<HostileProxy> {
  let hostile: Hostile | undefined
  const server = createServer(async (incoming, response) => {
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const { url = '/', method = 'GET' } = incoming
    if (hostile?.isFor(url, body.toString())) {
      return void response.writeHead(200, { 'content-type': hostile.type }).end(hostile.body)
    }
    // A stream of notifications may still be open when the simulator ends.
    const passed = passOn(`${simulator}${url}`, { method, headers: headersOf(incoming), body })
    const answer = await passed.catch(() => undefined)
    if (!answer) return void response.destroy()
    response.writeHead(answer.status, answer.headers).end(answer.content)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    set: (next) => {
      hostile = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function passOn(url: string, requested: { method: string; headers: Record<string, string>; body: Buffer }) {
  const { method, headers, body } = requested
  const answer = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
  })
  const retained = [...answer.headers].filter(([name]) => !dropped.has(name) && name !== 'content-encoding')
  return {
    status: answer.status,
    headers: Object.fromEntries(retained),
    content: Buffer.from(await answer.arrayBuffer()),
  }
}
