/** Service accounts: requests that the published client signs, to the administration routes. */
import { generateKeyPairSync } from 'node:crypto'
import { enginesFor } from '@waypost/testing/engines'
import { Nylas } from '@waypost/testing/peers/nylas'
import { type TestClock, testClock } from '@waypost/testing/test-clock'
import { ServiceAccountSigner } from 'nylas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'
import { accountsPath, callSigned, makeServiceAccount, signerOf } from '../../signed-call.ts'

const day = 86_400_000

describe.each(enginesFor(import.meta.url))('service accounts on %s', (engine) => {
  let clock: TestClock
  let service: TestService
  let own: { id: string; key: string }
  let other: { id: string; key: string }

  beforeAll(async () => {
    clock = testClock()
    service = await openService({ engine, overrides: { clock } })
    own = await service.createApplication('Own')
    other = await service.createApplication('Other')
  })
  afterAll(() => service[Symbol.asyncDispose]())

  const keysPath = (id = own.id): string => `/v3/admin/applications/${id}/api-keys`
  const seconds = (): number => Math.floor(clock.now() / 1000)
  const sign = (signer: ServiceAccountSigner, ...[at, options]: [readonly [string, string], object?]) =>
    callSigned(service, signer, at, { timestamp: seconds(), ...options })

  test('the credential file is returned once, and the private key is neither stored nor logged', async () => {
    const made = await makeServiceAccount(service, { name: 'Once', applications: [own.id] })
    expect(made).toMatchObject({ name: 'Once', status: 'active', applications: [own.id], last_used_at: null })
    expect(made.credential).toEqual({
      type: 'service_account',
      name: 'Once',
      private_key_id: made.id,
      private_key: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----\n/),
      organization_id: service.services.administration.installation.organizationId,
      region: 'us',
      permissions: ['apikey.create', 'apikey.get', 'apikey.delete'],
    })
    const { credential, ...account } = made
    expect((await service.call('GET', `${accountsPath}/${made.id}`, { admin: true })).body.data).toEqual(account)
    const listed = await service.call('GET', accountsPath, { admin: true })
    expect(listed.body.data).toContainEqual(account)
    const secret = credential?.private_key.split('\n')[1] ?? ''
    expect(secret).not.toBe('')
    expect(JSON.stringify(listed.body) + service.logs()).not.toContain(secret)
  })

  test('the published client signs the four operations on API keys', async () => {
    const signer = signerOf(await makeServiceAccount(service, { name: 'Robot' }))
    const made = await sign(signer, ['POST', keysPath()], { body: { name: 'By robot', expires_in: 30 } })
    expect(made.status).toBe(200)
    const { api_key: key, ...shown } = made.body.data
    expect(shown).toMatchObject({
      ...{ application_id: own.id, name: 'By robot', permissions: ['all'], status: 'active', expires_in: 30 },
      created_by: { type: 'service_account', person_id: null, name: 'Robot' },
      expires_at: shown.created_at + 30 * 86_400,
    })
    expect((await service.call('GET', '/v3/applications', { key })).status).toBe(200)
    const listed = await sign(signer, ['GET', keysPath()])
    expect(listed.body.data.find(({ id }: { id: string }) => id === shown.id)).toMatchObject({ name: 'By robot' })
    expect(JSON.stringify(listed.body)).not.toContain(key)
    const one = `${keysPath()}/${shown.id}`
    expect((await sign(signer, ['GET', one])).body.data).toMatchObject({ id: shown.id, expires_in: 30 })
    const revoked = await sign(signer, ['DELETE', one])
    expect([revoked.status, revoked.body]).toEqual([200, { request_id: expect.any(String) }])
    expect((await service.call('GET', '/v3/applications', { key })).status).toBe(401)
  })

  test("the published client's own transport sends signed requests, also under an address with a slash", async () => {
    const account = await makeServiceAccount(service)
    const signer = signerOf(account)
    for (const ending of ['', '/']) {
      const nylas = new Nylas({ apiKey: 'unused', apiUri: `${await service.listen()}${ending}` })
      const request = { method: 'POST', path: keysPath(), body: { name: 'Über "alles" \\ 🗝', expires_in: 1 } }
      const { headers, serializedBody } = signer.buildHeaders({ ...request, timestamp: seconds() })
      const made = await nylas.apiClient.request<{ data: { apiKey: string; name: string } }>({
        ...{ method: request.method, path: request.path, overrides: { headers, skipAuth: true } },
        ...(serializedBody === undefined ? {} : { serializedBody }),
      })
      expect(made.data.name).toBe(request.body.name)
    }
  })

  test('the audit log names the service account, also for refused changes and after its removal', async () => {
    const account = await makeServiceAccount(service, { name: 'Audited', permissions: ['apikey.create'] })
    const signer = signerOf(account)
    const made = await sign(signer, ['POST', keysPath()], { body: { name: 'audited' } })
    await sign(signer, ['DELETE', `${keysPath()}/${made.body.data.id}`])
    await service.call('DELETE', `${accountsPath}/${account.id}`, { admin: true })
    const { data } = (await service.call('GET', `/v3/admin/audit?person_id=${account.id}`, { admin: true })).body
    const who = { actor: 'service_account', person_id: account.id, person_name: 'Audited', application_id: own.id }
    expect(data).toMatchObject([
      { ...who, action: 'apiKeys.delete', status: 403 },
      { ...who, action: 'apiKeys.create', status: 200, target: made.body.data.id },
    ])
    const removals = await service.call('GET', '/v3/admin/audit?action=serviceAccounts.*', { admin: true })
    expect(removals.body.data[0]).toMatchObject({ action: 'serviceAccounts.delete', target: account.id })
  })

  test('an application out of reach looks like one that does not exist', async () => {
    const permissions = ['apikey.get', 'application.get', 'usage.get', 'audit.get', 'application.create'] as const
    const signer = signerOf(
      await makeServiceAccount(service, { permissions: [...permissions], applications: [own.id] }),
    )
    const nowhere = '00000000-0000-4000-8000-000000000000'
    const shape = async (id: string) => {
      const { status, body } = await sign(signer, ['GET', keysPath(id)])
      return { status, error: body.error }
    }
    expect(await shape(other.id)).toEqual(await shape(nowhere))
    expect((await shape(other.id)).status).toBe(404)
    expect((await shape(own.id)).status).toBe(200)
    for (const path of ['applications', 'usage', 'audit']) {
      const { data } = (await sign(signer, ['GET', `/v3/admin/${path}`])).body
      expect(new Set(data.map((each: { application_id: string }) => each.application_id))).toEqual(new Set([own.id]))
    }
    expect((await sign(signer, ['POST', '/v3/admin/applications'], { body: { name: 'New' } })).status).toBe(403)
  })

  test('changed permissions, a block, an expiry and a removal apply from the next request', async () => {
    const account = await makeServiceAccount(service, { expires_in: 2 })
    const signer = signerOf(account)
    const list = async () => (await sign(signer, ['GET', keysPath()])).status
    const change = (body: object) => service.call('PATCH', `${accountsPath}/${account.id}`, { admin: true, body })
    expect(await list()).toBe(200)
    expect((await change({ permissions: ['apikey.create'] })).body.data.permissions).toEqual(['apikey.create'])
    expect(await list()).toBe(403)
    await change({ permissions: ['apikey.get'], applications: [other.id] })
    expect(await list()).toBe(404)
    expect((await change({ applications: 'all', blocked: true })).body.data.status).toBe('blocked')
    expect(await list()).toBe(401)
    expect((await change({ blocked: false, name: 'Renamed' })).body.data).toMatchObject({
      status: 'active',
      name: 'Renamed',
    })
    expect(await list()).toBe(200)
    clock.advance(3 * day)
    expect(await list()).toBe(401)
    expect((await service.call('GET', `${accountsPath}/${account.id}`, { admin: true })).body.data.status).toBe(
      'expired',
    )
    const fresh = await makeServiceAccount(service)
    expect((await service.call('DELETE', `${accountsPath}/${fresh.id}`, { admin: true })).status).toBe(200)
    expect((await sign(signerOf(fresh), ['GET', keysPath()])).status).toBe(401)
    expect((await service.call('DELETE', `${accountsPath}/${fresh.id}`, { admin: true })).status).toBe(404)
  })

  test('an owner registers a public key, and the private key never leaves its place', async () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 3072 })
    const pem = pair.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString()
    const account = await makeServiceAccount(service, { public_key: pem })
    expect(account).toMatchObject({
      credential: null,
      public_key: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----/),
    })
    const privateKeyPem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const signer = new ServiceAccountSigner({ privateKeyPem, privateKeyId: account.id })
    expect((await sign(signer, ['GET', keysPath()])).status).toBe(200)
  })

  test('unusable public keys, permissions and applications are refused with the field', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const odd = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 })
    const spki = { type: 'spki', format: 'pem' } as const
    const good = { name: 'x', permissions: ['apikey.get'] }
    const cases: [object, string][] = [
      [{ ...good, public_key: weak.publicKey.export(spki) }, 'must have 2048 to 4096 bits'],
      [{ ...good, public_key: curve.publicKey.export(spki) }, 'must be an RSA public key'],
      [{ ...good, public_key: odd.publicKey.export(spki) }, 'must have the exponent 65537'],
      [{ ...good, public_key: weak.privateKey.export({ type: 'pkcs8', format: 'pem' }) }, 'is a private key'],
      [{ ...good, public_key: 'text' }, 'must be an RSA public key'],
      [{ ...good, permissions: ['everything'] }, 'permissions'],
      [{ ...good, permissions: [] }, 'permissions'],
      [{ ...good, applications: ['nowhere'] }, 'must contain ids of applications'],
    ]
    for (const [body, words] of cases) {
      const { status, body: answer } = await service.call('POST', accountsPath, { admin: true, body })
      expect([status, answer.error.message]).toEqual([400, expect.stringContaining(words)])
    }
  })

  test('an Idempotency-Key of one service account is separate from those of others', async () => {
    const accounts = [await makeServiceAccount(service), await makeServiceAccount(service)]
    const [one, two] = accounts.map(signerOf) as [ServiceAccountSigner, ServiceAccountSigner]
    const make = (signer: ServiceAccountSigner) =>
      sign(signer, ['POST', keysPath()], { body: { name: 'same' }, headers: { 'idempotency-key': 'same' } })
    const first = await make(one)
    expect((await make(one)).body).toEqual(first.body)
    expect((await make(two)).body.data.api_key).not.toBe(first.body.data.api_key)
    const installation = { admin: true, body: { name: 'same' }, headers: { 'idempotency-key': 'same' } }
    const third = await service.call('POST', keysPath(), installation)
    expect(third.body.data.api_key).not.toBe(first.body.data.api_key)
  })

  test('the last use is recorded', async () => {
    const account = await makeServiceAccount(service)
    await sign(signerOf(account), ['GET', keysPath()])
    const read = await service.call('GET', `${accountsPath}/${account.id}`, { admin: true })
    expect(read.body.data.last_used_at).toBe(seconds())
  })
})
