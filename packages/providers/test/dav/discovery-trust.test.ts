/**
 * Discovery of calendars and contacts: records and servers may name any host, and the password is only sent to the
 * account's own.
 */

import type { EgressRequest, EgressResponse } from '@waypost/platform/egress/egress'
import { beforeEach, describe, expect, test } from 'vitest'
import { findDav } from '../../src/dav/session.ts'
import { findDavSettings } from '../../src/imap/dav-settings.ts'
import type { Io } from '../../src/io.ts'
import { domainOf, judgeHeardHost } from '../../src/shared/domain-hosts.ts'

let requested: string[]
let answer: (url: URL) => Partial<EgressResponse>
const io = {
  signal: new AbortController().signal,
  request: async (request: EgressRequest) => {
    const url = new URL(request.url)
    requested.push(url.href)
    return { status: 404, headers: {}, body: Buffer.alloc(0), truncated: false, ...answer(url) }
  },
} as unknown as Io

const dav = (path: string, props: string): Partial<EgressResponse> => ({
  status: 207,
  headers: { 'content-type': 'application/xml' },
  body: Buffer.from(
    `<D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:response><D:href>${path}</D:href>` +
      `<D:propstat><D:prop>${props}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>`,
  ),
})
const href = (name: string, to: string): string => `<${name}><D:href>${to}</D:href></${name}>`
const principal = (to: string): string => href('D:current-user-principal', to)
const homeSet = (to: string): string => href('C:calendar-home-set', to)

/** A server whose every address returns the same principal and home. */
const serving = (host: string) => (url: URL) =>
  url.hostname === host ? dav(url.pathname, principal('/me/') + homeSet('/cal/')) : {}

const namesWith = (srv: { host: string; port: number } | undefined, path?: string) => ({
  findService: async () => srv,
  findServicePath: async () => path,
})
const settingsFor = (address: string, srv: { host: string; port: number } | undefined, path?: string) =>
  findDavSettings(
    {
      settings: { imap_username: address, caldav_url: 'auto' },
      credentials: { imap_password: 'secret' },
      imapHost: 'imap.hoster.test',
      names: namesWith(srv, path),
    },
    io,
  )
const hostsRequested = (): string[] => [...new Set(requested.map((url) => new URL(url).host))]

beforeEach(() => {
  requested = []
  answer = () => ({})
})

describe('caldav_url "auto"', () => {
  test("uses a host of the address's domain from a record, with its port and path", async () => {
    answer = serving('dav.bücher.test'.replace('bücher', 'xn--bcher-kva'))
    const found = await settingsFor('ada@Bücher.TEST', { host: 'DAV.xn--bcher-kva.test.', port: 8443 }, '/dav/')
    expect(found).toEqual({ caldav_url: 'https://dav.xn--bcher-kva.test:8443/dav/' })
  })

  test.each([
    ['another domain', 'evil.org'],
    ['a name that ends alike', 'evilexample.co.uk'],
    ['a name beside the domain', 'evil.co.uk'],
    ['the public suffix above the domain', 'co.uk'],
    ['a name that only begins alike', 'example.co.uk.evil.org'],
    ['another domain in capitals and with a dot', 'EVIL.Org.'],
    ['an international name', 'böse.test'],
  ])('sends nothing to %s from a record, and names it with the remedy', async (_, host) => {
    const found = await settingsFor('ada@example.co.uk', { host, port: 443 }, '/dav/')
    expect(hostsRequested()).toEqual(['example.co.uk'])
    const shown = new URL(`https://${host}`).hostname.replace(/\.$/, '')
    expect(found.caldav_problem).toContain(`name ${shown}, which is not within that domain; nothing was sent there`)
    expect(found.caldav_problem).toContain('name the server in caldav_url')
  })

  test.each([
    ['an IP address', { host: '203.0.113.7', port: 443 }],
    ['an IPv6 address', { host: '::1', port: 443 }],
    ['a host that hides another', { host: 'evil.org/.example.com', port: 443 }],
    ['a user before a host', { host: 'dav.example.com@evil.org', port: 443 }],
    ['a quoted slash', { host: 'evil.org%2f.example.com', port: 443 }],
    ['the dot that stands for no service', { host: '.', port: 443 }],
    ['port 0', { host: 'dav.example.com', port: 0 }],
    ['a port that does not exist', { host: 'dav.example.com', port: 70_000 }],
  ])('ignores %s in a record', async (_, srv) => {
    answer = serving('example.com')
    expect(await settingsFor('ada@example.com', srv)).toEqual({
      caldav_url: 'https://example.com/.well-known/caldav',
    })
    expect(hostsRequested()).toEqual(['example.com'])
  })

  test.each(['//evil.org/', '/\\evil.org/', '\\evil.org', '@evil.org/', '.evil.org/'])(
    'a path of "%s" in a record does not lead to another host',
    async (path) => {
      await settingsFor('ada@example.com', { host: 'dav.example.com', port: 443 }, path)
      expect(hostsRequested().toSorted()).toEqual(['dav.example.com', 'example.com'])
    },
  )

  test.each(['ada@com', 'ada@[127.0.0.1]', 'ada@127.0.0.1', 'ada@evil.org/x'])(
    'sends no request for the address %s, which has no valid domain',
    async (address) => {
      const { caldav_problem: problem } = await settingsFor(address, { host: 'evil.com', port: 443 })
      expect(problem).toContain('no domain in which a server can be looked for; name the server in caldav_url')
      expect(requested).toEqual([])
    },
  )

  test('still finds the calendars at the domain itself if a record names a foreign host', async () => {
    answer = serving('example.com')
    const found = await settingsFor('ada@example.com', { host: 'evil.org', port: 443 })
    expect(found).toEqual({ caldav_url: 'https://example.com/.well-known/caldav' })
    expect(hostsRequested()).toEqual(['example.com'])
  })
})

