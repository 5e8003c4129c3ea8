/** Reference and guides in a real browser, with a service below a path: contents, requests and access. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import {
  type BrowserPeer,
  barriersOf,
  colourRules,
  complaintsOf,
  phone,
  sharedBrowser,
} from '@waypost/testing/peers/browser'
import { freePort } from '@waypost/testing/peers/daemon'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../../server/test/harness.ts'

/** Folder for screenshots, if they are wanted. */
const shots = process.env.DOCS_SHOTS

let service: TestService
let browser: BrowserPeer
let base: string
let key: string
/** All requests of the pages in this file. */
const requested: string[] = []

beforeAll(async () => {
  const port = await freePort()
  const env = { WAYPOST_PORT: String(port), WAYPOST_BASE_URL: `http://127.0.0.1:${port}/mail` }
  service = await openService({ env })
  base = `${await service.listen()}/mail`
  browser = await sharedBrowser()
  key = (await service.createApplication('Northwind')).key
})
afterAll(async () => {
  await browser[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

async function open(at: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, ...options })
  page.setDefaultTimeout(110_000)
  page.on('request', (request) => requested.push(request.url()))
  const loaded = await page.goto(`${base}/docs${at}`)
  if (loaded?.status() !== 200) throw new Error('Reference and guides are not built: run npm run build')
  return page
}

const screenshot = async (page: Page, name: string): Promise<void> => {
  if (shots === undefined) return
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: path.join(shots, `${name}.png`) })
}

const isTooWide = (page: Page): Promise<boolean> => page.evaluate('document.documentElement.scrollWidth > innerWidth')

/** An operation, once it is rendered. */
async function operation(page: Page, id: string) {
  const section = page.locator(`section[id$="${id}"]`).first()
  await section
    .getByRole('button', { name: /Test Request/ })
    .first()
    .waitFor()
  return section
}

