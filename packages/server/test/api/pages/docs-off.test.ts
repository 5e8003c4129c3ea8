/** An installation without a public reference (`WAYPOST_DOCS=off`). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'

let service: TestService
beforeAll(async () => {
  service = await openService({ env: { WAYPOST_DOCS: 'off' } })
})
afterAll(() => service[Symbol.asyncDispose]())

test.each([
  '/docs',
  '/docs/',
  '/docs/guides',
  '/docs/guides/mail',
  '/docs/assets/index.js',
  '/docs/files/openapi.json',
  '/openapi.json',
  '/llms.txt',
])('%s is a path that does not exist, with a key too', async (path) => {
  for (const key of [null, service.apiKey]) {
    const answer = await service.call('GET', path, { key })
    expect(answer.status).toBe(404)
    expect(answer.body.error).toMatchObject({ type: 'not_found_error' })
    expect(JSON.stringify(answer.body)).not.toContain('openapi.json lists')
  }
})

test('the dashboard still reads /openapi.json with the session of an administrator', async () => {
  const own = { 'sec-fetch-site': 'same-origin' }
  const body = { password: service.adminPassword }
  const signedIn = await service.call('POST', '/v3/admin/session', { key: null, headers: own, body })
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  const answer = await service.call('GET', '/openapi.json', { key: null, headers: { ...own, cookie } })
  expect(answer.status).toBe(200)
  expect(answer.body.openapi).toMatch(/^3\./)
})