describe('a server', () => {
  const find = (options: { url?: string; davHosts?: string[] } = {}) =>
    findDav(io, 'caldav', {
      auth: { user: 'ada@example.com', password: 'secret' },
      domain: 'example.com',
      names: namesWith(undefined),
      ...options,
    })

  test.each([
    ['by a redirect', () => ({ status: 302, headers: { location: 'https://evil.org/dav/' } })],
    ['as principal', () => dav('/', principal('https://evil.org/me/'))],
    ['as home', (url: URL) => dav(url.pathname, principal('/me/') + homeSet('https://evil.org/cal/'))],
    [
      'as scheduling inbox',
      (url: URL) =>
        dav(url.pathname, principal('/me/') + homeSet('/cal/') + href('C:schedule-inbox-URL', 'https://evil.org/in/')),
    ],
  ])('that names another host %s does not get the password sent there', async (_, hostile) => {
    answer = hostile
    const failure = await find().then(
      () => undefined,
      (error: Error) => error.message,
    )
    expect(hostsRequested()).toEqual(['example.com'])
    if (failure !== undefined) expect(failure).toContain('evil.org')
  })

  test('may redirect the account to another host of its own domain, as iCloud does', async () => {
    answer = (url) => {
      if (url.hostname === 'caldav.icloud.com') return dav('/', principal('https://p42-caldav.icloud.com/1/principal/'))
      return url.hostname === 'p42-caldav.icloud.com' ? dav(url.pathname, homeSet('/1/calendars/')) : {}
    }
    const { home } = await find({ url: 'https://caldav.icloud.com/', davHosts: ['icloud.com'] })
    expect(home.url).toBe('https://p42-caldav.icloud.com/1/calendars/')
  })

  test('is used wherever it is, if the caller gave it', async () => {
    answer = serving('dav.hoster.test')
    const found = await find({ url: 'https://dav.hoster.test/dav/' })
    expect(found.home.url).toBe('https://dav.hoster.test/cal/')
  })
})

test.each([
  ['ada@Example.COM.', 'example.com'],
  ['ada@bücher.example', 'xn--bcher-kva.example'],
  ['"a@b"@example.com', 'example.com'],
  ['ada@localhost', undefined],
  ['ada@[::1]', undefined],
  ['@example.com', undefined],
])('the domain of %s is %s', (address, domain) => {
  expect(domainOf(address)).toBe(domain)
})

test('a host is trusted by the same rule for every kind of discovery', () => {
  expect(judgeHeardHost({ host: 'mail.example.com', port: 443 }, ['example.com'])).toEqual({
    origin: 'https://mail.example.com',
  })
  expect(judgeHeardHost({ host: 'mail.example.org', port: 443 }, ['example.com'])).toEqual({
    refused: 'foreign',
    host: 'mail.example.org',
  })
})
