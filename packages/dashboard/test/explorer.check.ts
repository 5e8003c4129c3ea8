/**
 * Journeys in the explorer: supported operations, forms of any schema, examples, files, history, code samples and
 * links.
 */
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { barriersOf } from '@waypost/testing/peers/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGoogleGrant } from '../../server/test/peers/google.ts'
import { type GoogleSimulator, startGoogle } from '../../simulators/src/index.ts'
import { type Dashboard, openDashboard, settled } from './dashboard.ts'
import { attack, openTrapped, ran, refusals, screenshot } from './sweep.ts'

let dashboard: Dashboard
let google: GoogleSimulator
let page: Page
let virtual: string

const letter = [
  'From: Jonas <jonas@example.com>',
  'To: mira@gmail.example',
  'Subject: The plan',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=part',
  '',
  '--part',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Tomorrow at <b>nine</b><img src="https://tracker.example/pixel.gif" alt="a picture"></p>',
  '--part',
  'Content-Type: application/octet-stream',
  'Content-Disposition: attachment; filename="plan.bin"',
  '',
  'bytes of the plan',
  '--part--',
].join('\r\n')

beforeAll(async () => {
  google = await startGoogle()
  dashboard = await openDashboard({ env: { WAYPOST_GOOGLE_URL: google.url } })
  const { service, application } = dashboard
  const account = google.addAccount({ email: 'mira@gmail.example', name: 'Mira Okafor' })
  account.mail.deliver(letter)
  await createGoogleGrant(service, google, { email: 'mira@gmail.example', key: application.key })
  virtual = (await service.createGrant('room-42', application.key)).id
  await service.call('POST', `/v3/grants/${virtual}/calendars`, { key: application.key, body: { name: attack } })
  page = await openTrapped(dashboard)
  page.setDefaultTimeout(20_000)
})
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const operation = () => page.getByRole('combobox', { name: 'Operation' })
const answer = () => page.getByRole('region', { name: 'Response body', exact: true })
const choose = async (words: string, id: string) => {
  await operation().click()
  await operation().fill(words)
  await page.getByRole('option').filter({ hasText: id }).first().click()
  await expect.poll(() => operation().inputValue()).toContain(`(${id})`)
}

