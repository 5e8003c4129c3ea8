/**
 * The published scheduling components, unmodified, in a browser: guests book, reschedule and cancel, the organizer
 * confirms, and the editor creates and changes a configuration. On a virtual calendar, at Google and at a mailbox with
 * CalDAV. The pages are on another origin than the service, and reach no other machine.
 */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createEgress } from '../../../src/lib/egress/egress.ts'
import type { Json } from '../../conformance/accounts.ts'
import { openService, type TestService } from '../../harness.ts'
import { type BrowserPeer, startBrowser } from '../../peers/browser.ts'
import { freePort } from '../../peers/daemon.ts'
import { startDovecot } from '../../peers/dovecot.ts'
import { type GooglePeer, openGoogle } from '../../peers/google.ts'
import type { MailServer } from '../../peers/mail-server.ts'
import { type Radicale, startRadicale } from '../../peers/radicale.ts'
import { calendarScope } from '../sign-in/hosted-google.ts'
import { type ComponentSite, hasComponents, openComponentSite } from './component-pages.ts'

if (!hasComponents) console.warn('skipped: tools/node_modules has no @nylas/web-elements (run node scripts/tools.ts)')

describe.skipIf(!hasComponents)('the published components', () => {
  let browser: BrowserPeer
  let google: GooglePeer
  let mail: MailServer
  let dav: Radicale
  let service: TestService
  let site: ComponentSite
  let client: { id: string; key: string }
  let page: Page

  beforeAll(async () => {
    ;[browser, google, mail, dav] = await Promise.all([startBrowser(), openGoogle(), startDovecot(), startRadicale()])
    service = await openService({
      env: { WAYPOST_PORT: String(await freePort()), WAYPOST_GOOGLE_URL: google.simulator.url },
      overrides: { egress: createEgress({ mode: 'private', trustLoopback: true, ca: [mail.ca] }) },
    })
    const api = await service.listen()
    client = await service.createApplication('Acme')
    site = await openComponentSite(browser, { api, clientId: client.id })
    const { id, secret } = google.simulator.client
    const settings = { client_id: id, client_secret: secret }
    await post('/v3/connectors', { provider: 'google', settings, scope: [calendarScope] })
    await post('/v3/connectors', { provider: 'imap' })
    const editor = { url: `${site.url}/editor`, platform: 'js', settings: { origin: site.url } }
    await post('/v3/applications/redirect-uris', editor)
  })
  afterEach(async () => {
    await page?.context().close()
    expect(site.foreign).toEqual([])
  })
  afterAll(async () => {
    await site?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
    await Promise.all([browser, google, mail, dav].map((peer) => peer?.[Symbol.asyncDispose]()))
  })

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { key: client.key, ...(body === undefined ? {} : { body }) })
  async function post(path: string, body: unknown): Promise<Json> {
    const answer = await call('POST', path, body)
    expect(answer.body.error).toBeUndefined()
    return answer.body.data
  }

  test('the editor signs its user in, creates a configuration and changes it', async () => {
    const email = 'ella@gmail.com'
    google.simulator.addAccount({ email, name: 'Ella', timezone: 'Europe/Berlin' })
    page = await site.open(`${site.url}/editor`)
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByLabel('Ella').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('nylas-list-configurations button-component[part~=nlc__create-new-cta] button').click()
    await page.locator('nylas-select-event-type .event-type-option').first().click()
    await page.locator('nylas-event-title .title').click()
    await page.keyboard.type('Talk with Ella')
    const save = page.locator('nylas-editor-tabs .buttons button-component').last().locator('button')
    await save.click()
    const pages = async (): Promise<Json[]> =>
      (await call('GET', `/v3/grants/${email}/scheduling/configurations`)).body.data
    await expect.poll(pages).toMatchObject([{ event_booking: { title: 'Talk with Ella' } }])

    await page.locator('nylas-event-title .title').click()
    await page.keyboard.press('End')
    await page.keyboard.type(', online')
    await save.click()
    await expect
      .poll(pages)
      .toMatchObject([
        { event_booking: { title: 'Talk with Ella, online' }, participants: [{ email, is_organizer: true }] },
      ])
    const [configuration] = await pages()
    expect(configuration?.name).toBe('Ella')
  })
})
