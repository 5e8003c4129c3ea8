/**
 * The built files of the dashboard. Every path below `/dashboard` that is not a file returns the page itself, which
 * chooses its content by URL. No session is needed here, because all data comes from the API.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { prefixOf } from '../http/base-path.ts'
import type { LivePage, PageAnswer, PageVisit } from '../pipeline/page.ts'
import { builtFile, forever, tagged, unbuilt } from './built-files.ts'
import { type BuiltPages, pageHeaders, reportPage, securityHeaders } from './page-security.ts'

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

/** The policy of the frame. Violations are not reported, because reports would reveal message contents. */
const framePolicy = (script: string, images: boolean): string =>
  [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    "style-src 'unsafe-inline'",
    `img-src data: blob:${images ? ' https:' : ''}`,
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types dompurify',
  ].join('; ')

const frameHeaders = {
  ...pageHeaders,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'x-frame-options': 'SAMEORIGIN',
  'x-dns-prefetch-control': 'off',
}

/**
 * The frame in which the dashboard shows a message: a page with an opaque origin. Its policy allows only our script and the
 * message's own resources; with `images=remote`, which the reader requests, also https images. `dir` is the build folder of the
 * dashboard.
 */
export const messageFramePage = ({ dir }: { dir: string }): LivePage => ({
  path: '/dashboard/message-frame',
  async answer(visit) {
    const built = await readFile(path.join(dir, 'message-frame.js'), 'utf8').catch(() => undefined)
    if (built === undefined) return { status: 503, headers: frameHeaders, body: unbuilt('The dashboard is') }
    // An inline script must not contain its own end tag, or the start of another script.
    const script = built.replaceAll(/<(?=\/script|script|!--)/gi, '\\x3c')
    const policy = framePolicy(script, visit.query.get('images') === 'remote')
    const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Message</title></head><body><script>${script}</script></body></html>`
    return tagged(visit, { status: 200, headers: { ...frameHeaders, 'content-security-policy': policy }, body })
  },
})
