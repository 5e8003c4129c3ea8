/** Common parts of the tests of broker transports: an egress guard for this machine, messages, and scripted brokers. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createEgress } from '@waypost/platform/egress/egress'
import { createLog } from '@waypost/platform/log'
import type { OutgoingMessage, TransportTools } from '../../../src/webhooks/transports/transport.ts'

export interface BrokerTools extends AsyncDisposable {
  tools: TransportTools & { signal: AbortSignal }
}

export function brokerTools(ca?: string): BrokerTools {
  const egress = createEgress({ mode: 'private', ...(ca === undefined ? {} : { ca: [ca] }) })
  const tools = {
    egress,
    clock: { now: () => Date.now() },
    log: createLog('silent'),
    applicationId: 'application-1',
    signatureHeader: 'x-service-signature',
    endpoints: {},
    signal: new AbortController().signal,
  }
  return { tools, [Symbol.asyncDispose]: () => egress[Symbol.asyncDispose]() }
}

export const message = (id: string, change: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  id,
  type: 'message.created',
  grantId: 'grant-1',
  attempt: 1,
  body: Buffer.from(`{"id":"${id}"}`),
  compressed: false,
  at: 1_800_000_000_000,
  ...change,
})

/** The reason of an `EgressError`, or the status of a response. */
export async function outcomeOf(sending: Promise<{ status: number }>): Promise<unknown> {
  return sending.then(
    ({ status }) => status,
    (error: { reason?: string }) => error.reason ?? error,
  )
}

export interface ScriptedBroker extends AsyncDisposable {
  port: number
  connections: number
}

/** A broker whose responses a test scripts. */
export async function scriptedBroker(onConnection: (socket: Socket) => void): Promise<ScriptedBroker> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    broker.connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const broker: ScriptedBroker = {
    port: (server.address() as AddressInfo).port,
    connections: 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
  return broker
}
