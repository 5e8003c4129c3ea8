/** A filled store with a node, and a receiver of its notifications. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addUpCounts } from '@waypost/store/tables/applications/application-counts'
import { createServerApp } from '../../packages/server/src/create-app.ts'
import { adminPassword } from '../client.ts'
import { type Node, openNode } from '../node.ts'
import { eventAt } from './event.ts'
import { type Place, type Sizes, seed } from './seed.ts'

/** Receives notifications and answers challenges. */
function openReceiver() {
  let heard = () => {}
  const server = createServer((request, response) => {
    request.resume()
    response.end(new URL(request.url ?? '/', 'http://localhost').searchParams.get('challenge') ?? 'ok')
    if (request.method === 'POST') heard()
  })
  return {
    async listen(): Promise<string> {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    },
    /** Resolves after `count` deliveries. */
    async hear(count: number): Promise<void> {
      const all = Promise.withResolvers<void>()
      let left = count
      heard = () => --left === 0 && all.resolve()
      await all.promise
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export interface Subject extends AsyncDisposable {
  node: Node
  place: Place
  /** The settings of nodes on the same store. */
  env: Record<string, string>
  receiver: ReturnType<typeof openReceiver>
  read(target: string): Promise<unknown>
}

export async function openSubject(env: Record<string, string>, sizes: Sizes): Promise<Subject> {
  await using stack = new AsyncDisposableStack()
  const receiver = openReceiver()
  stack.defer(() => receiver.close())
  const settings = { WAYPOST_EGRESS: 'private', ...env }
  const node = stack.use(await openNode(settings))
  const url = await receiver.listen()
  await node.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  const custom = { provider: 'virtual-calendar', settings: { email: 'first@bench.example' } }
  const grantId = (await node.call('POST', '/v3/connect/custom', custom)).data.id
  await node.call('POST', `/v3/grants/${grantId}/calendars`, { name: 'Bench' })
  const wanted = { webhook_url: url, trigger_types: ['event.created'] }
  const webhookId = (await node.call('POST', '/v3/webhooks', wanted)).data.id
  const events = `/v3/grants/${grantId}/events?calendar_id=primary`
  const eventId = (await node.call('POST', events, eventAt(0))).data.id
  const place = { applicationId: node.applicationId, grantId, webhookId, eventId, now: Date.now() }
  const { database } = node.services.storage
  await seed(database, place, sizes)
  await addUpCounts(database, new AbortController().signal)
  const app = createServerApp(node.services)
  const admin = {
    authorization: `Basic ${btoa(`admin:${adminPassword}`)}`,
    'x-waypost-application': node.applicationId,
  }
  const open = stack.move()
  return {
    node,
    place,
    env: { ...settings, WAYPOST_DATA_DIR: node.services.config.dataDir, WAYPOST_ADMIN_PASSWORD: adminPassword },
    receiver,
    async read(target) {
      const response = await app.request(target, { headers: admin })
      const text = await response.text()
      if (!response.ok) throw new Error(`${target}: ${text}`)
      return text
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}
