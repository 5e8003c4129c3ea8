/** Forms that cannot be submitted: the first invalid field or the error note is visible and has the focus. */
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dashboard, openDashboard } from './dashboard.ts'

let dashboard: Dashboard
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  const { service, application } = dashboard
  await service.call('POST', '/v3/connectors', { key: application.key, body: { provider: 'imap' } })
  const client = { client_id: 'a', client_secret: 'b' }
  await service.call('POST', '/v3/connectors', {
    key: application.key,
    body: { provider: 'google', settings: client },
  })
  // Too low for any form of the dashboard.
  page = await dashboard.open({ viewport: { width: 900, height: 400 } })
})
afterAll(() => dashboard[Symbol.asyncDispose]())

/** The focused element: the name of a field or else its role, whether it is invalid, and whether it is visible. */
const focused = (on: Page): Promise<{ name: string; wrong: boolean; seen: boolean }> =>
  on.evaluate(`(() => {
    const at = document.activeElement
    const { top, bottom } = at.getBoundingClientRect()
    return {
      name: at.getAttribute('name') ?? at.getAttribute('role') ?? at.tagName,
      wrong: at.getAttribute('aria-invalid') === 'true',
      seen: top >= 0 && bottom <= innerHeight && at.checkVisibility(),
    }
  })()`)

const problemOf = (on: Page): Promise<string> =>
  on.evaluate(`(() => {
    const ids = document.activeElement.getAttribute('aria-describedby') ?? ''
    return ids.split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
  })()`)

/** The paths of all values in a request, such as `settings.client_id`. */
function pathsIn(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [path.join('.')]
  return Object.entries(value).flatMap(([name, each]) => pathsIn(each, [...path, name]))
}

const refuse = (route: Route, status: number, error: object): Promise<void> =>
  route.fulfill({
    status,
    contentType: 'application/json',
    body: JSON.stringify({ request_id: 'f3d1e0a2-7b1c-4c0e-9a55-0c8b1f6a7d21', error }),
  })

/** Fills in all required fields, and the first field, so that the request is not empty. */
async function fillRequired(): Promise<void> {
  const first = page.locator('form input[type="text"], form input:not([type])').first()
  if ((await first.count()) > 0 && (await first.inputValue()) === '') await first.fill('something')
  for (const field of await page.locator('form :is(input, textarea):required:visible').all()) {
    if ((await field.inputValue()) !== '') continue
    const name = await field.getAttribute('name')
    const type = await field.getAttribute('type')
    if (name === 'credential_data') await field.fill('{"client_id":"a"}')
    else await field.fill(type === 'url' || name === 'url' ? 'https://a.example/' : 'something or other')
  }
}

/** Every form: its page, its submit button, and the button that opens it. */
const forms: readonly (readonly [path: string, submit: string, opener?: string])[] = [
  ['/settings', 'Save branding'],
  ['/settings', 'Save behavior'],
  ['/settings', 'Save notifications'],
  ['/settings', 'Save mail'],
  ['/settings/hosted-page', 'Save page'],
  ['/settings/callback-uris', 'Save', 'New callback URI'],
  ['/settings/identity', 'Save identity'],
  ['/api-keys', 'Create key', 'New API key'],
  ['/connectors/google', 'Save'],
  ['/connectors/google', 'Add credential', 'Add credential'],
  ['/connectors/microsoft', 'Create connector'],
  ['/workspaces', 'Create workspace', 'New workspace'],
  ['/webhooks', 'Create destination', 'New destination'],
  ['/webhooks', 'Send test event'],
]

describe('every form', () => {
  test.for(forms)('%s: %s', async ([path, submit, opener]) => {
    await dashboard.visit(page, path)
    if (opener) await page.getByRole('button', { name: opener, exact: true }).first().click()
    await fillRequired()
    let wrong = ''
    const refuseField = async (route: Route): Promise<void> => {
      if (route.request().method() === 'GET') return route.fallback()
      wrong = pathsIn(route.request().postDataJSON()).at(-1) ?? ''
      return refuse(route, 400, {
        type: 'invalid_request_error',
        message: 'refused',
        validation_errors: { [wrong]: 'is refused' },
      })
    }
    const send = page.locator('form').getByRole('button', { name: submit, exact: true })
    await page.route('**/v3/**', refuseField)
    await send.click()
    await expect.poll(() => focused(page)).toMatchObject({ wrong: true, seen: true })
    expect(wrong.split('.')).toContain((await focused(page)).name)
    await page.unroute('**/v3/**', refuseField)

    const fail = (route: Route): Promise<void> =>
      route.request().method() === 'GET'
        ? route.fallback()
        : refuse(route, 503, { type: 'service_unavailable', message: 'not now' })
    await page.route('**/v3/**', fail)
    await send.click()
    await expect.poll(() => focused(page)).toEqual({ name: 'alert', wrong: false, seen: true })
    await page.unroute('**/v3/**', fail)
  })
})

test('a collapsed field is expanded if it is invalid', async () => {
  await dashboard.visit(page, '/grants')
  await page.getByRole('button', { name: 'Connect an account' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Provider').selectOption('imap')
  await dialog.getByLabel('IMAP username').fill('ada@a.example')
  await dialog.getByLabel('IMAP password').fill('a password')
  await dialog.getByText('More settings').click()
  await dialog.getByLabel('SMTP port').fill('a port')
  await dialog.getByText('More settings').click()
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect.poll(() => focused(page)).toEqual({ name: 'smtp_port', wrong: true, seen: true })
})

test('problems found by the page itself are shown at their fields', async () => {
  await dashboard.visit(page, '/connectors/google')
  await page.getByRole('button', { name: 'Add credential' }).click()
  await page.getByLabel('Name').last().fill('A key')
  await page.getByLabel('Data').fill('not JSON')
  await page.getByRole('dialog').getByRole('button', { name: 'Add credential' }).click()
  await expect.poll(() => focused(page)).toMatchObject({ name: 'credential_data', wrong: true, seen: true })
  expect(await problemOf(page)).toContain('one JSON object')
})

test('a confirmed action shows why it was refused', async () => {
  await dashboard.visit(page, '/api-keys')
  await page.getByRole('button', { name: 'Revoke' }).first().click()
  const fail = (route: Route) => refuse(route, 503, { type: 'service_unavailable', message: 'not now' })
  await page.route('**/api-keys/**', fail)
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect.poll(() => focused(page)).toEqual({ name: 'alert', wrong: false, seen: true })
  await page.unroute('**/api-keys/**', fail)
})

test('a wrong password is reported at its field, and other failures in a note', async () => {
  const stranger = await dashboard.openAsStranger({ viewport: { width: 360, height: 300 } })
  await stranger.goto(`${dashboard.base}/dashboard`)
  const password = stranger.getByLabel('Installation password')
  await password.fill('not the password')
  await stranger.keyboard.press('Enter')
  await expect.poll(() => focused(stranger)).toEqual({ name: 'password', wrong: true, seen: true })
  expect(await problemOf(stranger)).toBe('This password is wrong.')
  expect(await stranger.getByRole('alert').count()).toBe(0)
  await stranger.route('**/v3/admin/session', (route) =>
    refuse(route, 429, { type: 'rate_limit_error', message: 'too many wrong passwords' }),
  )
  await stranger.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => focused(stranger)).toEqual({ name: 'alert', wrong: false, seen: true })
  expect(await password.getAttribute('aria-invalid')).toBe(null)
  await stranger.close()
})
