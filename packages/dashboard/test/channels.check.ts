/** Journeys for channels in the dashboard, with a real nats-server as the broker. */
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { barriersOf } from '@waypost/testing/peers/browser'
import { type NatsPeer, startNats } from '@waypost/testing/peers/nats'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dashboard, openDashboard } from './dashboard.ts'
import { screenshot } from './sweep.ts'

const token = 'a-token-that-no-page-may-show'
const resources = new AsyncDisposableStack()
let server: NatsPeer
let dashboard: Dashboard
let page: Page

beforeAll(async () => {
  server = resources.use(await startNats({ authorization: `authorization { token: "${token}" }` }))
  const connection = await connect({ servers: `127.0.0.1:${server.port}`, token })
  await (await jetstreamManager(connection)).streams.add({ name: 'WAYPOST', subjects: ['waypost.>'] })
  await connection.close()
  dashboard = resources.use(await openDashboard())
  page = await dashboard.open()
})
afterAll(() => resources.disposeAsync())

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const row = (text: string) => page.getByRole('row').filter({ hasText: text })
const reported = (text: string | RegExp) => page.locator('.toast').filter({ hasText: text }).first().waitFor()
const createGrant = (name: string) => dashboard.service.createGrant(name, dashboard.application.key)
const create = () => dialog().getByRole('button', { name: 'Create destination' }).click()

/** The field with the problem, which has the focus, and its text. */
const problem = async (): Promise<readonly [name: string | null, text: string]> => {
  const field = dialog().locator('[aria-invalid="true"]')
  await field.waitFor()
  return [await field.getAttribute('name'), await dialog().locator('.problem').innerText()]
}

describe('a new channel', () => {
  test('has a form for each transport, without values of another one', async () => {
    await dashboard.visit(page, '/webhooks')
    await button('New destination').first().click()
    const labels: Record<string, string[]> = {}
    for (const transport of ['pubsub', 'sns', 'amqp', 'nats']) {
      await dialog().getByLabel('Transport').selectOption(transport)
      labels[transport] = (await dialog().locator('.form > .field > label, .form-grid label').allInnerTexts()).slice(1)
      expect(await barriersOf(page)).toEqual([])
      await screenshot(page, `channel-new-${transport}`)
    }
    const common = ['Description (optional)', 'Failure alert recipients (optional)']
    expect(labels).toEqual({
      pubsub: ['Topic', 'Credentials', 'Key of the service account', ...common],
      sns: ['Topic', 'Role (optional)', 'Credentials', 'Access key ID', 'Secret access key', ...common],
      amqp: [
        'Broker',
        'Exchange (optional)',
        'Routing key (optional)',
        'Credentials',
        'User name',
        'Password',
        ...common,
      ],
      nats: ['Servers', 'Subject', 'Stream (optional)', 'Credentials', ...common],
    })
  })

  test('whose broker cannot be reached, or refuses it, is not created: the field says why', async () => {
    await dialog().getByLabel('Servers').fill('nats://127.0.0.1:9')
    await dialog().getByLabel('Subject').fill('elsewhere')
    await dialog().getByLabel('Description').fill('Orders')
    await dialog().getByLabel('grant.created').check()
    await create()
    expect(await problem()).toEqual(['servers', expect.stringContaining('no response')])
    await dialog().getByLabel('Servers').fill(server.url)
    await create()
    await dialog()
      .getByRole('alert')
      .getByText(/authorization/i)
      .waitFor()
    await dialog().getByLabel('Credentials').selectOption('token')
    await dialog().getByLabel('Token').fill('wrong')
    await create()
    expect(await problem()).toEqual(['token', expect.stringMatching(/authorization/i)])
    await dialog().getByLabel('Token').fill(token)
    await create()
    expect((await problem())[0]).toBe('subject')
    await screenshot(page, 'channel-refused')
    expect(await barriersOf(page)).toEqual([])
    const listed = await dashboard.service.call('GET', '/v3/channels/nats', { key: dashboard.application.key })
    expect(listed.body.data).toEqual([])
  })

  test('says that it is being verified, and opens its page without its credentials', async () => {
    await dialog().getByLabel('Subject').fill('waypost.orders')
    // The answer is held back, so that the page is seen while the broker is asked.
    const { promise: isSeen, resolve: goOn } = Promise.withResolvers<void>()
    await page.route('**/v3/channels/nats', async (route) => {
      if (route.request().method() === 'POST') await isSeen
      await route.continue()
    })
    await create()
    await dialog().getByRole('button', { name: 'Verifying…' }).waitFor()
    goOn()
    await reported('Destination verified and active')
    await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor()
    await page.unroute('**/v3/channels/nats')
    const text = await page.locator('main').innerText()
    for (const fact of ['NATS JetStream', server.url, 'waypost.orders', 'any with this subject', 'stored, encrypted']) {
      expect(text).toContain(fact)
    }
    expect(await page.content()).not.toContain(token)
    expect(await page.getByRole('link', { name: 'Signatures' }).count()).toBe(0)
  })
})

