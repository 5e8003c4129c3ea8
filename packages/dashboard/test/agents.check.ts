/** Journeys with restricted API keys, agents and approvals. */

import { barriersOf } from '@waypost/testing/peers/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeAgent } from '../../server/test/agents/stored-agent.ts'
import { createGoogleGrant } from '../../server/test/peers/google.ts'
import { type GoogleSimulator, startGoogle } from '../../simulators/src/index.ts'
import { type Dashboard, openDashboard } from './dashboard.ts'
import { screenshot } from './sweep.ts'

let dashboard: Dashboard
let google: GoogleSimulator
let page: Page
let grant: string
/** The key that the first test creates. */
let restricted: string

beforeAll(async () => {
  google = await startGoogle()
  dashboard = await openDashboard({ env: { WAYPOST_GOOGLE_URL: google.url } })
  google.addAccount({ email: 'mira@gmail.example', name: 'Mira Okafor' })
  const { key } = dashboard.application
  grant = (await createGoogleGrant(dashboard.service, google, { email: 'mira@gmail.example', key })).id
  page = await dashboard.open()
})
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const row = (text: string) => page.getByRole('row').filter({ hasText: text })

/** Creates a restricted key in the dashboard and returns it. */
async function createKey(): Promise<string> {
  await dashboard.visit(page, '/api-keys')
  await button('New API key').first().click()
  await dialog().getByLabel('Name').fill('Assistant')
  await dialog().getByLabel('Limited rights').check()
  await dialog().getByRole('button', { name: 'Assistant with approval' }).click()
  await dialog().getByLabel('Delete mail').uncheck()
  await dialog().getByLabel('Grants', { exact: true }).selectOption('chosen')
  await dialog().getByLabel('Add a grant').click()
  await page.getByRole('option', { name: 'mira@gmail.example' }).click()
  await dialog().getByRole('textbox', { name: 'Recipients' }).fill('example.com')
  await dialog().getByLabel('Messages per hour').fill('20')
  await screenshot(page, 'key-new')
  expect(await barriersOf(page)).toEqual([])
  await button('Create key').click()
  const key = (await dialog().locator('code').innerText()).trim()
  await button('I have copied it').click()
  return key
}

describe('a restricted key', () => {
  test('is created with rights in plain words, which the list and its page show', async () => {
    restricted = await createKey()
    expect(restricted).toMatch(/^wprk_/)
    const listed = await row('Assistant').innerText()
    expect(listed).toContain('Mail: read, organize, draft, send\nCalendars: read, change\nContacts: read, change\nMCP')
    expect(listed).toContain('1 grant · Only to example.com · 20 messages per hour · Sending, deleting and inviting')
    await screenshot(page, 'keys-restricted')
  })

  test('with the right to use the MCP endpoint is on the page of agents', async () => {
    await dashboard.visit(page, '/agents')
    await page.getByRole('heading', { name: 'API keys for assistants' }).waitFor()
    await row('Assistant').getByRole('link', { name: 'Assistant', exact: true }).waitFor()
    expect(await row('Assistant').innerText()).toContain('Mail: read, organize, draft, send')
    await dashboard.visit(page, '/api-keys')
  })

  test('is refused what it may not do, and the request log shows it', async () => {
    const { service } = dashboard
    const read = await service.call('GET', `/v3/grants/${grant}/messages`, { key: restricted })
    expect(read.status).toBe(200)
    const refused = await service.call('DELETE', `/v3/grants/${grant}/folders/INBOX`, { key: restricted })
    expect(refused.body.error.message).toContain('mail.delete')
    await dashboard.visit(page, '/api-keys')
    await page.getByRole('link', { name: 'Assistant', exact: true }).click()
    await page.getByRole('heading', { name: 'Assistant', level: 1 }).waitFor()
    await row('messages.list').getByText('200').waitFor()
    await row('folders.delete').getByText('missing_right').waitFor()
    await page.getByLabel('Result').selectOption('failed')
    await row('messages.list').waitFor({ state: 'detached' })
    expect(await row('folders.delete').count()).toBe(1)
    await screenshot(page, 'key-page')
    expect(await barriersOf(page)).toEqual([])
  })

  test('loses a right in the dashboard, which counts from the next request on', async () => {
    await button('Change rights').click()
    await dialog().getByLabel('Read mail').uncheck()
    await dialog().getByRole('button', { name: 'Save rights' }).click()
    await page.getByText('The new rights apply from the next request on').waitFor()
    const { status } = await dashboard.service.call('GET', `/v3/grants/${grant}/messages`, { key: restricted })
    expect(status).toBe(403)
    await button('Change rights').click()
    expect(await dialog().getByRole('list', { name: 'Chosen grants' }).innerText()).toContain('mira@gmail.example')
    await dialog().getByLabel('Read mail').check()
    await dialog().getByRole('button', { name: 'Save rights' }).click()
    await dialog().waitFor({ state: 'detached' })
  })
})

