/** The multipart form of several calls in one request, and its responses. */
import { describe, expect, test } from 'vitest'
import { refused } from '../../src/google/errors.ts'
import { readBatch, writeBatch } from '../../src/google/multipart-batch.ts'
import { providerReason, providerStatus } from '../../src/shared/refusal.ts'

const lines = (...each: string[]): Buffer => Buffer.from(each.join('\r\n'))

describe('a batch', () => {
  test('has a request in each part', () => {
    const { contentType, body } = writeBatch([
      { method: 'GET', target: '/gmail/v1/users/me/messages/1?format=full' },
      { method: 'POST', target: '/gmail/v1/users/me/labels', body: { name: 'Größe' } },
    ])
    const boundary = /boundary=(\S+)$/.exec(contentType)?.[1] ?? ''
    expect(body.split(`--${boundary}`)).toHaveLength(4)
    expect(body).toContain('Content-ID: <0>\r\n\r\nGET /gmail/v1/users/me/messages/1?format=full HTTP/1.1\r\n')
    expect(body).toContain(`Content-Length: ${Buffer.byteLength('{"name":"Größe"}')}\r\n\r\n{"name":"Größe"}\r\n`)
    expect(body.endsWith(`--${boundary}--\r\n`)).toBe(true)
  })

  test('is answered by the positions of its calls, in any order', () => {
    const body = lines(
      'preamble',
      '--b',
      'Content-Type: application/http',
      'Content-ID: <response-1>',
      '',
      'HTTP/1.1 404 Not Found',
      'Content-Type: application/json',
      'Retry-After: 3',
      '',
      '{"error":{"code":404}}',
      '--b',
      'Content-Type: application/http',
      'Content-ID: response-0',
      '',
      'HTTP/1.1 200 OK',
      'Content-Type: application/json; charset=UTF-8',
      '',
      '{"snippet":"--b is no delimiter, and ü is two bytes"}',
      '--b--',
      '',
    )
    const [first, second, third] = readBatch('multipart/mixed; boundary="b"', body, 3)
    expect(first?.status).toBe(200)
    expect(JSON.parse(Buffer.from(first?.body ?? []).toString())).toEqual({
      snippet: '--b is no delimiter, and ü is two bytes',
    })
    expect(second).toMatchObject({ status: 404 })
    expect(second?.headers.get('retry-after')).toBe('3')
    expect(third).toBeUndefined()
  })

  test.each([
    ['', lines('--b', '', '--b--')],
    ['multipart/mixed; boundary=b', lines('nothing')],
    ['multipart/mixed; boundary=b', lines('--b', 'Content-ID: <response-9>', '', 'HTTP/1.1 200 OK', '', '{}', '--b--')],
    ['multipart/mixed; boundary=b', lines('--b', 'no head at all', '--b--')],
  ])('with an invalid response is not answered: %s', (contentType, body) => {
    expect(readBatch(contentType, body, 2)).toEqual([undefined, undefined])
  })
})

describe('an error of Google', () => {
  const answer = (status: number, error: object, headers: Record<string, string> = {}) =>
    refused(
      {
        status,
        header: (name) => headers[name],
        body: Buffer.from(JSON.stringify({ error: { code: status, ...error } })),
      },
      ['https://mail.google.com/'],
    )
  const reason = (name: string) => ({ message: name, errors: [{ domain: 'global', reason: name, message: name }] })

  test.each([
    [400, reason('invalidArgument'), 'provider_refused'],
    [401, reason('authError'), 'grant_invalid'],
    [403, reason('insufficientPermissions'), 'insufficient_scopes'],
    [
      403,
      { status: 'PERMISSION_DENIED', details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] },
      'insufficient_scopes',
    ],
    [403, reason('forbidden'), 'provider_refused'],
    [403, reason('userRateLimitExceeded'), 'provider_rate_limited'],
    [403, reason('dailyLimitExceeded'), 'provider_rate_limited'],
    [429, { status: 'RESOURCE_EXHAUSTED' }, 'provider_rate_limited'],
    [404, reason('notFound'), 'not_found'],
    [410, reason('fullSyncRequired'), 'not_found'],
    [409, reason('duplicate'), 'conflict'],
    [500, reason('backendError'), 'provider_unavailable'],
  ])('%i is mapped to one of ours', (status, error, code) => {
    const made = answer(status, error)
    expect(made.code).toBe(code)
    expect(providerStatus(made)).toBe(status)
    expect(made.details.providerError).toMatchObject({ status })
  })

  test('has the reason, the scope, and the delay', () => {
    expect(providerReason(answer(410, reason('fullSyncRequired')))).toBe('fullSyncRequired')
    expect(answer(403, reason('insufficientPermissions')).message).toContain('https://mail.google.com/')
    expect(answer(429, reason('rateLimitExceeded'), { 'retry-after': '12' }).details.retryAfter).toBe(12)
    expect(answer(429, reason('rateLimitExceeded')).details.retryAfter).toBe(10)
    expect(answer(403, reason('dailyLimitExceeded')).details.retryAfter).toBe(3600)
    const reported = { message: 'User-rate limit exceeded.  Retry after 2026-06-01T12:00:30.000Z' }
    const late = answer(429, reported, { date: 'Mon, 01 Jun 2026 12:00:00 GMT' })
    expect(late.details.retryAfter).toBe(30)
  })

  test('that is not JSON is mapped too', () => {
    const made = refused({ status: 502, header: () => undefined, body: Buffer.from('<html>Bad gateway</html>') })
    expect(made.code).toBe('provider_unavailable')
  })
})
