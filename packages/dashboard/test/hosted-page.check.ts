/** Settings of the hosted page: previewed before they are saved, for administrators only, with readable colors. */
import { checkContrast } from '@waypost/contract/hosted-colors'
import { barriersOf } from '@waypost/testing/peers/browser'
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dashboard, openDashboard } from './dashboard.ts'
import { attack, openTrapped, ran, refusals, screenshot } from './sweep.ts'

let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await openDashboard()
  for (const provider of ['imap', 'icloud']) {
    const made = await dashboard.service.call('POST', '/v3/connectors', {
      key: dashboard.application.key,
      body: { provider },
    })
    expect(made.status).toBe(201)
  }
})
afterAll(() => dashboard[Symbol.asyncDispose]())

const previewIn = (page: Page): FrameLocator => page.frameLocator('iframe[title="Hosted page preview"]')
const styleIn = async (preview: FrameLocator): Promise<string> => (await preview.locator('style').textContent()) ?? ''

describe('the preview', () => {
  test('shows unsaved settings in every language, in dark mode and on a phone', async () => {
    const page = await dashboard.open()
    await dashboard.visit(page, '/settings/hosted-page')
    const preview = previewIn(page)
    await preview.getByRole('heading', { name: 'Connect your account to Northwind' }).waitFor()
    // Only the providers that the application has set up.
    await expect.poll(() => preview.locator('.button').allInnerTexts()).toContain('Another mail account')
    await preview.getByText('Continue with Google').waitFor({ state: 'detached' })
    await preview.getByText('Continue with iCloud').waitFor()
    await page.getByRole('textbox', { name: /^Title/ }).fill('Bring your calendar')
    await page.getByRole('textbox', { name: /^Primary color/ }).fill('#0a7d38')
    await preview.getByRole('heading', { name: 'Bring your calendar' }).waitFor()
    await expect.poll(() => styleIn(preview)).toContain('--fill:#0a7d38')
    await page.getByLabel('Language', { exact: true }).selectOption('Deutsch')
    await preview.getByText('Weiter mit iCloud').waitFor()
    await page.getByLabel('Appearance').selectOption('Dark')
    await expect.poll(() => styleIn(preview)).toContain(':root{color-scheme:dark;')
    await page.getByLabel('Width').selectOption('Phone')
    await expect.poll(async () => (await page.locator('iframe').boundingBox())?.width).toBe(360)
    await page.getByLabel('Page', { exact: true }).selectOption('Expired sign-in')
    await preview.getByText('Gehen Sie zurück zu Northwind').waitFor()
    await page.getByLabel('Page', { exact: true }).selectOption('Password')
    await preview.getByLabel('App-Passwort').waitFor()
    await screenshot(page, 'hosted-page-phone-dark')
    expect(await barriersOf(page)).toEqual([])
    // Nothing was saved, and the preview is not interactive.
    const { body } = await dashboard.service.call('GET', '/v3/applications', { key: dashboard.application.key })
    expect(body.data.hosted_authentication.title ?? null).toBeNull()
    expect(await preview.locator('body[inert]').count()).toBe(1)
    await page.getByRole('button', { name: 'Save page' }).click()
    await page.getByText('Saved').first().waitFor()
    const saved = await dashboard.service.call('GET', '/v3/applications', { key: dashboard.application.key })
    expect(saved.body.data.hosted_authentication).toMatchObject({
      title: 'Bring your calendar',
      color_primary: '#0a7d38',
    })
    expect(refusals(page)).toEqual([])
    await page.close()
  })

  test('runs no script from the settings', async () => {
    const page = await openTrapped(dashboard)
    await dashboard.visit(page, '/settings/hosted-page')
    await page.getByRole('textbox', { name: /^Title/ }).fill(attack.slice(0, 250))
    await page.getByLabel('Subtitle').fill(attack.slice(0, 500))
    await previewIn(page).getByText('onerror=__xss()').first().waitFor()
    expect(await ran(page)).toBe(0)
    expect(await previewIn(page).locator('img, script, svg[onload]').count()).toBe(0)
    await page.close()
  })
})

describe('a color', () => {
  test('is typed or chosen with a picker; both stay in sync, and the preview follows', async () => {
    const page = await dashboard.open()
    await dashboard.visit(page, '/settings/hosted-page')
    const typed = page.getByRole('textbox', { name: /^Secondary color/ })
    const picker = page.getByLabel('Choose: Secondary color')
    await typed.fill('#0af')
    expect(await picker.inputValue()).toBe('#00aaff')
    await picker.fill('#123456')
    expect(await typed.inputValue()).toBe('#123456')
    await expect.poll(() => styleIn(previewIn(page))).toContain('--accent:#123456')
    await typed.fill('')
    await page.getByRole('button', { name: 'Save page' }).click()
    await page.getByText('Saved').first().waitFor()
    await page.close()
  })
})

describe('the contrast', () => {
  test('is shown with its figure, and the nearest readable color is a click away', async () => {
    const page = await dashboard.open()
    await dashboard.visit(page, '/settings/hosted-page')
    await page.getByRole('textbox', { name: /^Primary color/ }).fill('#ffd400')
    const note = page.getByRole('status').filter({ hasText: 'The primary color #ffd400' })
    await note.getByText('1.31:1').waitFor()
    const offer = note.getByRole('button', { name: /^Use #/ })
    const color = (await offer.innerText()).replace('Use ', '').trim()
    await screenshot(page, 'hosted-page-contrast')
    expect(await barriersOf(page)).toEqual([])
    await offer.focus()
    await page.keyboard.press('Enter')
    await note.waitFor({ state: 'detached' })
    expect(await page.getByRole('textbox', { name: /^Primary color/ }).inputValue()).toBe(color)
    expect(checkContrast({ color_primary: color }).find(({ what }) => what === 'links')?.passes).toBe(true)
    await page.close()
  })
})
