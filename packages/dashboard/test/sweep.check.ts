/** Every page is accessible in light, dark and on a phone, and renders foreign text as text. */

import { isFull } from '@waypost/testing/level'
import { type Listener, openListener } from '@waypost/testing/listener'
import { barriersOf, colourRules, phone } from '@waypost/testing/peers/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeAgent } from '../../server/test/agents/stored-agent.ts'
import { createGoogleGrant } from '../../server/test/peers/google.ts'
import { storeChannel } from '../../server/test/webhooks/stored-channel.ts'
import { type GoogleSimulator, startGoogle } from '../../simulators/src/index.ts'
import { type Dashboard, openDashboard } from './dashboard.ts'
import { attack, attacks, go, openTrapped, ran, refusals, screenshot } from './sweep.ts'

let dashboard: Dashboard
let google: GoogleSimulator
let listener: Listener
let grant: string
let mailGrant: string
let message: string
let webhook: string
let channel: string
let person: string
let bookingPage: string
let restrictedKey: string
let agent: string
let approval: string

const letter = [
  `From: "${attack.replaceAll('"', "'")}" <mallory@evil.example>`,
  'To: mira@gmail.example',
  `Subject: ${attack}`,
  'MIME-Version: 1.0',
  'Content-Type: text/html; charset=utf-8',
  '',
  `<html><head><style>body{background:url(https://evil.example/a)}</style><base href="https://evil.example/"></head>`,
  `<body onload="__xss()" background="https://evil.example/b" style="background:url(https://evil.example/c)">`,
  `${attacks.map((each) => `<p>${each}</p>`).join('')}<p><a href="javascript:__xss()" target=_top>a link</a><iframe srcdoc="<script>parent.__xss()</script>"></iframe>`,
  `<form action="https://evil.example/"><input autofocus onfocus=__xss()><button>Sign in</button></form>`,
  `<meta http-equiv=refresh content="0;url=https://evil.example/"><link rel=stylesheet href=https://evil.example/d.css>`,
  `<object data=https://evil.example/e></object><video poster=https://evil.example/f></video><p>${'long '.repeat(20_000)}</p></body></html>`,
].join('\r\n')

