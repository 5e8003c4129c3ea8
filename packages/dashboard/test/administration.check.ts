/** Journeys of the administrator: sign-in, applications, keys, settings, health, audit, the account. */

import { version } from '@waypost/platform/versions'
import { barriersOf, complaintsOf } from '@waypost/testing/peers/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkAddress, makeLink } from '../../server/src/applications/admin-sessions.ts'
import { recordFailedJob } from '../../server/test/outbox/failed-job-setup.ts'
import { type Dashboard, openDashboard, settled } from './dashboard.ts'
import { screenshot } from './sweep.ts'

let dashboard: Dashboard
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  page = await dashboard.open()
})
afterAll(() => dashboard[Symbol.asyncDispose]())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const row = (text: string) => page.getByRole('row').filter({ hasText: text })

describe('signing in', () => {
  test('a wrong password is refused', async () => {
    const stranger = await dashboard.openAsStranger()
    await stranger.goto(`${dashboard.base}/dashboard/a/${dashboard.application.id}/api-keys`)
    await stranger.getByLabel('Installation password').fill('not the password')
    await stranger.getByRole('button', { name: 'Sign in' }).click()
    await stranger.getByText('This password is wrong.').waitFor()
    expect(await stranger.locator('#side').count()).toBe(0)
    await stranger.getByLabel('Installation password').fill(dashboard.service.adminPassword)
    await stranger.getByRole('button', { name: 'Sign in' }).click()
    await stranger.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(await stranger.evaluate('document.cookie'), 'scripts cannot read the session').toBe('')
    await stranger.close()
  })

  test('a one-time link signs in once and is removed from the URL', async () => {
    const { services } = dashboard.service
    const link = linkAddress(dashboard.base, await makeLink(services.storage.database, services.storage.clock.now()))
    const stranger = await dashboard.openAsStranger()
    await stranger.goto(link)
    await stranger.locator('#side').waitFor()
    await expect.poll(() => stranger.url()).not.toContain('link=')
    const second = await dashboard.openAsStranger()
    await second.goto(link)
    await second.getByText('This link was already used').waitFor()
    expect(await second.locator('#side').count()).toBe(0)
    await stranger.close()
    await second.close()
  })

  test('an unused page signs out by itself', async () => {
    const left = await dashboard.openAsStranger()
    await left.clock.install()
    await left.goto(`${dashboard.base}/dashboard`)
    await left.getByLabel('Installation password').fill(dashboard.service.adminPassword)
    await left.getByRole('button', { name: 'Sign in' }).click()
    await left.locator('#side').waitFor()
    await left.clock.fastForward(29 * 60_000)
    expect(await left.locator('#side').count()).toBe(1)
    await left.clock.fastForward(2 * 60_000)
    await left.getByRole('heading', { name: 'Sign in' }).waitFor()
    await left.close()
  })

  test('a session that ended elsewhere shows the sign-in page', async () => {
    const other = await dashboard.open()
    await settled(other)
    await other.context().clearCookies()
    await other.getByRole('link', { name: 'Health' }).click()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await other.getByLabel('Installation password').isVisible()).toBe(true)
    await other.close()
  })
})

test('the menu names the version of the service', async () => {
  await page.locator('#side').getByText(`Version ${version}`, { exact: true }).waitFor()
  await screenshot(page, 'menu-version')
  expect((await dashboard.service.call('GET', '/health', { key: null })).body.data).toMatchObject({ version })
})

