/** Content-Security-Policy headers of our pages, and reports of violations. */
import { fieldOf, textIn } from '@waypost/platform/json/values'
import type { Log } from '@waypost/platform/log'
import { prefixOf } from '../http/base-path.ts'
import type { LivePage } from '../pipeline/page.ts'

/** Pages that are files of a build. */
export interface BuiltPages {
  /** Build folder. */
  dir: string
  baseUrl: string
  log: Log
  /** Called for every Content-Security-Policy violation of the pages. */
  violated(): void
}

/** The headers of all our pages, besides their policy. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** The headers of a page with its policy; reports go to `csp-report` below the page. */
export const securityHeaders = (
  baseUrl: string,
  { policy, page }: { policy: readonly string[]; page: string },
): Record<string, string> => ({
  'content-security-policy': `${policy.join('; ')}; report-uri ${prefixOf(baseUrl)}${page}/csp-report`,
  ...pageHeaders,
})

/** Maximum number of reports logged per minute; all are counted. */
const maxLogged = 10

/** Receives violation reports. Anyone can send them, so little of their content is used. */
export function reportPage(page: string, { log, violated }: Pick<BuiltPages, 'log' | 'violated'>): LivePage {
  let minute = 0
  let logged = 0
  return {
    method: 'POST',
    path: `${page}/csp-report`,
    bodyBytes: 16_384,
    async answer({ body }) {
      violated()
      const now = Math.floor(performance.now() / 60_000)
      if (now !== minute) {
        minute = now
        logged = 0
      }
      if (++logged <= maxLogged) log.warn(reportOf(body), `a browser refused something to ${page}`)
      return { status: 204, headers: {}, body: null }
    },
  }
}

/** The content of a report, with URLs stripped of query and fragment. */
function reportOf(body: Uint8Array): Record<string, string> {
  let report: unknown
  try {
    report = JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return { report: 'unreadable' }
  }
  const violation = fieldOf(report, 'csp-report')
  const field = (name: string): string => (textIn(violation, name)?.split(/[?#]/, 1)[0] ?? '').slice(0, 200)
  return {
    directive: field('effective-directive') || field('violated-directive'),
    blocked: field('blocked-uri'),
    page: field('document-uri'),
  }
}
