/** The security headers of every response, for any path, method and status. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService } from '../../harness.ts'
import { exchange } from './raw-http.ts'

let service: TestService
beforeAll(async () => {
  service = await openService({ env: { WAYPOST_BASE_URL: 'https://mail.example.com' } })
})
afterAll(() => service[Symbol.asyncDispose]())

/** The missing headers of a response. */
function missingIn(headers: Headers): string[] {
  const policy = headers.get('content-security-policy') ?? ''
  return [
    headers.get('x-content-type-options') === 'nosniff' ? '' : 'nosniff',
    /default-src 'none'/.test(policy) && /base-uri 'none'/.test(policy) ? '' : 'policy',
    /frame-ancestors '(none|self)'/.test(policy) ? '' : 'frame-ancestors',
    /^(no-referrer|same-origin)$/.test(headers.get('referrer-policy') ?? '') ? '' : 'referrer-policy',
    /^max-age=31536000; includeSubDomains$/.test(headers.get('strict-transport-security') ?? '') ? '' : 'hsts',
  ].filter((word) => word !== '')
}

describe('the security headers of an answer', () => {
  test('of any route or page forbid type guessing, foreign scripts and frames', async () => {
    const found: Record<string, string[]> = {}
    let count = 0
    for (const { method, path } of service.app.routes) {
      const target = path.replace(/:\w+/g, 'x').replace('*', 'x')
      const requested = method === 'ALL' ? 'GET' : method
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${service.apiKey}` }
      const answer = await service.app.request(target, {
        method: requested,
        headers,
        ...(requested === 'GET' || requested === 'HEAD' || requested === 'OPTIONS' ? {} : { body: '{}' }),
      })
      await answer.arrayBuffer()
      count++
      const missing = missingIn(answer.headers)
      if (missing.length > 0) found[`${requested} ${target} ${answer.status}`] = missing
    }
    expect(found).toEqual({})
    expect(count).toBeGreaterThan(150)
  })

  test('an answer that repeats client input is plain text or JSON', async () => {
    const token = '<script>alert(1)</script>'
    const answer = await service.app.request(
      `/v3/push/microsoft/changes?validationToken=${encodeURIComponent(token)}`,
      { method: 'POST' },
    )
    expect([answer.status, await answer.text()]).toEqual([200, token])
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
  })

  test('an answer to TRACE does not repeat the request', async () => {
    await using open = await openService()
    const address = await open.listen()
    const request = 'TRACE /v3/grants HTTP/1.1\r\nhost: a\r\nx-canary: secret-of-a-proxy\r\n\r\n'
    const [answer] = (await exchange(address, [request])).answers
    expect(answer?.status).toBeGreaterThanOrEqual(400)
    expect(answer?.headers.get('content-type')).toBe('application/json')
    expect(answer?.body).not.toContain('secret-of-a-proxy')
  })

  test('over plain http there is no HSTS, and below a path it does not cover the whole host', async () => {
    await using plain = await openService()
    expect((await plain.call('GET', '/v3/grants')).headers.get('strict-transport-security')).toBeNull()
    await using below = await openService({ env: { WAYPOST_BASE_URL: 'https://example.com/waypost' } })
    const { headers } = await below.call('GET', '/waypost/v3/grants')
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  test('are sent with refusals of broken requests too', async () => {
    await using open = await openService({ env: { WAYPOST_BASE_URL: 'https://mail.example.com' } })
    const address = await open.listen()
    for (const bytes of [
      'nonsense\r\n\r\n',
      'GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
      'GET /../x HTTP/1.1\r\nhost: a\r\n\r\n',
      'GET * HTTP/1.1\r\nhost: a\r\n\r\n',
    ]) {
      const [answer] = (await exchange(address, [bytes])).answers
      expect(answer?.status, bytes).toBe(400)
      expect(missingIn(answer?.headers ?? new Headers()), bytes).toEqual([])
    }
  })
})
