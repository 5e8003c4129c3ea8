/**
 * The frame that the dashboard shows a message in: a page of no origin, whose policy runs one script, ours, and loads
 * nothing but what the message itself brings along; with `images=remote`, which the reader asks for, images over TLS.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { tagged, unbuilt } from './built-files.ts'
import type { LivePage } from './page.ts'

/** What may be done in the frame; no report of what is refused tells anybody what a message held. */
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
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** The frame of messages; `dir` is where the dashboard was built. */
export const messageFramePage = ({ dir }: { dir: string }): LivePage => ({
  path: '/dashboard/message-frame',
  async answer(visit) {
    const built = await readFile(path.join(dir, 'message-frame.js'), 'utf8').catch(() => undefined)
    if (built === undefined) return { status: 503, headers, body: unbuilt('The dashboard is') }
    // Within a page the script must not hold what ends it, nor what begins another.
    const script = built.replaceAll(/<(?=\/script|script|!--)/gi, '\\x3c')
    const policy = policyOf(script, visit.query.get('images') === 'remote')
    const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Message</title></head><body><script>${script}</script></body></html>`
    return tagged(visit, { status: 200, headers: { ...headers, 'content-security-policy': policy }, body })
  },
})
