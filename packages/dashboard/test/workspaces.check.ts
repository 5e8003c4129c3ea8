/** Journeys for workspaces: created, filled by domain and by hand, and deleted. */

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
  const { service, application } = dashboard
  for (const email of ['ann@example.com', 'bo@example.com', 'cy@elsewhere.test']) {
    await service.createGrant(email, application.key)
  }
})
afterAll(() => dashboard[Symbol.asyncDispose]())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const row = (text: string) => page.getByRole('row').filter({ hasText: text })
const reported = (text: string) => page.locator('.toast').filter({ hasText: text }).first().waitFor()

test('a new application has the default workspace with all grants, which cannot be changed', async () => {
  await dashboard.visit(page, '/workspaces')
  await row('default').getByRole('link', { name: '3 grants' }).waitFor()
  expect(await row('default').getByRole('button').count()).toBe(0)
})

test('a workspace is created; a taken domain is refused', async () => {
  for (const name of ['Example Travel', 'Another one']) {
    await button('New workspace').click()
    await dialog().getByLabel('Name').fill(name)
    await dialog().getByLabel('Domain').fill('example.com')
    await dialog().getByRole('button', { name: 'Create workspace' }).click()
    if (name === 'Example Travel') await reported('Workspace created')
  }
  await dialog().locator('.problem').or(dialog().getByRole('alert')).first().waitFor()
  expect(await barriersOf(page)).toEqual([])
  await screenshot(page, 'workspace-new')
  await page.keyboard.press('Escape')
  expect(await row('Example Travel').innerText()).toContain('those of its domain')
  await row('Example Travel').getByRole('link', { name: '0 grants' }).waitFor()
})

test('existing grants are grouped by their domain in the background', async () => {
  await button('Group by domain…').click()
  await dialog().getByLabel('Only this domain').fill('example.com')
  await dialog().getByRole('button', { name: 'Group grants' }).click()
  await reported('Grants are grouped in the background')
  await row('Example Travel').getByRole('link', { name: '2 grants' }).waitFor()
  await row('default').getByRole('link', { name: '1 grant' }).waitFor()
})

test('grants are assigned and removed by hand', async () => {
  await row('Example Travel').getByRole('button', { name: 'Assign grants' }).click()
  await dialog().getByLabel('cy@elsewhere.test').check()
  await dialog().getByLabel('bo@example.com').uncheck()
  expect(await barriersOf(page)).toEqual([])
  await screenshot(page, 'workspace-assign')
  await dialog().getByLabel('Search').fill('ann@')
  await dialog().getByLabel('cy@elsewhere.test').waitFor({ state: 'detached' })
  await dialog().getByRole('button', { name: 'Save 2 changes' }).click()
  await reported('2 grants moved')
  await row('Example Travel').getByRole('link', { name: '2 grants' }).click()
  await row('cy@elsewhere.test').waitFor()
  await row('ann@example.com').waitFor()
  expect(await row('bo@example.com').count()).toBe(0)
  await page.goBack()
})

test('a workspace is renamed, no longer takes new grants, and is deleted', async () => {
  await row('Example Travel').getByRole('button', { name: 'Change' }).click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Example Tours')
  await dialog().getByLabel('Group new grants automatically').uncheck()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await reported('Saved')
  await row('Example Tours').getByText('by hand only').waitFor()
  await screenshot(page, 'workspaces')
  expect(await barriersOf(page)).toEqual([])
  await row('Example Tours').getByRole('button', { name: 'Delete' }).click()
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await reported('Workspace deleted')
  await row('default').getByRole('link', { name: '3 grants' }).waitFor()
  expect(await row('Example Tours').count()).toBe(0)
  expect(dashboard.reports).toEqual([])
})
