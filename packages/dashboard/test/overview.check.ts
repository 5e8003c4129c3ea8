/** The overview of an application, the timeline of a grant, and the nodes. */

import { beatNode } from '@waypost/store/tables/applications/nodes'
import { saveFigures } from '@waypost/store/tables/figures/health-figures'
import { type Listener, openListener } from '@waypost/testing/listener'
import { barriersOf } from '@waypost/testing/peers/browser'
import { sql } from '@waypost/testing/statement'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beat } from '../../server/src/node.ts'
import { type Dashboard, openDashboard, settled } from './dashboard.ts'
import { screenshot } from './sweep.ts'

let dashboard: Dashboard
let listener: Listener
let page: Page

beforeAll(async () => {
  listener = await openListener()
  listener.answer = (response, { target }) => {
    response.end(new URL(target, listener.url).searchParams.get('challenge') ?? 'ok')
  }
  dashboard = await openDashboard()
  page = await dashboard.open()
})
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]()
  await listener[Symbol.asyncDispose]()
})

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await dashboard.service.call(method, path, { key: dashboard.application.key, body })
  if (answer.status >= 500) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
const revoke = (grant: string) =>
  dashboard.service.call('POST', `/v3/admin/applications/${dashboard.application.id}/grants/${grant}/revoke`, {
    admin: true,
  })
/** A live node that has written its figures. */
const written = () => beat(dashboard.service.services)
const verdict = () => page.getByRole('region', { name: 'Status' })

describe('the overview of an application', () => {
  let grant: string
  let webhook: string

  test('shows that everything works, and the next steps for a new application', async () => {
    await written()
    await dashboard.visit(page, '')
    await verdict().getByRole('heading', { name: 'Everything is working' }).waitFor()
    await page.getByText('Next: set up a connector').waitFor()
    await page.getByText('No requests in this period').waitFor()
    const steps = page.getByRole('list').filter({ hasText: 'Add a destination' })
    expect(await steps.isVisible()).toBe(true)
    // Collapsed by hand, it stays collapsed.
    await page.getByRole('heading', { name: 'Getting started' }).click()
    await steps.waitFor({ state: 'hidden' })
    await page.reload()
    await settled(page)
    await page.getByText('Next: set up a connector').waitFor()
    expect(await steps.isVisible()).toBe(false)
    await page.getByRole('heading', { name: 'Getting started' }).click()
    await steps.waitFor()
  })

  test('shows traffic, expired grants with reasons, and links to problems', async () => {
    const { service, application } = dashboard
    grant = (await service.createGrant('mira@overview.test', application.key)).id
    const lost = await service.createGrant('lost@overview.test', application.key)
    await call('PATCH', '/v3/applications', { notification_stream: true })
    webhook = (
      await call('POST', '/v3/webhooks', {
        webhook_url: `${listener.url}/hooks`,
        trigger_types: ['calendar.created'],
        description: 'Production',
      })
    ).data.id
    for (let turn = 0; turn < 3; turn++) await call('GET', `/v3/grants/${grant}/calendars`)
    await call('GET', `/v3/grants/${grant}/calendars/nowhere`)
    await call('POST', `/v3/grants/${grant}/calendars`, { name: 'Tours' })
    await revoke(lost.id)
    await call('PUT', `/v3/webhooks/${webhook}`, { status: 'pause' })
    await written()
    await dashboard.visit(page, '')
    await verdict().getByRole('heading', { name: 'Needs attention' }).waitFor()
    await verdict().getByText('1 grant lost access in the last 24 hours').waitFor()
    await page.getByText('Revoked by an administrator').waitFor()
    await page.getByRole('row').filter({ hasText: 'Virtual calendar' }).getByText('5', { exact: true }).waitFor()
    const destination = page.getByRole('row').filter({ hasText: 'Production' })
    expect(await destination.innerText()).toContain('paused')
    expect(await destination.innerText()).toContain('Activate it')
    // All steps are done: the list collapsed by itself and stays collapsed.
    await page.getByText('All done').waitFor()
    expect(await page.getByText('Your service uses it to call the API.').isVisible()).toBe(false)
    await page.getByRole('group').filter({ hasText: 'All done' }).getByText('All done').click()
    await page.getByText('Your service uses it to call the API.').waitFor()
    await screenshot(page, 'overview')
    expect(await barriersOf(page)).toEqual([])
    await verdict().getByRole('link', { name: 'View destination' }).click()
    await page
      .getByRole('heading', { name: 'Production' })
      .or(page.getByText(`${listener.url}/hooks`))
      .first()
      .waitFor()
    await expect.poll(() => page.url()).toContain(`/webhooks/${webhook}`)
  })

  test('a destination with problems is also first in the list of destinations', async () => {
    const body = { webhook_url: `${listener.url}/newer`, trigger_types: ['event.created'], description: 'Healthy' }
    const healthy = (await call('POST', '/v3/webhooks', body)).data.id
    const older = { ...body, webhook_url: `${listener.url}/broken`, description: 'Broken' }
    const broken = (await call('POST', '/v3/webhooks', older)).data.id
    const state = sql(
      'test.break',
      "update webhooks set status = 'failing', document = replace(document, '\"active\"', '\"failing\"') where id = $1",
    )
    await dashboard.service.services.storage.database.run(state, [broken])
    await dashboard.visit(page, '/webhooks')
    await page.getByRole('row').filter({ hasText: 'Broken' }).waitFor()
    const rows = page.locator('tbody tr')
    const order = (await rows.allInnerTexts()).map((text) => /Broken|Production|Healthy/.exec(text)?.[0])
    expect(order).toEqual(['Broken', 'Production', 'Healthy'])
    await screenshot(page, 'webhooks')
    for (const id of [healthy, broken]) await call('DELETE', `/v3/webhooks/${id}`)
  })

  test('works with the keyboard alone', async () => {
    await dashboard.visit(page, '')
    await verdict().waitFor()
    const act = verdict().getByRole('link', { name: 'View grants' })
    await act.waitFor()
    const focused = page.locator(':focus')
    for (let presses = 0; presses < 60; presses++) {
      if ((await focused.count()) > 0 && (await focused.innerText()) === 'View grants') break
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'lost@overview.test' }).waitFor()
    await expect.poll(() => page.url()).toContain('status=invalid')
  })

  test('the timeline of a grant shows its events, calls and errors, and updates live', async () => {
    await dashboard.visit(page, `/grants/${grant}`)
    await page.getByRole('link', { name: 'Timeline' }).click()
    await page.getByText('Connected', { exact: true }).waitFor()
    const entry = (text: string) => page.getByRole('listitem').filter({ hasText: text })
    expect(await entry('calls of calendars.list').innerText()).toContain('3 calls')
    expect(await entry('was refused').innerText()).toContain('calendars.get')
    expect(await entry('calendars.get in the hour').innerText()).toContain('1 refused')
    await entry('Sent calendar.created').getByRole('button', { name: 'Show' }).click()
    await page.getByRole('dialog').getByText('Tours').waitFor()
    expect(await barriersOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await screenshot(page, 'timeline')
    await page.getByLabel('Show').selectOption('grant')
    await entry('Sent calendar.created').first().waitFor({ state: 'detached' })
    await expect.poll(() => page.url()).toContain('kind=grant')
    await revoke(grant)
    await entry('Revoked by an administrator').waitFor()
  })

  test('a grant says that the stream is off and links to the setting', async () => {
    await call('PATCH', '/v3/applications', { notification_stream: false })
    await dashboard.visit(page, `/grants/${grant}`)
    await page.getByText('The notification stream is off').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByRole('link', { name: 'Turn it on in settings' }).click()
    await page.getByLabel('Enable the notification stream').waitFor()
  })
})

