/** Good receivers on loopback, in the runner's own process: they check and record every delivery. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { senderOf } from './node.ts'

/** One delivery, as its receiver saw it. Times are milliseconds of the runner's own clock. */
export interface Arrival {
  destination: number
  at: number
  /** Of the notification. */
  id: string
  type: string
  attempt: number
  sequence: number
  grantId: string
  objectId: string
  /** The node that sent it. */
  by: string
  signed: boolean
}

export interface Receivers extends AsyncDisposable {
  readonly urls: readonly string[]
  readonly arrivals: Arrival[]
  /** The signing secret of destination `index`. */
  setSecret(index: number, secret: string): void
}

interface Told {
  id: string
  type: string
  webhook_delivery_attempt: number
  grant_sequence: number
  data: { object: { id: string; grant_id: string } }
}

/** Starts this many receivers; each answers the challenge and accepts everything. */
export async function startReceivers(count: number): Promise<Receivers> {
  const arrivals: Arrival[] = []
  const secrets = new Map<number, string>()
  await using stack = new AsyncDisposableStack()

  async function receive(destination: number, request: IncomingMessage): Promise<string> {
    const challenge = new URL(request.url ?? '', 'http://receiver').searchParams.get('challenge')
    const body = await buffer(request)
    if (challenge !== null) return challenge
    const at = performance.now()
    const reported: Told = JSON.parse(body.toString())
    const expected = createHmac('sha256', secrets.get(destination) ?? '')
      .update(body)
      .digest('hex')
    arrivals.push({
      destination,
      at,
      id: reported.id,
      type: reported.type,
      attempt: reported.webhook_delivery_attempt,
      sequence: reported.grant_sequence,
      grantId: reported.data.object.grant_id,
      objectId: reported.data.object.id,
      by: senderOf(request.headers),
      signed: request.headers['x-nylas-signature'] === expected && request.headers['webhook-id'] === reported.id,
    })
    return 'ok'
  }

  const urls: string[] = []
  for (let index = 0; index < count; index++) {
    const server = createServer((request, response) => {
      receive(index, request).then(
        (text) => void response.end(text),
        () => void response.destroy(),
      )
    })
    server.keepAliveTimeout = 60_000
    await once(server.listen(0, '127.0.0.1'), 'listening')
    stack.defer(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
  }
  const retained = stack.move()
  return {
    urls,
    arrivals,
    setSecret: (index, secret) => void secrets.set(index, secret),
    [Symbol.asyncDispose]: () => retained.disposeAsync(),
  }
}
