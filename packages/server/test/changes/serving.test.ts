/** Watching in a running server: changes of grants by clients decide which are watched. */

import { ApiError } from '@waypost/platform/api-error'
import { beatNode } from '@waypost/store/tables/applications/nodes'
import { shardCount, takeShards } from '@waypost/store/tables/grants/watch-shards'
import { enginesFor } from '@waypost/testing/engines'
import { describe, expect, test } from 'vitest'
import { openService, type ServiceOptions, type TestService } from '../harness.ts'
import { arrival, type Mailbox, openMailboxes, readReported, until } from './watching.ts'

interface TestAccounts extends AsyncDisposable {
  service: TestService
  mailboxOf(grantId: string): Mailbox
  /** Authenticates a user, and returns the grant. */
  connect(settings?: Record<string, unknown>): Promise<{ id: string }>
  reported(grantId: string): Promise<string[]>
  gauge(): Promise<number>
}

async function openAccounts(options: ServiceOptions): Promise<TestAccounts> {
  const { provider, mailboxOf } = openMailboxes()
  const service = await openService({ ...options, overrides: { providers: { imap: provider }, ...options.overrides } })
  return {
    service,
    mailboxOf,
    async connect(settings = {}) {
      const whole = {
        imap_username: 'mira@example.com',
        imap_password: 'right',
        imap_host: 'mail.example.com',
        ...settings,
      }
      await service.call('POST', '/v3/connectors', { body: { provider: 'imap' } })
      const made = await service.call('POST', '/v3/connect/custom', { body: { provider: 'imap', settings: whole } })
      expect(made.status, JSON.stringify(made.body)).toBeLessThan(300)
      return made.body.data
    },
    reported: async (grantId) =>
      (await readReported(service.services.storage.database, grantId, service.services.storage.payloads.seals)).map(
        ({ type }) => type,
      ),
    async gauge() {
      const { body } = await service.call('GET', '/metrics')
      return Number(/^waypost_watched_grants (\d+)$/m.exec(body)?.[1] ?? Number.NaN)
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

describe.each(enginesFor(import.meta.url))('a server on %s', (engine) => {
  test('watches a grant from its authentication to its deletion', async () => {
    await using accounts = await openAccounts({ engine })
    await accounts.service.listen()
    expect(await accounts.gauge()).toBe(0)
    const { id } = await accounts.connect()
    const mailbox = accounts.mailboxOf(id)
    await until(() => expect(mailbox.isWaitedFor).toBe(true))
    expect(await accounts.gauge()).toBe(1)
    mailbox.happen(arrival('m1', Date.now()))
    await until(async () => expect(await accounts.reported(id)).toEqual(['grant.created', 'message.created']))
    expect((await accounts.service.call('DELETE', `/v3/grants/${id}`)).status).toBe(200)
    await until(() => expect(mailbox.ended).toBe(1))
    expect(await accounts.gauge()).toBe(0)
    mailbox.happen(arrival('m2', Date.now()))
    expect(await accounts.reported(id)).toEqual(['grant.created', 'grant.deleted'])
  })

  test('stops watching a grant whose password is refused, and continues after re-authentication', async () => {
    await using accounts = await openAccounts({ engine })
    await accounts.service.listen()
    const { id } = await accounts.connect()
    const mailbox = accounts.mailboxOf(id)
    await until(() => expect(mailbox.isWaitedFor).toBe(true))
    mailbox.before = () => {
      throw new ApiError('grant_invalid')
    }
    mailbox.happen(arrival('missed', Date.now()))
    await until(async () => expect(await accounts.reported(id)).toEqual(['grant.created', 'grant.expired']))
    await until(async () => expect(await accounts.gauge()).toBe(0))
    mailbox.before = undefined
    expect((await accounts.connect({ imap_password: 'new' })).id).toBe(id)
    await until(async () =>
      expect(await accounts.reported(id)).toEqual([
        'grant.created',
        'grant.expired',
        'grant.updated',
        'message.created',
      ]),
    )
    expect(await accounts.gauge()).toBe(1)
  })

  test('does not watch a grant that was connected with `watch: false`, until its settings change', async () => {
    await using accounts = await openAccounts({ engine })
    await accounts.service.listen()
    const { id } = await accounts.connect({ watch: false })
    const other = await accounts.connect({ imap_username: 'watched@example.com' })
    await until(() => expect(accounts.mailboxOf(other.id).isWaitedFor).toBe(true))
    expect(accounts.mailboxOf(id).opened).toBe(0)
    expect(await accounts.gauge()).toBe(1)
    const settings = { imap_username: 'mira@example.com', imap_password: 'right', watch: true }
    expect((await accounts.service.call('PATCH', `/v3/grants/${id}`, { body: { settings } })).status).toBe(200)
    await until(() => expect(accounts.mailboxOf(id).isWaitedFor).toBe(true))
    expect(await accounts.gauge()).toBe(2)
    expect(accounts.mailboxOf(other.id)).toMatchObject({ opened: 1, ended: 0 })
  })

  test('without the worker role watches nothing and takes no shards', async () => {
    await using accounts = await openAccounts({ engine, env: { WAYPOST_ROLES: 'api' } })
    await accounts.service.listen()
    const { id } = await accounts.connect()
    const { services } = accounts.service
    expect(
      await takeShards(services.storage.database, {
        owner: 'x',
        atMost: shardCount,
        now: services.storage.clock.now(),
      }),
    ).toHaveLength(shardCount)
    expect(accounts.mailboxOf(id).opened).toBe(0)
    expect(await accounts.gauge()).toBe(0)
  })
})

test('a server on SQLite continues at once where the previous process ended, however it ended', async () => {
  await using accounts = await openAccounts({ engine: 'sqlite' })
  const { database, clock } = accounts.service.services.storage
  const { id } = await accounts.connect()
  await beatNode(database, { id: 'dead', startedAt: clock.now(), roles: ['worker'] }, clock.now())
  expect(await takeShards(database, { owner: 'dead', atMost: shardCount, now: clock.now() })).toHaveLength(shardCount)
  await accounts.service.listen()
  await until(() => expect(accounts.mailboxOf(id).isWaitedFor).toBe(true))
})
