/** Hosted pages in ten languages and right to left, in a real browser: all of them are accessible. */
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { isFull } from '@waypost/testing/level'
import {
  type BrowserPeer,
  barriersOf,
  colourRules,
  complaintsOf,
  phone,
  sharedBrowser,
} from '@waypost/testing/peers/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NodeRequest, send } from '../../../src/api/http/node-http.ts'
import { languages } from '../../../src/api/pages/hosted/languages.ts'
import { createServerApp } from '../../../src/create-app.ts'
import { openService, type TestService } from '../../harness.ts'
import { rightToLeft } from '../../pseudo-language.ts'
import { authUrl, newClient, redirectUri } from './hosted-visitor.ts'

let browser: BrowserPeer
let service: TestService
let base: string
/** One application with every provider; one without Microsoft and with unsuitable colors and texts. */
let client: { id: string; key: string }
let other: { id: string; key: string }
const xss = '"><img src=x onerror=alert(1)></style><script>alert(1)</script>'

beforeAll(async () => {
  ;[browser, service] = await Promise.all([
    sharedBrowser(),
    openService({
      overrides: {
        findMailExchangers: async (domain) => (domain === 'work.test' ? ['x.mail.protection.outlook.com'] : []),
        findService: async () => undefined,
      },
    }),
  ])
  base = await service.listen()
  const connect = async (key: string, kinds: readonly string[]): Promise<void> => {
    for (const provider of kinds) {
      const isOAuth = ['google', 'microsoft', 'yahoo'].includes(provider)
      const settings = isOAuth ? { settings: { client_id: 'id', client_secret: 'secret' } } : {}
      const made = await service.call('POST', '/v3/connectors', { key, body: { provider, ...settings } })
      expect(made.status).toBe(201)
    }
  }
  client = await newClient(service)
  await connect(client.key, ['google', 'microsoft', 'icloud', 'yahoo', 'ews', 'imap'])
  await service.call('PATCH', '/v3/applications', {
    key: client.key,
    body: {
      branding: { name: 'Acme Calendar' },
      hosted_authentication: { terms_of_service_url: 'https://a.test', privacy_policy_url: 'https://b.test' },
    },
  })
  other = await newClient(service)
  await connect(other.key, ['imap', 'google'])
  await service.call('PATCH', '/v3/applications', {
    key: other.key,
    body: {
      branding: { name: xss.slice(0, 200) },
      hosted_authentication: { title: xss, subtitle: xss, color_primary: '#ffee00', background_color: '#ffee00' },
    },
  })
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await browser?.[Symbol.asyncDispose]()
})

const shots = process.env.HOSTED_SHOTS
async function shoot(page: Page, name: string): Promise<void> {
  if (shots === undefined) return
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage: true })
}

/** Attempts are counted per account. */
let accounts = 0

/** The pages of a sign-in, and how to reach each. */
const places: Record<string, (page: Page, locale: string, base: string) => Promise<void>> = {
  choice: async (page, locale, base) => {
    await page.goto(`${base}${authUrl(client.id, { ui_locales: locale, prompt: 'select_provider,detect' })}`)
    await page.locator('details summary').first().click()
  },
  form: async (page, locale, base) => {
    await page.goto(
      `${base}${authUrl(client.id, { ui_locales: locale, provider: 'imap', login_hint: 'ada@gmail.com' })}`,
    )
    await page.locator('.more summary').click()
  },
  problem: async (page, locale, base) => {
    const query = { ui_locales: locale, provider: 'imap', login_hint: `ada-${++accounts}@unknown.test` }
    await page.goto(`${base}${authUrl(client.id, query)}`)
    await page.locator('[name=imap_password]').fill('x')
    await page.locator('[name=imap_host]').fill('no-such-host.invalid')
    await page.locator('form button').click()
    await page.getByRole('alert').locator('summary').click()
  },
  instead: (page, locale, base) =>
    page
      .goto(`${base}${authUrl(client.id, { ui_locales: locale, provider: 'imap', login_hint: 'ada@work.test' })}`)
      .then(() => undefined),
  stop: (page, locale, base) =>
    page
      .goto(`${base}${authUrl(client.id, { ui_locales: locale, redirect_uri: 'https://evil.test' })}`)
      .then(() => undefined),
}

