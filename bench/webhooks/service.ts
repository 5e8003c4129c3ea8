/** The service under test: a node that only delivers, in a separate process. */
import { triggerNames } from '@waypost/contract'
import { dueDeliveries } from '@waypost/store/tables/notifications/deliveries'
import { dueDestinations } from '@waypost/store/tables/notifications/delivery-leases'
import { sql } from '@waypost/testing/statement'
import { createServerApp } from '../../packages/server/src/create-app.ts'
import { createWebhook } from '../../packages/server/src/webhooks/destinations.ts'
import { type Client, newClient } from '../client.ts'
import { median } from '../figures.ts'
import { openNode } from '../node.ts'
import { objectOf } from './bodies.ts'
import { answering, parametersOf, type Spent, spentOn } from './child.ts'

const { databaseUrl, settings } = parametersOf<{ databaseUrl?: string; settings?: Record<string, string> }>()
const env = { WAYPOST_EGRESS: 'private', ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}), ...settings }
const node = await openNode(env)
const { services, applicationId } = node
const { database, clock, secrets } = services.storage
const { deliverer } = services.notifications

async function connectAs({ call }: Pick<Client, 'call'>, email: string): Promise<string> {
  const connecting = { provider: 'virtual-calendar', settings: { email } }
  return (await call('POST', '/v3/connect/custom', connecting)).data.id
}
async function connect(client: Pick<Client, 'call'>): Promise<string> {
  await client.call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  return connectAs(client, 'bench')
}
const grantIds = [await connect(node)]

let destinations = 1
/** Each destination has its own trigger while there are enough triggers: every notification goes to one of them. */
const triggerOf = (index: number) => triggerNames[(index % destinations) % triggerNames.length] ?? 'event.created'

const remaining = sql<{ waits: number }>('bench.remaining', 'select 1 as waits from deliveries limit 1')

const others: { applicationId: string; grantId: string }[] = []
let since = { at: performance.now(), cpu: process.cpuUsage() }
let running: { spent: Promise<Spent>; finish(): void } | undefined

/** Delivers until the parent reports that everything arrived, and until the last result is stored. */
function start(): void {
  const heard = Promise.withResolvers<void>()
  const stopper = new AbortController()
  const run = deliverer.run(stopper.signal)
  const untilRetained = async (): Promise<void> => {
    await heard.promise
    while (await database.get(remaining)) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const spent = spentOn(untilRetained).finally(async () => {
    stopper.abort()
    await run
  })
  running = { spent, finish: heard.resolve }
}

const copyQueue = sql(
  'bench.copyQueue',
  `insert into deliveries (webhook_id, application_id, notification, state, attempts, tries, due_at, bytes)
   select webhook_id, application_id, notification + $1, state, attempts, tries, due_at, bytes from deliveries
   where notification <= $2`,
)
const range = sql<{ first: number; top: number; n: number }>(
  'bench.range',
  'select min(notification) as first, max(notification) as top, count(*) as n from deliveries',
)
/**
 * Less than the queue of each destination when a thousand deliveries wait, so that queue length does not change the
 * reads.
 */
const readAtOnce = 40

answering(
  {
    async subscribe({ ports }: { ports: readonly number[] }) {
      destinations = ports.length
      await database.transaction(async (tx) => {
        for (const [index, port] of ports.entries()) {
          const draft = { webhook_url: `http://127.0.0.1:${port}/hook`, trigger_types: [triggerOf(index)] }
          await createWebhook(tx, applicationId, draft, { secrets, now: clock.now() })
        }
      })
    },
    /** `count` destinations behind one port, in applications with `inEach` destinations. All receive one trigger. */
    async subscribeAll({ port, count, inEach }: { port: number; count: number; inEach: number }) {
      const app = createServerApp(services)
      for (let from = 0; from < count; from += inEach) {
        const client = await newClient((target, request) => app.request(target, request))
        others.push({ applicationId: client.applicationId, grantId: await connect(client) })
        await database.transaction(async (tx) => {
          for (let index = from; index < Math.min(count, from + inEach); index++) {
            const draft = { webhook_url: `http://127.0.0.1:${port}/hook/${index}`, trigger_types: [triggerOf(0)] }
            await createWebhook(tx, client.applicationId, draft, { secrets, now: clock.now() })
          }
        })
      }
    },
    /** A channel, and grants whose notifications go to it. */
    async subscribeChannel({ transport, draft, grants }: { transport: string; draft: object; grants: number }) {
      for (let n = grantIds.length; n < grants; n++) grantIds.push(await connectAs(node, `bench-${n}`))
      await node.call('POST', `/v3/channels/${transport}`, { ...draft, trigger_types: [triggerOf(0)] })
    },
    run() {
      // As a delivering node does.
      services.storage.signals.listen()
      void deliverer.run(new AbortController().signal)
    },
    /** Starts the measurement. */
    measure() {
      since = { at: performance.now(), cpu: process.cpuUsage() }
    },
    spent(): Spent {
      const { user, system } = process.cpuUsage(since.cpu)
      return { ms: performance.now() - since.at, cpuMs: (user + system) / 1000 }
    },
    /** Makes one change in every application. */
    async tell() {
      since = { at: performance.now(), cpu: process.cpuUsage() }
      const change = { provider: 'virtual-calendar', trigger: triggerOf(0), object: objectOf(1_000) } as const
      await database.transaction(async (tx) => {
        for (const other of others) await services.notifications.notify(tx, { ...change, ...other })
      })
    },
    async queue({ count, bytes, lanes = 1 }: { count: number; bytes: number; lanes?: number }) {
      const object = objectOf(bytes)
      for (let done = 0; done < count; done += 500) {
        await database.transaction(async (tx) => {
          for (let index = done; index < Math.min(count, done + 500); index++) {
            const trigger = triggerOf(index)
            const grantId = grantIds[index % lanes] ?? ''
            await services.notifications.notify(tx, {
              applicationId,
              grantId,
              provider: 'virtual-calendar',
              trigger,
              object,
            })
          }
        })
      }
    },
    start,
    finish() {
      running?.finish()
      return running?.spent
    },
    megabytes: () => Math.round(process.memoryUsage().rss / 1_048_576),
    /** Doubles the waiting rows until there are `count`. */
    async waiting({ count }: { count: number }) {
      for (;;) {
        const { first = 0, top = 0, n = 0 } = (await database.get(range)) ?? {}
        if (n >= count) return
        await database.run(copyQueue, [top - first + 1, top])
      }
    },
    /** Milliseconds to claim and read work. */
    async claim() {
      const times = []
      for (let round = 0; round < 25; round++) {
        const started = performance.now()
        const due = await dueDestinations(database, clock.now())
        for (const { webhook_id: webhookId } of due.slice(0, 2)) {
          await dueDeliveries(database, { applicationId, webhookId }, { now: clock.now(), limit: readAtOnce })
        }
        times.push(performance.now() - started)
      }
      return median(times)
    },
  },
  async () => node[Symbol.asyncDispose](),
)
