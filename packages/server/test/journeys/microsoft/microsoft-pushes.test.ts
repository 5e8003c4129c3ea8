/**
 * Graph's push notifications about a mailbox. The service can be reached, and does not poll during a test. Pushes
 * arrive twice, late, or not at all; subscriptions expire; responses are lost. Each change is notified once.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '@waypost/testing/peers/daemon'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { mimeMessage } from '../../conformance/mime-messages.ts'
import { identity, openMicrosoftService } from '../../peers/microsoft.ts'
import { type MicrosoftAccount, type MicrosoftAccounts, openMicrosoftAccounts } from './microsoft-accounts.ts'

const until = <T>(check: () => T | Promise<T>, timeout = 25_000): Promise<T> =>
  vi.waitFor(check, { timeout, interval: 30 })

interface Told {
  type: string
  source: string
  data: { object: { subject: string } }
}

describe('pushes of Microsoft', () => {
  let accounts: MicrosoftAccounts
  let address: string
  beforeAll(async () => {
    accounts = await openMicrosoftAccounts({
      env: { WAYPOST_PORT: `${await freePort()}`, WAYPOST_POLL_SECONDS: '3600' },
      overrides: { serving: true },
      microsoft: { notificationCopies: 2 },
    })
    address = await accounts.service.listen()
  })
  afterAll(() => accounts?.[Symbol.asyncDispose]())

  const mailSubscription = ({ microsoft }: MicrosoftAccount) =>
    accounts.simulator
      .subscriptions()
      .find(({ owner, resource }) => owner.oid === microsoft.oid && /messages$/.test(resource))
  /** The only subscription; the test fails if there is none. */
  const subscriptionOf = (account: MicrosoftAccount) => {
    const found = mailSubscription(account)
    expect(found).toBeDefined()
    return found as NonNullable<typeof found>
  }
  /** An account with its own application and a mail subscription at Graph. */
  async function newAccount(): Promise<MicrosoftAccount> {
    const { key } = await accounts.service.createApplication()
    const account = await accounts.newAccount({ key, scopes: [...identity, 'Mail.ReadWrite'] })
    await until(() => subscriptionOf(account))
    return account
  }
  const reported = async ({ key }: MicrosoftAccount, type = 'message.created'): Promise<string[]> => {
    const { body } = await accounts.service.call('GET', '/v3/notifications?limit=200', { key })
    return body.data.filter((each: Told) => each.type === type).map(({ data }: Told) => data.object.subject)
  }
  const deliver = ({ microsoft }: MicrosoftAccount, subject: string) => microsoft.mail.deliver(mimeMessage({ subject }))
  const post = (where: string, body: unknown, query = ''): Promise<Response> =>
    fetch(`${address}/v3/push/microsoft/${where}${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  /** A push of Graph about an account, in its documented form. */
  const notification = (account: MicrosoftAccount, more: object = {}) => {
    const { id, clientState } = subscriptionOf(account)
    return { subscriptionId: id, clientState, changeType: 'created', resource: 'Users/u/Messages/m', ...more }
  }

  test('a change is notified once as soon as Graph pushes it, however often it does', async () => {
    const account = await newAccount()
    deliver(account, 'one')
    await until(async () => expect(await reported(account)).toEqual(['one']))
    const { id } = deliver(account, 'two')
    await until(async () => expect(await reported(account)).toEqual(['one', 'two']))
    account.microsoft.mail.mark(id, { isRead: true })
    await until(async () => expect(await reported(account, 'message.updated')).toEqual(['two']))
    // Again, later, in another order, and about a deleted message.
    const value = ['updated', 'created', 'deleted'].map((changeType) => notification(account, { changeType }))
    accounts.simulator.clearCalls()
    expect((await post('changes', { value })).status).toBe(204)
    await until(() => expect(accounts.requests()).not.toEqual([]))
    deliver(account, 'three')
    await until(async () => expect(await reported(account)).toEqual(['one', 'two', 'three']))
    expect(await reported(account, 'message.updated')).toEqual(['two'])
    const { body } = await accounts.service.call('GET', '/v3/notifications?limit=200', { key: account.key })
    const sources = body.data.map(({ source }: Told) => source).filter((each: string) => each.startsWith('/microsoft/'))
    expect(new Set(sources)).toEqual(new Set(['/microsoft/emails/realtime']))
  })

  test('posts from anybody else cause no poll', async () => {
    const account = await newAccount()
    const other = await newAccount()
    await accounts.simulator.settled()
    const good = notification(account)
    const [, ...rest] = good.clientState?.split('.') ?? []
    const forged = [
      { ...good, clientState: 'guessed' },
      { ...good, clientState: '' },
      { ...good, clientState: `${good.clientState}x` },
      { ...good, clientState: ['0', ...rest].join('.') },
      // The id of another grant with a signature that is not its own.
      { ...good, clientState: good.clientState?.replace(account.grantId, other.grantId) },
      { subscriptionId: good.subscriptionId },
    ]
    accounts.simulator.clearCalls()
    for (const each of forged) {
      expect((await post('changes', { value: [each] })).status).toBe(404)
      expect((await post('lifecycle', { value: [good, { ...each, lifecycleEvent: 'missed' }] })).status).toBe(404)
    }
    for (const where of ['mail', 'changes/more', '']) expect((await post(where, { value: [good] })).status).toBe(404)
    expect((await post('changes', 'no object')).status).toBe(404)
    expect((await fetch(`${address}/v3/push/microsoft/changes`)).status).not.toBe(204)
    const echo = await post('changes', '', `?validationToken=${encodeURIComponent('<b>&+ %')}`)
    expect(echo.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await echo.text()).toBe('<b>&+ %')
    expect(accounts.requests()).toEqual([])
  })

  test('missed changes are polled for, and an expiring subscription is renewed or created again', async () => {
    const account = await newAccount()
    const { simulator } = accounts
    const before = subscriptionOf(account)
    expect(before).toMatchObject({
      changeTypes: ['created', 'updated'],
      immutableIds: true,
      lifecycleNotificationUrl: `${address}/v3/push/microsoft/lifecycle`,
    })
    simulator.muteNotifications(true)
    deliver(account, 'missed')
    simulator.muteNotifications(false)
    simulator.tellLifecycle(before.id, 'missed')
    await until(async () => expect(await reported(account)).toEqual(['missed']))
    const renewals = () =>
      simulator.calls.filter(({ method, path: each }) => method === 'PATCH' && each.endsWith(before.id))
    expect(renewals()).toHaveLength(0)
    before.expiresAt = Date.now() + 3_600_000
    simulator.tellLifecycle(before.id, 'reauthorizationRequired')
    await until(() => expect(renewals()).toHaveLength(1))
    expect(subscriptionOf(account).expiresAt).toBeGreaterThan(Date.now() + 6 * 86_400_000)
    simulator.tellLifecycle(before.id, 'subscriptionRemoved')
    await until(() => expect(subscriptionOf(account).id).not.toBe(before.id))
    deliver(account, 'after')
    await until(async () => expect(await reported(account)).toEqual(['missed', 'after']))
  })

  test('a response that is lost before it is stored is requested again: nothing is notified twice or missed', async () => {
    const account = await newAccount()
    const { simulator } = accounts
    simulator.fail({ path: '/v1.0/$batch', times: 2 }, { drop: 'after' })
    deliver(account, 'lost')
    deliver(account, 'too')
    await until(async () => expect((await reported(account)).toSorted()).toEqual(['lost', 'too']), 40_000)
    deliver(account, 'last')
    await until(async () => expect(await reported(account)).toContain('last'))
    expect(await reported(account)).toHaveLength(3)
  })

  test('a subscription whose creation response was lost is adopted', async () => {
    const { simulator } = accounts
    simulator.fail({ method: 'POST', path: '/v1.0/subscriptions' }, { drop: 'after' })
    const account = await newAccount()
    const { id } = subscriptionOf(account)
    const made = () => simulator.calls.filter(({ path: each }) => each.includes('/subscriptions'))
    // It is not requested again for an hour, unless Graph says that it must be.
    await until(() => expect(accounts.service.logs()).toContain('Microsoft does not tell of changes of mail'))
    simulator.tellLifecycle(id, 'reauthorizationRequired')
    await until(() =>
      expect(made().some(({ method, path: each }) => method === 'PATCH' && each.endsWith(id))).toBe(true),
    )
    deliver(account, 'told')
    await until(async () => expect(await reported(account)).toEqual(['told']))
    expect(subscriptionOf(account).id).toBe(id)
  })
})

test('a service that restarts at another address resumes where it stopped, and moves its subscription there', async () => {
  await using resources = new AsyncDisposableStack()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'waypost-pushes-'))
  resources.defer(() => rm(dataDir, { recursive: true, force: true }))
  const options = async () => ({
    dataDir,
    env: { WAYPOST_PORT: `${await freePort()}`, WAYPOST_POLL_SECONDS: '3600' },
    overrides: { serving: true },
  })
  const accounts = await openMicrosoftAccounts(await options())
  const { simulator, key } = accounts
  resources.defer(() => simulator[Symbol.asyncDispose]())
  await accounts.service.listen()
  const { mail } = simulator.addAccount({ email: 'moved@contoso.example' })
  mail.deliver(mimeMessage({ subject: 'old' }), { at: Date.now() - 120_000 })
  await accounts.newAccount({ email: 'moved@contoso.example' })
  const urls = (): string[] => simulator.subscriptions().map(({ notificationUrl }) => notificationUrl)
  await until(() => expect(urls().length).toBeGreaterThan(0))
  await simulator.settled()
  const [before = ''] = urls()
  await accounts.service[Symbol.asyncDispose]()
  mail.deliver(mimeMessage({ subject: 'meanwhile' }))
  const service = resources.use(await openMicrosoftService(simulator, await options()))
  const address = await service.listen()
  const reported = async (): Promise<string[]> => {
    const { body } = await service.call('GET', '/v3/notifications?limit=200', { key })
    return body.data.flatMap(({ type, data }: Told) => (type === 'message.created' ? [data.object.subject] : []))
  }
  await until(async () => expect(await reported()).toEqual(['meanwhile']), 60_000)
  const place = `${address}/v3/push/microsoft/changes?for=`
  await until(() =>
    expect(
      urls().every((url) => url.startsWith(place)),
      urls().join(),
    ).toBe(true),
  )
  expect(urls()).not.toContain(before)
  mail.deliver(mimeMessage({ subject: 'afterwards' }))
  await until(async () => expect(await reported()).toEqual(['meanwhile', 'afterwards']))
})