describe('applications', () => {
  test('an application is created, opened and listed with the limits of the sandbox', async () => {
    await dashboard.visitService(page, '/applications')
    expect(await row('Sandbox').innerText()).toContain('of 5')
    await button('New application').click()
    await dialog().getByLabel('Name').fill('Fabrikam')
    await dialog().getByLabel('Environment').selectOption('staging')
    await dialog().getByRole('button', { name: 'Create application' }).click()
    await page.getByRole('heading', { name: 'Fabrikam', level: 1 }).waitFor()
    const switcher = page.getByLabel('Application', { exact: true })
    await switcher.click()
    await page.getByRole('option', { name: 'Sandbox' }).click()
    await page.getByText('This is the sandbox').waitFor()
    await switcher.click()
    await switcher.pressSequentially('northw')
    await page.getByRole('option', { name: 'Fabrikam' }).waitFor({ state: 'detached' })
    await switcher.press('Enter')
    await page.getByRole('heading', { name: 'Northwind', level: 1 }).waitFor()
    await expect.poll(() => page.url()).toContain(dashboard.application.id)
  })

  test('settings are changed; refused values are reported at their fields', async () => {
    await dashboard.visit(page, '/settings')
    await page.getByLabel('Website').fill('https://northwind.example')
    await button('Save branding').click()
    await page.getByText('Saved').first().waitFor()
    await page.getByLabel('Allow permanent deletion of messages').check()
    await button('Save behavior').click()
    await page.getByLabel('Messages per day').fill('40')
    await button('Save mail').click()
    await page.getByRole('link', { name: 'Hosted page' }).click()
    await page.getByLabel('Title', { exact: false }).first().fill('Connect your calendar')
    await button('Save page').click()
    await page.getByText('Saved').last().waitFor()
    await page.getByRole('link', { name: 'Identity' }).click()
    await page.getByLabel('Allowed origins').fill('https://app.northwind.example/path')
    await button('Save identity').click()
    await page
      .getByText(/without path, query or user/)
      .first()
      .waitFor()
    const { body } = await dashboard.service.call('GET', '/v3/applications', { key: dashboard.application.key })
    expect(body.data.branding.website_url).toBe('https://northwind.example')
    expect(body.data.allow_hard_delete).toBe(true)
    expect(body.data.hosted_authentication.title).toBe('Connect your calendar')
    const all = await dashboard.service.call('GET', '/v3/admin/applications', { admin: true })
    const mine = all.body.data.find(
      ({ application_id }: { application_id: string }) => application_id === dashboard.application.id,
    )
    expect(mine.mail_per_day).toBe(40)
  })

  test('callback URIs are added, changed and removed', async () => {
    await dashboard.visit(page, '/settings/callback-uris')
    await button('New callback URI').click()
    await dialog().getByLabel('Address').fill('https://app.northwind.example/callback')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await row('/callback').waitFor()
    await row('/callback').getByRole('button', { name: 'Change' }).click()
    await dialog().getByLabel('Address').fill('https://app.northwind.example/connected')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await row('/connected').waitFor()
    await row('/connected').getByRole('button', { name: 'Remove' }).click()
    await dialog().getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No callback URIs').waitFor()
    const { body } = await dashboard.service.call('GET', '/v3/applications', { key: dashboard.application.key })
    expect(body.data.callback_uris).toEqual([])
  })
})

test('an API key is shown once, works, and is refused after it was revoked', async () => {
  await dashboard.visit(page, '/api-keys')
  await button('New API key').click()
  await dialog().getByLabel('Name').fill('Reporting')
  await dialog().getByRole('button', { name: 'Create key' }).click()
  const key = await dialog().locator('code').innerText()
  expect((await dashboard.service.call('GET', '/v3/applications', { key })).status).toBe(200)
  await button('I have copied it').click()
  expect(await page.locator('body').innerText()).not.toContain(key)
  await row('Reporting').getByRole('button', { name: 'Revoke' }).click()
  expect(await dialog().innerText()).toContain('cannot be undone')
  await button('Revoke key').click()
  await row('Reporting').getByText('revoked').waitFor()
  expect((await dashboard.service.call('GET', '/v3/applications', { key })).status).toBe(401)
})

test('the audit log contains the changes made here and the refused sign-in', async () => {
  await dashboard.visitService(page, '/audit')
  expect(await row('apiKeys.create').first().innerText()).toContain('Dashboard')
  expect(await row('session.create').filter({ hasText: '401' }).count()).toBeGreaterThan(0)
  await page.getByLabel('Action').fill('apiKeys.delete')
  await page.getByText('1 entry').waitFor()
  expect(await row('apiKeys.delete').innerText()).toContain('Northwind')
})