describe('the initial state', () => {
  test('selects the newest working grant by address; a broken grant is marked', async () => {
    const { service, application } = dashboard
    const broken = await service.createGrant('broken-room', application.key)
    await service.call('POST', `/v3/admin/applications/${application.id}/grants/${broken.id}/revoke`, { admin: true })
    await dashboard.visit(page, '/explorer')
    const grant = page.getByRole('combobox', { name: 'Grant' })
    expect(await grant.inputValue()).toBe('room-42')
    await page.getByText(virtual, { exact: true }).first().waitFor()
    await grant.fill('broken-room')
    await page.getByText('This grant does not work: it is invalid.').waitFor()
    expect(new URL(page.url()).searchParams.get('grant')).toBe(broken.id)
    await service.call('DELETE', `/v3/grants/${broken.id}`, { key: application.key })
    await page.reload()
  })

  test('selects an operation that the account supports; others are marked', async () => {
    await dashboard.visit(page, '/explorer')
    expect(await operation().inputValue(), 'the newest grant is a virtual calendar').toContain('calendars.list')
    await button('Send').click()
    await answer().waitFor()
    expect(await answer().innerText()).toContain('<img src=x onerror=__xss()>')
    await operation().click()
    const mail = page.getByRole('option').filter({ hasText: 'messages.send' }).first()
    expect(await mail.innerText()).toContain('not available for this account')
    expect(await page.getByRole('group', { name: 'events', exact: true }).count()).toBe(1)
    await page.keyboard.press('Escape')
    await dashboard.visit(page, '/explorer?grant=mira@gmail.example')
    expect(await operation().inputValue()).toContain('messages.list')
    await screenshot(page, 'explorer')
  })

  test('works with the keyboard alone: type, arrows, Enter', async () => {
    await operation().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('free busy')
    await page.keyboard.press('ArrowDown')
    const active = await operation().getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${active}"]`).getAttribute('aria-selected')).toBe('true')
    expect(await barriersOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expect.poll(() => operation().inputValue()).toContain('calendars.freeBusy')
    expect(await operation().getAttribute('aria-expanded')).toBe('false')
    await expect.poll(() => page.url()).toContain('operation=calendars.freeBusy')
  })
})

describe('a form from the schema', () => {
  test('has fields for `when`, time pickers, nested objects and lists; the JSON stays in sync', async () => {
    await dashboard.visit(page, `/explorer?operation=events.create&grant=${virtual}`)
    expect(await page.getByLabel('calendar_id').first().inputValue(), 'what must be there and is usual').toBe('primary')
    const when = page.getByRole('group', { name: 'when' })
    await when.getByLabel('Form of when').selectOption({ label: 'date' })
    await when.getByLabel('date', { exact: true }).fill('2027-03-01')
    await when.getByLabel('Form of when').selectOption({ label: 'start_time and end_time' })
    expect(await when.getByLabel('date', { exact: true }).count(), 'only the fields of the form').toBe(0)
    await when.getByLabel('start_time as date and time').fill('2027-03-01T10:00')
    await when.getByLabel('end_time', { exact: true }).fill('1803895200')
    const fields = page.getByRole('region', { name: 'Body' })
    await fields
      .getByText(/^Optional fields/)
      .last()
      .click()
    await fields.getByLabel('title', { exact: false }).fill(attack)
    await button('Add to participants').click()
    await page.getByLabel('email').fill('jonas@example.com')
    await fields.getByLabel('metadata').fill('key1: a: b\nkey2: c')
    await button('Edit as JSON').click()
    const json = page.getByLabel('Body as JSON')
    const body = JSON.parse(await json.inputValue())
    expect(body).toMatchObject({
      when: { start_time: expect.any(Number), end_time: 1_803_895_200 },
      title: attack,
      participants: [{ email: 'jonas@example.com' }],
      metadata: { key1: 'a: b', key2: 'c' },
    })
    await json.fill('{"when": ')
    await page.getByText('is not JSON').waitFor()
    const { start_time: start } = body.when
    await json.fill(JSON.stringify({ ...body, when: { start_time: start, end_time: start + 3600 }, title: 'Stand-up' }))
    await button('Edit as form').click()
    expect(await when.getByLabel('end_time', { exact: true }).inputValue()).toBe(String(start + 3600))
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'explorer-form')
    await button('Send').click()
    await expect.poll(() => answer().innerText()).toContain('"title": "Stand-up"')
    expect(await page.locator('.badge.good').first().innerText()).toBe('200')
  })

  test('is filled in by an example with one click, and shows an error as a client receives it', async () => {
    await button('A series')
      .or(button(/series/i))
      .first()
      .click()
    await button('Edit as JSON').click()
    expect(await page.getByLabel('Body as JSON').inputValue()).toContain('RRULE')
    await page.getByLabel('Body as JSON').fill('{"when": {"start_time": 2, "end_time": 1}}')
    await button('Send').click()
    await expect.poll(() => answer().innerText()).toContain('"error"')
    expect(await answer().innerText()).toContain('request_id')
  })
})

describe('code samples', () => {
  test('for curl, our SDK and the published client match the form', async () => {
    await dashboard.visit(page, `/explorer?operation=events.list&grant=${virtual}`)
    await page.getByText(/^Optional parameters/).click()
    await page.getByLabel('limit').fill('5')
    expect(await page.getByLabel('curl', { exact: true }).innerText()).toContain(
      `/v3/grants/${virtual}/events?calendar_id=primary&limit=5'`,
    )
    await button('Waypost SDK').click()
    const sdk = await page.getByLabel('Waypost SDK', { exact: true }).innerText()
    expect(sdk).toContain('await waypost.events.list({')
    expect(sdk).toContain("query: { limit: 5, calendar_id: 'primary' }".slice(0, 8))
    await button('nylas (Node)').click()
    const nylas = await page.getByLabel('nylas (Node)', { exact: true }).innerText()
    expect(nylas).toContain('await nylas.events.list({')
    expect(nylas).toContain(`identifier: '${virtual}'`)
    expect(nylas).toContain("calendarId: 'primary'")
  })
})

