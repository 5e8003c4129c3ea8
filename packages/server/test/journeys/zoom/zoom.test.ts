/** Zoom accounts: connectors, hosted and custom sign-in, tokens that rotate, and their place next to mail grants. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startZoom, type ZoomSimulator } from '../../../../simulators/src/index.ts'
import { openService, type TestService } from '../../harness.ts'
import { createZoomGrant, zoomConnector, zoomEnv } from '../../peers/zoom.ts'
import { trade } from '../sign-in/hosted-google.ts'
import { authUrl, newClient, resultOf, visitorOf } from '../sign-in/hosted-visitor.ts'

let zoom: ZoomSimulator
let service: TestService
let client: { id: string; key: string }
let email = ''
let count = 0

beforeAll(async () => {
  zoom = await startZoom()
  service = await openService({ env: zoomEnv(zoom) })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await zoom?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  client = await newClient(service)
  count += 1
  email = `ada${count}@example.com`
  zoom.addAccount({ email, name: 'Ada Lovelace' })
})

const call = (method: string, path: string, body?: unknown) =>
  service.call(method, path, { key: client.key, ...(body === undefined ? {} : { body }) })
const virtual = async (identifier: string) => {
  await call('POST', '/v3/connectors', { provider: 'virtual-calendar' })
  return call('POST', '/v3/connect/custom', { provider: 'virtual-calendar', settings: { email: identifier } })
}

async function signIn(how: { deny?: boolean; hint?: string } = {}) {
  await call('POST', '/v3/connectors', zoomConnector(zoom))
  const visitor = visitorOf(service)
  const hint: Record<string, string> = how.hint === undefined ? {} : { login_hint: how.hint }
  const left = await visitor.get(authUrl(client.id, { provider: 'zoom', ...hint }))
  const back = await zoom.consent(left.location ?? '', { email, deny: how.deny ?? false })
  return { page: new URL(left.location ?? ''), result: resultOf((await visitor.get(back.href)).location) }
}

describe('a Zoom account', () => {
  test('is connected by a hosted sign-in, which requests no scopes', async () => {
    const { page, result } = await signIn({ hint: email })
    expect(page.pathname).toBe('/oauth/authorize')
    expect(page.searchParams.get('code_challenge_method')).toBe('S256')
    expect(page.searchParams.has('scope')).toBe(false)
    const { grant_id } = (await trade(service, client, result.code ?? '')).body
    const { data } = (await call('GET', `/v3/grants/${grant_id}`)).body
    expect(data).toMatchObject({
      email,
      name: 'Ada Lovelace',
      provider: 'zoom',
      provider_user_id: zoom.account(email).id,
      grant_status: 'valid',
      scope: ['meeting:delete:meeting', 'meeting:update:meeting', 'meeting:write:meeting', 'user:read:user'],
    })
  })

  test('is not connected if the user declines', async () => {
    expect((await signIn({ deny: true })).result).toMatchObject({ error: 'access_denied' })
  })

  test('is connected by a refresh token, which works once', async () => {
    await call('POST', '/v3/connectors', zoomConnector(zoom))
    const { refreshToken } = zoom.grantToken(email)
    const custom = () =>
      call('POST', '/v3/connect/custom', { provider: 'zoom', settings: { refresh_token: refreshToken } })
    expect((await custom()).body.data).toMatchObject({ email, provider: 'zoom', grant_status: 'valid' })
    const again = await custom()
    expect(again.status).toBe(401)
    expect(again.body.error.type).toBe('grant.refresh_token_invalid')
  })

  test('has no mail and no calendars', async () => {
    const { id } = await createZoomGrant(service, zoom, { email, key: client.key })
    for (const resource of ['messages', 'calendars', 'contacts', 'drafts', 'folders', 'threads']) {
      const answer = await call('GET', `/v3/grants/${id}/${resource}`)
      expect(answer.body.error, resource).toMatchObject({ type: 'not_supported_by_provider', provider: 'zoom' })
      expect(answer.body.error.message).toContain('conf_grant_id')
    }
  })

  test('has a grant next to the grant of the same address, and the address keeps naming the other one', async () => {
    const mailbox = (await virtual(email)).body.data
    const made = await createZoomGrant(service, zoom, { email, key: client.key })
    expect(made.id).not.toBe(mailbox.id)
    expect((await call('GET', `/v3/grants/${email}`)).body.data.provider).toBe('virtual-calendar')
    expect((await call('GET', `/v3/grants/zoom:${email.toUpperCase()}`)).body.data.id).toBe(made.id)
    const listed = (await call('GET', `/v3/grants?email=${email}`)).body.data
    expect(listed.map(({ provider }: { provider: string }) => provider).sort()).toEqual(['virtual-calendar', 'zoom'])
    const byProvider = (await call('GET', `/v3/grants?email=${email}&provider=zoom`)).body.data
    expect(byProvider.map(({ id }: { id: string }) => id)).toEqual([made.id])
  })

  test('is not named by its address alone, and has one grant of an application', async () => {
    const first = await createZoomGrant(service, zoom, { email, key: client.key })
    expect((await call('GET', `/v3/grants/${email}`)).status).toBe(404)
    const second = await createZoomGrant(service, zoom, { email, key: client.key })
    expect(second.id).toBe(first.id)
    expect((await virtual(email)).status).toBe(201)
    const taken = await virtual(`zoom:${email}`)
    expect(taken.status).toBe(400)
    expect(taken.body.error.message).toContain('must not start with')
  })
})

describe('a Zoom connector', () => {
  const tested = async () => (await call('POST', '/v3/connectors/zoom/test')).body.data

  test('is tested at Zoom', async () => {
    await call('POST', '/v3/connectors', zoomConnector(zoom))
    expect(JSON.stringify(await tested())).toContain('Zoom accepts the client.')
    await call('PATCH', '/v3/connectors/zoom', { settings: { client_id: zoom.client.id, client_secret: 'wrong' } })
    expect(JSON.stringify(await tested())).toContain('Zoom rejects client_id or client_secret')
  })
})
