/** Message bodies: no script in them runs, and nothing is loaded without consent. */

import { type Listener, openListener } from '@waypost/testing/listener'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createGoogleGrant } from '../../server/test/peers/google.ts'
import { type GoogleSimulator, startGoogle } from '../../simulators/src/index.ts'
import { type Dashboard, openDashboard } from './dashboard.ts'
import { hostileBodies } from './hostile-mail.ts'
import { letterOf } from './letters.ts'
import { go, openTrapped, refusals } from './sweep.ts'

let dashboard: Dashboard
let google: GoogleSimulator
let listener: Listener
let grant: string
let bodies: Record<string, string>

const people = { from: 'Mallory <mallory@evil.example>', to: 'mira@gmail.example' }

beforeAll(async () => {
  google = await startGoogle()
  listener = await openListener()
  dashboard = await openDashboard({ env: { WAYPOST_GOOGLE_URL: google.url } })
  const account = google.addAccount({ email: 'mira@gmail.example', name: 'Mira' })
  bodies = hostileBodies(listener.url)
  const thread = { subject: 'A conversation of attacks', id: 'first@evil.example' }
  account.mail.deliver(letterOf({ ...people, ...thread, text: 'It begins' }), { at: Date.UTC(2026, 9, 1) })
  let at = Date.UTC(2026, 9, 2)
  for (const [name, body] of Object.entries(bodies)) {
    at += 1000
    const answer = { subject: `Re: ${thread.subject}`, answers: thread.id }
    account.mail.deliver(letterOf({ ...people, ...answer, html: `<p class=name>${name}</p>${body}` }), { at })
  }
  const pictures = `<p>pictures</p><img src="https://tracker.invalid/tls.gif"><img src="${listener.url}/plain.gif"><p style="background:url(https://tracker.invalid/behind.gif)">behind</p>`
  const large = `<p>begin</p>${'<p style="color:#123">a line of a letter that does not end</p>'.repeat(80_000)}<p>end</p>`
  account.mail.deliver(letterOf({ ...people, subject: 'Pictures', html: pictures }), { at: at + 1000 })
  account.mail.deliver(letterOf({ ...people, subject: 'Large', html: large }), { at: at + 2000 })
  const { key } = dashboard.application
  grant = (await createGoogleGrant(dashboard.service, google, { email: 'mira@gmail.example', key })).id
})
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]()
  await listener[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
})

const framesOf = (page: Page): Frame[] => page.frames().filter((frame) => frame.url().includes('/message-frame'))

/** The names of the messages in or from which a script ran. */
async function ranIn(page: Page): Promise<unknown[]> {
  const ask = 'window.__ran ? (document.querySelector(".name") ?? document.querySelector("h1")).textContent : ""'
  return (await Promise.all(page.frames().map((frame) => frame.evaluate(ask)))).filter((name) => name !== '')
}

const openAll = async (page: Page): Promise<void> => {
  await go(page, `/a/${dashboard.application.id}/grants/${grant}/mail`)
  await page.getByRole('link').filter({ hasText: 'A conversation of attacks' }).click()
  await page.getByRole('button', { name: /^Open all/ }).click()
  const count = Object.keys(bodies).length + 1
  await vi.waitFor(async () => expect(await page.locator('iframe[data-shown]').count()).toBe(count))
}

test('no known attack runs, sends a request, navigates away or leaves its frame', { timeout: 150_000 }, async () => {
  expect(Object.keys(bodies).length).toBeGreaterThanOrEqual(60)
  const page = await openTrapped(dashboard, {})
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await openAll(page)
  // Clicks and focuses everything that can be clicked or focused.
  for (const frame of framesOf(page)) {
    await frame.evaluate(
      "for (const each of document.querySelectorAll('.message *')) { each.focus?.(); each.click?.(); each.dispatchEvent(new Event('mouseover')) }",
    )
  }
  const names = await Promise.all(
    framesOf(page).map((frame) => frame.evaluate("document.querySelector('.name')?.textContent")),
  )
  expect(new Set(names.filter((name) => name !== undefined))).toEqual(new Set(Object.keys(bodies)))
  const left = await Promise.all(
    framesOf(page).map((frame) =>
      frame.evaluate(
        "document.querySelectorAll('.message :is(script, style, link, meta, base, form, input, button, svg, math, iframe, object, embed, video, audio, source, template, [onerror], [onload], [onclick], [srcset], [background], [ping])').length",
      ),
    ),
  )
  expect(new Set(left)).toEqual(new Set([0]))
  expect(await ranIn(page)).toEqual([])
  expect(listener.heard.map(({ target }) => target)).toEqual([])
  expect(requested.filter((url) => !url.startsWith(dashboard.base) && !url.startsWith('data:'))).toEqual([])
  expect(page.context().pages()).toHaveLength(1)
  expect(refusals(page)).toEqual([])
  expect(dashboard.reports).toEqual([])
  await page.close()
})

const openOne = async (page: Page, subject: string): Promise<void> => {
  await go(page, `/a/${dashboard.application.id}/grants/${grant}/mail`)
  await page.getByRole('link').filter({ hasText: subject }).click()
  await page.getByRole('heading', { name: subject, level: 2 }).waitFor()
}

test('with consent images are loaded over TLS only, without a referrer, and only this time', async () => {
  const page = await openTrapped(dashboard, {})
  const requested: { url: string; referer: string | undefined }[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(dashboard.base))
      requested.push({ url: request.url(), referer: request.headers().referer })
  })
  await openOne(page, 'Pictures')
  await page.locator('iframe[data-shown]').waitFor()
  expect(requested).toEqual([])
  await page.getByRole('button', { name: 'Load images' }).click()
  const wanted = ['https://tracker.invalid/behind.gif', 'https://tracker.invalid/tls.gif']
  await vi.waitFor(() => expect(requested.map(({ url }) => url).sort()).toEqual(wanted))
  expect(requested.filter(({ referer }) => referer)).toEqual([])
  expect(listener.heard).toEqual([])
  await page.reload()
  await page.getByRole('button', { name: 'Load images' }).waitFor()
  await page.locator('iframe[data-shown]').waitFor()
  expect(requested).toHaveLength(2)
  await page.close()
})

test('a message of five megabytes, of which the API returns two, is shown on request and scrolls in its frame', {
  timeout: 150_000,
}, async () => {
  const page = await openTrapped(dashboard, {})
  await openOne(page, 'Large')
  await page.getByText('This message is long (2.1 million characters).').waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  await page.getByRole('button', { name: 'Show message' }).click()
  await page.locator('iframe[data-shown]').waitFor()
  expect(await page.frameLocator('iframe').locator('.message > p').count()).toBeGreaterThan(30_000)
  await vi.waitFor(async () => expect((await page.locator('iframe').boundingBox())?.height).toBe(8000))
  await page.close()
})
