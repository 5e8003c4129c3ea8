/**
 * Access tokens of accounts: one refresh for each expiry, for all callers, and no account becomes invalid without
 * reason.
 */
import { randomUUID } from 'node:crypto'
import { ApiError } from '@waypost/platform/api-error'
import { type GrantRecord, getGrant } from '@waypost/store/tables/grants/grants'
import { enginesFor } from '@waypost/testing/engines'
import { executedAgain } from '@waypost/testing/statement'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProviderTokens, type ProviderTokens, type Refresh } from '../../src/grants/provider-tokens.ts'
import { doJobs } from '../../src/node.ts'
import { openService, type TestService } from '../harness.ts'
import {
  createGoogleGrant,
  everyScope,
  type GooglePeer,
  identity,
  openGoogle,
  openGoogleService,
  scope,
} from '../peers/google.ts'

const signal = new AbortController().signal

/** Refresh tokens work once; using one again revokes all its successors. */
function strictEndpoint(clock: TestClock, first: string) {
  let valid = first
  let dead = false
  let refreshes = 0
  const refresh: Refresh = async ({ refresh_token: token }) => {
    await new Promise(setImmediate)
    if (dead || token !== valid) {
      dead = true
      throw new ApiError('grant_invalid')
    }
    refreshes++
    valid = `refresh-${refreshes}`
    return { accessToken: `access-${refreshes}`, expiresAt: clock.now() + 3_600_000, refreshToken: valid }
  }
  return { refresh, refreshes: () => refreshes, isDead: () => dead }
}

