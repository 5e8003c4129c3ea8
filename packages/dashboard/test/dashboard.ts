/** A complete service with its dashboard in a real browser, the basis of the dashboard tests. */

import { sharedBrowser } from '@waypost/testing/peers/browser'
import { freePort } from '@waypost/testing/peers/daemon'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openService, type ServiceOptions, type TestService } from '../../server/test/harness.ts'

export interface Dashboard extends AsyncDisposable {
  service: TestService
  /** Such as http://127.0.0.1:20001. */
  base: string
  /** An application without sandbox limits, and one of its keys. */
  application: { id: string; key: string }
  /** Content-Security-Policy reports of all pages. */
  reports: string[]
  /** Opens a signed-in page. */
  open(options?: BrowserContextOptions): Promise<Page>
  /** Opens a page in a browser without a session. */
  openAsStranger(options?: BrowserContextOptions): Promise<Page>
  /** Opens a page of the application, such as `/grants`, and waits until it is loaded. */
  visit(page: Page, path: string): Promise<void>
  /** Opens a page of the service, such as `/health`, and waits until it is loaded. */
  visitService(page: Page, path: string): Promise<void>
}

/** Waits until the page has its title and no data is loading. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

export async function openDashboard({
  env,
  prefix = '',
  ...options
}: ServiceOptions & {
  /** Path of the base URL. */
  prefix?: string
} = {}): Promise<Dashboard> {
  await using stack = new AsyncDisposableStack()
  // The URL of the service is known before it starts, as in production, because sign-ins return to it.
  const port = await freePort()
  const address = { WAYPOST_PORT: String(port), WAYPOST_BASE_URL: `http://127.0.0.1:${port}${prefix}` }
  const service = stack.use(await openService({ ...options, env: { ...address, ...env } }))
  const base = `${await service.listen()}${prefix}`
  const browser = stack.use(await sharedBrowser())
  // A generated initial password only allows changing it.
  const { adminPassword: made, sandboxId } = service.services.administration.installation
  const application = made ? { id: sandboxId, key: service.apiKey } : await service.createApplication('Northwind')
  const reports: string[] = []

  const openAsStranger = async (given: BrowserContextOptions = {}): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, ...given })
    page.on('request', (request) => {
      if (request.url().endsWith('/dashboard/csp-report')) reports.push(request.postData() ?? 'a report')
    })
    page.setDefaultTimeout(60_000)
    return page
  }
  const visitService = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${base}/dashboard${path}`)
    await settled(page)
  }
  const open = async (given: BrowserContextOptions = {}): Promise<Page> => {
    const page = await openAsStranger(given)
    const loaded = await page.goto(`${base}/dashboard`)
    if (loaded?.status() !== 200) throw new Error('The dashboard is not built: run npm run build')
    await page.getByLabel('Installation password').fill(service.adminPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('#side').waitFor({ state: 'attached' })
    return page
  }
  const held = stack.move()
  return {
    service,
    base,
    application,
    reports,
    open,
    openAsStranger,
    visitService,
    visit: (page, path) => visitService(page, `/a/${application.id}${path}`),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}
