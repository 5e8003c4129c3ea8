/** The files and headers of the booking pages: size, policy, languages, and what they reveal to outsiders. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { UiSettings } from '@waypost/contract'
import { createLog } from '@waypost/platform/log'
import { expect, test } from 'vitest'
import { bookingPages } from '../../../src/api/pages/booking/booking-pages.ts'
import { bookingLanguages, colorVariables } from '../../../src/api/pages/booking/document.ts'
import type { OpenedPage } from '../../../src/api/pages/booking/page-source.ts'
import type { LivePage, PageAnswer } from '../../../src/api/pipeline/page.ts'

const dir = fileURLToPath(new URL('../../../../booking-page/dist', import.meta.url))

const settings: UiSettings = {
  ...{ configuration_id: 'c1', app_client_id: 'app', name: 'Intro </script><b>call', slug: 'intro', type: '' },
  ...{ booking_type: 'booking', duration_minutes: 30, organizer: { name: 'Ada "A" <Lovelace>', email: 'ada@x.test' } },
  appearance: { color: '#5b3df5', company_logo_url: 'https://images.example.com/logo.png' },
  scheduler: {},
}
const opened = (more: Partial<OpenedPage> = {}): OpenedPage => ({
  ...{ settings, embedOrigins: [], event: { hasConference: false, sendsMail: true } },
  ...more,
})

/** The page `intro` and the booking with the reference `REF` exist. */
const pagesWith = (page: OpenedPage, baseUrl = 'https://waypost.example.com'): LivePage[] =>
  bookingPages({
    ...{ dir, baseUrl, log: createLog('silent'), violated() {} },
    source: {
      openPage: async (_, { slug }) => (slug === 'intro' ? page : undefined),
      openBooking: async (_, { reference }) => (reference === 'REF' ? page : undefined),
    },
  })

async function get(pages: LivePage[], target: string, headers: Record<string, string> = {}): Promise<PageAnswer> {
  const { pathname, searchParams } = new URL(target, 'http://x')
  for (const page of pages) {
    const pattern = `^${page.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`
    const found = page.method === 'POST' ? null : new RegExp(pattern).exec(pathname)
    if (!found) continue
    const params = { ...found.groups }
    const answer = await page.answer({
      ...{ method: 'GET', name: params.name ?? '', params, query: searchParams, body: new Uint8Array() },
      ...{ address: '127.0.0.1', requestId: 'r', signal: AbortSignal.timeout(60_000) },
      header: (name) => headers[name] ?? null,
    })
    if (answer) return answer
  }
  throw new Error(`no page for ${target}`)
}

const policyOf = ({ headers }: PageAnswer): string => headers['content-security-policy'] ?? ''
const sizeOf = ({ body }: PageAnswer): number => Buffer.from(body ?? '').length

test('the first load has at most 60 KB compressed, in every language', async () => {
  const pages = pagesWith(opened())
  const compressed = { 'accept-encoding': 'gzip' }
  const text = String((await get(pages, '/book/app/intro')).body)
  const files = Array.from(text.matchAll(/(?:src|href)="([^"]+)"/g), ([, file = '']) => file)
  expect(files.map((file) => file.replace(/-[\w-]+\./, '.'))).toEqual([
    '/book/assets/index.js',
    '/book/assets/index.css',
  ])
  const answers = await Promise.all(files.map((file) => get(pages, file, compressed)))
  for (const { headers } of answers) {
    expect(headers['content-encoding']).toBe('gzip')
    expect(headers['cache-control']).toContain('immutable')
  }
  const ofFiles = answers.map(sizeOf).reduce((a, b) => a + b, 0)
  for (const { tag } of bookingLanguages) {
    const page = await get(pages, `/book/app/intro?lang=${tag}`, compressed)
    expect(ofFiles + sizeOf(page)).toBeLessThan(60 * 1024)
  }
})

test('the page may load only its own files and the logo, and cannot be embedded in a frame', async () => {
  const page = await get(pagesWith(opened()), '/book/app/intro')
  const [, nonce] = /'nonce-([^']+)'/.exec(policyOf(page)) ?? []
  expect(policyOf(page)).toBe(
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src https://images.example.com; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'; report-uri /book/csp-report`,
  )
  expect(page.headers).toMatchObject({
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  })
  expect(page.headers['set-cookie']).toBeUndefined()
  const again = await get(pagesWith(opened()), '/book/app/intro')
  expect(policyOf(again)).not.toBe(policyOf(page))
})

