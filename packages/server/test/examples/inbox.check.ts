/** examples/inbox: a user connects an account at the simulated Google in a real browser, and reads the mail. */

import { type BrowserPeer, barriersOf, complaintsOf, phone, sharedBrowser } from '@waypost/testing/peers/browser'
import { freePort } from '@waypost/testing/peers/daemon'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GoogleSimulator, seededGoogle } from '../../../simulators/src/index.ts'
import { openService, type TestService } from '../harness.ts'
import { type ExampleProgram, startExample } from './example-program.ts'

let google: GoogleSimulator
let service: TestService
let reader: ExampleProgram
let browser: BrowserPeer
beforeAll(async () => {
  google = await seededGoogle()
  service = await openService({
    env: {
      WAYPOST_PORT: String(await freePort()),
      WAYPOST_GOOGLE_URL: google.url,
      WAYPOST_GOOGLE_CLIENT_ID: google.client.id,
      WAYPOST_GOOGLE_CLIENT_SECRET: google.client.secret,
    },
  })
  const env = { WAYPOST_URL: await service.listen(), WAYPOST_API_KEY: service.apiKey }
  ;[reader, browser] = await Promise.all([startExample('inbox/server.ts', env), sharedBrowser()])
})
afterAll(async () => {
  await Promise.all([reader?.[Symbol.asyncDispose](), browser?.[Symbol.asyncDispose]()])
  await service?.[Symbol.asyncDispose]()
  await google?.[Symbol.asyncDispose]()
})

test.each([
  ['a desk, light', { colorScheme: 'light' }],
  ['a phone, dark', { ...phone, colorScheme: 'dark' }],
] as const)('on %s a user connects an account, reads a message and signs out', async (_what, options) => {
  const page = await browser.newPage(options)
  await page.goto(reader.url)
  expect(await barriersOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Connect an account' }).click()
  await page.getByRole('heading', { name: /Google/ }).waitFor()
  await page.getByLabel('ada@example.com').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Inbox of ada@example.com' }).waitFor()
  expect(await barriersOf(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  await page.getByRole('link', { name: 'A moth in the relay' }).click()
  await page.getByRole('heading', { name: 'A moth in the relay' }).waitFor()
  const text = page.frameLocator('iframe').locator('body')
  expect((await text.textContent())?.trim().length).toBeGreaterThan(0)
  expect(complaintsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Back to the inbox' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Connect an account' }).waitFor()
  await page.context().close()
})

test('a callback in another browser is refused, even with a valid code', async () => {
  const begun = await fetch(`${reader.url}/sign-in`, { redirect: 'manual' })
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
  const away = new URL(begun.headers.get('location') ?? '')
  const state = away.searchParams.get('state') ?? ''
  expect(away.searchParams.get('code_challenge_method')).toBe('S256')
  expect(state.length).toBeGreaterThan(30)
  const comeBack = (query: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${reader.url}/callback?${query}`, { headers, redirect: 'manual' })
  expect((await comeBack(`code=stolen&state=${state}`, {})).status).toBe(400)
  const declined = await comeBack(`error=access_denied&state=${state}`, { cookie })
  expect(await declined.text()).toContain('access_denied')
  // A state is valid once.
  expect((await comeBack(`code=stolen&state=${state}`, { cookie })).status).toBe(400)
  const other = await fetch(`${reader.url}/messages/18f3a6c2d94b70e1`, { headers: { cookie } })
  expect(await other.text()).toContain('Connect an account')
})
