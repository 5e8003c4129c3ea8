/** Journeys for deliveries: the live log, attempt details, replays with their count, signatures, test events. */
import { execFile } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { triggerNames } from '@waypost/contract'
import { answerWell, type Heard, type Listener, openListener } from '@waypost/testing/listener'
import { barriersOf } from '@waypost/testing/peers/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signatureSamples } from '../src/pages/webhooks/signature-code.ts'
import { type Dashboard, openDashboard, settled } from './dashboard.ts'
import { attack, openTrapped, ran, refusals, screenshot } from './sweep.ts'

let dashboard: Dashboard
let listener: Listener
let page: Page
let webhook: { id: string; webhook_secret: string }

const call = async (method: string, to: string, body?: unknown) => {
  const answer = await dashboard.service.call(method, to, { key: dashboard.application.key, body })
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}

beforeAll(async () => {
  listener = await openListener()
  dashboard = await openDashboard()
  page = await openTrapped(dashboard)
  await call('PATCH', '/v3/applications', { notification_stream: true })
  webhook = await call('POST', '/v3/webhooks', {
    webhook_url: `${listener.url}/hooks`,
    trigger_types: ['grant.created', 'grant.updated'],
    description: 'Main listener',
  })
})
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]()
  await listener[Symbol.asyncDispose]()
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const log = () => page.getByRole('region', { name: 'Delivery log' })
const rows = (text: string) => log().getByRole('row').filter({ hasText: text })
const reported = (text: string | RegExp) => page.locator('.toast').filter({ hasText: text }).first().waitFor()
const posts = (): Heard[] => listener.heard.filter(({ method }) => method === 'POST')
const fails =
  (status: number, headers = {}): Listener['answer'] =>
  (response) =>
    void response.writeHead(status, headers).end(attack)

describe('the log', () => {
  test('grows while it is visible, stops while it is paused, and catches up', async () => {
    await dashboard.visit(page, `/webhooks/${webhook.id}`)
    await page.getByText('No attempts yet').waitFor()
    const { id } = await dashboard.service.createGrant('live-1', dashboard.application.key)
    await rows('delivered').first().waitFor()
    expect(await rows('delivered').first().innerText()).toContain(id.slice(0, 8))
    await button(/Live · Pause/).click()
    await dashboard.service.createGrant('live-2', dashboard.application.key)
    await expect.poll(() => posts().length).toBe(2)
    expect(await button(/Paused · Resume/).getAttribute('aria-pressed')).toBe('false')
    expect(await rows('grant.created').count(), 'nothing comes while it is paused').toBe(1)
    await button(/Paused · Resume/).click()
    await expect.poll(() => rows('grant.created').count()).toBe(2)
  })

  test('is filtered by outcome, trigger and grant, and the filters are in the URL', async () => {
    listener.answer = fails(500)
    const { id } = await dashboard.service.createGrant('failing', dashboard.application.key)
    await rows('HTTP 500').first().waitFor()
    await page.getByLabel('Outcome').selectOption('delivered')
    await expect.poll(() => rows('grant.created').count()).toBe(2)
    expect(await rows('HTTP 500').count()).toBe(0)
    await page.getByLabel('Outcome').selectOption('')
    await page.getByLabel('Grant').fill(id)
    await rows('HTTP 500').first().waitFor()
    await expect.poll(() => rows('delivered').count()).toBe(0)
    await expect.poll(() => page.url()).toContain(`grant=${id}`)
    await page.getByLabel('Trigger').selectOption('grant.updated')
    await page.getByText('No matching attempts').waitFor()
    await page.getByLabel('Trigger').selectOption('')
  })
})

describe('an attempt', () => {
  test('is shown with its request, its response as text and what to try next, and has a link', async () => {
    await rows('HTTP 500').first().getByRole('button', { name: 'Show' }).click()
    await dialog().getByText('Suggestions').waitFor()
    expect(await dialog().getByLabel('Request and headers').innerText()).toMatch(
      new RegExp(`^POST ${listener.url}/hooks\n[\\s\\S]*x-service-signature: [0-9a-f]{64}`),
    )
    expect(await dialog().getByLabel('Request body').innerText()).toContain('"grant.created"')
    expect(await dialog().getByLabel('Response body').innerText()).toContain('<img src=x onerror=__xss()>')
    expect(await dialog().innerText()).toContain('The receiver failed')
    await dialog().getByRole('button', { name: 'Show raw bytes' }).click()
    const sent = posts().find(({ body }) => body.includes('failing'))
    expect(await dialog().getByLabel('Request body').innerText()).toBe(sent?.body)
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'attempt')
    await page.reload()
    await dialog().getByText('Suggestions').waitFor()
    expect(await ran(page)).toBe(0)
  })

  test('has its signatures checked; a re-serialized body is recognized', async () => {
    await button('Check these signatures').click()
    await page.getByRole('heading', { name: 'Check a delivery' }).waitFor()
    expect(await page.getByLabel('Headers').inputValue()).toContain('webhook-signature: v1,')
    await button('Check').click()
    await page.getByText('The signatures are valid').waitFor()
    const body = await page.getByLabel('Body').inputValue()
    await page.getByLabel('Body').fill(JSON.stringify(JSON.parse(body), null, 2))
    await button('Check').click()
    await page.getByText('parsed and rewrote the body').waitFor()
    expect(await page.getByText('body changed').count()).toBe(3)
    expect(await barriersOf(page)).toEqual([])
    expect(await page.locator('body').innerText()).not.toContain(webhook.webhook_secret)
    await screenshot(page, 'signatures')
  })
})

