/**
 * The dashboard's files, as they were built. Every path below `/dashboard` that is no file is the page itself, which finds
 * out what to show by its own address. Nothing of it needs a session: what it shows comes by the API.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Log } from '../../lib/log.ts'
import type { LivePage, PageAnswer, PageVisit } from './page.ts'

export interface DashboardOptions {
  /** Where it was built. */
  dir: string
  baseUrl: string
  log: Log
  /** Hears of everything that a browser refused to do for the page. */
  violated(): void
}

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

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
}

/** What an address of the page may have behind its first part. */
const deeper = ['/:a/:b', '/:a/:b/:c', '/:a/:b/:c/:d', '/:a/:b/:c/:d/:e']
/** A name with nothing in it that means something to a file system. */
const isName = (name: string): boolean => /^[\w-][\w.-]{0,120}$/.test(name)

/** The pages that serve the dashboard. */
export function dashboardPages(options: DashboardOptions): LivePage[] {
  const { dir, baseUrl } = options
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/$/, '')
  const security = {
    'content-security-policy': `${policy.join('; ')}; report-uri ${prefix}/dashboard/csp-report`,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    ...(base.protocol === 'https:' ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
  const html = { ...security, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }

  const page = async (): Promise<PageAnswer> => {
    const built = await readFile(path.join(dir, 'index.html'), 'utf8').catch(() => undefined)
    if (built === undefined) return { status: 503, headers: html, body: unbuilt }
    const body = prefix === '' ? built : built.replaceAll('="/dashboard/', `="${prefix}/dashboard/`)
    return { status: 200, headers: html, body }
  }

  /** A file, packed where the browser takes it and it was packed when it was built. */
  const file = async (folder: string, visit: PageVisit): Promise<PageAnswer | undefined> => {
    const type = types[path.extname(visit.name)]
    if (!type || !isName(visit.name)) return undefined
    const accepted = visit.header('accept-encoding') ?? ''
    const packings = [
      ...(/\bbr\b/.test(accepted) ? [{ ending: '.br', encoding: 'br' }] : []),
      ...(/\bgzip\b/.test(accepted) ? [{ ending: '.gz', encoding: 'gzip' }] : []),
      { ending: '', encoding: undefined },
    ]
    for (const { ending, encoding } of packings) {
      const body = await readFile(path.join(dir, folder, `${visit.name}${ending}`)).catch(() => undefined)
      if (!body) continue
      const headers = {
        ...security,
        'content-type': type,
        // The names of assets change with what is in them.
        'cache-control': folder === '' ? 'no-cache' : 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
        ...(encoding ? { 'content-encoding': encoding } : {}),
      }
      return { status: 200, headers, body: new Uint8Array(body) }
    }
    return undefined
  }

  return [
    { path: '/dashboard', answer: page },
    { method: 'POST', path: '/dashboard/csp-report', bodyBytes: 16_384, answer: reporter(options) },
    { path: '/dashboard/assets/:name', answer: (visit) => file('assets', visit) },
    { path: '/dashboard/:name', answer: async (visit) => (await file('', visit)) ?? page() },
    ...deeper.map((level) => ({ path: `/dashboard${level}`, answer: page })),
  ]
}

/** So many reports are logged in a minute; all are counted. */
const maxLogged = 10

/** Takes what browsers report of the page's policy. Anybody can send one, so little of it is believed. */
function reporter({ log, violated }: DashboardOptions): LivePage['answer'] {
  let minute = 0
  let logged = 0
  return async ({ body }) => {
    violated()
    const now = Math.floor(performance.now() / 60_000)
    if (now !== minute) {
      minute = now
      logged = 0
    }
    if (++logged <= maxLogged) log.warn(reportOf(body), 'a browser refused something to the dashboard')
    return { status: 204, headers: {}, body: null }
  }
}

/** What a report says, without what stands behind addresses. */
function reportOf(body: Uint8Array): Record<string, string> {
  let report: unknown
  try {
    report = JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return { report: 'unreadable' }
  }
  const said: unknown = typeof report === 'object' && report !== null ? Reflect.get(report, 'csp-report') : undefined
  const field = (name: string): string => {
    const value: unknown = typeof said === 'object' && said !== null ? Reflect.get(said, name) : undefined
    return typeof value === 'string' ? (value.split(/[?#]/, 1)[0] ?? '').slice(0, 200) : ''
  }
  return {
    directive: field('effective-directive') || field('violated-directive'),
    blocked: field('blocked-uri'),
    page: field('document-uri'),
  }
}

const unbuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Waypost</title></head>
<body><h1>The dashboard is not built</h1>
<p>Run <code>npm run build</code> in the folder of Waypost, then load this page again. The API works without it.</p>
</body></html>
`
