/** Journeys for accounts: connectors, grants and their sign-in, usage, webhooks. */

import { type Listener, openListener } from '@waypost/testing/listener'
import { complaintsOf } from '@waypost/testing/peers/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GoogleSimulator, startGoogle } from '../../simulators/src/index.ts'
import { type Dashboard, openDashboard, settled } from './dashboard.ts'

let dashboard: Dashboard
let google: GoogleSimulator
let listener: Listener
let page: Page

beforeAll(async () => {
  google = await startGoogle()
  listener = await openListener()
  dashboard = await openDashboard({ env: { WAYPOST_GOOGLE_URL: google.url } })
  page = await dashboard.open()
  const account = google.addAccount({ email: 'mira@gmail.example', name: 'Mira Okafor' })
  account.mail.deliver(
    'From: Jonas <jonas@example.com>\r\nTo: mira@gmail.example\r\nSubject: The plan\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p style="color:red">Tomorrow at <b>nine</b><img src="https://tracker.example/pixel.gif" alt="a picture"></p>',
  )
})
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]()
  await listener[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const row = (text: string) => page.getByRole('row').filter({ hasText: text })
const reported = (text: string | RegExp) => page.locator('.toast').filter({ hasText: text }).first().waitFor()

describe('connectors', () => {
  test('a grant needs a connector first, and the page says so', async () => {
    await dashboard.visit(page, '/grants')
    await page.getByText('Set up a connector for its provider first').waitFor()
    await page.getByRole('link', { name: 'Set up a connector' }).click()
    await page.getByRole('heading', { name: 'Connectors' }).waitFor()
    expect(await page.getByRole('link', { name: 'Set up Google' }).isVisible()).toBe(true)
  })

  test('Google is set up, and the test reports a wrong secret', async () => {
    await page.getByRole('link', { name: 'Set up Google' }).click()
    await page.getByLabel('Client ID').fill(google.client.id)
    await page.getByLabel('Client secret').fill('not the secret')
    await button('Create connector').click()
    await button('Test connector').click()
    await page.getByText('Some checks failed.').waitFor()
    await page.getByLabel('Client secret').fill(google.client.secret)
    await button('Save').click()
    await reported('Saved')
    await button('Test connector').click()
    await page.getByText('All checks passed.').waitFor()
    expect(await page.locator('body').innerHTML()).not.toContain(google.client.secret)
  })

  test('a saved secret leaves the page, and every save makes the test outdated, even twice within a second', async () => {
    const connectors = '**/v3/connectors**'
    await page.route(connectors, async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      for (const one of [json.data].flat()) if (one?.updated_at !== undefined) one.updated_at = 1_700_000_000
      await route.fulfill({ response, json })
    })
    await page.reload()
    await button('Test connector').click()
    await page.getByText('All checks passed.').waitFor()
    await page.getByLabel('Client secret').fill(google.client.secret)
    await button('Save').click()
    await page.getByText('The settings changed. Test again.').waitFor()
    expect(await page.getByLabel('Client secret').inputValue()).toBe('')
    await page.unroute(connectors)
  })

  test('a service account is added as a credential, never shown, and deleted', async () => {
    await button('Add credential').click()
    await dialog().getByLabel('Name').fill('Our domain')
    await dialog().getByLabel('Type').selectOption('serviceaccount')
    await dialog().getByLabel('Data').fill('no JSON')
    await dialog().getByRole('button', { name: 'Add credential' }).click()
    await dialog().getByText('Enter one JSON object').waitFor()
    const key = google.addServiceAccount()
    await dialog().getByLabel('Data').fill(JSON.stringify(key))
    await dialog().getByRole('button', { name: 'Add credential' }).click()
    await reported('Credential added')
    expect(await row('Our domain').innerText()).toContain('Service account')
    const target = '/v3/connectors/google/creds'
    const { body } = await dashboard.service.call('GET', target, { key: dashboard.application.key })
    expect(body.data).toMatchObject([{ name: 'Our domain', credential_type: 'serviceaccount' }])
    expect(await page.locator('body').innerHTML()).not.toContain(key.private_key_id)
    await row('Our domain').getByRole('button', { name: 'Delete' }).click()
    await dialog().getByRole('button', { name: 'Delete credential' }).click()
    await reported('Our domain was deleted')
    await page.getByText('No credentials').waitFor()
  })

  test('virtual calendars need no setup', async () => {
    await dashboard.visit(page, '/connectors/virtual-calendar')
    await button('Create connector').click()
    await button('Test connector').waitFor()
    const { body } = await dashboard.service.call('GET', '/v3/connectors', { key: dashboard.application.key })
    expect(body.data.map(({ provider }: { provider: string }) => provider).sort()).toEqual([
      'google',
      'virtual-calendar',
    ])
  })
})