describe('files', () => {
  test('are sent as attachments and saved under their names', async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'explorer-'))
    const file = path.join(folder.path, 'notes.txt')
    await writeFile(file, 'what we said')
    await dashboard.visit(page, '/explorer?operation=drafts.create&grant=mira@gmail.example')
    await button('Edit as JSON').click()
    await page.getByLabel('Body as JSON').fill('{"subject": "With a file", "to": [{"email": "a@b.example"}]}')
    await page.locator('#explorer-files').setInputFiles(file)
    await page.getByText('1 file, 12 bytes').waitFor()
    expect(await page.getByLabel('curl', { exact: true }).innerText()).toContain("-F 'file0=@notes.txt'")
    await button('Send').click()
    await expect.poll(() => answer().innerText()).toContain('notes.txt')
    await choose('list messages', 'messages.list')
    await button('Send').click()
    await page.locator('summary').filter({ hasText: 'The plan' }).click()
    await page.frameLocator('iframe').getByText('nine').waitFor()
    const listed = JSON.parse(await answer().innerText())
    const message = listed.data.find(({ subject }: { subject: string }) => subject === 'The plan')
    await choose('download', 'attachments.download')
    await page.getByLabel('attachment_id').fill(message.attachments[0].id)
    await page.getByLabel('message_id').fill(message.id)
    await button('Send').click()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /Save the file/ }).click(),
    ])
    expect(saved.suggestedFilename()).toBe('plan.bin')
    expect(await readFile(await saved.path(), 'utf8')).toContain('bytes of the plan')
  })
})

describe('history and links', () => {
  test('a sent request is loaded again; secrets are not stored, and signing out deletes the history', async () => {
    const history = page.getByRole('list', { name: 'History' })
    expect(await history.getByRole('listitem').count()).toBeGreaterThan(3)
    await history.getByRole('button', { name: 'Load again: events.create' }).first().click()
    await expect.poll(() => operation().inputValue()).toContain('events.create')
    expect(await page.getByLabel('start_time', { exact: true }).inputValue()).toBe('2')
    await choose('create a connector', 'connectors.create')
    await button('Edit as JSON').click()
    const connector = { provider: 'imap', name: 'x', settings: { client_secret: 'very-secret-value' } }
    await page.getByLabel('Body as JSON').fill(JSON.stringify(connector))
    await button('Send').click()
    await answer().waitFor()
    const retained = String(await page.evaluate("sessionStorage.getItem('waypost-explorer')"))
    expect(retained).toContain('connectors.create')
    expect(retained).not.toContain('very-secret-value')
    expect(await page.evaluate('Object.keys(localStorage).join()')).not.toContain('explorer')
  })

  test('a link in the URL fragment fills in the form and is removed from the URL', async () => {
    const filled = { path: {}, query: { limit: '3' }, body: { when: { date: '2027-05-01' }, title: 'Linked' } }
    const at = `${dashboard.base}/dashboard/a/${dashboard.application.id}/explorer`
    await page.goto(
      `${at}?operation=events.create&grant=${virtual}#request=${encodeURIComponent(JSON.stringify(filled))}`,
    )
    await settled(page)
    expect(await page.getByRole('group', { name: 'when' }).getByLabel('date', { exact: true }).inputValue()).toBe(
      '2027-05-01',
    )
    await expect.poll(() => page.url()).not.toContain('#')
    await page.goto(`${at}?operation=events.create#request=%7Bbroken`)
    await settled(page)
    expect(await page.getByLabel('Form of when').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.evaluate("sessionStorage.getItem('waypost-explorer')")).toBe(null)
    expect(await ran(page)).toBe(0)
    expect(refusals(page)).toEqual([])
    expect(dashboard.reports).toEqual([])
  })
})
