/** The consent page in a real browser: it is accessible, and the decision arrives at the client. */

import { type BrowserPeer, barriersOf, complaintsOf, phone, sharedBrowser } from '@waypost/testing/peers/browser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'

let service: TestService
let browser: BrowserPeer
let address: string
beforeAll(async () => {
  service = await openService()
  address = await service.listen()
  browser = await sharedBrowser()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const redirect = 'http://127.0.0.1/callback'

async function authorizeUrl(): Promise<{ url: string; key: string; cookie: { name: string; value: string } }> {
  const { id, key } = await service.createApplication('Acme Mail')
  await service.call('PATCH', '/v3/applications', { key, body: { mcp_enabled: true } })
  for (const name of ['ada', 'bob', 'somebody-with-a-rather-long-address']) {
    await service.createGrant(`${name}@one.test`, key)
  }
  const post = (path: string, body: object) =>
    service.app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(body),
    })
  const made = await post('/oauth/register', { redirect_uris: [redirect], client_name: 'Example Assistant' })
  const query = new URLSearchParams({
    ...{ client_id: JSON.parse(await made.text()).client_id, redirect_uri: redirect, response_type: 'code' },
    ...{ state: 'of the client', code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
    resource: `${service.services.config.baseUrl}/mcp/${id}`,
  })
  const session = await post('/v3/admin/session', { password: 'CANARY-admin-password' })
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(session.headers.getSetCookie()[0] ?? '') ?? []
  return { url: `${address}/oauth/authorize?${query}`, key, cookie: { name, value } }
}

test.each([
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['a phone', { ...phone, colorScheme: 'light' }],
] as const)('an administrator allows an agent in %s', async (_label, poll) => {
  const { url, key, cookie } = await authorizeUrl()
  const page = await browser.newPage(poll)
  await page.context().addCookies([{ ...cookie, url: address }])
  await page.context().route('http://127.0.0.1/callback**', (route) => route.fulfill({ body: 'arrived' }))
  await page.goto(url)
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('link', { name: 'I administer Acme Mail' }).click()
  expect(await barriersOf(page)).toEqual([])
  const width = await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')
  expect(width).toBe(true)
  await page.getByLabel('bob@one.test').check()
  await page.getByLabel('Send mail in your name').check()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL(/\/callback\?/)
  const back = new URL(page.url()).searchParams
  expect(back.get('state')).toBe('of the client')
  expect(back.get('code')).toMatch(/^[\w-]{43}$/)
  expect(complaintsOf(page)).toEqual([])
  expect((await service.call('GET', '/v3/agents', { key })).body.data).toEqual([])
  await page.context().close()
})