describe('a channel', () => {
  test('logs what the broker confirmed, with the message', async () => {
    const { id } = await createGrant('channel-1')
    await row('confirmed').first().waitFor()
    expect(await row('confirmed').first().innerText()).toContain(id.slice(0, 8))
    await row('confirmed').first().getByRole('button', { name: 'Show' }).click()
    expect(await dialog().getByLabel('Request and headers').innerText()).toContain(
      `PUBLISH ${server.url}/waypost.orders`,
    )
    expect(await dialog().getByLabel('Request body').innerText()).toContain('channel-1')
    expect(await dialog().getByRole('button', { name: 'Check these signatures' }).count()).toBe(0)
    expect(await barriersOf(page)).toEqual([])
    await screenshot(page, 'channel-attempt')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('figure', { name: 'Delivery attempts' }).isVisible()).toBe(true)
  })

  test('keeps what its broker misses, says what to do, and delivers it now', async () => {
    await server.kill()
    await createGrant('channel-2')
    await row('failed').filter({ hasText: 'connect' }).first().waitFor()
    await row('connect').first().getByRole('button', { name: 'Show' }).click()
    await dialog().getByText('Check that the broker is running').waitFor()
    await page.keyboard.press('Escape')
    await server.start()
    const late = button(/Deliver waiting now/)
    const delivered = page.getByText('No waiting or failed notifications')
    await late.or(delivered).first().waitFor()
    if (await late.isVisible()) await late.click()
    await delivered.waitFor()
    // The list of waiting notifications may be older than the log.
    await expect.poll(() => row('confirmed').count()).toBe(2)
    await screenshot(page, 'channel')
    expect(await barriersOf(page)).toEqual([])
  })

  test('replays what it published', async () => {
    await button('Replay…').click()
    await dialog().getByLabel('What', { exact: true }).selectOption('delivered')
    await dialog().getByRole('button', { name: 'Deliver 2 notifications again' }).click()
    await reported('2 notifications will be delivered again')
    await expect.poll(() => row('confirmed').count()).toBe(4)
  })

  test('is paused and shown as paused everywhere, and activated once its broker was asked', async () => {
    await button('Pause').click()
    await page.getByText('Nothing is sent while it is paused').waitFor()
    await dashboard.visit(page, '')
    await page.getByText(`The destination at 127.0.0.1:${server.port} is paused`).waitFor()
    await page.getByRole('link', { name: 'View destination' }).click()
    await server.kill()
    await button('Activate').click()
    await page.getByRole('dialog', { name: 'The action failed' }).getByText('no response').waitFor()
    await page.keyboard.press('Escape')
    await server.start()
    await button('Activate').click()
    await button('Pause').waitFor()
  })

  test('is changed without its credentials, which stay', async () => {
    await button('Change').click()
    expect(await dialog().getByLabel('Credentials').inputValue()).toBe('kept')
    expect(await dialog().getByLabel('Token').count()).toBe(0)
    await dialog().getByLabel('Stream').fill('WAYPOST')
    await dialog().getByLabel('Description').fill('Orders of all people')
    await screenshot(page, 'channel-edit')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await reported('Saved')
    await page.getByRole('heading', { name: 'Orders of all people' }).waitFor()
    await page.getByText('stored, encrypted').waitFor()
    await button('Change').click()
    await dialog().getByLabel('Credentials').selectOption('none')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog()
      .getByRole('alert')
      .getByText(/authorization/i)
      .waitFor()
    await page.keyboard.press('Escape')
  })

  test('is listed with webhooks, found by its transport, and paused and deleted with others', async () => {
    const { service, application } = dashboard
    const body = { servers: [server.url], subject: 'waypost.second', token, trigger_types: ['event.created'] }
    await service.call('POST', '/v3/channels/nats', { key: application.key, body })
    await dashboard.visit(page, '/webhooks')
    await row('waypost.orders').waitFor()
    expect(await row('waypost.orders').innerText()).toContain('NATS JetStream')
    await screenshot(page, 'destinations')
    await page.getByLabel('Transport').selectOption('webhook')
    await page.getByText('No matching destinations').waitFor()
    await page.getByLabel('Transport').selectOption('nats')
    await row('waypost.second').waitFor()
    await page.getByRole('checkbox', { name: /waypost\.second/ }).check()
    await button('Pause').click()
    await dialog().getByRole('button', { name: 'Pause 1' }).click()
    await reported('1 destination paused')
    await dialog().getByRole('button', { name: 'Close' }).last().click()
    await row('waypost.second').getByText('paused').waitFor()
    await row('waypost.orders').getByRole('link').first().click()
    await button('Delete').click()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await reported('Destination deleted')
    await row('waypost.second').waitFor()
    await expect.poll(() => row('waypost.orders').count()).toBe(0)
    expect(dashboard.reports).toEqual([])
  })
})
