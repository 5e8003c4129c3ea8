/**
 * The reference at `/docs` and the guides below it, as they were built: the reference is Scalar (docs/adr/0026), a guide
 * is a page of docs/ made to HTML. Nothing of them needs a credential; requests that are tried go to the API like others.
 */
import path from 'node:path'
import type { Log } from '../../lib/log.ts'
import { prefixOf } from '../http/base-path.ts'
import { builtFile, forever, tagged, unbuilt } from './built-files.ts'
import type { LivePage, PageAnswer, PageVisit } from './page.ts'
import { reportPage, securityHeaders } from './page-security.ts'

export interface DocsOptions {
  /** Where they were built. */
  dir: string
  baseUrl: string
  log: Log
  /** Hears of everything that a browser refused to do for the pages. */
  violated(): void
}

/**
 * Styles come from files alone: what Scalar's libraries would write into the page is left out or adopted as a style sheet
 * when it is built (`scripts/pages/reference.ts`). The one element that is left is that of a theme that is not used: the
 * hash is that of its text, a line break. Styles that scripts set on an element need nothing.
 */
const emptyStyle = "'sha256-AbpHGcgLb+kRsJGnwFEktk7uzpZOCcBY74+YBdrKVGs='"
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${emptyStyle}`,
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types vue',
]

/** The pages that serve reference and guides. */
export function docsPages(options: DocsOptions): LivePage[] {
  const { dir, baseUrl } = options
  const prefix = prefixOf(baseUrl)
  const security = securityHeaders(baseUrl, { policy, page: '/docs' })
  const html = { ...security, 'cache-control': 'no-cache' }

  /** A page, as it was compressed; where the service stands below a path, with the path before its addresses. */
  const page = async (visit: PageVisit, folder: string, name: string): Promise<PageAnswer | undefined> => {
    const answer = await builtFile(path.join(dir, folder), `${name}.html`, {
      visit: prefix === '' ? visit : { ...visit, header: () => null },
      headers: html,
    })
    if (!answer?.body || prefix === '') return answer && tagged(visit, answer)
    const text = Buffer.from(answer.body).toString('utf8')
    return tagged(visit, { ...answer, body: text.replace(/(?<==")\/(?=docs[/"#]|dashboard")/g, `${prefix}/`) })
  }
  const file = (folder: string, visit: PageVisit): Promise<PageAnswer | undefined> =>
    builtFile(path.join(dir, folder), visit.name, { visit, headers: { ...security, 'cache-control': forever } })
  const missing: PageAnswer = {
    status: 503,
    headers: { ...html, 'content-type': 'text/html; charset=utf-8' },
    body: unbuilt('Reference and guides are'),
  }

  return [
    { path: '/docs', answer: async (visit) => (await page(visit, 'pages', 'reference')) ?? missing },
    reportPage('/docs', options),
    { path: '/docs/assets/:name', answer: (visit) => file('app/assets', visit) },
    { path: '/docs/files/:name', answer: (visit) => file('files', visit) },
    { path: '/docs/guides', answer: async (visit) => (await page(visit, 'pages', 'guides')) ?? missing },
    { path: '/docs/guides/:name', answer: (visit) => page(visit, 'guides', visit.name) },
  ]
}
