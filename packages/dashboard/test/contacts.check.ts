/** Journeys through the contacts of a grant: an account of Google's simulator. */

import { barriersOf, colourRules, phone } from '@waypost/testing/peers/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Contact } from '../../sdk/src/index.ts'
import { createGoogleGrant } from '../../server/test/peers/google.ts'
import { type GoogleSimulator, type SimulatedAccount, startGoogle } from '../../simulators/src/index.ts'
import { type Dashboard, openDashboard } from './dashboard.ts'
import { attack, openTrapped, ran, refusals, screenshot } from './sweep.ts'

let dashboard: Dashboard
let google: GoogleSimulator
let account: SimulatedAccount
let page: Page

const call = async (method: string, path: string, body?: unknown) => {
  const at = `/v3/grants/mira@gmail.example/contacts${path}`
  const answer = await dashboard.service.call(method, at, { key: dashboard.application.key, body })
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.data
}
/** A red pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

beforeAll(async () => {
  google = await startGoogle()
  dashboard = await openDashboard({ env: { WAYPOST_GOOGLE_URL: google.url, WAYPOST_EGRESS: 'private' } })
  account = google.addAccount({ email: 'mira@gmail.example', name: 'Mira' })
  await createGoogleGrant(dashboard.service, google, { email: 'mira@gmail.example', key: dashboard.application.key })
  await dashboard.service.call('PATCH', '/v3/applications', {
    key: dashboard.application.key,
    body: { notification_stream: true },
  })
  const friends = await call('POST', '/groups', { name: 'Friends' })
  await call('POST', '', {
    given_name: 'Ann',
    surname: 'Lee',
    emails: [{ email: 'ann@example.com', type: 'work' }],
    phone_numbers: [{ number: '+49 30 1234567', type: 'mobile' }],
    company_name: 'Northwind',
    groups: [{ id: friends.id }],
    web_pages: [{ url: 'https://ann.example/' }, { url: 'javascript:__xss()' }],
    picture: png,
  })
  await call('POST', '', { given_name: 'Bob', emails: [{ email: 'bob@example.com' }] })
  await call('POST', '', {
    given_name: attack.slice(0, 200),
    notes: attack,
    company_name: attack.slice(0, 200),
    emails: [{ email: 'mallory@evil.example' }],
  })
  page = await openTrapped(dashboard)
})
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
})

const row = (text: string) => page.getByRole('row').filter({ hasText: text })
const dialog = () => page.getByRole('dialog')
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })
const reported = (text: string | RegExp) => page.locator('.toast').filter({ hasText: text }).first().waitFor()
const list = '/grants/mira@gmail.example/contacts'

describe('viewing', () => {
  test('contacts are found by words, by full address and by group', async () => {
    await dashboard.visit(page, list)
    await row('Ann Lee').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'contacts')
    await page.getByLabel('Search').fill('northw lee')
    await row('Bob').waitFor({ state: 'detached' })
    expect(await row('Ann Lee').count()).toBe(1)
    await page.getByLabel('Search').fill('bob@example.com')
    await row('Bob').waitFor()
    await row('Ann Lee').waitFor({ state: 'detached' })
    await expect.poll(() => page.url()).toContain('search=bob')
    await page.getByLabel('Search').fill('')
    await page.getByLabel('Group').selectOption({ label: 'Friends' })
    await row('Bob').waitFor({ state: 'detached' })
    await row('Ann Lee').waitFor()
  })

  test('a contact shows all its details and its picture, and its URL opens it again', async () => {
    await page.getByRole('button', { name: 'Ann Lee' }).click()
    await dialog().getByText('+49 30 1234567').first().waitFor()
    expect(await dialog().locator('img').getAttribute('src')).toMatch(/^data:image\/\w+;base64,/)
    expect(await dialog().getByRole('link').allInnerTexts(), 'only addresses of the web are links').toEqual([
      'https://ann.example/',
    ])
    expect(await dialog().innerText()).toMatch(/Groups[\s\S]*Friends/)
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'contact')
    await page.reload()
    await dialog().getByText('+49 30 1234567').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(() => page.url()).not.toContain('contact=')
  })

  test('the dark theme and a phone are accessible', async () => {
    const dark = await dashboard.open({ ...phone, colorScheme: 'dark' })
    await dashboard.visit(dark, list)
    await dark.getByText('Ann Lee').first().waitFor()
    expect(await barriersOf(dark, colourRules)).toEqual([])
    expect(await dark.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    await screenshot(dark, 'contacts-phone')
    await dark.close()
  })
})

describe('changing', () => {
  test('a contact is created, changed and deleted with the keyboard alone', async () => {
    await dashboard.visit(page, list)
    await row('Bob').waitFor()
    await page.getByRole('button', { name: 'New contact' }).focus()
    await page.keyboard.press('Enter')
    await dialog().getByLabel('First name').focus()
    await page.keyboard.type('Cleo')
    await dialog().getByLabel('Address 1', { exact: true }).focus()
    await page.keyboard.type('cleo@example.com')
    await inDialog('Add number').focus()
    await page.keyboard.press('Enter')
    await dialog().getByLabel('Number 1', { exact: true }).focus()
    await page.keyboard.type('+33 1 23 45 67 89')
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'contact-form')
    await inDialog('Create contact').focus()
    await page.keyboard.press('Enter')
    await reported('Contact created')
    await page.getByRole('button', { name: 'Cleo' }).focus()
    await page.keyboard.press('Enter')
    await inDialog('Change').focus()
    await page.keyboard.press('Enter')
    await dialog().getByLabel('Last name').fill('Marin')
    await page.keyboard.press('Enter')
    await reported('Contact updated')
    const [cleo] = (await call('GET', '?email=cleo@example.com')) as Contact[]
    expect(cleo).toMatchObject({
      given_name: 'Cleo',
      surname: 'Marin',
      emails: [{ email: 'cleo@example.com', type: 'work' }],
      phone_numbers: [{ number: '+33 1 23 45 67 89', type: 'mobile' }],
    })
    await inDialog('Delete').focus()
    await page.keyboard.press('Enter')
    await inDialog('Delete contact').focus()
    await page.keyboard.press('Enter')
    await reported('Cleo Marin was deleted')
    await row('Cleo').waitFor({ state: 'detached' })
    expect(await call('GET', '?email=cleo@example.com')).toEqual([])
  })

  test('a refusal by the provider is shown, and the form stays open', async () => {
    await page.getByRole('button', { name: 'Bob' }).click()
    await inDialog('Change').click()
    google.fail({ path: /updateContact/ }, { status: 403, reason: 'forbidden', message: 'Not by you' })
    await dialog().getByLabel('Company').fill('Elsewhere')
    await inDialog('Save').click()
    await dialog().getByRole('alert').waitFor()
    expect(await dialog().getByLabel('Company').inputValue()).toBe('Elsewhere')
    await inDialog('Cancel').click()
    await page.keyboard.press('Escape')
  })

  test('no foreign text ran, and the browser blocked nothing', async () => {
    await page.getByRole('button', { name: /onerror/ }).click()
    await dialog().getByText('mallory').first().waitFor()
    expect(await ran(page)).toBe(0)
    expect(refusals(page)).toEqual([])
    expect(dashboard.reports).toEqual([])
    expect(account.email).toBe('mira@gmail.example')
  })
})
