/** Long lists in the browser: 10,000 grants are searched, sorted, exported and changed in bulk. */
import { readFile } from 'node:fs/promises'
import { barriersOf, complaintsOf, phone } from '@waypost/testing/peers/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordLike, seedApplications, seedAudit, seededEmail, seedGrants } from '../../server/test/seed-lists.ts'
import { type Dashboard, openDashboard, settled } from './dashboard.ts'
import { screenshot } from './sweep.ts'

const total = 10_000
const emails = Array.from({ length: total - 1 }, (_, index) => seededEmail(index)).sort()
let dashboard: Dashboard
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  const { service, application } = dashboard
  await service.createGrant('=cmd()@first.test', application.key)
  const { database, clock } = service.services.storage
  const like = await recordLike(database, application.id, '=cmd()@first.test')
  await seedGrants(database, like, { count: total - 1, now: clock.now() - 60_000 })
  await seedAudit(database, { count: 2_000, now: clock.now() - 60_000, applicationId: application.id })
  await seedApplications(database, { count: 300, now: clock.now() - 60_000 })
  page = await dashboard.open()
  page.setDefaultTimeout(30_000)
})
afterAll(() => dashboard[Symbol.asyncDispose]())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const row = (text: string) => page.getByRole('row').filter({ hasText: text })
const rows = () => page.locator('tbody tr')
const foot = (text: string | RegExp) => page.locator('.foot').getByText(text)
const download = async (format: string): Promise<{ name: string; text: string }> => {
  await button('Export').click()
  await dialog().getByLabel('Format').selectOption(format)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog().getByRole('button', { name: 'Export', exact: true }).click(),
  ])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

/** The number of matching grants, which is loaded after the rows. */
async function matched(): Promise<string> {
  const foot = page.locator('.foot').filter({ hasText: /of [\d,]+ grants/ })
  return (await foot.innerText()).match(/of ([\d,]+) grants/)?.[1] ?? ''
}