test('failed jobs are shown with reason and remedy, retried and discarded', async () => {
  const { service, application } = dashboard
  await dashboard.visitService(page, '/failed-jobs')
  await page.getByText('No failed jobs').waitFor()
  await screenshot(page, 'failed-jobs-none')
  await recordFailedJob(service, { id: 'job-a', applicationId: application.id, grantId: 'grant-a' })
  await recordFailedJob(service, { id: 'job-b', applicationId: application.id, kind: 'provider.revoke' })
  await recordFailedJob(service, { id: 'job-c', applicationId: application.id, kind: 'itip.receive' })
  await dashboard.visitService(page, `/a/${application.id}`)
  await page.getByText('3 background jobs failed permanently').waitFor()
  await page.getByRole('link', { name: 'Failed jobs' }).last().click()
  const mail = row('Send a mail of the service')
  await mail.waitFor()
  const text = await mail.innerText()
  expect(text).toContain('the relay refused smtp://…@relay.test:25')
  expect(text).toContain('Check WAYPOST_SMTP_URL')
  expect(text).toContain('grant-a')
  expect(await barriersOf(page)).toEqual([])
  await screenshot(page, 'failed-jobs')
  await mail.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('The job runs again').waitFor()
  await expect.poll(() => mail.count()).toBe(0)
  const revoke = row('End the service')
  await revoke.getByRole('button', { name: 'Discard' }).click()
  expect(await dialog().innerText()).toContain('cannot be undone')
  await button('Discard job').click()
  await expect.poll(() => revoke.count()).toBe(0)
  const { body } = await service.call('GET', '/v3/admin/audit?action=failedJobs.*&outcome=done', { admin: true })
  expect(body.data.map(({ action, target }: { action: string; target: string }) => [action, target])).toEqual([
    ['failedJobs.discard', 'job-b'],
    ['failedJobs.retry', 'job-a'],
  ])
})

test('health shows the node, the queues and the charts with their figures', async () => {
  await dashboard.visitService(page, '/health')
  expect(await page.getByText('Deliveries waiting').isVisible()).toBe(true)
  const chart = page.getByRole('figure', { name: 'Requests' })
  expect(await page.locator('.chart svg *').count(), 'a column is no element of its own').toBeLessThan(300)
  expect(await chart.locator('title').count()).toBe(0)
  await chart.locator('.plot').hover()
  expect(await chart.locator('title').textContent()).toMatch(/^\S.*\nAll: .+\nFailed \(5xx\): .+ requests per minute/)
  await chart.getByText('Show as table').click()
  await chart.getByRole('columnheader', { name: 'Failed (5xx)' }).waitFor()
  const units = await page.locator('.chart .chart-unit').allTextContents()
  expect(units).toEqual([
    'requests per minute',
    'ms',
    'deliveries per minute',
    'ms',
    'errors per minute',
    'grants',
    'MB',
  ])
  await page.getByLabel('Range').selectOption('1')
  await expect.poll(() => chart.locator('tbody tr').count()).toBeLessThan(62)
  expect(await page.getByRole('figure').count()).toBe(7)
})

describe('with the keyboard alone', () => {
  test('the skip link works, a dialog keeps the focus, and closing it restores the focus', async () => {
    await dashboard.visitService(page, '/applications')
    expect(await page.evaluate('document.activeElement.textContent'), 'the title is read first').toBe('Applications')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await skip.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('New application')
    await page.keyboard.press('Enter')
    await dialog().waitFor()
    for (let presses = 0; presses < 7; presses += 1) await page.keyboard.press('Tab')
    expect(
      await page.evaluate("!!document.activeElement.closest('dialog') || document.activeElement === document.body"),
    ).toBe(true)
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe('New application')
  })
})