test('listed origins may embed the page, and no other text gets into the policy', async () => {
  const embedOrigins = [
    'https://www.example.com',
    'http://127.0.0.1:8080',
    "https://a.test; script-src 'unsafe-inline'",
  ]
  const page = await get(pagesWith(opened({ embedOrigins })), '/book/app/intro')
  expect(policyOf(page)).toContain('frame-ancestors https://www.example.com http://127.0.0.1:8080;')
  expect(policyOf(page)).not.toContain('unsafe-inline')
  expect(page.headers['x-frame-options']).toBeUndefined()
  const evil = { ...settings, appearance: { company_logo_url: "javascript:alert(1)//'", color: 'red;}' } }
  const plain = await get(pagesWith(opened({ settings: evil })), '/book/app/intro')
  expect(policyOf(plain)).toContain("img-src 'none';")
  expect(String(plain.body)).not.toContain('<style')
  const preview = await get(pagesWith(opened({ embedOrigins })), '/book/app/intro?preview=yes')
  expect(policyOf(preview)).toContain("frame-ancestors 'self';")
})

test('names and texts are never markup, in the head, the first view or the data', async () => {
  const text = String((await get(pagesWith(opened()), '/book/app/intro')).body)
  expect(text).toContain('<title>Intro &lt;/script&gt;&lt;b&gt;call</title>')
  expect(text).toContain('Ada &quot;A&quot; &lt;Lovelace&gt;')
  expect(text).not.toContain('</script><b>')
  const [, data = ''] = /id="data">(.*?)<\/script>/s.exec(text) ?? []
  expect(JSON.parse(data)).toMatchObject({ view: 'book', settings: { name: settings.name }, isPreview: false })
})

test('the language comes from the address, then from the browser, then it is English', async () => {
  const pages = pagesWith(opened())
  const languageOf = async (target: string, accepted?: string) =>
    (await get(pages, target, accepted ? { 'accept-language': accepted } : {})).headers['content-language']
  expect(await languageOf('/book/app/intro?lang=sv', 'de')).toBe('sv')
  expect(await languageOf('/book/app/intro', 'xx, ko-KR;q=0.9, de;q=0.5')).toBe('ko')
  expect(await languageOf('/book/app/intro?lang=zh', 'de')).toBe('zh-Hans')
  expect(await languageOf('/book/app/intro?lang=none')).toBe('en')
})

test('invalid links get the same response, whatever they contain', async () => {
  const pages = pagesWith(opened())
  const targets = ['/book/app/other', '/book/else/nothing', '/book/cancel/x', '/book/reschedule/x', '/book/confirm/x']
  const answers = await Promise.all(targets.map((target) => get(pages, target, { 'accept-encoding': 'gzip' })))
  const texts = answers.map(({ body }) => gunzipSync(Buffer.from(body ?? '')).toString())
  expect(answers.map(({ status }) => status)).toEqual(targets.map(() => 404))
  expect(new Set(texts).size).toBe(1)
  expect(texts[0]).toContain('This page does not exist')
  expect(texts[0]).not.toContain('id="data"')
})

test('pages of single bookings are not for search engines; each has its title', async () => {
  const pages = pagesWith(opened())
  for (const [view, title] of [
    ['reschedule', 'Move your booking'],
    ['cancel', 'Cancel your booking'],
    ['confirm', 'Confirm this booking?'],
  ]) {
    const text = String((await get(pages, `/book/${view}/REF`)).body)
    expect(text).toContain(`<title>${title} – Intro`)
    expect(text).toContain('content="noindex, nofollow"')
  }
  expect(String((await get(pages, '/book/app/intro')).body)).not.toContain('noindex')
})

test('the script for other sites is public; other files of the build are not served', async () => {
  const script = await get(pagesWith(opened()), '/book/embed.js')
  expect(script.headers).toMatchObject({
    'cross-origin-resource-policy': 'cross-origin',
    'content-type': 'text/javascript; charset=utf-8',
  })
  expect(String(Buffer.from(script.body ?? ''))).toContain('waypost-hello')
  expect(readdirSync(dir)).toContain('index.html')
  expect((await get(pagesWith(opened()), '/book/assets/index.html')).status).toBe(404)
})

test('below a path of its host, the files of the page have that path', async () => {
  const text = String((await get(pagesWith(opened(), 'https://example.com/waypost'), '/book/app/intro')).body)
  expect(text).toContain('src="/waypost/book/assets/')
  expect(text).toContain('"prefix":"/waypost"')
})

test('a valid color gives readable colors for light and dark; any other text gives none', () => {
  expect(colorVariables('#ffee00')).toMatch(
    /^:root:root\{--fill:light-dark\(#ffee00,#ffee00\);--on-fill:light-dark\(#000000,#000000\);--link:light-dark\(#\w{6},#ffee00\)\}$/,
  )
  expect(colorVariables('}body{color:red')).toBe('')
})
