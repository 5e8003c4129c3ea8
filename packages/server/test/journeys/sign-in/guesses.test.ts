/** Guesses of an account's credentials: only a few reach the provider, by any route. */

import { ApiError } from '@waypost/platform/api-error'
import type { Provider } from '@waypost/providers/provider'
import { providers } from '@waypost/providers/registry'
import { testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, openService, type TestService } from '../../harness.ts'

describe('guesses at an account', () => {
  const clock = testClock()
  let service: TestService
  let key: string
  let otherKey: string
  let passed: string[] = []
  let failure: ApiError | undefined

  const imap: Provider = {
    ...(providers.imap as Provider),
    authenticate: async (settings) => {
      passed.push(String(settings.imap_password))
      if (failure) throw failure
      if (settings.imap_password !== 'right') throw new ApiError('authentication_failed')
      const email = String(settings.email ?? settings.imap_username)
      const { imap_password: _, ...shown } = settings
      return { email, name: null, providerUserId: null, scope: [], settings: shown, credentials: {} }
    },
  }

  beforeAll(async () => {
    service = await openService({ overrides: { clock, providers: { imap } } })
    key = (await service.createApplication('One')).key
    otherKey = (await service.createApplication('Other')).key
    for (const each of [key, otherKey]) {
      await service.call('POST', '/v3/connectors', { key: each, body: { provider: 'imap' } })
    }
  })
  afterAll(() => service[Symbol.asyncDispose]())
  beforeEach(() => {
    clock.advance(120_000 - (clock.now() % 60_000))
    passed = []
    failure = undefined
  })

  const guess = (password: string, more: object = {}, by = key): Promise<Answer> =>
    service.call('POST', '/v3/connect/custom', {
      key: by,
      body: {
        provider: 'imap',
        settings: { imap_username: 'ann@victim.test', imap_password: password, imap_host: 'mail.victim.test', ...more },
      },
    })
  const tenWrong = async (more: object = {}, by = key): Promise<void> => {
    for (let n = 1; n <= 10; n++) expect((await guess(`wrong-${n}`, more, by)).status).toBe(400)
  }
  const expectRefused = (answer: Answer): void => {
    expect([answer.status, answer.body.error.type]).toEqual([429, 'rate_limit_error'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }

  test('reach the provider ten times a minute, and then even the right one does not', async () => {
    await tenWrong()
    expectRefused(await guess('wrong-11'))
    expectRefused(await guess('right'))
    expect(passed).toHaveLength(10)
    clock.advance(60_000)
    expect((await guess('right')).status).toBe(201)
  })

  test('are counted for the account in every spelling, and for all applications together', async () => {
    await tenWrong()
    for (const more of [
      { imap_username: 'ANN@Victim.test' },
      { imap_username: ' ann@victim.test ' },
      { imap_host: 'MAIL.victim.test.' },
      { imap_host: '192.0.2.1' },
      { email: 'somebody@else.test' },
      { imap_username: 'another', email: 'ann@victim.test' },
      { imap_username: 'another@else.test', smtp_username: 'ann@victim.test' },
    ]) {
      expectRefused(await guess('wrong', more))
      expectRefused(await guess('wrong', more, otherKey))
    }
    expect(passed).toHaveLength(10)
    expect((await guess('right', { imap_username: 'bob@victim.test' })).status).toBe(201)
  })

  test('are counted by server for a user name that is not an address', async () => {
    await tenWrong({ imap_username: 'ann' })
    expectRefused(await guess('wrong', { imap_username: 'ANN', imap_host: 'mail.victim.test.' }))
    expect((await guess('right', { imap_username: 'ann', email: 'a@x.test', imap_host: 'mail.x.test' })).status).toBe(
      201,
    )
  })

  test('that run concurrently are all counted', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => guess(n === 30 ? 'right' : `wrong-${n}`)))
    expect(passed).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
  })

  test('are not counted if they were right, never reached the provider, or got no verdict', async () => {
    for (let n = 0; n < 15; n++) expect((await guess('right')).status).toBeLessThan(300)
    for (let n = 0; n < 15; n++) expect((await guess('', { imap_password: 7 })).status).toBe(400)
    failure = new ApiError('provider_unavailable')
    for (let n = 0; n < 15; n++) expect((await guess('x')).status).toBeGreaterThanOrEqual(500)
    failure = undefined
    await tenWrong()
  })

  test('of many accounts are counted by their source', async () => {
    for (let n = 1; n <= 30; n++) {
      expect((await guess('Summer2026', { imap_username: `user${n}@victim.test` })).status).toBe(400)
    }
    expectRefused(await guess('Summer2026', { imap_username: 'user31@victim.test' }))
    // Another application at the same IP address has its own count.
    expect((await guess('right', { imap_username: 'eve@victim.test' }, otherKey)).status).toBe(201)
  })

  test('through new settings of a grant are counted too', async () => {
    expect((await guess('right')).status).toBe(201)
    const change = (imap_password: string) =>
      service.call('PATCH', '/v3/grants/ann@victim.test', { key, body: { settings: { imap_password } } })
    for (let n = 1; n <= 5; n++) expect((await change(`wrong-${n}`)).status).toBe(400)
    for (let n = 6; n <= 10; n++) expect((await guess(`wrong-${n}`)).status).toBe(400)
    expectRefused(await change('right'))
    expectRefused(await guess('right'))
    expect(passed).toHaveLength(11)
  })

  test('share one limit across all nodes of an installation', async () => {
    service.services.telemetry.limiter.setNodes(2)
    try {
      for (let n = 1; n <= 5; n++) expect((await guess(`wrong-${n}`)).status).toBe(400)
      expectRefused(await guess('wrong-6'))
    } finally {
      service.services.telemetry.limiter.setNodes(1)
    }
  })
})
