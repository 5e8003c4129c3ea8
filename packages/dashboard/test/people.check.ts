/** Journeys of people: invitation, sign-in with a second factor or OpenID Connect, and what each role can do. */

import { barriersOf } from '@waypost/testing/peers/browser'
import { freePort } from '@waypost/testing/peers/daemon'
import { type OidcPeer, oidcClient, startOidc } from '@waypost/testing/peers/oidc'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeAt, stepOf } from '../../server/src/applications/second-factor.ts'
import { type Dashboard, openDashboard, settled } from './dashboard.ts'
import { screenshot } from './sweep.ts'

let dashboard: Dashboard
let provider: OidcPeer
let owner: Page

const password = 'quiet-otters-cross-the-quay'

beforeAll(async () => {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  provider = await startOidc([`${base}/dashboard/oidc/callback`])
  provider.accounts.set('1', { email: 'grace@example.com', name: 'Grace Hopper' })
  dashboard = await openDashboard({
    env: {
      WAYPOST_PORT: String(port),
      WAYPOST_BASE_URL: base,
      WAYPOST_OIDC_ISSUER: provider.issuer,
      WAYPOST_OIDC_CLIENT_ID: oidcClient.client_id,
      WAYPOST_OIDC_CLIENT_SECRET: oidcClient.client_secret,
      WAYPOST_OIDC_NAME: 'Example SSO',
    },
  })
  owner = await dashboard.open()
})
afterAll(async () => {
  await dashboard[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

const dialogOf = (page: Page) => page.getByRole('dialog')
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** Decodes a base32 secret (RFC 4648 §6). */
function bytesOf(base32: string): Uint8Array {
  const bits = Array.from(base32.replaceAll(' ', ''), (sign) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'),
  ).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

/** Invites a person through the API and opens the link; returns the page of the new person. */
async function enterAs(
  email: string,
  access: { role: string; applications?: 'all' | string[] },
  name: string,
): Promise<Page> {
  const { body } = await dashboard.service.call('POST', '/v3/admin/people', {
    admin: true,
    body: { email, name, ...access },
  })
  const page = await dashboard.openAsStranger()
  await page.goto(body.data.invitation_link)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Repeat password').fill(password)
  await page.getByRole('button', { name: 'Set password and sign in' }).click()
  await page.locator('#side').waitFor({ state: 'attached' })
  await settled(page)
  return page
}

/** Completes the dialog that sets up a second factor. */
async function finishSetUp(page: Page): Promise<void> {
  const dialog = dialogOf(page)
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const secret = await dialog.locator('.copy code').innerText()
  const step = stepOf(dashboard.service.services.storage.clock.now())
  await dialog.getByLabel('Code', { exact: true }).fill(codeAt(bytesOf(secret), step))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function setUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Set up' }).click()
  await finishSetUp(page)
}

test('only the installation’s password works until a person is invited; the link is shown and used once', async () => {
  await dashboard.visitService(owner, '/people')
  await owner.getByText('No people yet').waitFor()
  await owner.getByRole('button', { name: 'Invite a person' }).first().click()
  const dialog = dialogOf(owner)
  await dialog.getByLabel('Address').fill('olga@example.com')
  await dialog.getByLabel('Name').fill('Olga Owner')
  await dialog.getByLabel('Role').selectOption('owner')
  expect(await barriersOf(owner)).toEqual([])
  await screenshot(owner, 'people-invite')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await dialog.locator('code').innerText()
  expect(link).toContain('/dashboard#invitation=')
  await screenshot(owner, 'people-link')
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await row(owner, 'Olga Owner').getByText('invited').waitFor()

  const invited = await dashboard.openAsStranger()
  await invited.goto(link)
  await invited.getByRole('heading', { name: 'You are invited' }).waitFor()
  expect(invited.url(), 'the secret leaves the address').not.toContain('invitation=')
  await invited.getByLabel('Password', { exact: true }).fill(password)
  await invited.getByLabel('Repeat password').fill(`${password}?`)
  await screenshot(invited, 'invitation')
  expect(await barriersOf(invited)).toEqual([])
  await invited.getByRole('button', { name: 'Set password and sign in' }).click()
  await invited.getByText('The passwords do not match.').waitFor()
  await invited.getByLabel('Repeat password').fill(password)
  await invited.getByRole('button', { name: 'Set password and sign in' }).click()
  await invited.getByRole('region', { name: 'Signed in' }).getByText('Olga Owner').waitFor()
  await invited.getByRole('region', { name: 'Signed in' }).getByRole('button', { name: 'Sign out' }).click()
  await invited.getByRole('heading', { name: 'Sign in' }).waitFor()
  await invited.goto('about:blank')
  await invited.goto(link)
  await invited.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
  await invited.getByRole('button', { name: 'Go to sign-in' }).click()
  await invited.getByRole('heading', { name: 'Sign in' }).waitFor()
  await invited.context().close()
})

test('a person sets up a second factor, signs in with the keyboard alone, and with a recovery code', async () => {
  const page = await enterAs('ada@example.com', { role: 'administrator' }, 'Ada Lovelace')
  await dashboard.visitService(page, '/account')
  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Your password').fill('wrong')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.locator('input[name=current_password][aria-invalid=true]').waitFor()
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('img', { name: 'QR code' }).waitFor()
  await screenshot(page, 'totp')
  expect(await barriersOf(page)).toEqual([])
  const secret = await dialog.locator('.copy code').innerText()
  const code = (ahead = 0): string =>
    codeAt(bytesOf(secret), stepOf(dashboard.service.services.storage.clock.now()) + ahead)
  await dialog.getByLabel('Code', { exact: true }).fill(code())
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByRole('list', { name: 'Recovery codes' }).waitFor()
  const codes = await dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()
  expect(codes.length).toBeGreaterThan(5)
  await screenshot(page, 'recovery-codes')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('waypost-recovery-codes.txt')
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByText(`${codes.length} recovery codes left.`).waitFor()
  await screenshot(page, 'account')

  const stranger = await dashboard.openAsStranger()
  await stranger.goto(`${dashboard.base}/dashboard/account`)
  await stranger.getByLabel('Address').waitFor()
  const keys = async (...pressed: string[]): Promise<void> => {
    for (const each of pressed)
      await (each.length > 9 || !/^(Tab|Enter)$/.test(each)
        ? stranger.keyboard.type(each)
        : stranger.keyboard.press(each))
  }
  await keys('ada@example.com', 'Tab', 'not the password', 'Enter')
  await stranger.getByText('Wrong address or password.').waitFor()
  await stranger.keyboard.press('ControlOrMeta+a')
  await keys(password, 'Enter')
  await stranger.getByLabel('Code').waitFor()
  await screenshot(stranger, 'sign-in-code')
  expect(await barriersOf(stranger)).toEqual([])
  await keys('000000', 'Enter')
  await stranger.getByText('Wrong or already used code.').waitFor()
  await stranger.keyboard.press('ControlOrMeta+a')
  await keys(code(1), 'Enter')
  await stranger.getByRole('heading', { name: 'Account' }).waitFor()
  await stranger.getByRole('region', { name: 'Signed in' }).getByRole('button', { name: 'Sign out' }).click()

  await stranger.getByLabel('Address').fill('ada@example.com')
  await stranger.getByLabel('Password').fill(password)
  await stranger.keyboard.press('Enter')
  await stranger.getByRole('button', { name: 'Use a recovery code' }).click()
  await stranger.getByLabel('Recovery code').fill(codes[0] ?? '')
  await stranger.keyboard.press('Enter')
  await stranger.getByRole('heading', { name: 'Account' }).waitFor()
  await stranger.getByText(`${codes.length - 1} recovery codes left.`).waitFor()

  await page.reload()
  await settled(page)
  await row(page, 'this session').waitFor()
  await row(page, 'Chrome').filter({ hasNotText: 'this session' }).getByRole('button', { name: 'End' }).click()
  await page.getByText('Session ended').waitFor()
  await stranger.getByRole('link', { name: 'Audit' }).click()
  await stranger.getByRole('heading', { name: 'Sign in' }).waitFor()
  await stranger.context().close()
  await page.context().close()
})

test('the provider’s button signs in invited people at the requested page; others see why not', async () => {
  const stranger = await dashboard.openAsStranger()
  const requested = `${dashboard.base}/dashboard/a/${dashboard.application.id}/grants`
  await stranger.goto(requested)
  await screenshot(stranger, 'sign-in')
  await stranger.getByRole('link', { name: 'Sign in with Example SSO' }).click()
  await stranger.getByLabel('Address').fill('grace@example.com')
  await stranger.getByRole('button', { name: 'Continue' }).click()
  await stranger.getByText('You do not have an account here.').waitFor()
  await screenshot(stranger, 'sign-in-refused')
  await dashboard.service.call('POST', '/v3/admin/people', {
    admin: true,
    body: { email: 'grace@example.com', name: 'Grace Hopper', role: 'administrator' },
  })
  await stranger.goto(requested)
  await stranger.getByRole('link', { name: 'Sign in with Example SSO' }).click()
  await stranger.getByRole('heading', { name: 'Grants' }).waitFor()
  await expect.poll(() => stranger.url()).toBe(requested)
  await stranger.getByRole('region', { name: 'Signed in' }).getByText('Grace Hopper').waitFor()
  expect(dashboard.reports).toEqual([])
  await stranger.context().close()
})

describe('the offer for a role', () => {
  const everywhere = [
    '',
    '/grants',
    '/workspaces',
    '/connectors',
    '/connectors/google',
    '/webhooks',
    '/booking-pages',
    '/booking-pages/bookings',
    '/agents',
    '/approvals',
    '/usage',
    '/api-keys',
    '/settings',
    '/settings/callback-uris',
    '/settings/identity',
    '/settings/hosted-page',
  ]
  const dangerous =
    /^(new|create|add|close|open a|save|delete|remove|revoke|block|rotate|change|connect|send|replay|deliver|invite|set up|test)\b/i

  test('a viewer sees everything and is offered no change', async () => {
    await dashboard.service.createGrant('meeting-room-1', dashboard.application.key)
    const page = await enterAs('vera@example.com', { role: 'viewer' }, 'Vera Viewer')
    const menu = page.getByRole('navigation', { name: 'Service pages' })
    expect(await menu.getByRole('link').allInnerTexts()).not.toContain('People')
    expect(await page.getByRole('link', { name: 'Explorer' }).count()).toBe(0)
    const offered: string[] = []
    for (const path of everywhere) {
      await dashboard.visit(page, path)
      const names = await page.locator('main').getByRole('button').allInnerTexts()
      offered.push(...names.filter((name) => dangerous.test(name)).map((name) => `${path}: ${name}`))
      if (path === '/settings') await screenshot(page, 'settings-viewer')
    }
    for (const path of ['/applications', '/audit']) {
      await dashboard.visitService(page, path)
      const names = await page.locator('main').getByRole('button').allInnerTexts()
      offered.push(...names.filter((name) => dangerous.test(name)).map((name) => `${path}: ${name}`))
    }
    expect(offered).toEqual([])
    await dashboard.visit(page, '/settings')
    expect(await page.getByLabel('Website').isDisabled()).toBe(true)
    expect(await page.getByText('You have the viewer role').count()).toBeGreaterThan(0)
    await dashboard.visitService(page, '/people')
    await page.getByText('Only owners can see and manage').waitFor()
    await dashboard.visitService(page, '/account')
    expect(await page.getByRole('button', { name: 'Change password' }).isVisible()).toBe(true)
    await page.context().close()
  })

  test('a person with one application sees no other application and no service page', async () => {
    const page = await enterAs(
      'noah@example.com',
      { role: 'administrator', applications: [dashboard.application.id] },
      'Noah Northwind',
    )
    await dashboard.visitService(page, '/applications')
    expect(await page.getByRole('button', { name: 'New application' }).count()).toBe(0)
    expect(await page.getByRole('row').allInnerTexts()).toHaveLength(2)
    expect(await page.getByRole('link', { name: 'Health' }).count()).toBe(0)
    await dashboard.visit(page, '/api-keys')
    expect(await page.getByRole('button', { name: 'New API key' }).first().isVisible()).toBe(true)
    await page.context().close()
  })
})

describe('an owner', () => {
  test("changes a person's rights from their next request, ends their sessions, blocks and removes them", async () => {
    const other = await enterAs('max@example.com', { role: 'administrator' }, 'Max Mustermann')
    await dashboard.visitService(owner, '/people')
    await screenshot(owner, 'people')
    await owner.getByLabel('Search').fill('mustermann')
    await owner.getByText('1 person').waitFor()
    expect(await row(owner, '@example.com').count()).toBe(1)
    await owner.getByRole('search').getByLabel('State').selectOption('blocked')
    await owner.getByText('No matching people').waitFor()
    await dashboard.visitService(owner, '/people?search=max&role=administrator')
    await owner.getByRole('link', { name: 'Max Mustermann' }).click()
    await owner.getByRole('heading', { name: 'Max Mustermann', level: 1 }).waitFor()
    await settled(owner)
    await screenshot(owner, 'person')
    expect(await barriersOf(owner)).toEqual([])
    await owner.getByLabel('Role').selectOption('viewer')
    await owner.getByLabel('Applications').selectOption('some')
    await owner.getByRole('button', { name: 'Save' }).click()
    await owner.getByText('Choose at least one.').waitFor()
    await owner.getByLabel('Northwind').check()
    await owner.getByRole('button', { name: 'Save' }).click()
    await owner.getByText('Saved').first().waitFor()
    await other.reload()
    await settled(other)
    await other.getByRole('region', { name: 'Signed in' }).getByText('Viewer').waitFor()
    await row(owner, 'Chrome').getByRole('button', { name: 'End' }).click()
    await owner.getByText('No active sessions').waitFor()
    await other.getByRole('link', { name: 'Audit' }).click()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    await owner.getByRole('button', { name: 'Block', exact: true }).click()
    await dialogOf(owner).getByRole('button', { name: 'Block', exact: true }).click()
    await owner.getByRole('button', { name: 'Unblock' }).waitFor()
    await other.getByLabel('Address').fill('max@example.com')
    await other.getByLabel('Password').fill(password)
    await other.keyboard.press('Enter')
    await other.getByText('Wrong address or password.').waitFor()
    await owner.getByRole('button', { name: 'Remove', exact: true }).click()
    await dialogOf(owner).getByRole('button', { name: 'Remove', exact: true }).click()
    await owner.getByRole('heading', { name: 'People' }).waitFor()
    await expect.poll(() => row(owner, 'Max Mustermann').count()).toBe(0)
    await other.context().close()
  })

  test('turns the installation’s password off, after which nobody can sign in with it', async () => {
    const page = await enterAs('otto@example.com', { role: 'owner' }, 'Otto Owner')
    await dashboard.visitService(page, '/people')
    await page.getByRole('button', { name: 'Turn off' }).click()
    await dialogOf(page).getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('button', { name: 'Turn on' }).waitFor()
    const stranger = await dashboard.openAsStranger()
    await stranger.goto(`${dashboard.base}/dashboard`)
    await stranger.getByLabel('Address').waitFor()
    expect(await stranger.getByRole('button', { name: 'Use the installation password' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Turn on' }).click()
    await dialogOf(page).getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('button', { name: 'Turn off' }).waitFor()
    await stranger.reload()
    await stranger.getByRole('button', { name: 'Use the installation password' }).click()
    await stranger.getByLabel('Installation password').fill(dashboard.service.adminPassword)
    await stranger.keyboard.press('Enter')
    await stranger.locator('#side').waitFor()
    expect(dashboard.reports).toEqual([])
    await stranger.context().close()
    await page.context().close()
  })

  test('requires a second factor, and people without one must set it up first', async () => {
    const own = await enterAs('rita@example.com', { role: 'owner' }, 'Rita Required')
    await dashboard.visitService(own, '/account')
    await setUp(own)
    const limited = await enterAs('luis@example.com', { role: 'viewer' }, 'Luis Limited')
    await dashboard.visitService(own, '/people')
    await own.getByRole('button', { name: 'Change roles' }).click()
    await dialogOf(own).getByLabel('Owners').check()
    await dialogOf(own).getByText('Saving turns it off').waitFor()
    await screenshot(own, 'require-second-factor')
    expect(await barriersOf(own)).toEqual([])
    await dialogOf(own).getByLabel('Owners').uncheck()
    await dialogOf(own).getByLabel('Viewers').check()
    await dialogOf(own).getByRole('button', { name: 'Save' }).click()
    await own.locator('.badge', { hasText: 'Viewers' }).waitFor()

    await limited.getByRole('link', { name: 'Audit' }).click()
    await limited.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    expect(await limited.locator('#side').count()).toBe(0)
    await screenshot(limited, 'set-up-required')
    expect(await barriersOf(limited)).toEqual([])
    await limited.getByRole('button', { name: 'Set up a second factor' }).click()
    await finishSetUp(limited)
    await limited.getByRole('heading', { name: 'Audit' }).waitFor()
    await dashboard.visitService(limited, '/account')
    await limited.getByRole('button', { name: 'Remove', exact: true }).click()
    await dialogOf(limited).getByLabel('Your password').fill(password)
    await dialogOf(limited).getByRole('button', { name: 'Remove', exact: true }).click()
    await dialogOf(limited).getByText('your role needs a second factor').waitFor()
    await dashboard.visitService(own, '/people')
    await own.getByRole('button', { name: 'Change roles' }).click()
    await dialogOf(own).getByLabel('Viewers').uncheck()
    await dialogOf(own).getByRole('button', { name: 'Save' }).click()
    await own.locator('.badge', { hasText: 'nobody' }).waitFor()
    expect(dashboard.reports).toEqual([])
    await limited.context().close()
    await own.context().close()
  })

  test('sees the API keys that a person created, and revokes them on removal', async () => {
    const maker = await enterAs('kim@example.com', { role: 'administrator' }, 'Kim Keymaker')
    await dashboard.visit(maker, '/api-keys')
    for (const name of ['Billing robot', 'Night job']) {
      await maker.getByRole('button', { name: 'New API key' }).first().click()
      await dialogOf(maker).getByLabel('Name').fill(name)
      await dialogOf(maker).getByRole('button', { name: 'Create key' }).click()
      await dialogOf(maker).getByRole('button', { name: 'I have copied it' }).click()
    }
    await row(maker, 'Billing robot').getByText('by Kim Keymaker').waitFor()
    await screenshot(maker, 'api-keys-creators')
    await maker.context().close()
    await dashboard.visitService(owner, '/people?search=kim')
    await owner.getByRole('link', { name: 'Kim Keymaker' }).click()
    await row(owner, 'Night job').waitFor()
    await screenshot(owner, 'person-keys')
    await owner.getByRole('button', { name: 'Block', exact: true }).click()
    await dialogOf(owner).getByText('2 API keys that this person created are still valid').waitFor()
    await dialogOf(owner).getByRole('button', { name: 'Block', exact: true }).click()
    await owner.getByText('2 API keys that they created still work').waitFor()
    await owner.getByRole('button', { name: 'Remove', exact: true }).click()
    await dialogOf(owner).getByLabel('Revoke these keys').check()
    await screenshot(owner, 'remove-person-keys')
    expect(await barriersOf(owner)).toEqual([])
    await dialogOf(owner).getByRole('button', { name: 'Remove', exact: true }).click()
    await owner.getByText('their API keys were revoked').waitFor()
    await dashboard.visit(owner, '/api-keys?search=keymaker')
    await row(owner, 'Night job').getByText('revoked').waitFor()
    expect(dashboard.reports).toEqual([])
  })
})
