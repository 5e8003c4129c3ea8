/** The files of the dashboard: which are served, and their policy. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'

const index = '<!doctype html><script type="module" src="/dashboard/assets/app-1a2b3c.js"></script>'
const script = 'console.log("the dashboard")'

async function build(dir: string): Promise<void> {
  await mkdir(path.join(dir, 'assets'), { recursive: true })
  await writeFile(path.join(dir, 'index.html'), index)
  await writeFile(path.join(dir, 'favicon.svg'), '<svg/>')
  await writeFile(path.join(dir, 'message-frame.js'), 'show("</script>")')
  await writeFile(path.join(dir, 'assets/app-1a2b3c.js'), script)
  await writeFile(path.join(dir, 'assets/app-1a2b3c.js.gz'), gzipSync(script))
  await writeFile(path.join(dir, 'assets/app-1a2b3c.js.br'), brotliCompressSync(script))
  await writeFile(path.join(dir, 'assets/plain.css'), 'a {}')
  await writeFile(path.join(dir, '..', 'outside.js'), 'CANARY')
}

describe('the dashboard', () => {
  let service: TestService
  let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
  beforeAll(async () => {
    folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-dashboard-'))
    const dashboardDir = path.join(folder.path, 'dist')
    await build(dashboardDir)
    service = await openService({ overrides: { dashboardDir } })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await folder.remove()
  })

  const get = (target: string, headers: Record<string, string> = {}) => service.app.request(target, { headers })

  test.each([
    '/dashboard',
    '/dashboard/',
    '/dashboard/grants',
    '/dashboard/applications/one/grants/two',
    '/dashboard/connected?code=x&state=y',
  ])('%s is the page, which is not cached', async (target) => {
    const answer = await get(target)
    expect([answer.status, await answer.text()]).toEqual([200, index])
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'; require-trusted-types-for 'script'; report-uri /dashboard/csp-report",
    )
  })

  test('the frame of messages runs one script, has no origin, and loads remote images only on request', async () => {
    const hash = createHash('sha256').update('show("\\x3c/script>")').digest('base64')
    const policy = (images: string): string =>
      `sandbox allow-scripts; default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src ${images}; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types dompurify`
    const answer = await get('/dashboard/message-frame')
    expect(answer.headers.get('content-security-policy')).toBe(policy('data: blob:'))
    expect(await answer.text()).toContain('<script>show("\\x3c/script>")</script>')
    expect(answer.headers.get('x-frame-options')).toBe('SAMEORIGIN')
    expect(answer.headers.get('x-dns-prefetch-control')).toBe('off')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    const again = await get('/dashboard/message-frame', { 'if-none-match': answer.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    const remote = await get('/dashboard/message-frame?images=remote')
    expect(remote.headers.get('content-security-policy')).toBe(policy('data: blob: https:'))
    expect((await get('/dashboard/message-frame?images=all')).headers.get('content-security-policy')).toBe(
      policy('data: blob:'),
    )
  })

  test('assets are cached forever, and compressed as the browser accepts', async () => {
    const ways: [string, string | null, number][] = [
      ['gzip, deflate, br', 'br', brotliCompressSync(script).byteLength],
      ['gzip', 'gzip', gzipSync(script).byteLength],
      ['identity', null, script.length],
    ]
    for (const [accepted, encoding, bytes] of ways) {
      const answer = await get('/dashboard/assets/app-1a2b3c.js', { 'accept-encoding': accepted })
      expect(answer.headers.get('content-encoding')).toBe(encoding)
      expect((await answer.arrayBuffer()).byteLength).toBe(bytes)
      expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('vary')).toBe('Accept-Encoding')
    }
    const css = await get('/dashboard/assets/plain.css', { 'accept-encoding': 'br' })
    expect([css.headers.get('content-encoding'), await css.text()]).toEqual([null, 'a {}'])
    const icon = await get('/dashboard/favicon.svg')
    expect([icon.headers.get('content-type'), icon.headers.get('cache-control')]).toEqual(['image/svg+xml', 'no-cache'])
  })

  test.each([
    '/dashboard/assets/..%2f..%2foutside.js',
    '/dashboard/assets/..%5c..%5coutside.js',
    '/dashboard/..%2foutside.js',
    '/dashboard/assets/../../outside.js',
    '/dashboard/assets/%2e%2e/outside.js',
    '/dashboard/assets/app-1a2b3c.js%00.css',
    '/dashboard/assets/nothing.js',
    '/dashboard/assets/app-1a2b3c.js.br',
  ])('%s does not leave the folder of the dashboard', async (target) => {
    const answer = await get(target)
    const text = await answer.text()
    expect(text).not.toContain('CANARY')
    expect(text === index || answer.status === 404).toBe(true)
  })

  test('reports of browsers are counted, and some are logged, without the queries of addresses', async () => {
    const report = {
      'csp-report': {
        'document-uri': 'http://127.0.0.1/dashboard/connected?code=CANARY-code#link=CANARY-link',
        'effective-directive': 'script-src',
        'blocked-uri': 'https://evil.example/x.js?CANARY',
      },
    }
    const headers = { 'content-type': 'application/csp-report' }
    const linesNow = (): number => service.logs().split('a browser refused something').length - 1
    const countNow = async (): Promise<number> =>
      Number(/^waypost_csp_reports_total (\d+)$/m.exec(await (await get('/metrics')).text())?.[1])
    const [linesBefore, countBefore] = [linesNow(), await countNow()]
    const post = (body: string) => service.app.request('/dashboard/csp-report', { method: 'POST', headers, body })
    for (let turn = 0; turn < 30; turn++) expect((await post(JSON.stringify(report))).status).toBe(204)
    expect((await post('{')).status).toBe(204)
    expect((await post('x'.repeat(20_000))).status).toBe(413)
    // At most ten are logged in a minute, and the minute may end during the test.
    expect(linesNow() - linesBefore).toBeLessThanOrEqual(20)
    expect(linesNow()).toBeGreaterThan(0)
    expect(service.logs()).toContain('https://evil.example/x.js')
    expect(service.logs()).not.toContain('CANARY-code')
    expect((await countNow()) - countBefore).toBe(31)
  })
})

test('a base address with a path is written into the page', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'waypost-dashboard-'))
  const dashboardDir = path.join(folder.path, 'dist')
  await build(dashboardDir)
  const env = { WAYPOST_BASE_URL: 'https://mail.example.com/waypost' }
  await using service = await openService({ env, overrides: { dashboardDir } })
  const answer = await service.app.request('/waypost/dashboard')
  expect(await answer.text()).toContain('src="/waypost/dashboard/assets/app-1a2b3c.js"')
  expect(answer.headers.get('content-security-policy')).toContain('report-uri /waypost/dashboard/csp-report')
  expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000')
})

test('a dashboard that was not built answers with the build command', async () => {
  await using service = await openService({ overrides: { dashboardDir: '/nowhere' } })
  const answer = await service.app.request('/dashboard')
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('npm run build')])
})