/** Puts the attack strings into every field that a stranger, an API user or a provider can fill. */
async function fillEverything(): Promise<void> {
  const { service, application } = dashboard
  const { key } = application
  const post = async (path: string, body: unknown, method = 'POST') => {
    const answer = await service.call(method, path, { key, body })
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const account = google.addAccount({ email: 'mira@gmail.example', name: attack })
  message = account.mail.deliver(letter).id
  account.calendar.addEvent({
    summary: attack,
    start: { dateTime: '2026-03-01T10:00:00Z' },
    end: { dateTime: '2026-03-01T11:00:00Z' },
  })
  mailGrant = (await createGoogleGrant(service, google, { email: 'mira@gmail.example', key })).id
  const made = await service.createGrant(attack.slice(0, 200), key)
  grant = made.id
  await post(`/v3/grants/${grant}`, { external_id: attack, metadata: { key1: attack } }, 'PATCH')
  await post('/v3/applications', { branding: { name: attack, description: attack } }, 'PATCH')
  await post('/v3/applications', { hosted_authentication: { title: attack, subtitle: attack } }, 'PATCH')
  await post('/v3/applications/redirect-uris', { url: 'https://a.example/%3Cimg%20src=x%20onerror=__xss()%3E' })
  listener.answer = (response, { target }) => {
    const challenge = new URL(target, listener.url).searchParams.get('challenge')
    if (challenge === null) response.writeHead(500)
    response.end(challenge ?? attack.repeat(20))
  }
  const hook = await post('/v3/webhooks', {
    webhook_url: `${listener.url}/?q="><svg/onload=__xss()>`,
    trigger_types: ['event.created', 'calendar.created'],
    description: attack,
  })
  webhook = hook.id
  channel = await storeChannel(service, { applicationId: application.id, transport: 'amqp' })
  await post(`/v3/channels/amqp/${channel}`, { description: attack }, 'PUT')
  await post('/v3/workspaces', { name: attack.slice(0, 250), domain: 'evil.example' })
  await service.call('POST', '/v3/admin/service-accounts', {
    admin: true,
    body: { name: attack.slice(0, 250), permissions: ['audit.get', 'usage.get'] },
  })
  const calendar = await post(`/v3/grants/${grant}/calendars`, { name: attack, description: attack })
  await post(`/v3/grants/${grant}/events?calendar_id=${calendar.id}`, {
    title: attack,
    description: attack,
    when: { start_time: 1_800_000_000, end_time: 1_800_003_600 },
  })
  const booked = await post(`/v3/grants/${grant}/scheduling/configurations`, {
    name: attack.slice(0, 250),
    slug: 'attack',
    participants: [
      {
        email: made.email,
        name: attack,
        grant_id: grant,
        is_organizer: true,
        availability: { calendar_ids: [calendar.id] },
        booking: { calendar_id: calendar.id },
      },
    ],
    availability: { duration_minutes: 30 },
    event_booking: { title: attack, description: attack, location: attack, timezone: 'UTC' },
    scheduler: {
      cancellation_policy: attack,
      additional_fields: { a: { label: attack, type: 'text', required: true } },
    },
    appearance: { submit_button_label: attack, thank_you_message: attack },
  })
  bookingPage = booked.id
  const invited = await service.call('POST', '/v3/admin/people', {
    admin: true,
    body: { email: 'mallory@evil.example', name: attack, role: 'viewer', applications: [application.id] },
  })
  person = invited.body.data.id
  await post('/v3/grants/mira@gmail.example/contacts', {
    given_name: attack.slice(0, 200),
    emails: [{ email: 'mallory@evil.example' }],
  })
  await service.call('POST', `/v3/admin/applications/${application.id}/api-keys`, {
    admin: true,
    body: { name: attack },
  })
  const restricted = await service.call('POST', `/v3/admin/applications/${application.id}/api-keys`, {
    admin: true,
    body: {
      name: attack,
      rights: {
        operations: ['mail.read', 'mail.send', 'mcp'],
        grants: { metadata: { key1: attack } },
        recipients: ['a.example'],
      },
    },
  })
  restrictedKey = restricted.body.data.id
  const agentRights = { operations: ['mail.read', 'mail.send'] as ('mail.read' | 'mail.send')[] }
  agent = (
    await storeAgent(service, { applicationId: application.id, grantIds: [grant], rights: agentRights, name: attack })
  ).id
  await post('/v3/applications', { mcp_enabled: true }, 'PATCH')
  const sender = await service.call('POST', `/v3/admin/applications/${application.id}/api-keys`, {
    admin: true,
    body: { name: attack, rights: { operations: ['mail.send'] } },
  })
  const waiting = await service.call('POST', `/v3/grants/${mailGrant}/messages/send`, {
    key: sender.body.data.api_key,
    body: { to: [{ email: 'a@a.example', name: attack }], subject: attack, body: attack },
  })
  if (waiting.status !== 202) throw new Error(`no approval: ${JSON.stringify(waiting.body)}`)
  approval = waiting.body.data.id
  await service.call('GET', `/v3/grants/${grant}/messages/${encodeURIComponent(attack)}`, { key })
  await service.call('GET', `/v3/grants/mira@gmail.example/messages/${encodeURIComponent(attack)}`, { key })
}

const pages = (): Record<string, string> => {
  const at = `/a/${dashboard.application.id}`
  return {
    overview: at,
    applications: '/applications',
    settings: `${at}/settings`,
    'hosted-page': `${at}/settings/hosted-page`,
    'callback-uris': `${at}/settings/callback-uris`,
    identity: `${at}/settings/identity`,
    'api-keys': `${at}/api-keys`,
    'api-key': `${at}/api-keys/${restrictedKey}`,
    agents: `${at}/agents`,
    agent: `${at}/agents/${agent}`,
    approvals: `${at}/approvals`,
    approval: `${at}/approvals/${approval}`,
    'approvals-history': `${at}/approvals?view=history`,
    grants: `${at}/grants`,
    grant: `${at}/grants/${grant}`,
    timeline: `${at}/grants/${grant}/timeline`,
    calendar: `${at}/grants/${grant}/calendar?view=month&date=2027-01-15&zone=UTC`,
    workspaces: `${at}/workspaces`,
    'workspace-new': `${at}/workspaces?new=yes`,
    contacts: `${at}/grants/mira@gmail.example/contacts`,
    mail: `${at}/grants/${mailGrant}/mail`,
    'mail-message': `${at}/grants/${mailGrant}/mail?view=messages&open=${message}`,
    usage: `${at}/usage`,
    connectors: `${at}/connectors`,
    connector: `${at}/connectors/google`,
    'connector-guide': `${at}/connectors/microsoft`,
    webhooks: `${at}/webhooks`,
    webhook: `${at}/webhooks/${webhook}`,
    channel: `${at}/webhooks/${channel}`,
    'destination-new': `${at}/webhooks?new=yes`,
    'webhook-test': `${at}/webhooks/${webhook}/test`,
    'webhook-signatures': `${at}/webhooks/${webhook}/signatures`,
    'booking-pages': `${at}/booking-pages`,
    'booking-page-new': `${at}/booking-pages/new`,
    'booking-page': `${at}/booking-pages/${bookingPage}`,
    'booking-page-share': `${at}/booking-pages/${bookingPage}/share`,
    bookings: `${at}/booking-pages/bookings`,
    explorer: `${at}/explorer?operation=events.create`,
    health: '/health',
    'failed-jobs': '/failed-jobs',
    audit: '/audit',
    people: '/people',
    person: `/people/${person}`,
    'service-accounts': '/service-accounts',
    'service-account-new': '/service-accounts?new=yes',
    account: '/account',
    'connect-refused': `/connected?error=x&error_description=${encodeURIComponent(attack)}`,
  }
}

beforeAll(async () => {
  google = await startGoogle()
  listener = await openListener()
  dashboard = await openDashboard({ env: { WAYPOST_GOOGLE_URL: google.url } })
  await fillEverything()
})
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]()
  await listener[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
})

