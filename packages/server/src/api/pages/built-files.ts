/** Files of built pages (`scripts/build-pages.ts`). They are read on request and not cached in memory. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { PageAnswer, PageVisit } from '../pipeline/page.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
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

/** Asset names change with their content. */
export const forever = 'public, max-age=31536000, immutable'

/** A name without characters that are special to a file system. */
const isName = (name: string): boolean => /^[\w-][\w.-]{0,120}$/.test(name)

/** The encodings of a file that the browser accepts, best first. */
function formsFor(accepted: string): { ending: string; encoding?: string }[] {
  return [
    ...(/\bbr\b/.test(accepted) ? [{ ending: '.br', encoding: 'br' }] : []),
    ...(/\bgzip\b/.test(accepted) ? [{ ending: '.gz', encoding: 'gzip' }] : []),
    { ending: '' },
  ]
}

/** A file of a folder, compressed if the browser accepts it and the build compressed it. */
export async function builtFile(
  folder: string,
  name: string,
  { visit, headers }: { visit: PageVisit; headers: Record<string, string> },
): Promise<PageAnswer | undefined> {
  const type = types[path.extname(name)]
  if (!type || !isName(name)) return undefined
  for (const { ending, encoding } of formsFor(visit.header('accept-encoding') ?? '')) {
    const body = await readFile(path.join(folder, `${name}${ending}`)).catch(() => undefined)
    if (!body) continue
    const all = {
      ...headers,
      'content-type': type,
      vary: 'Accept-Encoding',
      ...(encoding ? { 'content-encoding': encoding } : {}),
    }
    return { status: 200, headers: all, body: new Uint8Array(body) }
  }
  return undefined
}

/** Adds an ETag to the response, and omits the body if the browser already has it (RFC 9110 §13.1.2). */
export function tagged(visit: PageVisit, answer: PageAnswer): PageAnswer {
  const etag = `"${createHash('sha256')
    .update(answer.body ?? '')
    .digest('base64url')
    .slice(0, 27)}"`
  const headers: Record<string, string> = { ...answer.headers, etag }
  const known = (visit.header('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (answer.status !== 200 || !known.includes(etag)) return { ...answer, headers }
  const { 'content-encoding': _, ...retained } = headers
  return { status: 304, headers: retained, body: null }
}

/** Explains how to build a missing page. */
export const unbuilt = (what: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Waypost</title></head>
<body><h1>${what} not built</h1>
<p>Run <code>npm run build</code> in the folder of Waypost, then load this page again. The API works without it.</p>
</body></html>
`
