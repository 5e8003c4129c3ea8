/**
 * The built reference at `/docs` and the guides below it. The reference is Scalar (docs/adr/0026); a guide is a page
 * of docs/ converted to HTML. `/llms.txt` lists the guides and the API description for assistants. They need no
 * credential; requests from "try it" go to the API like any other.
 */
import path from 'node:path'
import type { Log } from '../../lib/log.ts'
import { prefixOf } from '../http/base-path.ts'
import { builtFile, forever, tagged, unbuilt } from './built-files.ts'
import type { LivePage, PageAnswer, PageVisit } from './page.ts'
import { reportPage, securityHeaders } from './page-security.ts'

export interface DocsOptions {
  /** Build folder. */
  dir: string
  baseUrl: string
  log: Log
  /** Called for every Content-Security-Policy violation of the pages. */
  violated(): void
}

/**
 * Styles come only from files. The build (`scripts/pages/reference.ts`) removes styles that Scalar's libraries would
 * write into the page, or adopts them as a style sheet. The only remaining style element belongs to an unused theme;
 * the hash is that of its text, a line break. Styles that scripts set on an element need no permission.
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

/** The routes of the reference and guides. */
export function docsPages(options: DocsOptions): LivePage[] {
  const { dir, baseUrl } = options
  const prefix = prefixOf(baseUrl)
  const security = securityHeaders(baseUrl, { policy, page: '/docs' })
  const html = { ...security, 'cache-control': 'no-cache' }

  /** A compressed page. If the service runs below a path, its URLs get that prefix. */
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
  /** The list has links that begin at the root of the service; readers need whole URLs. */
  const list = async (visit: PageVisit): Promise<PageAnswer | undefined> => {
    const answer = await builtFile(path.join(dir, 'pages'), 'llms.txt', {
      visit: { ...visit, header: () => null },
      headers: html,
    })
    if (!answer?.body) return undefined
    const text = Buffer.from(answer.body).toString('utf8')
    return tagged(visit, { ...answer, body: text.replaceAll('](/', `](${baseUrl}/`) })
  }
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
    { path: '/llms.txt', answer: list },
    { path: '/docs/guides', answer: async (visit) => (await page(visit, 'pages', 'guides')) ?? missing },
    { path: '/docs/guides/:name', answer: (visit) => page(visit, 'guides', visit.name) },
  ]
}
