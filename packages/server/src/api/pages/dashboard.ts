/**
 * The built files of the dashboard. Every path below `/dashboard` that is not a file returns the page itself, which
 * chooses its content by URL. No session is needed here, because all data comes from the API.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { prefixOf } from '../http/base-path.ts'
import type { LivePage, PageAnswer, PageVisit } from '../pipeline/page.ts'
import { builtFile, forever, unbuilt } from './built-files.ts'
import { type BuiltPages, reportPage, securityHeaders } from './page-security.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
]

/** Deeper paths of the page. */
const deeper = ['/:a/:b', '/:a/:b/:c', '/:a/:b/:c/:d', '/:a/:b/:c/:d/:e']

/** The routes of the dashboard. */
export function dashboardPages(options: BuiltPages): LivePage[] {
  const { dir, baseUrl } = options
  const prefix = prefixOf(baseUrl)
  const security = securityHeaders(baseUrl, { policy, page: '/dashboard' })
  const html = { ...security, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }

  const page = async (): Promise<PageAnswer> => {
    const built = await readFile(path.join(dir, 'index.html'), 'utf8').catch(() => undefined)
    if (built === undefined) return { status: 503, headers: html, body: unbuilt('The dashboard is') }
    const body = prefix === '' ? built : built.replaceAll('="/dashboard/', `="${prefix}/dashboard/`)
    return { status: 200, headers: html, body }
  }
  const file = async (folder: string, visit: PageVisit): Promise<PageAnswer | undefined> => {
    // The page itself has its own URL.
    if (visit.name.endsWith('.html')) return undefined
    const headers = { ...security, 'cache-control': folder === '' ? 'no-cache' : forever }
    return builtFile(path.join(dir, folder), visit.name, { visit, headers })
  }

  return [
    { path: '/dashboard', answer: page },
    reportPage('/dashboard', options),
    { path: '/dashboard/assets/:name', answer: (visit) => file('assets', visit) },
    { path: '/dashboard/:name', answer: async (visit) => (await file('', visit)) ?? page() },
    ...deeper.map((level) => ({ path: `/dashboard${level}`, answer: page })),
  ]
}