describe.each(enginesFor(import.meta.url))('access tokens of accounts on %s', (engine) => {
  let service: TestService
  const clock = testClock()
  let record: GrantRecord
  const nodes = (count: number): ProviderTokens[] =>
    Array.from({ length: count }, () =>
      createProviderTokens({
        database: service.services.storage.database,
        secrets: service.services.storage.secrets,
        clock,
      }),
    )

  beforeAll(async () => {
    service = await openService({ engine, overrides: { clock } })
  })
  afterAll(() => service[Symbol.asyncDispose]())

  async function newGrant(refreshToken = 'first'): Promise<GrantRecord> {
    const { id } = await service.createGrant(`${randomUUID()}@example.com`)
    const found = await getGrant(
      service.services.storage.database,
      service.services.administration.installation.sandboxId,
      id,
    )
    if (!found) throw new Error('no grant')
    const at = { table: 'grants', column: 'sealed_credentials', application: found.applicationId, row: id }
    const sealed = service.services.storage.secrets.seal(JSON.stringify({ refresh_token: refreshToken }), at)
    return { ...found, sealedCredentials: sealed }
  }

  test('twenty workers with strict rotation make one refresh for each expiry, and none is refused', async () => {
    record = await newGrant()
    const rounds = engine === 'postgresql' ? 150 : 100
    const endpoint = strictEndpoint(clock, 'first')
    const workers = nodes(20)
    for (let round = 1; round <= rounds; round++) {
      const got = await Promise.all(workers.map((each) => each.current(record, endpoint.refresh, { signal })))
      expect(new Set(got)).toEqual(new Set([`access-${round}`]))
      clock.advance(3_600_000)
    }
    expect(endpoint.refreshes()).toBe(rounds)
    expect(endpoint.isDead()).toBe(false)
    await service.call('DELETE', `/v3/grants/${record.grant.id}`)
  })

  test('a token is used until a minute before it expires', async () => {
    record = await newGrant()
    const endpoint = strictEndpoint(clock, 'first')
    const [node] = nodes(1)
    const ask = () => node?.current(record, endpoint.refresh, { signal })
    expect(await ask()).toBe('access-1')
    clock.advance(3_600_000 - 60_001)
    expect(await ask()).toBe('access-1')
    clock.advance(1)
    expect(await ask()).toBe('access-2')
    await service.call('DELETE', `/v3/grants/${record.grant.id}`)
  })

  test.for([60_001, 1_500.7, 1])('a token that lives %d ms is stored, and used for half its life', async (life) => {
    record = await newGrant()
    const [node] = nodes(1)
    let fetched = 0
    const brief: Refresh = async () => ({ accessToken: `brief-${++fetched}`, expiresAt: clock.now() + life })
    const ask = () => node?.current(record, brief, { signal })
    expect(await ask()).toBe('brief-1')
    clock.advance(Math.ceil(life / 2))
    expect(await ask()).toBe('brief-2')
    await service.call('DELETE', `/v3/grants/${record.grant.id}`)
  })

  test('a token that the provider refuses is replaced once for all callers', async () => {
    record = await newGrant()
    const endpoint = strictEndpoint(clock, 'first')
    const workers = nodes(5)
    const first = await Promise.all(workers.map((each) => each.current(record, endpoint.refresh, { signal })))
    const next = await Promise.all(
      workers.map((each) => each.current(record, endpoint.refresh, { signal, refused: first[0] })),
    )
    expect(new Set(next)).toEqual(new Set(['access-2']))
    expect(endpoint.refreshes()).toBe(2)
    await service.call('DELETE', `/v3/grants/${record.grant.id}`)
  })

  test('a provider that returns the refused token again gets one request, and no endless loop', async () => {
    record = await newGrant()
    let requested = 0
    const same: Refresh = async () => ({
      accessToken: `same${requested++ > 5 ? ' too often' : ''}`,
      expiresAt: clock.now() + 3_600_000,
    })
    const [node] = nodes(1)
    const first = await node?.current(record, same, { signal })
    expect(await node?.current(record, same, { signal, refused: first })).toBe('same')
    expect(requested).toBe(2)
    await service.call('DELETE', `/v3/grants/${record.grant.id}`)
  })

  test('a worker that dies while refreshing delays the others only for its lease', async () => {
    record = await newGrant()
    const endpoint = strictEndpoint(clock, 'first')
    const [dying, living] = nodes(2)
    await new Promise<void>((hasRight) => {
      const hang = (): Promise<never> => {
        hasRight()
        return new Promise(() => undefined)
      }
      dying?.current(record, hang, { signal }).catch(() => undefined)
    })
    const refused = executedAgain(service.services.storage.database, 'provider_tokens.claim')
    const waiting = living?.current(record, endpoint.refresh, { signal })
    await refused
    expect(endpoint.refreshes()).toBe(0)
    clock.advance(20_001)
    expect(await waiting).toBe('access-1')
    await service.call('DELETE', `/v3/grants/${record.grant.id}`)
  })

  test.for(['before', 'after'] as const)(
    'a worker that is held up for longer than its claim loses no account: it keeps what it got %s another is refused',
    async (when) => {
      record = await newGrant()
      const endpoint = strictEndpoint(clock, 'first')
      const [slow, quick] = nodes(2)
      const answered = Promise.withResolvers<void>()
      const heldUp = Promise.withResolvers<void>()
      const slowly: Refresh = async (credentials, aborted) => {
        const tokens = await endpoint.refresh(credentials, aborted)
        answered.resolve()
        await heldUp.promise
        return tokens
      }
      const first = slow?.current(record, slowly, { signal })
      await answered.promise
      clock.advance(20_001)
      if (when === 'before') heldUp.resolve()
      // The refresh token is used up: another attempt with it is refused.
      const refused: Refresh = async (credentials, aborted) => {
        heldUp.resolve()
        await first
        return endpoint.refresh(credentials, aborted)
      }
      expect(await quick?.current(record, refused, { signal })).toBe('access-1')
      expect(await first).toBe('access-1')
      await service.call('DELETE', `/v3/grants/${record.grant.id}`)
    },
  )

  test('if the newest refresh token is refused, the previous one is tried for a day', async () => {
    record = await newGrant()
    const [node] = nodes(1)
    const requested: unknown[] = []
    let refuse = new Set<unknown>()
    const refresh: Refresh = async ({ refresh_token: token }) => {
      requested.push(token)
      if (refuse.has(token)) throw new ApiError('grant_invalid')
      return {
        accessToken: `for-${token}-${requested.length}`,
        expiresAt: clock.now() + 60_000,
        refreshToken: `after-${token}`,
      }
    }
    const ask = () => node?.current(record, refresh, { signal })
    await ask()
    clock.advance(60_000)
    refuse = new Set(['after-first'])
    await ask()
    expect(requested).toEqual(['first', 'after-first', 'first'])
    clock.advance(60_000)
    refuse = new Set(['after-first', 'first'])
    await expect(ask()).rejects.toThrow(ApiError)
    await service.call('DELETE', `/v3/grants/${record.grant.id}`)
  })

  test('a network failure does not affect the account, and the next caller tries again', async () => {
    record = await newGrant()
    const [node] = nodes(1)
    const failing: Refresh = () => Promise.reject(new ApiError('provider_unavailable'))
    await expect(node?.current(record, failing, { signal })).rejects.toMatchObject({ code: 'provider_unavailable' })
    const endpoint = strictEndpoint(clock, 'first')
    expect(await node?.current(record, endpoint.refresh, { signal })).toBe('access-1')
    await service.call('DELETE', `/v3/grants/${record.grant.id}`)
  })
})