/** A separate server on the same store. */
async function listen(app: ReturnType<typeof createServerApp>): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(async (incoming, outgoing) =>
    send(await app.answer(new NodeRequest(incoming, outgoing, incoming.url ?? '/')), incoming, outgoing),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
const refused = (page: Page): string[] =>
  complaintsOf(page).filter((text) => !text.startsWith('Failed to load resource'))

/** Languages differ in names and lengths. All rules run where there is most of both, and color rules in dark mode. */
const sweeps = [
  [{ colorScheme: 'light', viewport: { width: 1000, height: 900 } }, 'light', ['choice', 'problem'], undefined],
  [{ ...phone, colorScheme: 'dark' }, 'phone-dark', ['form', 'instead', 'stop'], colourRules],
] as const

test.each(languages.map(({ tag }) => tag).filter((tag) => isFull || ['en', 'de'].includes(tag)))(
  'in %s every page is accessible in light and dark mode and on a phone',
  async (tag) => {
    const found: string[] = []
    for (const [options, name, polled, rules] of sweeps) {
      const page = await browser.newPage(options)
      for (const [place, open] of Object.entries(places)) {
        await open(page, tag, base)
        expect(await page.locator('html').getAttribute('lang')).toBe(tag)
        const isLooked = tag === 'en' || polled.some((each) => each === place)
        if (isLooked) found.push(...(await barriersOf(page, rules)).map((each) => `${place}: ${each}`))
        if (await isTooWide(page)) found.push(`${place} is too wide`)
        await shoot(page, `${place}-${tag}-${name}`)
      }
      found.push(...refused(page))
      await page.context().close()
    }
    expect(found).toEqual([])
  },
)

test("the language is the browser's, and another one can be chosen with only the keyboard, without script", async () => {
  const page = await browser.newPage({ locale: 'de-DE', javaScriptEnabled: false })
  await page.goto(`${base}${authUrl(client.id)}`)
  await page.getByRole('heading', { name: 'Verbinden Sie Ihr Konto mit Acme Calendar' }).waitFor()
  await page.locator('.languages summary').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Polski' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Połącz konto z: Acme Calendar' }).waitFor()
  await page.getByRole('link', { name: 'Inne konto pocztowe' }).click()
  await page.getByLabel('Adres e-mail').waitFor()
  expect(refused(page)).toEqual([])
  await page.context().close()
})

test('a right-to-left page is mirrored as a whole and accessible', async () => {
  await using mirrored = await listen(createServerApp(service.services, { languages: [rightToLeft] }))
  for (const [options, name] of [
    [{ colorScheme: 'light' }, 'light'],
    [{ ...phone, colorScheme: 'dark' }, 'phone-dark'],
  ] as const) {
    const page = await browser.newPage(options)
    for (const [place, open] of Object.entries(places)) {
      await open(page, 'ar', mirrored.url)
      expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
      expect(await barriersOf(page)).toEqual([])
      expect(await isTooWide(page)).toBe(false)
      await shoot(page, `${place}-rtl-${name}`)
    }
    await places.choice?.(page, 'ar', mirrored.url)
    const mark = (await page.locator('.button .mark').first().boundingBox())?.x ?? 0
    const words = (await page.locator('.button span').first().boundingBox())?.x ?? 0
    expect(mark).toBeGreaterThan(words)
    await page.context().close()
  }
})

test('an Outlook user learns before typing a password to sign in with Microsoft, or whom to contact', async () => {
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto(`${base}${authUrl(client.id, { provider: 'imap', login_hint: 'ada@hotmail.com' })}`)
  await page.getByRole('heading', { name: 'Outlook no longer accepts passwords from other apps.' }).waitFor()
  expect(await page.locator('input[type=password]').count()).toBe(0)
  const way = await page.getByRole('link', { name: 'Continue with Microsoft' }).getAttribute('href')
  const led = await page.request.get(`${base}${way}`, { maxRedirects: 0 })
  expect(led.headers().location).toMatch(/^https:\/\/login\.microsoftonline\.com\//)
  await page.goto(`${base}${authUrl(other.id, { provider: 'imap', login_hint: 'ada@hotmail.com' })}`)
  await page.getByText('to set up sign-in with Outlook').waitFor()
  expect(await page.getByRole('link', { name: 'Continue with' }).count()).toBe(0)
  await shoot(page, 'ask')
  await page.context().close()
})

test("an application's branding runs no script and keeps every page accessible", async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ colorScheme })
    page.on('dialog', (dialog) => {
      throw new Error(`ran: ${dialog.message()}`)
    })
    const queries: Record<string, string>[] = [
      {},
      { provider: 'imap', login_hint: 'ada@aol.com' },
      { redirect_uri: 'https://evil.test' },
    ]
    for (const query of queries) {
      await page.goto(`${base}${authUrl(other.id, query)}`)
      expect(await barriersOf(page)).toEqual([])
      expect(await page.locator('main img, main script').count()).toBe(0)
      expect(await isTooWide(page)).toBe(false)
    }
    expect(refused(page)).toEqual([])
    await shoot(page, `xss-${colorScheme}`)
    await page.context().close()
  }
})

test("an expired sign-in says so with the application's branding", async () => {
  const page = await browser.newPage({ locale: 'fr-FR' })
  await page.goto(`${base}${authUrl(client.id)}`)
  const url = page.url()
  const cancelled = await page.request.get(`${url}?cancel=1`, { maxRedirects: 0 })
  expect(cancelled.headers().location).toContain(redirectUri)
  const answer = await page.goto(url)
  expect(answer?.status()).toBe(400)
  await page.getByRole('heading', { name: 'La connexion ne peut pas continuer' }).waitFor()
  await page.getByText('Revenez à Acme Calendar et recommencez.').waitFor()
  expect(await page.locator('code').last().innerText()).toBe(answer?.headers()['x-request-id'])
  expect(await barriersOf(page)).toEqual([])
  await page.context().close()
})
