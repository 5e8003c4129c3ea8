/** Signatures of service accounts: which are refused, their cost, and the routes that they open. */
import { randomBytes } from 'node:crypto'
import {
  contract,
  type NamedRoute,
  type NewServiceAccount,
  routesOf,
  ServiceAccountPermission,
} from '@waypost/contract'
import { enginesFor } from '@waypost/testing/engines'
import { isCheck } from '@waypost/testing/level'
import { freshDatabaseUrl } from '@waypost/testing/peers/database-url'
import type { ServiceAccountSigner } from 'nylas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, openService, type TestService } from '../../harness.ts'
import { accountsPath, callSigned, makeServiceAccount, type SignedOptions, signerOf } from '../../signed-call.ts'
import { mainMethod, pathOf } from './requests.ts'

const words = 'the signature is not accepted'

describe.each(enginesFor(import.meta.url))('signatures on %s', (engine) => {
  let service: TestService
  let account: NewServiceAccount
  let signer: ServiceAccountSigner
  let path: string

  beforeAll(async () => {
    service = await openService({ engine })
    const { id } = await service.createApplication('Signed')
    account = await makeServiceAccount(service)
    signer = signerOf(account)
    path = `/v3/admin/applications/${id}/api-keys`
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const send = (method: string, target: string, headers: Record<string, string>, body?: string): Promise<Answer> =>
    service.call(method, target, { key: null, headers, ...(body === undefined ? {} : { body }) })
  const sign = (at: readonly [string, string], options?: SignedOptions) => callSigned(service, signer, at, options)
  const headersFor = (method = 'GET', signed = path) => signer.buildHeaders({ method, path: signed }).headers
  const messageOf = ({ status, body }: Answer) => [status, body.error?.message]

  test('a signed request works once', async () => {
    const headers = headersFor()
    expect((await send('GET', path, headers)).status).toBe(200)
    const again = await send('GET', path, headers)
    expect(messageOf(again)).toEqual([401, expect.stringContaining('x-nylas-nonce: was used before')])
  })

  test('a wrong signature does not use up the nonce', async () => {
    const headers = headersFor()
    const forged = { ...headers, 'X-Nylas-Signature': headersFor()['X-Nylas-Signature'] ?? '' }
    expect((await send('GET', path, forged)).status).toBe(401)
    expect((await send('GET', path, headers)).status).toBe(200)
  })

  test('a request that was changed after signing is refused', async () => {
    const { headers, serializedBody = '' } = signer.buildHeaders({
      method: 'POST',
      path,
      body: { name: 'Zoë', expires_in: 1 },
    })
    const spaced = JSON.stringify(JSON.parse(serializedBody), null, 1)
    const changed: [string, string, Record<string, string>, string?][] = [
      ['POST', path, headers, serializedBody.replace('Zoë', 'Zoe')],
      ['POST', path, headers, spaced],
      ['POST', path, headers, ''],
      ['POST', path, headers],
      ['PATCH', `${path}/x`, headers, serializedBody],
      ['POST', `${path}/`, headers, serializedBody],
      ['GET', path, headers],
      ['POST', path, { ...headers, 'X-Nylas-Nonce': 'another-nonce' }, serializedBody],
      [
        'POST',
        path,
        { ...headers, 'X-Nylas-Timestamp': String(Number(headers['X-Nylas-Timestamp']) - 1) },
        serializedBody,
      ],
      ['POST', path, { ...headers, 'X-Nylas-Kid': (await makeServiceAccount(service)).id }, serializedBody],
    ]
    for (const [method, target, given, body] of changed) {
      const answer = await send(method, target, given, body)
      expect([method, target, ...messageOf(answer)]).toEqual([method, target, 401, expect.stringContaining(words)])
    }
    expect((await send('POST', path, headers, serializedBody)).status).toBe(200)
  })

  test('the query is not signed, as in the published clients', async () => {
    expect((await sign(['GET', `${path}?unknown=1`])).status).toBe(200)
    expect((await send('GET', `${path}?a=1`, headersFor('GET', `${path}?a=1`))).status).toBe(401)
  })

  test('an unknown, blocked, removed or wrong key gets the same answer', async () => {
    const [blocked, removed] = [await makeServiceAccount(service), await makeServiceAccount(service)]
    await service.call('PATCH', `${accountsPath}/${blocked.id}`, { admin: true, body: { blocked: true } })
    await service.call('DELETE', `${accountsPath}/${removed.id}`, { admin: true })
    const answers = [
      await callSigned(service, signerOf(blocked), ['GET', path]),
      await callSigned(service, signerOf(removed), ['GET', path]),
      await send('GET', path, { ...headersFor(), 'X-Nylas-Kid': 'unknown' }),
      await send('GET', path, { ...headersFor(), 'X-Nylas-Nonce': 'not-the-signed-one' }),
    ]
    const shapes = answers.map(({ status, body: { request_id: _, ...body } }) => JSON.stringify({ status, body }))
    expect(new Set(shapes).size).toBe(1)
    expect(messageOf(answers[0] as Answer)).toEqual([401, expect.stringContaining(words)])
  })

  test('a clock that is more than five minutes off is named with its difference', async () => {
    const now = Math.floor(Date.now() / 1000)
    expect((await sign(['GET', path], { timestamp: now - 290 })).status).toBe(200)
    expect((await sign(['GET', path], { timestamp: now + 290 })).status).toBe(200)
    const late = await sign(['GET', path], { timestamp: now - 4000 })
    expect(messageOf(late)).toEqual([401, expect.stringMatching(/x-nylas-timestamp: is 40\d\d s behind the clock/)])
    const early = await sign(['GET', path], { timestamp: now + 4000 })
    expect(messageOf(early)).toEqual([401, expect.stringMatching(/\d{4} s ahead of the clock/)])
    expect((await sign(['GET', path], { timestamp: now * 1000 })).status).toBe(401)
  })

  test('incomplete, malformed, repeated and huge headers are refused with their name', async () => {
    const good = headersFor()
    for (const name of Object.keys(good)) {
      const { [name]: value = '', ...rest } = good
      const missing = await send('GET', path, rest)
      expect(messageOf(missing)).toEqual([401, `${name.toLowerCase()}: is required: a signed request has four headers`])
      for (const wrong of [`${value}, ${value}`, 'x'.repeat(4000), ' ', 'é', "'; --", '{"a":1}']) {
        const { status, body } = await send('GET', path, { ...rest, [name]: wrong })
        expect([status, Object.keys(body.error.validation_errors ?? {})]).toEqual([401, [name.toLowerCase()]])
      }
    }
    expect((await send('GET', path, good)).status).toBe(200)
  })

  test('a request with another credential as well is refused, and other routes take no signature', async () => {
    const basic = `Basic ${Buffer.from(`admin:${service.adminPassword}`).toString('base64')}`
    const both = await send('GET', path, { ...headersFor(), authorization: basic })
    expect(messageOf(both)).toEqual([401, expect.stringContaining('not both')])
    expect((await send('GET', '/v3/webhooks', headersFor('GET', '/v3/webhooks'))).status).toBe(401)
  })

  test('a body is bounded, and is not read for an unknown key', async () => {
    const large = await sign(['POST', path], { body: { name: 'x', padding: 'x'.repeat(70_000) } })
    expect(large.status).toBe(413)
    const request = { method: 'POST', path, body: { name: 'x', padding: 'x'.repeat(70_000) } }
    const { headers, serializedBody } = signer.buildHeaders(request)
    expect((await send('POST', path, { ...headers, 'X-Nylas-Kid': 'unknown' }, serializedBody)).status).toBe(401)
    const bytes = new Uint8Array([0x7b, 0xff, 0x7d])
    const broken = await service.app.request(path, { method: 'POST', headers: headersFor('POST'), body: bytes })
    expect(broken.status).toBe(400)
  })

  test('each permission opens exactly its routes, and no permission opens the others', async () => {
    const opened: Record<ServiceAccountPermission, string[]> = {
      'apikey.create': ['apiKeys.create'],
      'apikey.get': ['apiKeys.list', 'apiKeys.get', 'apiKeys.requests'],
      'apikey.update': ['apiKeys.update'],
      'apikey.delete': ['apiKeys.delete'],
      'application.create': ['adminApplications.create'],
      'application.get': ['adminApplications.list', 'adminApplications.get'],
      'application.update': ['adminApplications.update'],
      'usage.get': ['usage.list', 'usage.get'],
      'audit.get': ['audit.list'],
      'health.get': ['health.get', 'health.series'],
    }
    const applicationId = (await service.createApplication('Matrix')).id
    const params = { application_id: applicationId, service_account_id: account.id, provider: 'google' }
    const every = [...ServiceAccountPermission.options]
    const tried = await makeServiceAccount(service, { permissions: every })
    const allow = (permissions: readonly ServiceAccountPermission[]): Promise<Answer> =>
      service.call('PATCH', `${accountsPath}/${tried.id}`, { admin: true, body: { permissions } })
    const isOpen = async (named: NamedRoute): Promise<boolean> => {
      const method = mainMethod(named)
      // A body that no route accepts, so that an allowed request changes nothing.
      const options = method === 'GET' ? {} : { body: { 'no such field': 1 } }
      const answer = await callSigned(service, signerOf(tried), [method, pathOf(named, params)], options)
      expect(answer.status, named.id).not.toBe(401)
      return answer.status !== 403
    }
    const closed: NamedRoute[] = []
    for (const named of routesOf(contract).filter(({ route }) => route.audience === 'administrator')) {
      const permission = every.find((each) => opened[each].includes(named.id))
      if (permission === undefined) {
        closed.push(named)
        continue
      }
      await allow([permission])
      expect([named.id, await isOpen(named)]).toEqual([named.id, true])
      await allow(every.filter((each) => each !== permission))
      expect([named.id, await isOpen(named)]).toEqual([named.id, false])
    }
    await allow(every)
    expect(closed.map(({ id }) => id)).toEqual(expect.arrayContaining(['people.create', 'serviceAccounts.create']))
    for (const named of closed) expect([named.id, await isOpen(named)]).toEqual([named.id, false])
  })
})

describe('the limits of signatures', () => {
  test('wrong signatures of one network for one key are limited, and other keys are not', async () => {
    await using service = await openService({ env: { WAYPOST_RATE_LIMITS: 'on' } })
    const signers = [signerOf(await makeServiceAccount(service)), signerOf(await makeServiceAccount(service))]
    const [guessed, other] = signers as [ServiceAccountSigner, ServiceAccountSigner]
    const target = '/v3/admin/health'
    const statuses: number[] = []
    for (let attempt = 0; attempt < 31; attempt++) {
      const { headers } = guessed.buildHeaders({ method: 'GET', path: '/v3/elsewhere' })
      statuses.push((await service.call('GET', target, { key: null, headers })).status)
    }
    expect(statuses).toEqual([...Array<number>(30).fill(401), 429])
    expect((await callSigned(service, other, ['GET', target])).status).toBe(403)
  })

  test.runIf(isCheck)('of the same request on two nodes, exactly one passes', async () => {
    const databaseUrl = await freshDatabaseUrl()
    const env = { WAYPOST_SECRET_KEY: randomBytes(32).toString('base64') }
    await using one = await openService({ engine: 'postgresql', databaseUrl, env })
    await using two = await openService({ engine: 'postgresql', databaseUrl, env })
    const signer = signerOf(await makeServiceAccount(one, { permissions: ['health.get'] }))
    for (let round = 0; round < 5; round++) {
      const { headers } = signer.buildHeaders({ method: 'GET', path: '/v3/admin/health' })
      const nodes = [one, two, one, two, one, two]
      const answers = await Promise.all(
        nodes.map((node) => node.call('GET', '/v3/admin/health', { key: null, headers })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401])
    }
  })
})
