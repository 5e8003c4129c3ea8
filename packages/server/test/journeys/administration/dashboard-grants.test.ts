/** Grants as the administrator sees them: search, use, watching and errors. */

import { ApiError } from '@waypost/platform/api-error'
import { providers } from '@waypost/providers/registry'
import { oneEngineFor } from '@waypost/testing/engines'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beat } from '../../../src/node.ts'
import { openMailboxes, until } from '../../changes/watching.ts'
import { openService, type TestService } from '../../harness.ts'

describe.each(oneEngineFor(import.meta.url))('grants on %s', (engine) => {
  let clock: TestClock
  let service: TestService
  let base: string
  const mailboxes = openMailboxes()
  let fails: ApiError | undefined
  const failing = {
    ...providers['virtual-calendar'],
    calendars: {
      ...providers['virtual-calendar'].calendars,
      get: async () => {
        throw fails ?? new ApiError('not_found')
      },
    },
  }

  beforeAll(async () => {
    clock = testClock()
    const overrides = { clock, providers: { 'virtual-calendar': failing, imap: mailboxes.provider } }
    service = await openService({ engine, overrides })
    const { id } = await service.createApplication('Grants')
    base = `/v3/admin/applications/${id}/grants`
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const key = async (): Promise<string> => {
    const path = base.replace(/grants$/, 'api-keys')
    return (await service.call('POST', path, { admin: true, body: { name: 'k' } })).body.data.api_key
  }
  const list = async (query: string) => (await service.call('GET', `${base}?${query}`, { admin: true })).body
  const emails = async (query: string): Promise<string[]> =>
    (await list(query)).data.map((grant: { email: string }) => grant.email)
  const activity = async (id: string) =>
    (await service.call('GET', `${base}/${id}/activity`, { admin: true })).body.data

  test('are found by a part of the address, the name or the id, newest first', async () => {
    const apiKey = await key()
    const made: Record<string, string>[] = []
    for (const email of ['Ada@one.test', 'bob_100%@one.test', 'cleo@two.test']) {
      clock.advance(1000)
      made.push((await service.createGrant(email, apiKey)) as never)
    }
    expect(await emails('')).toEqual(['cleo@two.test', 'bob_100%@one.test', 'Ada@one.test'])
    expect(await emails('search=ONE.test')).toEqual(['bob_100%@one.test', 'Ada@one.test'])
    expect(await emails('search=_100%25')).toEqual(['bob_100%@one.test'])
    expect(await emails('search=%25')).toEqual(['bob_100%@one.test'])
    expect(await emails('search=a_a')).toEqual([])
    expect(await emails(`search=${made[2]?.id?.slice(3, 20)}`)).toEqual(['cleo@two.test'])
    expect(await emails('search=two.test&grant_status=invalid')).toEqual([])
    expect(await emails('search=virtual-calendar')).toEqual([])
    await service.call('POST', `${base}/${made[2]?.id}/revoke`, { admin: true })
    expect(await emails('grant_status=invalid')).toEqual(['cleo@two.test'])
    expect(await emails('provider=imap')).toEqual([])
    expect(await emails('provider=virtual-calendar&grant_status=valid')).toEqual(['bob_100%@one.test', 'Ada@one.test'])
    const first = await list('limit=2')
    const second = await list(`limit=2&page_token=${first.next_cursor}`)
    expect([first.data.length, second.data.map((grant: { email: string }) => grant.email)]).toEqual([
      2,
      ['Ada@one.test'],
    ])
    expect(second.next_cursor).toBeUndefined()
    expect(first.data[0]).toMatchObject({ email: 'cleo@two.test', last_used_at: null })
  })

  test('show what their accounts support', async () => {
    const { id } = await service.createGrant('able@one.test', await key())
    const { operations } = await activity(id)
    expect(operations).toContain('events.list')
    expect(operations).not.toContain('messages.list')
    expect(operations).not.toContain('signatures.list')
  })

  test('of another or unknown application are not found', async () => {
    const other = await service.createApplication('Other')
    const { id } = await service.createGrant('hidden@other.test', other.key)
    expect(await emails('search=hidden')).toEqual([])
    expect((await service.call('GET', `${base}/${id}/activity`, { admin: true })).status).toBe(404)
    const nowhere = base.replace(/applications\/[^/]+/, 'applications/nowhere')
    expect((await service.call('GET', nowhere, { admin: true })).status).toBe(404)
  })

  test('show when they were last used', async () => {
    const apiKey = await key()
    const { id } = await service.createGrant('used@one.test', apiKey)
    expect((await activity(id)).last_used_at).toBeNull()
    await service.call('GET', `/v3/grants/${id}/calendars`, { key: apiKey })
    const at = Math.floor(clock.now() / 1000)
    await service.services.accounts.activity.flush()
    expect((await activity(id)).last_used_at).toBe(at)
    expect((await list('search=used@')).data[0].last_used_at).toBe(at)
    clock.advance(10_000)
    await service.call('GET', `/v3/grants/${id}/calendars`, { key: apiKey })
    await service.services.accounts.activity.flush()
    expect((await activity(id)).last_used_at).toBe(at)
    clock.advance(30_000)
    await service.call('GET', `/v3/grants/${id}/calendars`, { key: apiKey })
    await service.services.accounts.activity.flush()
    expect((await activity(id)).last_used_at).toBe(at + 40)
  })

  test('show the last 20 errors of their provider as text, and not those of the client', async () => {
    const apiKey = await key()
    const { id } = await service.createGrant('errors@one.test', apiKey)
    const get = () => service.call('GET', `/v3/grants/${id}/calendars/x`, { key: apiKey })
    fails = undefined
    await get()
    const ids: string[] = []
    for (let turn = 0; turn < 25; turn++) {
      clock.advance(1000)
      const providerError = { error_description: `Quota ${turn} is used up` }
      fails = new ApiError('provider_refused', undefined, { providerError })
      ids.push((await get()).body.request_id)
      if (turn % 10 === 0) await service.services.accounts.activity.flush()
    }
    await service.services.accounts.activity.flush()
    const { errors } = await activity(id)
    expect(errors).toHaveLength(20)
    expect(errors[0]).toEqual({
      at: Math.floor(clock.now() / 1000),
      operation: 'calendars.get',
      type: 'provider_error',
      message: 'The provider refused the request (the provider said: Quota 24 is used up)',
      request_id: ids[24],
    })
    expect(errors[19].request_id).toBe(ids[5])
  })

  test('that were deleted meanwhile do not affect others', async () => {
    const apiKey = await key()
    const gone = await service.createGrant('gone@one.test', apiKey)
    const retained = await service.createGrant('kept@one.test', apiKey)
    fails = new ApiError('provider_unavailable')
    for (const { id } of [gone, retained]) await service.call('GET', `/v3/grants/${id}/calendars/x`, { key: apiKey })
    await service.call('DELETE', `/v3/grants/${gone.id}`, { key: apiKey })
    await service.services.accounts.activity.flush()
    expect((await activity(retained.id)).errors).toHaveLength(1)
    expect((await activity(retained.id)).last_used_at).not.toBeNull()
  })

  test('show how their changes are watched', async () => {
    const apiKey = await key()
    const own = await service.createGrant('own@one.test', apiKey)
    const none = { node_id: null, synced_at: null, failures: 0, next_try_at: null }
    expect((await activity(own.id)).watch).toEqual({ ...none, state: 'watching' })
    await service.call('PATCH', `${base}/${own.id}`, { admin: true, body: { blocked: true } })
    expect((await activity(own.id)).watch).toEqual({ ...none, state: 'off' })

    await service.call('POST', '/v3/connectors', { key: apiKey, body: { provider: 'imap' } })
    const settings = { imap_username: 'watched@mail.test', imap_password: 'p', imap_host: 'mail.test' }
    const made = await service.call('POST', '/v3/connect/custom', { key: apiKey, body: { provider: 'imap', settings } })
    const { id } = made.body.data
    expect((await activity(id)).watch).toMatchObject({ state: 'starting', node_id: null })
    const stopping = new AbortController()
    await beat(service.services)
    const running = service.services.accounts.watcher.run(stopping.signal)
    const mailbox = mailboxes.mailboxOf(id)
    await until(() => expect(mailbox.isWaitedFor).toBe(true))
    await until(async () => expect((await activity(id)).watch).toMatchObject({ state: 'watching', failures: 0 }))
    const watching = (await activity(id)).watch
    expect(watching).toMatchObject({ node_id: service.services.runtime.node.id, synced_at: expect.any(Number) })

    mailbox.before = () => {
      throw new ApiError('provider_unavailable', 'the server says good-bye')
    }
    mailbox.lose()
    await until(async () => {
      await service.services.accounts.activity.flush()
      expect((await activity(id)).watch).toMatchObject({ state: 'resting', failures: 1 })
    })
    const resting = await activity(id)
    expect(resting.watch.next_try_at).toBeGreaterThanOrEqual(Math.floor(clock.now() / 1000))
    expect(resting.errors).toMatchObject([{ operation: 'changes', request_id: null }])
    mailbox.before = undefined
    await until(async () => {
      clock.advance(1000)
      await beat(service.services)
      expect((await activity(id)).watch).toMatchObject({ state: 'watching', failures: 0, next_try_at: null })
    })
    stopping.abort()
    await running
  })
})
