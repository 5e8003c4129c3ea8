/** Setup information for connectors, and connectors to simulators without any input. */
import { expect, test } from 'vitest'
import { startGoogle } from '../../../../simulators/src/index.ts'
import { openService, type TestService } from '../../harness.ts'

const setupOf = async (service: TestService, application: string, provider: string) =>
  service.call('GET', `/v3/admin/applications/${application}/connectors/${provider}/setup`, { admin: true })
const simulate = (service: TestService, application: string, provider: string) =>
  service.call('POST', `/v3/admin/applications/${application}/connectors/${provider}/simulate`, { admin: true })

test('without a simulator for a provider, setup returns the addresses and creates nothing', async () => {
  await using service = await openService({ env: { WAYPOST_BASE_URL: 'https://waypost.example.com' } })
  const { id, key } = await service.createApplication('Real')
  expect((await setupOf(service, id, 'google')).body.data).toEqual({
    provider: 'google',
    redirect_uri: 'https://waypost.example.com/v3/connect/callback',
    push: { address: 'https://waypost.example.com/v3/push/google', reachable: true },
    simulator: { url: null, ready: false },
  })
  expect((await setupOf(service, id, 'imap')).body.data).toMatchObject({ redirect_uri: null, push: null })
  const refused = await simulate(service, id, 'google')
  expect(refused.status).toBe(409)
  expect(refused.body.error.message).toContain('npm run dev')
  expect((await service.call('GET', '/v3/connectors', { key })).body.data).toEqual([])
  expect((await setupOf(service, id, 'nothing')).status).toBe(404)
  expect((await setupOf(service, 'nothing', 'google')).status).toBe(404)
})

test('with a simulator, one call creates a working connector, or repairs a broken one', async () => {
  await using google = await startGoogle()
  await using service = await openService({
    env: {
      WAYPOST_GOOGLE_URL: google.url,
      WAYPOST_GOOGLE_CLIENT_ID: google.client.id,
      WAYPOST_GOOGLE_CLIENT_SECRET: google.client.secret,
      WAYPOST_MICROSOFT_URL: google.url,
      WAYPOST_EWS_URL: google.url,
    },
  })
  const { id, key } = await service.createApplication('Simulated')
  const works = async () => (await service.call('POST', '/v3/connectors/google/test', { key })).body.data.ok
  expect((await setupOf(service, id, 'google')).body.data.simulator).toEqual({ url: google.url, ready: true })
  const made = await simulate(service, id, 'google')
  expect(made.status).toBe(200)
  expect(made.body.data.settings).toEqual({ client_id: google.client.id })
  expect(await works()).toBe(true)
  const wrong = { client_id: 'another', client_secret: 'wrong' }
  await service.call('PATCH', '/v3/connectors/google', { key, body: { settings: wrong } })
  expect(await works()).toBe(false)
  await simulate(service, id, 'google')
  expect(await works()).toBe(true)
  // A client is required and none is set; and none is required.
  expect((await setupOf(service, id, 'microsoft')).body.data.simulator).toEqual({ url: google.url, ready: false })
  expect((await simulate(service, id, 'microsoft')).status).toBe(409)
  expect((await simulate(service, id, 'ews')).body.data.provider).toBe('ews')
})