describe('10,000 grants', () => {
  test('are shown page by page, and the URL leads others to the same rows', async () => {
    await dashboard.visit(page, '/grants')
    await foot('1–50 of 10,000 grants').waitFor()
    expect(await rows().count()).toBe(50)
    await button('Next page').click()
    await foot('51–100 of 10,000 grants').waitFor()
    await button('Next page').click()
    await foot('101–150 of 10,000 grants').waitFor()
    const third = await rows().allInnerTexts()
    expect(third).toHaveLength(50)
    const other = await dashboard.open()
    await other.goto(page.url())
    await settled(other)
    await other.locator('.foot').getByText('101–150 of 10,000 grants').waitFor()
    expect((await other.locator('tbody tr').allInnerTexts()).map((text) => text.split('\n')[0])).toEqual(
      third.map((text) => text.split('\n')[0]),
    )
    await other.close()
    await button('Previous page').click()
    await foot('51–100 of').waitFor()
    await page.goBack()
    await foot('101–150 of').waitFor()
    await page.locator('.foot select').selectOption('200')
    await foot('1–200 of 10,000 grants').waitFor()
    expect(await rows().count()).toBe(200)
    await screenshot(page, 'lists-grants')
  })

  test('are sorted by their headings, searched and filtered', async () => {
    await dashboard.visit(page, '/grants?size=25')
    await button('Account').click()
    await page.getByRole('columnheader', { name: 'Account' }).and(page.locator('[aria-sort=ascending]')).waitFor()
    await row('=cmd()@first.test').waitFor()
    await button('Account').click()
    await page.locator('[aria-sort=descending]').waitFor()
    await row(emails.at(-1) ?? '').waitFor()
    await page.getByLabel('Search').fill('person777')
    await row(emails.find((email) => email.startsWith('person777')) ?? '').waitFor()
    await expect.poll(() => page.url()).toContain('search=person777')
    await expect.poll(() => page.url()).toContain('order=desc')
    for (const text of await rows().allInnerTexts()) expect(text).toContain('person777')
    await page.getByLabel('Search').fill('')
    await page.getByLabel('State').selectOption('invalid')
    await foot('1–25 of 1,000 grants').waitFor()
    await button('More filters').click()
    await page.getByLabel('Blocked').selectOption('yes')
    await foot(/^1–25 of 3\d\d grants$/).waitFor()
    expect(await barriersOf(page)).toEqual([])
    await button('Clear filters').click()
    await foot('1–25 of 10,000 grants').waitFor()
  })

  test('are exported completely, and no cell is a formula', async () => {
    await dashboard.visit(page, '/grants?search=person77')
    const found = Number((await matched()).replace(',', ''))
    expect(found).toBeGreaterThan(50)
    const lines = await download('jsonl')
    expect(lines.name).toMatch(/^grants-\d{4}-\d\d-\d\d\.jsonl$/)
    const parsed = lines.text.trim().split('\n')
    expect(parsed).toHaveLength(found)
    expect(JSON.parse(parsed[0] ?? '')).toHaveProperty('last_used_at')
    await dashboard.visit(page, '/grants?search=first.test')
    const csv = await download('csv')
    expect(csv.text.split('\r\n')[0]).toMatch(/^id,email,name,provider/)
    expect(csv.text).toContain(`,"'=cmd()@first.test",`)
    await button('Export').click()
    expect(await barriersOf(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('are blocked in bulk, with their number before and the failures after', async () => {
    await dashboard.visit(page, '/grants?search=person12&blocked=no&size=25')
    await row('person12').first().waitFor()
    const matching = await matched()
    await page.getByLabel('Select all rows on this page').check()
    await page.getByText('25 grants selected').waitFor()
    await page.getByRole('button', { name: `Select all ${matching} grants that match` }).click()
    await button('Block').click()
    await dialog()
      .getByRole('heading', { name: `Block ${matching} grants?` })
      .waitFor()
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'lists-bulk')
    await dialog()
      .getByRole('button', { name: `Block ${matching} grants` })
      .click()
    await dialog().getByText(`${matching} grants blocked`).waitFor()
    await dialog().getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('No matching grants').waitFor()
    await dashboard.visit(page, '/grants?search=person12&blocked=yes')
    // These, and the few that were blocked before.
    await foot(/of 1\d\d grants$/).waitFor()
  })

  test('are deleted only after their number is typed; an already deleted one is reported as failed', async () => {
    await dashboard.visit(page, '/grants?search=person88&size=25')
    await row('person88').first().waitFor()
    const chosen = (await rows().locator('a').allInnerTexts()).slice(0, 3)
    for (const email of chosen) await page.getByLabel(`Select ${email}`).check()
    await page.getByText('3 grants selected').waitFor()
    const { service, application } = dashboard
    const gone = await service.call('DELETE', `/v3/grants/${chosen[1]}`, { key: application.key })
    expect(gone.status).toBe(200)
    await button('Delete').click()
    const go = dialog().getByRole('button', { name: 'Delete 3 grants' })
    expect(await go.isDisabled()).toBe(true)
    await dialog().getByLabel('Type 3 to confirm').fill('2')
    expect(await go.isDisabled()).toBe(true)
    await dialog().getByLabel('Type 3 to confirm').fill('3')
    await go.click()
    await dialog().getByText('2 grants deleted').waitFor()
    const failed = dialog().getByRole('list', { name: 'Failures' })
    expect(await failed.innerText()).toContain(chosen[1])
    expect(await barriersOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    for (const email of chosen) await row(email).waitFor({ state: 'detached' })
  })

  test('a bulk action is stopped with a button and reports its progress', async () => {
    await dashboard.visit(page, '/grants?search=person&size=25')
    await row('person').first().waitFor()
    await page.getByLabel('Select all rows on this page').check()
    await page.getByRole('button', { name: /^Select all [\d,]+ grants that match$/ }).click()
    await button('Unblock').click()
    await dialog()
      .getByRole('button', { name: /^Unblock [\d,]+ grants$/ })
      .click()
    await dialog().getByRole('button', { name: 'Stop' }).click()
    await dialog().getByText('unchanged').waitFor()
    await page.keyboard.press('Escape')
  })
})

describe('the audit log', () => {
  test('is searched by prefix of an action and by application; an entry has its own URL', async () => {
    await dashboard.visitService(page, '/audit')
    await page.getByLabel('Action').fill('webhooks')
    await row('webhooks.update').first().waitFor()
    await row('apiKeys.create').first().waitFor({ state: 'detached' })
    const about = page.getByRole('combobox', { name: 'Affected application' })
    await about.click()
    await about.pressSequentially('northw')
    await page.getByRole('option', { name: 'Northwind' }).waitFor()
    await about.press('Enter')
    await page.waitForURL(/application=/)
    await button('More filters').click()
    await page.getByLabel('Result').selectOption('refused')
    await page.waitForURL(/outcome=refused/)
    await page.getByText('No entry matches').or(row('403').first()).first().waitFor()
    await button('Clear filters').click()
    await page.getByLabel('Action').fill('apiKeys.create')
    await page.getByRole('button', { name: 'Show apiKeys.create' }).first().click()
    await dialog().getByRole('heading', { name: 'apiKeys.create' }).waitFor()
    expect(await barriersOf(page)).toEqual([])
    const shown = await dialog().innerText()
    const other = await dashboard.open()
    await other.goto(page.url())
    await other.getByRole('dialog').waitFor()
    // The name of the application is loaded after the dialog opens.
    await expect.poll(() => other.getByRole('dialog').innerText()).toBe(shown)
    await other.close()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(() => page.url()).not.toContain('open=')
  })
})

describe('applications', () => {
  test('are searched, and no page requests all of them', async () => {
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await dashboard.visitService(page, '/applications?size=25')
    expect(await rows().count()).toBe(25)
    await page.getByLabel('Search').fill('northw')
    await row('Northwind').waitFor()
    await foot('1 application').waitFor()
    await button('Name').click()
    await dashboard.visit(page, '/settings')
    const whole = requested.filter((url) => /\/v3\/admin\/applications(\?(?!.*(limit|application_id)=)|$)/.test(url))
    expect(whole).toEqual([])
  })
})

describe('keys and destinations', () => {
  test('keys are searched, sorted and revoked in bulk', async () => {
    const { service, application } = dashboard
    for (const name of ['Zeta', 'Alpha', 'Beta']) {
      const path = `/v3/admin/applications/${application.id}/api-keys`
      await service.call('POST', path, { admin: true, body: { name } })
    }
    await dashboard.visit(page, '/api-keys')
    await button('Name').click()
    expect((await rows().allInnerTexts())[0]).toContain('Alpha')
    await page.getByLabel('Search').fill('eta')
    await row('Alpha').waitFor({ state: 'detached' })
    await page.getByLabel('Select all rows on this page').check()
    await page.locator('.bulk').getByRole('button', { name: 'Revoke' }).click()
    await dialog().getByLabel('Type 2 to confirm').fill('2')
    await page.keyboard.press('Enter')
    await dialog().getByText('2 keys revoked').waitFor()
    await page.keyboard.press('Escape')
    await row('Zeta').getByText('revoked').waitFor()
    const csv = await download('csv')
    expect(csv.text).toContain('Zeta')
    expect(csv.text).not.toContain('Alpha')
  })
})

describe('with the keyboard alone', () => {
  const active = () =>
    page.evaluate('document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.tagName')

  test('Ctrl-K finds pages, grants, applications, destinations, operations and actions', async () => {
    await dashboard.visit(page, '')
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: /^Search for pages/ })
    await field.waitFor()
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'lists-palette')
    await page.keyboard.type('grnt')
    await page.getByRole('option', { name: 'Grants', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Grants', level: 1 }).waitFor()
    await field.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    const email = emails[4321] ?? ''
    await page.keyboard.type(email.slice(0, -4))
    await page.getByRole('option', { name: email }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: email, level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sandb')
    await page.getByRole('group', { name: 'Applications' }).getByRole('option', { name: 'Sandbox' }).waitFor()
    await field.fill('events.cr')
    await page.getByRole('option', { name: 'events.create', selected: true }).waitFor()
    expect(await barriersOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(/explorer\?operation=events\.create/)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('new api k')
    await page.getByRole('option', { name: 'New API key', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await dialog().getByRole('heading', { name: 'New API key' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(() => page.url()).not.toContain('new=')
  })

  test('a slash focuses the search of a list, g and a letter opens a page, a question mark lists the shortcuts', async () => {
    await dashboard.visit(page, '/grants')
    await page.keyboard.press('/')
    await page.keyboard.type('first.t')
    await row('=cmd()@first.test').waitFor()
    await foot('1 grant').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await page.locator('h1').focus()
    await page.keyboard.press('?')
    await dialog().getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'lists-shortcuts')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
  })

  test('rows are selected and changed', async () => {
    await dashboard.visit(page, '/grants?search=first.test')
    await row('=cmd()@first.test').waitFor()
    await page.getByRole('region', { name: 'Grants' }).focus()
    for (let turn = 0; turn < 12 && (await active()) !== 'Select =cmd()@first.test'; turn++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.getByText('1 grant selected').waitFor()
    for (let turn = 0; turn < 12; turn++) {
      await page.keyboard.press('Shift+Tab')
      if ((await page.evaluate('document.activeElement?.textContent')) === 'Block') break
    }
    await page.keyboard.press('Enter')
    await dialog().getByRole('heading', { name: 'Block 1 grant?' }).waitFor()
    for (let turn = 0; turn < 5; turn++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate('document.activeElement?.textContent')) === 'Block 1 grant') break
    }
    await page.keyboard.press('Enter')
    await dialog().getByText('1 grant blocked').waitFor()
    await page.keyboard.press('Escape')
    await row('=cmd()@first.test').getByText('blocked').waitFor()
  })
})

test('a phone also offers sorting, selection and pages', async () => {
  const small = await dashboard.open({ ...phone, colorScheme: 'dark' })
  await dashboard.visit(small, '/grants?size=25')
  await small.getByLabel('Order').selectOption('email asc')
  await small.getByText('=cmd()@first.test').waitFor()
  await small.getByLabel('Select =cmd()@first.test').check()
  await small.getByText('1 grant selected').waitFor()
  expect(await small.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
  expect(await barriersOf(small)).toEqual([])
  await screenshot(small, 'lists-phone')
  await small.close()
})

test('no page logged an error', () => {
  expect(complaintsOf(page).filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
  expect(dashboard.reports).toEqual([])
})
