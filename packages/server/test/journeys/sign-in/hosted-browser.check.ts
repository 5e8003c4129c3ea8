/** Hosted sign-in in a real browser, from an application's page and back. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEgress } from '@waypost/platform/egress/egress'
import { isFull } from '@waypost/testing/level'
import { type BrowserPeer, barriersOf, complaintsOf, phone, sharedBrowser } from '@waypost/testing/peers/browser'
import { freePort } from '@waypost/testing/peers/daemon'
import { icloudMailEnv } from '@waypost/testing/peers/icloud-mail'
import type { MailServer } from '@waypost/testing/peers/mail-server'
import { type Radicale, sharedRadicale } from '@waypost/testing/peers/radicale'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ExchangeSimulator, startExchange } from '../../../../simulators/src/index.ts'
import { openService, type TestService } from '../../harness.ts'
import { type GooglePeer, openGoogle } from '../../peers/google.ts'
import { type MicrosoftPeer, openMicrosoft } from '../../peers/microsoft.ts'
import { openYahoo, type YahooPeer, yahooConnector, yahooEnv } from '../../peers/yahoo.ts'
import { calendarScope } from './hosted-google.ts'

let browser: BrowserPeer
let google: GooglePeer
let microsoft: MicrosoftPeer
let yahoo: YahooPeer
let exchange: ExchangeSimulator
let mail: MailServer
let dav: Radicale
let service: TestService
let serviceUrl: string
let app: { url: string; close(): Promise<void> }
let client: { id: string; key: string }

/** An application: a page with a link, and a callback that exchanges the code and makes its first call. */
async function openApplication(link: () => string): Promise<typeof app> {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', app.url)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (url.pathname === '/') return void response.end(`<!doctype html><a href="${link()}">Connect</a>`)
    if (url.pathname === '/cb') {
      // Many callbacks redirect further, sometimes to another host.
      response.writeHead(302, { location: `${app.url.replace('127.0.0.1', 'localhost')}/done${url.search}` })
      return void response.end()
    }
    const code = url.searchParams.get('code')
    if (code === null) return void response.end(`<h1>Failed</h1><p>${url.searchParams.get('error')}</p>`)
    const trade = await fetch(`${serviceUrl}/v3/connect/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: client.id,
        client_secret: client.key,
        grant_type: 'authorization_code',
        code,
        redirect_uri: `${app.url}/cb`,
      }),
    })
    const tokens = (await trade.json()) as { access_token: string; email: string; provider: string }
    const path = { google: '/calendars', microsoft: '', icloud: '/calendars' }[tokens.provider] ?? '/folders'
    const first = await fetch(`${serviceUrl}/v3/grants/me${path}`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    const { data } = (await first.json()) as { data: { name: string } | { name: string }[] }
    const items = [data].flat().map(({ name }) => `<li>${name}</li>`)
    response.end(`<h1>Connected ${tokens.email}</h1><ul>${items.join('')}</ul>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

let query: Record<string, string> = {}
const link = (): string =>
  `${serviceUrl}/v3/connect/auth?${new URLSearchParams({
    client_id: client.id,
    redirect_uri: `${app.url}/cb`,
    response_type: 'code',
    state: 'xyz',
    ...query,
  })}`.replaceAll('&', '&amp;')

beforeAll(async () => {
  ;[browser, google, microsoft, yahoo, dav, exchange] = await Promise.all([
    sharedBrowser(),
    openGoogle(),
    openMicrosoft(),
    openYahoo(),
    sharedRadicale(),
    startExchange(),
  ])
  mail = yahoo.mail
  service = await openService({
    env: {
      WAYPOST_PORT: String(await freePort()),
      WAYPOST_GOOGLE_URL: google.simulator.url,
      WAYPOST_MICROSOFT_URL: microsoft.simulator.url,
      WAYPOST_EWS_URL: exchange.url,
      ...yahooEnv(yahoo.simulator, mail),
      ...icloudMailEnv({ ...mail, davUrl: dav.davUrl }),
    },
    overrides: {
      egress: createEgress({ mode: 'private', trustLoopback: true, ca: [mail.ca] }),
      findMailExchangers: async () => [],
      findService: async () => undefined,
    },
  })
  serviceUrl = await service.listen()
  app = await openApplication(link)
  client = await service.createApplication('Acme Calendar')
  const { id, secret } = google.simulator.client
  const atMicrosoft = microsoft.simulator.client
  for (const [path, body] of [
    ['/v3/applications/redirect-uris', { url: `${app.url}/cb` }],
    [
      '/v3/connectors',
      { provider: 'google', settings: { client_id: id, client_secret: secret }, scope: [calendarScope] },
    ],
    [
      '/v3/connectors',
      {
        provider: 'microsoft',
        settings: { client_id: atMicrosoft.id, client_secret: atMicrosoft.secret },
        scope: ['Mail.Read'],
      },
    ],
    ['/v3/connectors', { ...yahooConnector(yahoo.simulator), scope: ['mail-r'] }],
    ['/v3/connectors', { provider: 'imap' }],
    ['/v3/connectors', { provider: 'icloud' }],
    ['/v3/connectors', { provider: 'ews' }],
  ] as const) {
    expect((await service.call('POST', path, { key: client.key, body })).status).toBeLessThan(300)
  }
  google.simulator.addAccount({ email: 'ada@gmail.com', name: 'Ada Lovelace' })
  microsoft.simulator.addAccount({ email: 'ada@contoso.example', name: 'Ada Lovelace' })
  microsoft.simulator.addAccount({ email: 'grace@contoso.example', name: 'Grace Hopper' })
})
afterAll(async () => {
  await app?.close()
  await service?.[Symbol.asyncDispose]()
  await Promise.all([browser, google, microsoft, yahoo, dav, exchange].map((peer) => peer?.[Symbol.asyncDispose]()))
})

/** The page is accessible, not wider than the screen, and violated no policy. */
async function expectGood(page: Page): Promise<void> {
  expect(await barriersOf(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  expect(complaintsOf(page)).toEqual([])
}

const schemes = [
  ['a desk, light', { colorScheme: 'light' }],
  ['a phone, dark', { ...phone, colorScheme: 'dark' }],
] as const

describe.each(schemes)('on %s', (_what, options) => {
  test('a user goes from the application to Google and back, and the application makes its first call', async () => {
    query = {}
    const page = await browser.newPage(options)
    await page.goto(app.url)
    await page.getByRole('link', { name: 'Connect' }).click()
    await page.getByRole('heading', { name: 'Connect your account to Acme Calendar' }).waitFor()
    await expectGood(page)
    await page.getByRole('link', { name: 'Continue with Google' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Connected ada@gmail.com' }).waitFor()
    expect(await page.getByRole('listitem').count()).toBeGreaterThan(0)
    expect(new URL(page.url()).searchParams.get('state')).toBe('xyz')
    await page.context().close()
  })

  test('a user chooses an account at Microsoft, once after declining', async () => {
    query = {}
    const page = await browser.newPage(options)
    for (const decision of ['Cancel', 'Accept']) {
      await page.goto(app.url)
      await page.getByRole('link', { name: 'Connect' }).click()
      await page.getByRole('link', { name: 'Continue with Microsoft' }).click()
      await page.getByRole('heading', { name: 'Sign in with Microsoft' }).waitFor()
      await page.getByLabel('Grace Hopper').check()
      await page.getByRole('button', { name: decision }).click()
      await page.getByRole('heading', { name: decision === 'Cancel' ? 'Failed' : 'Connected' }).waitFor()
      if (decision === 'Cancel') expect(await page.getByText('access_denied').count()).toBe(1)
    }
    await page.getByRole('heading', { name: 'Connected grace@contoso.example' }).waitFor()
    expect(await page.getByRole('listitem').allTextContents()).toEqual(['Grace Hopper'])
    await page.context().close()
  })

  test('a user agrees at Yahoo, once after declining, and the application reads the folders', async () => {
    query = {}
    const { email } = await yahoo.newUser(`Grace ${Math.random()}`)
    const page = await browser.newPage(options)
    for (const decision of ['Not now', 'Agree']) {
      await page.goto(app.url)
      await page.getByRole('link', { name: 'Connect' }).click()
      await page.getByRole('link', { name: 'Continue with Yahoo' }).click()
      await page.getByRole('heading', { name: 'Sign in with Yahoo' }).waitFor()
      await page.getByLabel(email).check()
      await page.getByRole('button', { name: decision }).click()
      await page.getByRole('heading', { name: decision === 'Agree' ? `Connected ${email}` : 'Failed' }).waitFor()
      if (decision === 'Not now') expect(await page.getByText('access_denied').count()).toBe(1)
    }
    expect(await page.getByRole('listitem').allTextContents()).toEqual(
      expect.arrayContaining(['INBOX', 'Bulk', 'Draft']),
    )
    await page.context().close()
  })

  test('a user signs in to iCloud, after trying the usual password', async () => {
    query = {}
    const mailbox = await mail.addUser()
    await dav.addDavUser(mailbox.user.split('@')[0], mailbox.password)
    const page = await browser.newPage(options)
    await page.goto(app.url)
    await page.getByRole('link', { name: 'Connect' }).click()
    await page.getByRole('link', { name: 'Continue with iCloud' }).click()
    await page.getByRole('heading', { name: 'Connect your iCloud account' }).waitFor()
    await page.getByLabel('E-mail address').fill(mailbox.user)
    await page.keyboard.press('Enter')
    await page.getByLabel('App-specific password').fill('usual')
    const advice = page.getByRole('link', { name: 'Create this password at iCloud' })
    expect(await advice.getAttribute('href')).toMatch(/^https:\/\/account\.apple\.com/)
    await expectGood(page)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByText('Use the password that iCloud created for other apps').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await page.getByLabel('App-specific password').fill(mailbox.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: `Connected ${mailbox.user}` }).waitFor()
    expect(await page.getByRole('listitem').count()).toBe(1)
    await page.context().close()
  })

  test("a user signs in to an Exchange server, with the server's user name and after a wrong server", async () => {
    query = {}
    const { email, username } = exchange.addAccount({
      email: `ada${exchange.accounts().length}@exchange.example`,
      password: 'simulated-password',
      name: 'Ada Lovelace',
    })
    const page = await browser.newPage(options)
    await page.goto(app.url)
    await page.getByRole('link', { name: 'Connect' }).click()
    await page.getByRole('link', { name: 'Continue with Exchange' }).click()
    await page.getByRole('heading', { name: 'Connect your Exchange account' }).waitFor()
    await page.getByLabel('E-mail address').fill(email)
    await page.keyboard.press('Enter')
    expect(await page.getByLabel('User name').inputValue()).toBe(email)
    await page.getByLabel('User name').fill(`EXCHANGE\\${username}`)
    await page.getByLabel('Password').fill('simulated-password')
    await expectGood(page)
    await page.getByText('More settings').click()
    await page.getByLabel('Server').fill('no server')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByText('Please check this field.').waitFor()
    expect(await barriersOf(page)).toEqual([])
    // The section with the error is open.
    await page.getByLabel('Server').fill('mail.exchange.example')
    await page.getByLabel('Password').fill('simulated-password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: `Connected ${email}` }).waitFor()
    await page.getByText('Inbox', { exact: true }).waitFor()
    await page.context().close()
  })

  test('a user signs in to a mailbox with calendars, after a wrong password', async () => {
    query = {}
    const mailbox = await mail.addUser()
    await dav.addDavUser(mailbox.user.split('@')[0], mailbox.password)
    const page = await browser.newPage(options)
    await page.goto(app.url)
    await page.getByRole('link', { name: 'Connect' }).click()
    await page.getByText('View all providers').click()
    await page.getByRole('link', { name: 'AOL' }).waitFor()
    await expectGood(page)
    await page.getByRole('link', { name: 'Another mail account' }).click()
    await page.getByLabel('E-mail address').fill(mailbox.user)
    await expectGood(page)
    await page.keyboard.press('Enter')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByLabel('Server for incoming mail').fill(mail.host)
    await page.getByLabel('Port for incoming mail').fill(String(mail.imapsPort))
    await page.getByLabel('Server for outgoing mail').fill(mail.host)
    await page.getByLabel('Port for outgoing mail').fill(String(mail.smtpPort))
    await expectGood(page)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.textContent()).toContain('The password was not accepted.')
    const password = page.getByLabel('Password', { exact: true })
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('field-imap_password')
    expect(await password.inputValue()).toBe('')
    expect(await page.getByLabel('Server for incoming mail').inputValue()).toBe(mail.host)
    expect(await barriersOf(page)).toEqual([])
    await password.fill(mailbox.password)
    await page.getByText('More settings').click()
    await page.getByLabel('Calendar server address').fill(dav.davUrl)
    expect(await barriersOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: `Connected ${mailbox.user}` }).waitFor()
    await expect.poll(() => page.getByText('INBOX').count()).toBeGreaterThan(0)
    const grant = await service.call('GET', `/v3/grants/${mailbox.user}/calendars`, { key: client.key })
    expect(grant.body.data).toHaveLength(1)
    await page.context().close()
  })
})

test('everything works without script: detection, a known vendor, cancelling', async () => {
  query = { prompt: 'detect' }
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto(app.url)
  await page.getByRole('link', { name: 'Connect' }).click()
  await page.getByLabel('E-mail address').fill('ada@gmail.com')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Sign in with Google' }).waitFor()
  await page.goto(app.url)
  await page.getByRole('link', { name: 'Connect' }).click()
  await page.getByLabel('E-mail address').fill('ada@aol.com')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('App password').waitFor()
  expect(await page.getByRole('link', { name: 'Create this password at AOL' }).getAttribute('href')).toMatch(/^https:/)
  await page.getByText('More settings').click()
  expect(await page.getByLabel('Server for incoming mail').inputValue()).toBe('imap.aol.com')
  await page.getByRole('link', { name: 'Cancel and go back to Acme Calendar' }).click()
  await page.getByText('access_denied').waitFor()
  expect(complaintsOf(page)).toEqual([])
  await page.context().close()
})

test('the colors of an application stay readable', async () => {
  query = { provider: 'imap' }
  for (const colour of ['#ffff66', '#767676', '#101010']) {
    await service.call('PATCH', '/v3/applications', {
      key: client.key,
      body: { hosted_authentication: { color_primary: colour, color_secondary: colour, background_color: colour } },
    })
    for (const colorScheme of isFull ? (['light', 'dark'] as const) : (['light'] as const)) {
      const page = await browser.newPage({ colorScheme })
      await page.goto(app.url)
      await page.getByRole('link', { name: 'Connect' }).click()
      await page.getByLabel('E-mail address').waitFor()
      await expectGood(page)
      await page.context().close()
    }
  }
})
