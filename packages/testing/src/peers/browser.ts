/** A real browser in headless mode. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findBrowser } from './debian.ts'
import { sharedByFiles } from './shared-by-files.ts'

export interface BrowserPeer extends AsyncDisposable {
  /** Opens a page in a new profile, without cookies of other pages. */
  newPage(options?: BrowserContextOptions): Promise<Page>
}

/** The complaints of a page: script errors, and violations of its content security policy. */
const complaints = new WeakMap<Page, string[]>()
export const complaintsOf = (page: Page): string[] => complaints.get(page) ?? []

export const phone: BrowserContextOptions = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true }

/**
 * The browser that the test files of a worker share. It starts with the first file that needs it, and ends with the
 * worker. Disposing it closes the pages that were opened through it.
 */
export async function sharedBrowser(): Promise<BrowserPeer> {
  const browser = await running('chromium')
  const contexts: BrowserContext[] = []
  return {
    newPage: (options) => openPage(browser, contexts, options),
    [Symbol.asyncDispose]: async () => void (await Promise.all(contexts.map((context) => context.close()))),
  }
}

/** Starts a separate browser, for programs that are not tests. Tests share one. */
export async function startBrowser(): Promise<BrowserPeer> {
  const browser = await launch()
  return {
    newPage: (options) => openPage(browser, [], options),
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

const running = sharedByFiles(() => launch())

function launch(): Promise<Browser> {
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error('No Chromium found: run node scripts/test-setup.ts')
  // Chromium's sandbox does not start as root. The browser visits only this machine.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

async function openPage(
  browser: Browser,
  contexts: BrowserContext[],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext(options)
  contexts.push(context)
  const page = await context.newPage()
  const errors: string[] = []
  complaints.set(page, errors)
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    // The frame of a received message has a policy whose purpose is to block content.
    const isOfMessage = message.location().url.includes('/dashboard/message-frame')
    if (message.type() === 'error' && !isOfMessage) errors.push(message.text())
  })
  return page
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  id: string
  impact: string | null
  nodes: { html: string }[]
}

/** The axe rules that depend on colors: what can differ between the light and the dark version of a page. */
export const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * Accessibility barriers of a page: the serious findings of axe (WCAG 2.2 AA and best practices), with all of its rules
 * or some.
 */
export async function barriersOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) })
  const findings: Finding[] = await page.evaluate(`axe.run(document, ${options}).then((r) => r.violations)`)
  return findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical' || impact === 'moderate')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
}
