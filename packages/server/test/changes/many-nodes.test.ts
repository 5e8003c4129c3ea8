/** Real nodes with different roles on one PostgreSQL, which start and stop: every change is reported once. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { providers } from '@waypost/providers/registry'
import { shardCount } from '@waypost/store/tables/grants/watch-shards'
import { isCheck } from '@waypost/testing/level'
import { openListener } from '@waypost/testing/listener'
import { migratedDatabase } from '@waypost/testing/peers/database-url'
import { sql } from '@waypost/testing/statement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../harness.ts'
import { arrival, type Mailbox, openMailboxes, until } from './watching.ts'

const owners = sql<{ owner: string | null; shards: number }>(
  'test.owners',
  'select owner, count(*) as shards from watch_shards group by owner',
)

describe.runIf(isCheck)('nodes with roles of their own', () => {
  const stack = new AsyncDisposableStack()
  const { provider, mailboxOf } = openMailboxes()
  let start: (roles: string) => Promise<TestService>
  let api: TestService
  let deliverer: TestService
  let grants: string[]
  let heard: () => { id: string; grant: string; message: string }[]
  const sent: string[] = []

  beforeAll(async () => {
    const { url } = stack.use(await migratedDatabase())
    const dataDir = stack.use(await mkdtempDisposable(`${tmpdir()}/waypost-nodes-`)).path
    const listener = stack.use(await openListener())
    start = async (roles) => {
      const env = { WAYPOST_ROLES: roles, WAYPOST_EGRESS: 'private' }
      const overrides = { providers: { ...providers, imap: provider } }
      const node = await openService({ databaseUrl: url, dataDir, env, overrides })
      await node.listen()
      return node
    }
    api = stack.use(await start('api'))
    deliverer = stack.use(await start('deliverer'))
    const { key } = await api.createApplication('many grants')
    await api.call('POST', '/v3/connectors', { key, body: { provider: 'imap' } })
    const hook = { webhook_url: listener.url, trigger_types: ['message.created'] }
    expect((await api.call('POST', '/v3/webhooks', { key, body: hook })).status).toBe(200)
    grants = []
    for (let index = 0; index < 40; index++) {
      const settings = { imap_username: `u${index}@example.com`, imap_password: 'right', imap_host: 'mail.example.com' }
      const made = await api.call('POST', '/v3/connect/custom', { key, body: { provider: 'imap', settings } })
      grants.push(made.body.data.id)
    }
    heard = () =>
      listener.heard
        .filter(({ method }) => method === 'POST')
        .map(({ body }) => JSON.parse(body))
        .map(({ id, data }) => ({ id, grant: data.object.grant_id, message: data.object.id }))
  })
  afterAll(() => stack.disposeAsync())

  const boxes = (): Mailbox[] => grants.map((id) => mailboxOf(id))
  const arrive = (name: string): void => {
    for (const [index, box] of boxes().entries()) {
      box.happen(arrival(`${name}-${index}`, Date.now()))
      sent.push(`${name}-${index}`)
    }
  }
  const allReported = () => until(() => expect(new Set(heard().map(({ message }) => message))).toEqual(new Set(sent)))
  const sharedBy = (...nodes: TestService[]) =>
    until(async () => {
      const found = await api.services.storage.database.all(owners)
      expect(found.map(({ owner }) => owner).toSorted()).toEqual(
        nodes.map(({ services }) => services.runtime.node.id).toSorted(),
      )
      expect(found.reduce((sum, { shards }) => sum + shards, 0)).toBe(shardCount)
    })

  test('no grant is watched before a watcher starts; then only that node watches', async () => {
    arrive('before')
    expect(boxes().every(({ opened }) => opened === 0)).toBe(true)
    await using watcher = await start('watcher')
    await sharedBy(watcher)
    await until(() => expect(boxes().every(({ isWaitedFor }) => isWaitedFor)).toBe(true))
    sent.length = 0
    arrive('first')
    await allReported()
    expect([api, deliverer].map(({ services }) => services.accounts.watcher.size)).toEqual([0, 0])
    expect(watcher.services.storage.database.figures.statements().has('delivery_leases.due')).toBe(false)
    expect(api.services.storage.signals.maxRest()).toBe(0)
  })

  test('shards move to nodes that start and away from nodes that stop, and every change is reported once', async () => {
    const one = stack.use(await start('watcher'))
    await sharedBy(one)
    arrive('one')
    const two = await start('watcher')
    arrive('two-comes')
    await sharedBy(one, two)
    const three = stack.use(await start('watcher'))
    await sharedBy(one, two, three)
    arrive('three')
    // In the middle of its notifications.
    const leaving = two[Symbol.asyncDispose]()
    arrive('two-leaves')
    await leaving
    await sharedBy(one, three)
    arrive('last')
    await allReported()
    await until(async () => expect((await api.call('GET', '/metrics')).body).toMatch(/^waypost_deliveries_waiting 0$/m))
    const messages = heard().map(({ grant, message }) => `${grant} ${message}`)
    expect(messages).toHaveLength(new Set(messages).size)
    await until(() => expect(boxes().every(({ opened, ended }) => opened - ended === 1)).toBe(true))
  })
})
