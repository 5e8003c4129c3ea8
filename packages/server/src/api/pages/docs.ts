/**
 * The built reference at `/docs` and the guides below it. The reference is Scalar (docs/adr/0026); a guide is a page
 * of docs/ converted to HTML. `/llms.txt` lists the guides and the API description for assistants. They need no
 * credential; requests from "try it" go to the API like any other.
 */
import path from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { newId } from '@waypost/platform/ids'
import { prefixOf } from '../http/base-path.ts'
import { takesGzip } from '../http/respond.ts'
import type { LivePage, PageAnswer, PageVisit } from '../pipeline/page.ts'
import { builtFile, forever, tagged, unbuilt } from './built-files.ts'
import { type BuiltPages, reportPage, securityHeaders } from './page-security.ts'

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

/** The address of the examples in the guides. */
const sampleAddress = /http:\/\/(?:127\.0\.0\.1|localhost):3000\b/g
/** Lines of files for a proxy or of settings name the address of the process, also behind a proxy. */
const namesProcess = /proxy_pass|reverse_proxy|WAYPOST_BASE_URL=/

/** A page with the addresses of the service that answers: in examples, and in links if it runs below a path. */
function ofThisService(text: string, { baseUrl, prefix }: { baseUrl: string; prefix: string }): string {
  const linked = prefix === '' ? text : text.replace(/(?<==")\/(?=docs[/"#]|dashboard")/g, `${prefix}/`)
  const lines = linked.split('\n')
  return lines.map((line) => (namesProcess.test(line) ? line : line.replace(sampleAddress, baseUrl))).join('\n')
}

const unknownPage = (prefix: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>No such page · Waypost</title></head>
<body><h1>There is no page with this name</h1>
<p><a href="${prefix}/docs/guides">All guides</a> · <a href="${prefix}/docs">Reference of the API</a></p>
</body></html>
`

/** The routes of the reference and guides. */
export function docsPages(options: BuiltPages): LivePage[] {
  const { dir, baseUrl } = options
  const prefix = prefixOf(baseUrl)
  const security = securityHeaders(baseUrl, { policy, page: '/docs' })
  const html = { ...security, 'cache-control': 'no-cache' }

  /** A compressed page, or one whose addresses are those of this service. */
  const page = async (visit: PageVisit, folder: string, name: string): Promise<PageAnswer | undefined> => {
    const read = (from: PageVisit) => builtFile(path.join(dir, folder), `${name}.html`, { visit: from, headers: html })
    const plain = await read({ ...visit, header: () => null })
    if (!plain?.body) return plain
    const text = Buffer.from(plain.body).toString('utf8')
    const own = ofThisService(text, { baseUrl, prefix })
    const answer = own === text ? await read(visit) : { ...plain, body: own }
    return answer && tagged(visit, answer)
  }
  /** A guide by its name alone, such as `/docs/webhooks`. */
  const guide = async (visit: PageVisit): Promise<PageAnswer | undefined> => {
    const name = visit.name.replace(/\.(?:md|html)$/, '')
    if (!(await page(visit, 'guides', name))) return unknown(visit)
    return { status: 302, headers: { ...security, location: `${prefix}/docs/guides/${name}` }, body: null }
  }
  /** Browsers get a page. Programs get the JSON error of the API. */
  const unknown = (visit: PageVisit): PageAnswer | undefined =>
    /\btext\/html\b/.test(visit.header('accept') ?? '')
      ? {
          status: 404,
          headers: { ...html, 'content-type': 'text/html; charset=utf-8' },
          body: unknownPage(prefix),
        }
      : undefined
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
    {
      path: '/docs/guides/:name',
      answer: async (visit) => (await page(visit, 'guides', visit.name)) ?? unknown(visit),
    },
    { path: '/docs/:name', answer: guide },
  ]
}

const compress = promisify(gzip)

interface Forms {
  plain: Uint8Array<ArrayBuffer>
  packed: Uint8Array<ArrayBuffer>
}

async function formsOf(document: object): Promise<Forms> {
  const plain = new TextEncoder().encode(JSON.stringify(document))
  return { plain, packed: new Uint8Array(await compress(plain)) }
}

/**
 * `/openapi.json`: created and compressed on first use, because describing every route takes longer than the rest of the
 * start; then cached. Callers for whom `mayRead` is false get 404.
 */
export function openApiPage(document: () => object, mayRead: (visit: PageVisit) => Promise<boolean>): LivePage {
  let forms: Promise<Forms> | undefined
  return {
    path: '/openapi.json',
    async answer(visit) {
      if (!(await mayRead(visit))) return undefined
      forms ??= formsOf(document())
      const { plain, packed } = await forms
      const isPacked = takesGzip.test(visit.header('accept-encoding') ?? '')
      return tagged(visit, {
        status: 200,
        headers: {
          'content-type': 'application/json',
          'x-request-id': newId(),
          'cache-control': 'no-cache',
          vary: 'Accept-Encoding',
          ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
        },
        body: isPacked ? packed : plain,
      })
    },
  }
}