describe('health', () => {
  test('shows every node with its roles, marks a silent one, and charts a single node', async () => {
    const { database, clock } = dashboard.service.services.storage
    const { node } = dashboard.service.services.runtime
    const silent = {
      id: 'silent-node',
      startedAt: clock.now(),
      roles: ['worker'],
      version: '0.0.1',
      host: 'old-machine',
    }
    await beatNode(database, silent, clock.now() - 60_000)
    await written()
    await dashboard.visitService(page, '/health')
    const row = (text: string) => page.getByRole('row').filter({ hasText: text })
    expect(await row('old-machine').innerText()).toContain('silent')
    expect(await row('old-machine').innerText()).toContain('version 0.0.1')
    expect(await row(node.id.slice(-6)).innerText()).toContain('API requests')
    await screenshot(page, 'health')
    await row(node.id.slice(-6))
      .getByRole('button', { name: /^Charts of/ })
      .click()
    expect(await page.getByLabel('Node', { exact: true }).inputValue()).toBe(node.id)
    await page.getByRole('figure', { name: 'Memory' }).waitFor()
    expect(await barriersOf(page)).toEqual([])
  })

  test('draws a single point as a dot, because a line of no length is invisible', async () => {
    const { database, clock } = dashboard.service.services.storage
    const figures = {
      requests: 0,
      errors: 0,
      deliveries: 0,
      delivery_failures: 0,
      provider_errors: 0,
      watched_grants: 0,
    }
    await saveFigures(database, {
      ...{ ...figures, latencies: '[]', delivery_latencies: '[]', memory_bytes: 200_000_000 },
      ...{ at: Math.floor(clock.now() / 60_000) * 60_000, node_id: 'silent-node' },
    })
    await dashboard.visitService(page, '/health')
    await page.getByLabel('Node', { exact: true }).selectOption('silent-node')
    const memory = page.getByRole('figure', { name: 'Memory' })
    await memory.locator('circle').waitFor()
    expect(await memory.locator('path.chart-line').count()).toBe(0)
    await screenshot(page, 'health-one-point')
  })
})
