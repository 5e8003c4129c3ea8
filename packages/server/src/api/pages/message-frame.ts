/**
 * The frame in which the dashboard shows a message: a page with an opaque origin. Its policy allows only our script
 * and the message's own resources; with `images=remote`, which the reader requests, also https images.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { LivePage } from '../pipeline/page.ts'
import { tagged, unbuilt } from './built-files.ts'
import { pageHeaders } from './page-security.ts'

/** The policy of the frame. Violations are not reported, because reports would reveal message contents. */
const policyOf = (script: string, images: boolean): string =>
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

const headers = {
  ...pageHeaders,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'x-frame-options': 'SAMEORIGIN',
  'x-dns-prefetch-control': 'off',
}

/** The route of the message frame; `dir` is the build folder of the dashboard. */
export const messageFramePage = ({ dir }: { dir: string }): LivePage => ({
  path: '/dashboard/message-frame',
  async answer(visit) {
    const built = await readFile(path.join(dir, 'message-frame.js'), 'utf8').catch(() => undefined)
    if (built === undefined) return { status: 503, headers, body: unbuilt('The dashboard is') }
    // An inline script must not contain its own end tag, or the start of another script.
    const script = built.replaceAll(/<(?=\/script|script|!--)/gi, '\\x3c')
    const policy = policyOf(script, visit.query.get('images') === 'remote')
    const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Message</title></head><body><script>${script}</script></body></html>`
    return tagged(visit, { status: 200, headers: { ...headers, 'content-security-policy': policy }, body })
  },
})