describe('an account at Google', () => {
  let peer: GooglePeer
  let service: TestService
  let key: string
  beforeAll(async () => {
    peer = await openGoogle({ rotateRefreshTokens: true, accessTokenSeconds: 3599 })
    service = await openGoogleService(peer.simulator)
    ;({ key } = await service.createApplication())
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await peer[Symbol.asyncDispose]()
  })

  const tokenCalls = () => peer.simulator.calls.filter(({ path }) => path === '/token')

  test('is refreshed once for many concurrent requests, after its token was refused', async () => {
    peer.simulator.addAccount({ email: 'ann@example.com', name: 'Ann' })
    const grant = await createGoogleGrant(service, peer.simulator, { email: 'ann@example.com', key })
    expect(grant).toMatchObject({ provider: 'google', email: 'ann@example.com', name: 'Ann', grant_status: 'valid' })
    peer.simulator.expireAccessTokens()
    peer.simulator.clearCalls()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.call('GET', `/v3/grants/${grant.id}/folders`, { key })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(tokenCalls()).toHaveLength(1)
  })

  test('whose consent is revoked is notified as expired once, and answers 401', async () => {
    peer.simulator.addAccount({ email: 'ben@example.com' })
    const grant = await createGoogleGrant(service, peer.simulator, { email: 'ben@example.com', key })
    peer.simulator.account('ben@example.com').revokeConsent()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => service.call('GET', `/v3/grants/${grant.id}/folders`, { key })),
    )
    for (const { status, body } of answers) {
      expect(status).toBe(401)
      expect(body.error.type).toBe('grant.invalid_authentication')
    }
    const after = await service.call('GET', `/v3/grants/${grant.id}`, { key })
    expect(after.body.data.grant_status).toBe('invalid')
    const reported = await service.call('GET', '/v3/notifications?limit=200', { key })
    const expired = reported.body.data.filter(
      (each: { type: string; data: { object: { grant_id: string } } }) =>
        each.type === 'grant.expired' && each.data.object.grant_id === grant.id,
    )
    expect(expired).toHaveLength(1)
  })

  test('that is deleted is revoked at Google', async () => {
    const account = peer.simulator.addAccount({ email: 'cat@example.com' })
    const grant = await createGoogleGrant(service, peer.simulator, { email: account.email, key })
    expect((await service.call('DELETE', `/v3/grants/${grant.id}`, { key })).status).toBe(200)
    peer.simulator.clearCalls()
    await doJobs(service.services)
    expect(peer.simulator.calls.map(({ path, status }) => [path, status])).toEqual([['/revoke', 200]])
  })

  test('that is deleted does not affect the grant of the same person in another application with the same client', async () => {
    const account = peer.simulator.addAccount({ email: 'kit@example.com' })
    const other = await service.createApplication('Shares the client')
    const own = await createGoogleGrant(service, peer.simulator, { email: account.email, key })
    const theirs = await createGoogleGrant(service, peer.simulator, { email: account.email, key: other.key })
    const revoked = async (): Promise<number> => {
      peer.simulator.clearCalls()
      await doJobs(service.services)
      return peer.simulator.calls.filter(({ path }) => path === '/revoke').length
    }
    expect((await service.call('DELETE', `/v3/grants/${own.id}`, { key })).status).toBe(200)
    expect(await revoked()).toBe(0)
    expect((await service.call('GET', `/v3/grants/${theirs.id}/folders`, { key: other.key })).status).toBe(200)
    // It is revoked with the last grant.
    expect((await service.call('DELETE', `/v3/grants/${theirs.id}`, { key: other.key })).status).toBe(200)
    expect(await revoked()).toBe(1)
  })

  test('that is deleted concurrently with the other grant of the same person is revoked at Google', async () => {
    const account = peer.simulator.addAccount({ email: 'lea@example.com' })
    const other = await service.createApplication('Shares the client too')
    const holders = [key, other.key]
    const made: string[] = []
    for (const each of holders) {
      made.push((await createGoogleGrant(service, peer.simulator, { email: account.email, key: each })).id)
    }
    await Promise.all(holders.map((each, index) => service.call('DELETE', `/v3/grants/${made[index]}`, { key: each })))
    peer.simulator.clearCalls()
    await doJobs(service.services)
    expect(peer.simulator.calls.map(({ path }) => path)).toContain('/revoke')
  })

  test('that is deleted and connected again before its tokens are revoked stays connected', async () => {
    const account = peer.simulator.addAccount({ email: 'mia@example.com' })
    const first = await createGoogleGrant(service, peer.simulator, { email: account.email, key })
    expect((await service.call('DELETE', `/v3/grants/${first.id}`, { key })).status).toBe(200)
    const second = await createGoogleGrant(service, peer.simulator, { email: account.email, key })
    await doJobs(service.services)
    expect((await service.call('GET', `/v3/grants/${second.id}/folders`, { key })).status).toBe(200)
  })

  test('is refused with a clear message if the refresh token is invalid', async () => {
    const made = await service.call('POST', '/v3/connect/custom', {
      key,
      body: { provider: 'google', settings: { refresh_token: 'CANARY-nonsense' } },
    })
    expect(made.status).toBe(401)
    expect(made.body.error.type).toBe('grant.refresh_token_invalid')
    expect(JSON.stringify(made.body)).not.toContain('CANARY')
  })

  test('has further addresses, which are returned on request', async () => {
    const aliases = ['hal.office@example.com', 'hal@example.org']
    peer.simulator.addAccount({ email: 'hal@example.com', aliases })
    const { id } = await createGoogleGrant(service, peer.simulator, { email: 'hal@example.com', key })
    const read = async (query: string) => (await service.call('GET', `/v3/grants/${id}${query}`, { key })).body.data
    expect(await read('')).not.toHaveProperty('email_aliases')
    expect((await read('?expose_aliases=true')).email_aliases).toEqual(aliases)
    expect(await read('?expose_aliases=true&select=id,email_aliases')).toEqual({ id, email_aliases: aliases })
    peer.simulator.addAccount({ email: 'ida@example.com' })
    const other = await createGoogleGrant(service, peer.simulator, { email: 'ida@example.com', key })
    const alone = await service.call('GET', `/v3/grants/${other.id}?expose_aliases=true`, { key })
    expect(alone.body.data).toEqual(other)
  })

  test('without a scope gets 403 with its name, before a request to Google', async () => {
    peer.simulator.addAccount({ email: 'dan@example.com' })
    const scopes = [...identity, scope('gmail.readonly')]
    const grant = await createGoogleGrant(service, peer.simulator, { email: 'dan@example.com', key, scopes })
    peer.simulator.clearCalls()
    const answer = await service.call('GET', `/v3/grants/${grant.id}/calendars`, { key })
    expect(answer.status).toBe(403)
    expect(answer.body.error.type).toBe('insufficient_scopes')
    expect(answer.body.error.message).toContain(scope('calendar'))
    expect(peer.simulator.calls).toEqual([])
  })

  test('of a Workspace domain is used through a service account', async () => {
    peer.simulator.addAccount({ email: 'eve@example.com', name: 'Eve' })
    const created = await service.call('POST', '/v3/connectors/google/creds', {
      key,
      body: { name: 'domain', credential_type: 'serviceaccount', credential_data: peer.simulator.addServiceAccount() },
    })
    expect(created.status).toBe(201)
    const made = await service.call('POST', '/v3/connect/custom', {
      key,
      body: {
        provider: 'google',
        settings: { email_address: 'eve@example.com', credential_id: created.body.data.id },
      },
    })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({ email: 'eve@example.com', name: 'Eve', credential_id: created.body.data.id })
    expect((await service.call('GET', `/v3/grants/${made.body.data.id}/folders`, { key })).status).toBe(200)
    peer.simulator.expireAccessTokens()
    expect((await service.call('GET', `/v3/grants/${made.body.data.id}/folders`, { key })).status).toBe(200)
  })

  test('whose address now belongs to another user is refused, and the grant stays unchanged', async () => {
    const first = peer.simulator.addAccount({ email: 'fay@example.com' })
    const grant = await createGoogleGrant(service, peer.simulator, { email: first.email, key })
    expect(grant.provider_user_id).toBe(first.sub)
    const other = peer.simulator.addAccount({ email: 'gil@example.com' })
    const { refreshToken } = peer.simulator.grantToken(other.email, everyScope)
    peer.simulator.renameAccount(first.email, 'old-fay@example.com')
    peer.simulator.renameAccount(other.email, 'fay@example.com')
    const again = await service.call('POST', '/v3/connect/custom', {
      key,
      body: { provider: 'google', settings: { refresh_token: refreshToken } },
    })
    expect(again.status).toBe(400)
    expect(again.body.error.type).toBe('grant.invalid_authentication')
    const { body } = await service.call('GET', `/v3/grants/${grant.id}`, { key })
    expect(body.data).toMatchObject({ grant_status: 'valid', provider_user_id: first.sub })
    expect((await service.call('GET', `/v3/grants/${grant.id}/folders`, { key })).status).toBe(200)
  })
})
