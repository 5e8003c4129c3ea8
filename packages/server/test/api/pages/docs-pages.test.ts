/** Reference and guides as files: which are served, their policy, and their caching. */
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'

const guide = '<a href="/docs/guides/mail#folders">Mail</a> <a href="/docs">Reference</a> <a href="/documents">No</a>'

const examples =
  'curl http://127.0.0.1:3000/v3/grants\nAPI=http://localhost:3000\nproxy_pass http://127.0.0.1:3000;\nWAYPOST_BASE_URL=http://localhost:3000'

async function build(docsDir: string): Promise<void> {
  for (const folder of ['app/assets', 'files', 'guides', 'pages'])
    await mkdir(path.join(docsDir, folder), { recursive: true })
  const files: Record<string, string> = {
    'app/assets/index-1a2b3c.js': 'script',
    'files/openapi-1a2b3c.json': '{}',
    'guides/mail.html': guide,
    'guides/examples.html': examples,
    'pages/reference.html': 'the reference',
    'pages/guides.html': 'the guides',
    'pages/llms.txt': '- [Mail](/docs/guides/mail): reading',
    '../outside.html': 'CANARY',
  }
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(docsDir, name), text)
    await writeFile(path.join(docsDir, `${name}.br`), brotliCompressSync(text))
  }
}

describe('reference and guides', () => {
  let service: TestService
  let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
  let docsDir: string
  beforeAll(async () => {
    folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-docs-'))
    docsDir = path.join(folder.path, 'dist')
    await build(docsDir)
    service = await openService({ overrides: { docsDir } })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await folder.remove()
  })
  const get = async (at: string, headers: Record<string, string> = {}): Promise<Response> =>
    service.app.request(at, { headers })

  test('the examples of a guide contain the address of the service', async () => {
    const base = service.services.config.baseUrl
    expect((await (await get('/docs/guides/examples')).text()).split('\n')).toEqual([
      `curl ${base}/v3/grants`,
      `API=${base}`,
      'proxy_pass http://127.0.0.1:3000;',
      'WAYPOST_BASE_URL=http://localhost:3000',
    ])
  })

  test('a guide is found by its name, and an unknown one is a page for browsers and JSON for programs', async () => {
    for (const at of ['/docs/mail', '/docs/mail.md']) {
      const answer = await get(at)
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs/guides/mail'])
    }
    for (const at of ['/docs/nothing', '/docs/guides/nothing']) {
      const shown = await get(at, { accept: 'text/html,*/*' })
      expect([shown.status, await shown.text()]).toEqual([404, expect.stringContaining('href="/docs/guides"')])
      const reported = await get(at, { accept: 'application/json' })
      expect([reported.status, ((await reported.json()) as { error: { type: string } }).error.type]).toEqual([
        404,
        expect.stringMatching(/./),
      ])
    }
  })

  test.each([
    ['/docs', 'the reference'],
    ['/docs/', 'the reference'],
    ['/docs/guides', 'the guides'],
    ['/docs/guides/mail', guide],
  ])('%s is a page that is revalidated by its ETag', async (at, text) => {
    const answer = await get(at, { 'accept-encoding': 'gzip, br' })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    expect(answer.headers.get('content-encoding')).toBe('br')
    expect(brotliDecompressSync(await answer.arrayBuffer()).toString()).toBe(text)
    const again = await get(at, { 'accept-encoding': 'br', 'if-none-match': answer.headers.get('etag') ?? '' })
    expect([again.status, again.headers.get('content-encoding'), await again.text()]).toEqual([304, null, ''])
    expect(await (await get(at)).text()).toBe(text)
  })

  test('/llms.txt lists the guides with absolute URLs, as plain text', async () => {
    const answer = await get('/llms.txt')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(await answer.text()).toBe(`- [Mail](${service.services.config.baseUrl}/docs/guides/mail): reading`)
    const again = await get('/llms.txt', { 'if-none-match': answer.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  test('allows no foreign scripts, styles and connections, no code from text, and no frames', async () => {
    const policy = (await get('/docs')).headers.get('content-security-policy')
    expect(policy).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-AbpHGcgLb+kRsJGnwFEktk7uzpZOCcBY74+YBdrKVGs='; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types vue; report-uri /docs/csp-report",
    )
    expect((await service.app.request('/docs/csp-report', { method: 'POST', body: '{}' })).status).toBe(204)
  })

  test.each(['/docs/assets/index-1a2b3c.js', '/docs/files/openapi-1a2b3c.json'])('%s is cached forever', async (at) => {
    const answer = await get(at)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  })

  test.each([
    '/docs/guides/..%2f..%2foutside',
    '/docs/guides/nothing',
    '/docs/files/..%2foutside.html',
    '/docs/assets/index-1a2b3c.js.br',
    '/docs/assets/nothing.js',
  ])('%s is not found', async (at) => {
    const answer = await get(at)
    expect(answer.status).toBe(404)
    expect(await answer.text()).not.toContain('CANARY')
  })

  test('links of pages start with the path of the base address', async () => {
    const env = { WAYPOST_BASE_URL: 'https://mail.example.com/waypost' }
    await using below = await openService({ env, overrides: { docsDir } })
    const answer = await below.app.request('/waypost/docs/guides/mail', { headers: { 'accept-encoding': 'br' } })
    expect(await answer.text()).toBe(
      '<a href="/waypost/docs/guides/mail#folders">Mail</a> <a href="/waypost/docs">Reference</a> <a href="/documents">No</a>',
    )
  })

  test('pages that were not built answer with the build command', async () => {
    await using bare = await openService({ overrides: { docsDir: '/nowhere' } })
    const answer = await bare.app.request('/docs')
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('npm run build')])
  })
})