describe('code samples', () => {
  const heard = (): { headers: Record<string, string>; body: string } => {
    const last = posts().at(-1)
    if (!last) throw new Error('nothing was delivered')
    return {
      headers: Object.fromEntries(Object.entries(last.headers).map(([k, v]) => [k, String(v)])),
      body: last.body,
    }
  }
  const textOf = (name: string): string => signatureSamples.find((each) => each.name === name)?.text ?? ''

  test('in Node, Python and openssl accept a real delivery and reject a changed one', async () => {
    await using folder = await mkdtempDisposable(path.join(tmpdir(), 'verify-'))
    const { headers, body } = heard()
    const at = (name: string) => path.join(folder.path, name)
    const secret = webhook.webhook_secret
    const node = async (given: string) => {
      await writeFile(
        at('verify.mjs'),
        `${textOf('Node')}\nprocess.stdout.write(verify(Buffer.from(${JSON.stringify(given)}), ${JSON.stringify(headers)}, ${JSON.stringify(secret)}).type)`,
      )
      return (await promisify(execFile)(process.execPath, [at('verify.mjs')])).stdout
    }
    const python = async (given: string) => {
      await writeFile(at('facts.json'), JSON.stringify({ given, headers, secret }))
      await writeFile(
        at('verify.py'),
        `${textOf('Python')}\nimport sys\nfacts = json.load(open(sys.argv[1]))\nprint(verify(facts["given"].encode(), facts["headers"], facts["secret"])["type"], end="")`,
      )
      return (await promisify(execFile)('python3', [at('verify.py'), at('facts.json')])).stdout
    }
    for (const verify of [node, python]) {
      expect(await verify(body)).toBe('grant.created')
      await expect(verify(body.replace('grant.created', 'grant.deleted'))).rejects.toThrow('not from Waypost')
    }
    await writeFile(at('body.json'), body)
    const env = {
      ...process.env,
      WEBHOOK_SECRET: secret,
      WEBHOOK_ID: headers['webhook-id'],
      WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
    }
    const { stdout } = await promisify(execFile)('bash', ['-c', textOf('openssl')], { cwd: folder.path, env })
    expect(stdout.trim().split('\n')).toEqual([
      headers['x-service-signature'],
      headers['webhook-signature']?.replace('v1,', ''),
    ])
  })

  test('are shown by language', async () => {
    for (const { name, text } of signatureSamples) {
      await button(name).click()
      expect(await page.getByLabel(name, { exact: true }).innerText()).toBe(text)
    }
  })
})

describe('undelivered notifications', () => {
  test('are replayed by filter with the keyboard alone, after their number is shown', async () => {
    await dashboard.visit(page, `/webhooks/${webhook.id}`)
    listener.answer = fails(410)
    for (const name of ['gone-1', 'gone-2']) await dashboard.service.createGrant(name, dashboard.application.key)
    await button('Replay all failed (2)').waitFor()
    listener.answer = answerWell
    const before = posts().length
    await button('Replay…').focus()
    await page.keyboard.press('Enter')
    await dialog().getByText('2 notifications').first().waitFor()
    expect(await barriersOf(page)).toEqual([])
    await dialog().getByLabel('What', { exact: true }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await dialog().getByRole('status').getByText('5 notifications').waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await dialog().getByRole('button', { name: 'Deliver 2 notifications again' }).waitFor()
    await screenshot(page, 'replay')
    for (let presses = 0; presses < 40; presses += 1) {
      if ((await page.evaluate('document.activeElement.textContent')) === 'Deliver 2 notifications again') break
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await reported('2 notifications will be delivered again')
    await expect.poll(() => posts().length).toBe(before + 2)
    await button(/Replay all failed/).waitFor({ state: 'detached' })
  })

  test('of all destinations are delivered immediately from the list', async () => {
    listener.answer = fails(503, { 'retry-after': '3000' })
    await dashboard.service.createGrant('later', dashboard.application.key)
    await dashboard.visit(page, '/webhooks')
    await page.getByRole('row').filter({ hasText: '/hooks' }).getByText('waiting').waitFor()
    listener.answer = answerWell
    await page.getByRole('button', { name: /Deliver waiting now/ }).click()
    await reported(/to 1 destination will be delivered now/)
    await page.getByRole('button', { name: /Deliver waiting now/ }).waitFor({ state: 'detached' })
  })
})

describe('a test event', () => {
  test('is composed from the sample of any trigger, checked by the service, and sent with the real secret', async () => {
    await page.getByRole('link', { name: `${listener.url}/hooks` }).click()
    await page.getByRole('link', { name: 'Test event' }).click()
    await settled(page)
    const trigger = page.getByLabel('Trigger', { exact: true })
    expect(await trigger.locator('option').count()).toBe(triggerNames.length)
    await trigger.selectOption('event.created')
    const object = page.getByLabel('Object (data.object)')
    await expect.poll(() => object.inputValue()).toContain('"object": "event"')
    const sample = JSON.parse(await object.inputValue())
    await object.fill('{"id": ')
    await page.getByText('Invalid JSON').waitFor()
    await object.fill(JSON.stringify({ ...sample, when: 'soon' }))
    await button('Send test event').click()
    await page.getByText('object.when', { exact: true }).waitFor()
    await object.fill(JSON.stringify({ ...sample, title: attack }))
    await button('Send test event').click()
    await page.getByText('The receiver accepted it').waitFor()
    const sent = JSON.parse(posts().at(-1)?.body ?? '{}')
    expect(sent).toMatchObject({ type: 'event.created', source: '/waypost/test', data: { object: { title: attack } } })
    listener.answer = fails(422)
    await button('Send test event').click()
    await page.getByText('The receiver rejected it').waitFor()
    expect(await page.locator('.note.bad').innerText()).toContain('got 422')
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'test-event')
    expect(await ran(page)).toBe(0)
    expect(refusals(page)).toEqual([])
    expect(dashboard.reports).toEqual([])
  })
})