/** There are dozens of pages, and a busy machine may need several seconds for each. */
const allPagesMs = 600_000

const narrow = phone.viewport?.width ?? 0

/** Whether a page fits into its window. Parts of it are drawn again after the window has another size. */
const fits = (page: Page): Promise<boolean> =>
  page.waitForFunction('document.documentElement.scrollWidth <= innerWidth').then(
    () => true,
    () => false,
  )

/** Whether a page fits into a window of this width. The window has its size again afterwards. */
async function fitsInto(page: Page, width: number): Promise<boolean> {
  const usual = page.viewportSize()
  if (!usual) throw new Error('The window has no size')
  await page.setViewportSize({ ...usual, width })
  const isNarrowEnough = await fits(page)
  await page.setViewportSize(usual)
  return isNarrowEnough
}

describe('every page', () => {
  test.for(isFull ? (['light', 'dark'] as const) : (['light'] as const))(
    'is accessible in %s, fits a narrow window, and runs no foreign text',
    { timeout: allPagesMs },
    async (colorScheme) => {
      const page = await openTrapped(dashboard, { colorScheme })
      const found: Record<string, string[]> = {}
      const tooWide: string[] = []
      for (const [name, to] of Object.entries(pages())) {
        await go(page, to)
        const barriers = await barriersOf(page, colorScheme === 'dark' ? colourRules : undefined)
        if (barriers.length > 0) found[name] = barriers
        if (!(await fitsInto(page, narrow))) tooWide.push(name)
        await screenshot(page, `sweep-${name}-${colorScheme}`)
      }
      expect(found).toEqual({})
      expect(tooWide).toEqual([])
      expect(await ran(page)).toBe(0)
      expect(refusals(page)).toEqual([])
      await page.close()
    },
  )

  test('fits a phone', { timeout: allPagesMs }, async () => {
    const page = await openTrapped(dashboard, phone)
    const tooWide: string[] = []
    const all = pages()
    for (const [name, to] of Object.entries(isFull ? all : { overview: all.overview ?? '' })) {
      await go(page, to)
      if (!(await fits(page))) tooWide.push(name)
      await screenshot(page, `sweep-${name}-phone`)
    }
    expect(tooWide).toEqual([])
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.click()
    await screenshot(page, 'menu-phone')
    await menu.click({ trial: true })
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByRole('heading', { name: 'Health' }).waitFor()
    expect(await page.getByRole('link', { name: 'Health' }).isVisible(), 'the menu closes').toBe(false)
    await page.close()
  })

  test('is accessible before sign-in', async () => {
    const stranger = await dashboard.openAsStranger({ colorScheme: 'dark' })
    await stranger.goto(`${dashboard.base}/dashboard`)
    await stranger.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await barriersOf(stranger)).toEqual([])
    await stranger.close()
  })
})

describe('foreign text', () => {
  test('stays text in dialogs, receiver responses and notifications', async () => {
    const page = await openTrapped(dashboard, {})
    await go(page, `/a/${dashboard.application.id}/webhooks/${webhook}`)
    await page.getByText('HTTP 500').first().waitFor()
    await page.getByRole('row').filter({ hasText: 'HTTP 500' }).first().getByRole('button', { name: 'Show' }).click()
    await page.getByLabel('Request body').waitFor()
    await page.getByLabel('Response body').getByText('<img src=x onerror=__xss()>').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await go(page, `/a/${dashboard.application.id}/grants/${grant}`)
    await page.getByRole('row').filter({ hasText: 'event.created' }).getByRole('button', { name: 'Show' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('onerror=__xss()').first().waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByText('onerror=__xss()').first().waitFor()
    expect(await ran(page)).toBe(0)
    expect(refusals(page)).toEqual([])
    await page.close()
  })

  test('stays text in a message, whose body loads and runs nothing', async () => {
    const page = await openTrapped(dashboard, {})
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await go(page, `/a/${dashboard.application.id}/explorer?operation=messages.list&grant=mira@gmail.example`)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const frame = page.frameLocator('iframe')
    await frame.getByText('a link').waitFor()
    const body = frame.locator('.message')
    expect(await body.locator('script, style, form, iframe, object, video, [onerror], [href]').count()).toBe(0)
    await frame.getByText('a link').click()
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'message')
    expect(requested.filter((url) => !url.startsWith(dashboard.base))).toEqual([])
    expect(await ran(page)).toBe(0)
    expect(refusals(page)).toEqual([])
    await page.close()
  })

  test('caused no blocked request', () => {
    expect(dashboard.reports).toEqual([])
  })
})

test('the first load is small', async () => {
  const stranger = await dashboard.openAsStranger()
  await stranger.goto(`${dashboard.base}/dashboard`)
  await stranger.getByRole('heading', { name: 'Sign in' }).waitFor()
  const sizes: number[] = await stranger.evaluate(
    "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/')).map(({ transferSize }) => transferSize)",
  )
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  expect(sizes.length).toBeGreaterThan(2)
  expect(bytes).toBeGreaterThan(50 * 1024)
  expect(bytes).toBeLessThan(200 * 1024)
  await stranger.close()
})
