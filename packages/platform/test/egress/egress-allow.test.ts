/** The operator's list of hosts to which connections are allowed. */

import { openListener } from '@waypost/testing/listener'
import { describe, expect, test } from 'vitest'
import { isAllowEntry, readAllowList } from '../../src/egress/allow.ts'
import { failure, privateEgress, publicEgress } from './making-egress.ts'

test.each([
  'example.com',
  'EXAMPLE.com.',
  'bücher.example',
  '*.example.com',
  '*.example.com:443',
  'localhost',
  'mail.example.com:993',
  '203.0.113.7',
  '203.0.113.0/24',
  '203.0.113.0/24:587',
  '2001:db8::7',
  '2001:db8::/32',
  '[2001:db8::7]:993',
  '[2001:db8::/32]:993',
])('%s is an entry', (entry) => {
  expect(isAllowEntry(entry)).toBe(true)
})

test.each([
  '',
  '*',
  '*.',
  'a.*.com',
  '*example.com',
  'https://example.com',
  'example.com/path',
  'user@example.com',
  'example.com:0',
  'example.com:70000',
  'example.com:https',
  '203.0.113.0/33',
  '2001:db8::/129',
  '[example.com]:443',
  'fe80::1%eth0',
  '300.1.1.1/8',
  'exa mple.com',
])('"%s" is not an entry', (entry) => {
  expect(isAllowEntry(entry)).toBe(false)
})

describe('a list', () => {
  const list = readAllowList([
    'example.com',
    '*.bücher.example',
    'mail.example.org:993',
    '203.0.113.0/24',
    '[2001:db8::/32]:993',
  ])
  test.each([
    ['example.com', 443, true],
    ['www.example.com', 443, false],
    ['evilexample.com', 443, false],
    ['example.com.evil.org', 443, false],
    ['shop.xn--bcher-kva.example', 443, true],
    ['xn--bcher-kva.example', 443, false],
    ['mail.example.org', 993, true],
    ['mail.example.org', 143, false],
    ['mail.example.org', undefined, false],
    ['203.0.113.200', 25, true],
    ['203.0.114.1', 25, false],
    ['[2001:db8::1]', 993, true],
    ['2001:db8::1', 443, false],
  ])('of %s port %s says %s', (host, port, allowed) => {
    expect(list.allowsHost(host, port)).toBe(allowed)
  })
})

describe('with a list, egress', () => {
  const resolve = (addresses: Record<string, string[]>) => async (host: string) =>
    (addresses[host] ?? []).map((address) => ({ address, family: 4 as const }))

  test('refuses every other host by request, destination, connection and socket, and names the setting', async () => {
    await using egress = publicEgress({ allow: readAllowList(['hooks.example.com']) })
    for (const work of [
      () => egress.checkUrl('https://evil.example.com/hook'),
      () => egress.request({ url: 'https://evil.example.com/', method: 'GET' }),
      () => egress.destination('https://evil.example.com/'),
      () => egress.connection('https://evil.example.com/'),
      () => egress.connect({ host: 'evil.example.com', port: 993 }),
      () => egress.resolvePublic('evil.example.com', { port: 993 }),
      () => egress.request({ url: 'https://93.184.215.14/', method: 'GET' }),
    ]) {
      const { reason, message } = await failure(work)
      expect(reason).toBe('refused_address')
      expect(message).toContain('WAYPOST_EGRESS_ALLOW')
    }
    expect(egress.checkUrl('https://HOOKS.example.com./x').hostname).toBe('hooks.example.com')
  })

  test('reaches a listed host and nothing else', async () => {
    await using server = await openListener()
    server.answer = (response) => response.end('here')
    const { port } = new URL(server.url)
    await using egress = privateEgress({
      allow: readAllowList([`listed.test:${port}`]),
      resolve: resolve({ 'listed.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] }),
    })
    const answer = await egress.request({ url: `http://listed.test:${port}/`, method: 'GET' })
    expect(answer.body.toString()).toBe('here')
    for (const host of ['other.test', '127.0.0.1']) {
      const { message } = await failure(() => egress.request({ url: `http://${host}:${port}/`, method: 'GET' }))
      expect(message).toContain(`${host} port ${port}`)
    }
    expect(server.heard).toHaveLength(1)
  })

  test('allows a name whose addresses are all in a listed range, and no name with one outside', async () => {
    await using server = await openListener()
    server.answer = (response) => response.end('here')
    const { port } = new URL(server.url)
    await using egress = privateEgress({
      allow: readAllowList(['127.0.0.0/8']),
      resolve: resolve({ 'inside.test': ['127.0.0.1'], 'mixed.test': ['127.0.0.1', '10.0.0.1'] }),
    })
    expect((await egress.request({ url: `http://inside.test:${port}/`, method: 'GET' })).status).toBe(200)
    const { message } = await failure(() => egress.request({ url: `http://mixed.test:${port}/`, method: 'GET' }))
    expect(message).toContain('WAYPOST_EGRESS_ALLOW')
    expect(server.heard).toHaveLength(1)
  })

  test('allows no private address by itself', async () => {
    await using egress = publicEgress({
      allow: readAllowList(['inside.test', '10.0.0.0/8']),
      resolve: resolve({ 'inside.test': ['10.0.0.1'] }),
    })
    for (const host of ['inside.test', '10.0.0.1']) {
      const { reason, message } = await failure(() => egress.request({ url: `https://${host}/`, method: 'GET' }))
      expect(reason).toBe('refused_address')
      expect(message).toContain('WAYPOST_EGRESS=private')
    }
  })
})