// The reference is large: a busy machine needs a minute to draw it.
test('an operation is shown with its samples, and tried on this service with a key that is not stored', {
  timeout: 300_000,
}, async () => {
  const page = await open('#tag/grants/grants.list')
  const section = await operation(page, 'grants.list')
  await section.getByText(`curl '${base}/v3/grants`).first().waitFor()
  await screenshot(page, 'operation-light')
  expect(await barriersOf(page)).toEqual([])

  await section
    .getByRole('button', { name: /Test Request/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByText('Bearer Token:').locator('xpath=..').locator('input, [contenteditable]').first()
  await field.click()
  await page.keyboard.insertText(key)
  const answered = page.waitForResponse((response) => response.url().includes('/v3/grants'))
  await dialog.getByRole('button', { name: /Send/ }).first().click()
  const answer = await answered
  expect([answer.status(), answer.url()]).toEqual([200, `${base}/v3/grants`])
  await dialog.getByText('200 OK').first().waitFor()
  await screenshot(page, 'tried-light')
  const retained: string = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  )
  expect(retained).not.toContain(key)
  expect(complaintsOf(page)).toEqual([])
  await page.close()
})

test('the menu and the introduction are visible before any script runs', async () => {
  const page = await open('', { javaScriptEnabled: false })
  await page.getByRole('heading', { name: 'Waypost', level: 1 }).waitFor()
  const menu = page.getByRole('navigation', { name: 'Sections' })
  expect(await menu.getByRole('link', { name: 'Messages' }).getAttribute('href')).toBe('#tag/messages')
  expect(await page.content()).toContain('The full reference needs JavaScript')
  await screenshot(page, 'first-view-light')
  await page.close()
})

test('a section chosen before the reference is ready is shown once it is', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  page.setDefaultTimeout(110_000)
  const held = Promise.withResolvers<void>()
  await page.route('**/files/openapi-*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(`${base}/docs`, { waitUntil: 'commit' })
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Drafts' }).click()
  held.resolve()
  await page.locator('#first').waitFor({ state: 'detached' })
  const heading = page.locator('main').getByRole('heading', { name: 'Drafts', exact: true })
  await expect.poll(async () => (await heading.boundingBox())?.y, { timeout: 100_000 }).toBeLessThan(700)
  await page.close()
})

test.each([
  ['a screen', { viewport: { width: 1280, height: 600 } }],
  ['a phone', phone],
])('the end of the menu is visible on %s', async (_what, options) => {
  const page = await open('', options)
  await page.locator('#first').waitFor({ state: 'detached' })
  if (options === phone) await page.locator('#reference header button').first().click()
  const last = page
    .locator('#reference :is(aside, nav, [class*="sidebar"])')
    .getByText('Models', { exact: true })
    .locator('visible=true')
    .first()
  await last.scrollIntoViewIfNeeded({ timeout: 20_000 })
  // Fails if another element receives the click.
  await last.click({ trial: true, timeout: 20_000 })
  expect(await page.locator('#reference aside').getByText('Powered by').count()).toBe(0)
  expect(await page.getByText('Reference by').count()).toBe(1)
  await page.close()
})

test('one search finds guides and operations, and opens them', async () => {
  const page = await open('/guides/webhooks')
  expect(await barriersOf(page)).toEqual([])
  await screenshot(page, 'guide-light')
  await page.keyboard.press('Control+k')
  const search = page.getByRole('dialog', { name: 'Search' })
  await search.getByRole('searchbox').fill('rotate secret')
  await search
    .getByRole('link', { name: /Rotate the secret/ })
    .first()
    .waitFor()
  expect(await barriersOf(page)).toEqual([])
  await search.getByRole('searchbox').fill('create an event')
  await search
    .getByRole('link', { name: /POST \/v3\/grants\/{grant_id}\/events/ })
    .first()
    .click()
  await operation(page, 'events.create')
  expect(new URL(page.url()).pathname).toBe('/mail/docs')
  expect(complaintsOf(page)).toEqual([])
  await page.close()
})

test('the dark theme of the system or the reader is readable', async () => {
  const page = await open('#tag/events/events.create', { colorScheme: 'dark' })
  await operation(page, 'events.create')
  expect(await barriersOf(page, colourRules)).toEqual([])
  await screenshot(page, 'operation-dark')
  await page.goto(`${base}/docs/guides/authentication`)
  expect(await barriersOf(page, colourRules)).toEqual([])
  await screenshot(page, 'guide-dark')
  const background = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const dark = await background()
  await page.getByRole('button', { name: /Colors/ }).click()
  expect(await background()).not.toBe(dark)
  await page.close()
})

test('fits a phone and is accessible there', async () => {
  const page = await open('#tag/messages/messages.list', phone)
  await operation(page, 'messages.list')
  expect(await isTooWide(page)).toBe(false)
  expect(await barriersOf(page)).toEqual([])
  await screenshot(page, 'operation-phone')
  await page.goto(`${base}/docs/guides/providers`)
  expect(await isTooWide(page)).toBe(false)
  expect(await barriersOf(page)).toEqual([])
  await screenshot(page, 'guide-phone')
  await page.close()
})

test('no other host was contacted, the policy blocked nothing, and the first load stays small', async () => {
  const page = await open('')
  await page.getByRole('heading', { name: 'Authentication' }).first().waitFor()
  const bytes: number = await page.evaluate(
    "performance.getEntriesByType('resource').reduce((sum, { transferSize }) => sum + transferSize, 0)",
  )
  expect(bytes).toBeGreaterThan(100 * 1024)
  expect(bytes).toBeLessThan(520 * 1024)
  await page.close()
  expect(requested.length).toBeGreaterThan(50)
  expect(
    requested.filter((url) => !url.startsWith(base) && !url.startsWith('blob:') && !url.startsWith('data:')),
  ).toEqual([])
  expect(requested.filter((url) => url.endsWith('csp-report'))).toEqual([])
})