describe('an approval', () => {
  const attack = '<img src=x onerror=alert(1)> \u202Egnp.exe'
  const send = async (subject: string, to = 'ann@example.com'): Promise<{ status: number; id: string }> => {
    const attachment = {
      filename: 'plan.txt',
      content_type: 'text/plain',
      content: Buffer.from('Plan').toString('base64'),
    }
    const body = {
      to: [{ email: to, name: 'Ann' }],
      subject,
      body: `Hello Ann,<br>${attack.slice(29)} see you.<p style="color:white">Hidden words</p><p><a href="https://p\u0430ypal.com/">Pay</a></p>`,
      attachments: [attachment],
    }
    const answer = await dashboard.service.call('POST', `/v3/grants/${grant}/messages/send`, { key: restricted, body })
    return { status: answer.status, id: answer.body.data?.id }
  }
  const sent = async (): Promise<string[]> => {
    const { key } = dashboard.application
    const { body } = await dashboard.service.call('GET', `/v3/grants/${grant}/messages?in=SENT`, { key })
    return body.data.map(({ subject }: { subject: string }) => subject)
  }

  test('shows exactly what will be sent, is sent once when a person agrees, and the log shows it', async () => {
    expect((await send('Nobody knows', 'eve@evil.example')).status).toBe(403)
    await dashboard.visit(page, '/approvals')
    await page.getByText('Nothing waits for approval').waitFor()
    const { status } = await send(`Offer ${attack}`)
    expect(status).toBe(202)
    expect(await sent()).toEqual([])
    // The page follows the stream of notifications.
    await page.getByRole('link', { name: 'Send a message' }).click()
    await page.getByRole('heading', { name: 'Send a message', level: 1 }).waitFor()
    const shown = await page.locator('main').innerText()
    for (const words of [
      'ann@example.com',
      'Offer <img src=x onerror=alert(1)> [U+202E]gnp.exe',
      'plan.txt',
      'Hello Ann,',
    ])
      expect(shown).toContain(words)
    const rendered = page.frameLocator('iframe[title="The message as mail programs show it"]')
    await rendered.getByText('Hello Ann,').waitFor()
    await screenshot(page, 'approval')
    expect(await barriersOf(page)).toEqual([])
    expect(await page.getByRole('link', { name: 'Approvals' }).first().innerText()).toContain('1')
    await button('Approve and send').dblclick()
    await page.getByText('It was approved and carried out once.').waitFor()
    await screenshot(page, 'approval-done')
    expect(await sent()).toHaveLength(1)
    await page.getByRole('link', { name: 'API key Assistant' }).click()
    await row('messages.send').getByText('202 accepted').waitFor()
    await row('messages.send').getByText('recipient_not_allowed').waitFor()
  })

  test('is rejected with a reason that the requester reads, and stays in the history', async () => {
    const { id } = await send('Rejected')
    await dashboard.visit(page, `/approvals/${id}`)
    await button('Reject').click()
    await dialog().getByLabel('Reason').fill('Ask her by phone.')
    await dialog().getByRole('button', { name: 'Reject action' }).click()
    await page.getByText('It was rejected. Nothing was sent or changed.').waitFor()
    const { body } = await dashboard.service.call('GET', `/v3/approvals/${id}`, { key: restricted })
    expect(body.data).toMatchObject({ status: 'rejected', reason: 'Ask her by phone.' })
    await dashboard.visit(page, '/approvals?view=history')
    await row('Rejected').getByText('rejected', { exact: true }).waitFor()
    await page.getByLabel('State').selectOption('executed')
    await row('Rejected').waitFor({ state: 'detached' })
    await row('Offer').getByText('done', { exact: true }).waitFor()
    await screenshot(page, 'approvals-history')
    expect(await barriersOf(page)).toEqual([])
    expect(await sent()).toHaveLength(1)
  })

  test('becomes a draft that a person can edit', async () => {
    const { id } = await send('To be edited')
    await dashboard.visit(page, `/approvals/${id}`)
    await button('Edit as draft').click()
    await page.getByText('The message is a draft in the account, where').waitFor()
    const { key } = dashboard.application
    const { body } = await dashboard.service.call('GET', `/v3/grants/${grant}/drafts`, { key })
    expect(body.data.map(({ subject }: { subject: string }) => subject)).toEqual(['To be edited'])
    expect(await sent()).toHaveLength(1)
  })
})

describe('agents', () => {
  test('the endpoint is turned on, shows its address, and an agent is disconnected after a confirmation', async () => {
    const { service, application } = dashboard
    await dashboard.visit(page, '/agents')
    await screenshot(page, 'agents-off')
    await button('Turn on').click()
    await page.getByText(`${dashboard.base}/mcp/${application.id}`).first().waitFor()
    const { id } = await storeAgent(service, { applicationId: application.id, grantIds: [grant] })
    await page.getByText('Connect an assistant').click()
    await dashboard.visit(page, '/agents')
    await screenshot(page, 'agents')
    expect(await barriersOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Assistant', exact: true }).first().click()
    await page.getByText('No requests yet').waitFor()
    await screenshot(page, 'agent')
    expect(await barriersOf(page)).toEqual([])
    await button('Disconnect').click()
    await dialog().getByRole('button', { name: 'Disconnect agent' }).click()
    await page.getByText('disconnected', { exact: true }).waitFor()
    const { body } = await service.call('GET', `/v3/agents/${id}`, { key: application.key })
    expect(body.data.status).toBe('disconnected')
    expect(await button('Disconnect').count()).toBe(0)
  })
})
