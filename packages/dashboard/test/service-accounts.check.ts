/** A journey for service accounts: the credential file is available once and signs requests until the account is removed. */
import { readFile } from 'node:fs/promises'
import { barriersOf } from '@waypost/testing/peers/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dashboard, openDashboard } from './dashboard.ts'
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
const reported = (text: string) => page.locator('.toast').filter({ hasText: text }).first().waitFor()

test('a service account needs a permission, and its file is downloaded once', async () => {
  await dashboard.visitService(page, '/service-accounts')
  await button('New service account').first().click()
  await dialog().getByLabel('Name').fill('Key rotation')
  await dialog().getByRole('button', { name: 'Create service account' }).click()
  await dialog().getByText('Choose at least one.').waitFor()
  await dialog().getByLabel('apikey.create').check()
  await dialog().getByLabel('apikey.get').check()
  expect(await barriersOf(page)).toEqual([])
  await screenshot(page, 'service-account-new')
  await dialog().getByRole('button', { name: 'Create service account' }).click()
  await dialog().getByText('It contains the private key').waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), button('Download the file').click()])
  const file = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(file).toMatchObject({ type: 'service_account', permissions: ['apikey.create', 'apikey.get'] })
  expect(await dialog().getByLabel('Credential file').innerText()).toContain('BEGIN PRIVATE KEY')
  expect(await barriersOf(page)).toEqual([])
  await button('I have saved it').click()
  await row('Key rotation').waitFor()
  expect(await row('Key rotation').innerText()).toContain(file.private_key_id)
  expect(await page.content()).not.toContain('PRIVATE KEY')
  await screenshot(page, 'service-accounts')
})

test('a service account is blocked, unblocked and removed', async () => {
  await row('Key rotation').getByRole('button', { name: 'Block', exact: true }).click()
  await row('Key rotation').getByText('blocked').waitFor()
  await button('Unblock').click()
  await row('Key rotation').getByText('active').waitFor()
  await button('Remove').click()
  await dialog().getByRole('button', { name: 'Remove' }).click()
  await reported('Service account removed')
  await page.getByText('No service accounts yet').waitFor()
  expect(dashboard.reports).toEqual([])
})