test('the dashboard works below a path', async () => {
  await using below = await openDashboard({ prefix: '/mail/waypost' })
  const there = await below.open()
  await below.visit(there, '/api-keys')
  await there.getByRole('link', { name: 'Connectors' }).click()
  await there.getByRole('heading', { name: 'Connectors' }).waitFor()
  await expect.poll(() => there.url()).toBe(`${below.base}/dashboard/a/${below.application.id}/connectors`)
  await there.getByRole('link', { name: 'Set up Google' }).click()
  await there.getByText(`${below.base}/v3/connect/callback`).waitFor()
  expect(below.reports).toEqual([])
})

describe('the account', () => {
  test('the theme is stored; a password set by the operator cannot be changed here', async () => {
    await dashboard.visitService(page, '/account')
    await page.getByLabel('Theme').selectOption('dark')
    await page.reload()
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark')
    await page.getByLabel('Current password').fill(dashboard.service.adminPassword)
    await page.getByLabel('New password').fill('a better password of 33 characters')
    await page.getByLabel('Repeat password').fill('a better password of 33 characters')
    await button('Change password').click()
    expect(await page.getByRole('alert').innerText()).toContain('WAYPOST_ADMIN_PASSWORD')
  })

  test('the initial password must be changed first, which ends other sessions and the old password', async () => {
    await using own = await openDashboard({ env: { WAYPOST_ADMIN_PASSWORD: '' } })
    const first = own.service.adminPassword
    const begin = async (): Promise<Page> => {
      const opened = await own.openAsStranger()
      await opened.goto(`${own.base}/dashboard/people`)
      await opened.getByLabel('Installation password').fill(first)
      await opened.getByRole('button', { name: 'Sign in' }).click()
      await opened.getByRole('heading', { name: 'Change password' }).waitFor()
      return opened
    }
    const here = await begin()
    const other = await begin()
    expect(await here.locator('#side').count()).toBe(0)
    const change = async (current: string, next: string, repeated = next) => {
      await here.getByLabel('Initial password').fill(current)
      await here.getByLabel('New password', { exact: true }).fill(next)
      await here.getByLabel('Repeat password').fill(repeated)
      await here.getByRole('button', { name: 'Change password' }).click()
    }
    await change(first, 'a better password of 33 characters', 'another one')
    await here.getByText('The passwords do not match.').waitFor()
    await change(first, 'waypost-2026')
    await here.getByText('the name of this service').waitFor()
    await screenshot(here, 'change-first-password')
    expect(await barriersOf(here)).toEqual([])
    await change('not the password', 'a better password of 33 characters')
    await here.locator('input[name=current_password][aria-invalid=true]').waitFor()
    await change(first, 'a better password of 33 characters')
    await here.getByRole('heading', { name: 'People' }).waitFor()
    await other.reload()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    await other.getByLabel('Installation password').fill(first)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.getByText('This password is wrong.').waitFor()
    await other.getByLabel('Installation password').fill('a better password of 33 characters')
    await other.getByRole('button', { name: 'Sign in' }).click()
    await other.locator('#side').waitFor({ state: 'attached' })
    await own.visitService(other, '/account')
    await other.getByLabel('Current password').fill('a better password of 33 characters')
    await other.getByLabel('New password').fill('one more password of 32 characters')
    await other.getByLabel('Repeat password').fill('one more password of 32 characters')
    await other.getByRole('button', { name: 'Change password' }).click()
    await other.locator('.toast').filter({ hasText: 'Password changed' }).waitFor()
    expect(own.reports).toEqual([])
  })

  test('signing out everywhere also ends the session of another browser', async () => {
    const other = await dashboard.open()
    await settled(other)
    await button('Sign out everywhere').click()
    await dialog().getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await other.getByRole('link', { name: 'Audit' }).click()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(dashboard.reports).toEqual([])
    // Browsers log every response with status 400 or higher.
    expect(complaintsOf(page).filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
  })
})
