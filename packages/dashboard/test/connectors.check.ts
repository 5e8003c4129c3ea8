/** The guided setup of connectors: steps for each provider, tests, push, and simulators in one click. */

import { barriersOf } from '@waypost/testing/peers/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MicrosoftSimulator, startMicrosoft } from '../../simulators/src/index.ts'
import { type Dashboard, openDashboard, settled } from './dashboard.ts'
import { screenshot } from './sweep.ts'

describe('in a browser', () => {
  let dashboard: Dashboard
  let microsoft: MicrosoftSimulator
  let page: Page

  beforeAll(async () => {
    microsoft = await startMicrosoft()
    dashboard = await openDashboard({
      env: {
        WAYPOST_MICROSOFT_URL: microsoft.url,
        WAYPOST_MICROSOFT_CLIENT_ID: microsoft.client.id,
        WAYPOST_MICROSOFT_CLIENT_SECRET: microsoft.client.secret,
      },
    })
    page = await dashboard.open()
  })
  afterAll(async () => {
    await dashboard[Symbol.asyncDispose]()
    await microsoft[Symbol.asyncDispose]()
  })
  const connector = async (provider: string) =>
    (await dashboard.service.call('GET', `/v3/connectors/${provider}`, { key: dashboard.application.key })).body.data

  test('only providers that this server can connect are offered', async () => {
    await dashboard.visit(page, '/connectors')
    const titles = await page.locator('.provider h2').allInnerTexts()
    expect(titles).toContain('Google')
    expect(titles).toContain('iCloud')
    expect(titles).toContain('Zoom')
    await dashboard.visit(page, '/grants?new=yes')
    const offered = await page.getByRole('dialog').getByLabel('Provider').locator('option').allInnerTexts()
    expect(offered.filter((each) => each.startsWith('Google'))).toHaveLength(1)
    expect(offered.filter((each) => each.startsWith('Zoom'))).toHaveLength(1)
    await page.keyboard.press('Escape')
  })

  test('a provider is set up step by step, and completed steps stay completed', async () => {
    await dashboard.visit(page, '/connectors/google')
    const project = page.getByRole('listitem').filter({ hasText: 'Create a project' })
    expect(await project.getByRole('link').first().getAttribute('href')).toContain('console.cloud.google.com')
    await page.getByText(`${dashboard.base}/v3/connect/callback`).waitFor()
    await page.getByText(`${dashboard.base}/v3/push/google/mail`).waitFor()
    await project.getByRole('button', { name: 'Done: Create a project' }).click()
    await page.reload()
    await settled(page)
    await project.getByText('Done', { exact: true }).first().waitFor({ state: 'attached' })
    expect(await project.getByRole('link').first().isVisible(), 'a step that is done is folded').toBe(false)
    await page.getByLabel('Client ID').fill('not an id of Google')
    await page.getByText('Google client IDs end with').waitFor()
    await page.getByLabel('Client ID').fill('1234.apps.googleusercontent.com')
    await page.getByLabel('Client secret').fill('GOCSPX-none')
    await page.getByLabel('Mail', { exact: true }).selectOption('read')
    await page.getByLabel('Contacts', { exact: true }).selectOption('none')
    await screenshot(page, 'connector-google')
    expect(await barriersOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Create connector' }).click()
    await page.getByRole('button', { name: 'Test connector' }).waitFor()
    expect(await connector('google')).toMatchObject({
      settings: { client_id: '1234.apps.googleusercontent.com' },
      scope: ['gmail.readonly', 'calendar'],
    })
    // The topic is entered later, and an empty secret field keeps the secret.
    await page.getByLabel('Pub/Sub topic').fill('projects/northwind/topics/mail')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.toast').filter({ hasText: 'Saved' }).first().waitFor()
    expect((await connector('google')).settings.topic_name).toBe('projects/northwind/topics/mail')
  })

  test('a simulator is connected with one key press, tested, and labeled as a simulator', async () => {
    await dashboard.visit(page, '/connectors')
    await screenshot(page, 'connectors')
    const offer = page.getByRole('button', { name: 'Connect the simulated Microsoft' })
    await offer.waitFor()
    const focused = page.locator(':focus')
    for (let presses = 0; presses < 40; presses++) {
      if ((await focused.count()) > 0 && (await focused.innerText()) === 'Connect the simulated Microsoft') break
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await page.getByText('connected', { exact: true }).waitFor()
    expect((await connector('microsoft')).settings.client_id).toBe(microsoft.client.id)
    await dashboard.visit(page, '/connectors/microsoft')
    await page.getByText('A simulated Microsoft is connected').waitFor()
    await page.getByRole('button', { name: 'Test connector' }).click()
    await page.getByText('All checks passed.').waitFor()
    await page.reload()
    await page.getByText('All checks passed.').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'connector-microsoft')
  })

  test('if nothing has to be registered, the page says what people need', async () => {
    for (const [kind, words] of [
      ['imap', 'waypost doctor imap'],
      ['icloud', 'app-specific password'],
      ['ews', 'Autodiscover'],
      ['yahoo', 'app passwords'],
      ['virtual-calendar', 'rooms, equipment'],
    ] as const) {
      await dashboard.visit(page, `/connectors/${kind}`)
      await page.getByText(words).first().waitFor()
      await page.getByRole('button', { name: 'Create connector' }).click()
      await page.getByRole('button', { name: 'Test connector' }).waitFor()
    }
  })

  test('without simulators, the page shows the command that starts them', async () => {
    await using bare = await openDashboard()
    const own = await bare.open()
    await bare.visit(own, '/connectors')
    await own.getByText('npm run dev').waitFor()
    expect(await own.getByRole('button', { name: /simulated/ }).count()).toBe(0)
  })
})
