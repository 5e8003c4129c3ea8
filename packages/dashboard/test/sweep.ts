/** Parts of a sweep over pages: attack strings, a page that notices when one runs, screenshots. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { complaintsOf } from '@waypost/testing/peers/browser'
import type { Page } from 'playwright-core'
import { type Dashboard, settled } from './dashboard.ts'

/** Strings that attackers put into fields. */
export const attacks = [
  '<img src=x onerror=__xss()>',
  '"><svg onload=__xss()>',
  'javascript:__xss()',
  '{{7*7}}',
  '</script><script>__xss()</script>',
  '<base href=https://evil.example/>',
  '\u202Egnp.exe',
]
export const attack = attacks.join(' ')
/** Folder for screenshots, if they are wanted. */
const shots = process.env.DASHBOARD_SHOTS

/** Opens another page like a link, without loading the document again. */
export async function go(page: Page, to: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '/dashboard' + ${JSON.stringify(to)})`)
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  await settled(page)
}

export const refusals = (page: Page): string[] =>
  complaintsOf(page).filter((text) => !text.startsWith('Failed to load resource'))

/** Whether any attack string ran, in the page or in one of its frames. */
export const ran = (page: Page): Promise<unknown> => page.evaluate('window.__ran ?? 0')

export async function openTrapped(dashboard: Dashboard, options: Parameters<Dashboard['open']>[0] = {}): Promise<Page> {
  const page = await dashboard.open(options)
  await page.addInitScript('window.__ran = 0; window.__xss = () => { window.__ran += 1 }')
  await page.reload()
  await settled(page)
  return page
}

export const screenshot = async (page: Page, name: string): Promise<void> => {
  if (shots === undefined) return
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage: true })
}