describe('grants', () => {
  test('a grant is created with a form, found by search, blocked and unblocked', async () => {
    await dashboard.visit(page, '/grants')
    await button('Connect an account').first().click()
    await dialog().getByLabel('Provider').selectOption('virtual-calendar')
    await dialog().getByLabel('Email').fill('room-42')
    await dialog().getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('heading', { name: 'room-42', level: 1 }).waitFor()
    await row('grant.created').first().getByRole('button', { name: 'Show' }).click()
    expect(await dialog().innerText()).toContain('"grant.created"')
    await page.keyboard.press('Escape')
    await button('Block').click()
    await dialog().getByRole('button', { name: 'Block' }).click()
    await page.locator('.page-head').getByText('blocked').waitFor()
    await button('Unblock').click()
    await dialog().getByRole('button', { name: 'Unblock' }).click()
    await button('Block').waitFor()
    await page.getByRole('link', { name: 'Grants' }).first().click()
    await page.getByLabel('Search').fill('nobody')
    await page.getByText('No matching grants').waitFor()
    await page.getByLabel('Search').fill('room')
    await row('room-42').waitFor()
    await expect.poll(() => page.url()).toContain('search=room')
  })

  test('a Google account connects through its sign-in and returns as a grant', async () => {
    await dashboard.visit(page, '/grants')
    await button('Connect an account').first().click()
    await dialog().getByLabel('Provider').selectOption('google')
    await button('Sign in at Google').click()
    await page.waitForURL(`${google.url}/**`)
    await page.getByText('mira@gmail.example').first().click()
    await page.locator('[name=decision][value=allow]').click()
    await page.getByRole('heading', { name: 'mira@gmail.example', level: 1 }).waitFor()
    expect(page.url(), 'the code is out of the address').not.toContain('code=')
    expect(await page.locator('.tags .tag').count(), 'scopes are shown').toBeGreaterThan(0)
  })

  test('a code that was not requested here is rejected', async () => {
    await page.goto(`${dashboard.base}/dashboard/connected?code=planted&state=elsewhere`)
    await page.getByText('No sign-in in progress').waitFor()
    await page.goto(`${dashboard.base}/dashboard/connected?error=access_denied&error_description=refused`)
    await page.getByText('The account was not connected').waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  test('a grant shows the command that exports it', async () => {
    await dashboard.visit(page, '/grants')
    await row('mira@gmail.example').getByRole('link').first().click()
    await button('Export…').click()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    await dialog().getByText(`waypost grants export ${id} --app ${dashboard.application.id} --out backup`).waitFor()
    await page.keyboard.press('Escape')
  })

  test('a revoked grant offers a link to authenticate again; a deleted grant disappears', async () => {
    await dashboard.service.call('POST', '/v3/applications/redirect-uris', {
      key: dashboard.application.key,
      body: { url: 'https://app.northwind.example/callback' },
    })
    await dashboard.visit(page, '/grants')
    await page.getByRole('link', { name: 'room-42' }).click()
    await button('Revoke').click()
    expect(await dialog().innerText()).toContain('stays billed')
    await dialog().getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('This grant lost access.').waitFor()
    await button('Authenticate again').click()
    expect(await dialog().locator('code').innerText()).toMatch(/login_hint=room-42/)
    await page.keyboard.press('Escape')
    await button('Delete').click()
    expect(await dialog().innerText()).toContain('calendars with all events')
    await button('Delete permanently').click()
    await page.getByRole('heading', { name: 'Grants', level: 1 }).waitFor()
    await row('mira@gmail.example').waitFor()
    expect(await row('room-42').count()).toBe(0)
  })

  test('usage shows billed grants', async () => {
    await dashboard.visit(page, '/usage')
    expect(await page.getByRole('figure', { name: 'Billed grants by month' }).innerText()).toContain('Google')
  })
})

describe('webhooks', () => {
  test('a destination that fails the challenge is refused with the reason; one that passes shows its secret once', async () => {
    await dashboard.visit(page, '/webhooks')
    await button('New destination').first().click()
    listener.answer = (response) => void response.end('something else')
    await dialog().getByLabel('Address').fill(`${listener.url}/hooks`)
    await dialog().getByLabel('event.created').check()
    await dialog().getByLabel('grant.created').check()
    await dialog().getByRole('button', { name: 'Create destination' }).click()
    await dialog().locator('.problem').waitFor()
    expect(await dialog().locator('[aria-invalid]').getAttribute('name')).toBe('webhook_url')
    listener.answer = (response, { target }) =>
      void response.end(new URL(target, listener.url).searchParams.get('challenge') ?? 'taken')
    await dialog().getByRole('button', { name: 'Create destination' }).click()
    await page.getByText('It is shown only once').waitFor()
    const secret = await dialog().locator('code').innerText()
    await button('I have copied it').click()
    await page.getByRole('heading', { name: 'Delivery log' }).waitFor()
    expect(secret.length).toBeGreaterThan(20)
    expect(await page.locator('body').innerText()).not.toContain(secret)
  })

  test('deliveries are logged with request and response; a failed one is replayed', async () => {
    listener.answer = (response) => void response.writeHead(500).end('out of order')
    await dashboard.service.createGrant('room-43', dashboard.application.key)
    await page.getByText('HTTP 500').first().waitFor()
    await row('HTTP 500').first().getByRole('button', { name: 'Show' }).click()
    expect(await dialog().getByLabel('Response body').innerText()).toBe('out of order')
    expect(await dialog().getByLabel('Request body').innerText()).toContain('room-43')
    listener.answer = (response) => void response.end('thanks')
    await dialog().getByRole('button', { name: 'Deliver again' }).click()
    await reported('1 notification will be delivered again')
    await page.getByText('HTTP 200').first().waitFor()
    expect(await page.getByRole('figure', { name: 'Delivery attempts' }).isVisible()).toBe(true)
  })

  test('waiting notifications are delivered immediately once the receiver works again', async () => {
    expect(await page.getByRole('button', { name: /Deliver waiting now/ }).count()).toBe(0)
    listener.answer = (response) => void response.writeHead(503, { 'retry-after': '3000' }).end('soon')
    await dashboard.service.createGrant('room-44', dashboard.application.key)
    await page.getByText('HTTP 503').first().waitFor()
    listener.answer = (response) => void response.end('mended')
    await button('Deliver waiting now (1)').click()
    await reported('1 notification will be delivered now')
    await page.getByText('No waiting or failed notifications').waitFor()
    await page.getByRole('button', { name: /Deliver waiting now/ }).waitFor({ state: 'detached' })
  })

  test('a destination is paused, changed, its secret rotated, tested and deleted', async () => {
    await button('Pause').click()
    await page.getByText('Nothing is sent while it is paused').waitFor()
    listener.answer = (response, { target }) =>
      void response.end(new URL(target, listener.url).searchParams.get('challenge') ?? '')
    await button('Activate').click()
    await button('Pause').waitFor()
    await button('Rotate secret').click()
    await dialog().getByRole('button', { name: 'Rotate' }).click()
    await button('I have copied it').click()
    await button('Change').click()
    await dialog().getByLabel('Description').fill('Main listener')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Main listener' }).waitFor()
    await button('Replay…').click()
    await dialog().getByLabel('What', { exact: true }).selectOption('delivered')
    await dialog()
      .getByRole('button', { name: /Deliver \d+ notifications? again/ })
      .click()
    await reported(/will be delivered again/)
    await page.getByRole('link', { name: 'Destinations' }).first().click()
    await settled(page)
    await button('Show a payload').click()
    expect(await dialog().innerText()).toContain('"specversion"')
    await page.keyboard.press('Escape')
    const before = listener.heard.length
    await button('Send test event').click()
    await reported('The receiver accepted the test event')
    expect(listener.heard.length).toBeGreaterThan(before)
    await page.getByRole('link', { name: `${listener.url}/hooks` }).click()
    await button('Delete').click()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No destinations yet').waitFor()
    expect(dashboard.reports).toEqual([])
    // Browsers log every response with status 400 or higher.
    expect(complaintsOf(page).filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
  })
})
