/** The client address for rate limits and logs. */
import { describe, expect, test } from 'vitest'
import { addressFinder } from '../../../src/api/http/client-address.ts'

const from = (remoteAddress: string, forwardedFor?: string) => ({
  remoteAddress,
  header: (name: string) => (name === 'x-forwarded-for' ? (forwardedFor ?? null) : null),
})

describe('the address of a client', () => {
  const addressOf = addressFinder(['10.0.0.0/8', '::1'])

  test.each([
    ['is that of the connection', from('192.0.2.1'), '192.0.2.1'],
    ['is not what a stranger writes', from('192.0.2.1', '198.51.100.7'), '192.0.2.1'],
    ['is what a trusted proxy saw', from('10.0.0.1', '198.51.100.7'), '198.51.100.7'],
    ['is not what the client wrote before that proxy', from('10.0.0.1', '203.0.113.9, 198.51.100.7'), '198.51.100.7'],
    ['is found behind several proxies', from('::1', '203.0.113.9, 198.51.100.7, 10.9.9.9'), '198.51.100.7'],
    ['has no port, of which a client has many', from('10.0.0.1', '198.51.100.7:50123'), '198.51.100.7'],
    ['has no port with IPv6 either', from('10.0.0.1', '[2001:db8::7]:50123'), '2001:db8::7'],
    ['may be IPv6', from('10.0.0.1', '2001:db8::7'), '2001:db8::7'],
    ['is that of the proxy where it names none', from('10.0.0.1', 'unknown'), '10.0.0.1'],
    ['is that of the proxy where it sends no header', from('10.0.0.1'), '10.0.0.1'],
  ])('%s', (_, request, expected) => {
    expect(addressOf(request)).toBe(expected)
  })
})
