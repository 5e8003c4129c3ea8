/** Servers that respond wrongly, disconnect, never end, or redirect elsewhere. */

import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { ApiError } from '@waypost/platform/api-error'
import { type Heard, type Listener, openListener } from '@waypost/testing/listener'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DavClient, openClient } from '../../src/dav/client.ts'
import { discover } from '../../src/dav/discovery.ts'
import { openTransport } from '../../src/dav/transport.ts'
import type { Auth } from '../../src/mail/server-account.ts'
import { ownAddressCheck } from '../../src/shared/domain-hosts.ts'
import { type DavAccount, davAccount } from './dav-account.ts'

type Reply = (response: ServerResponse, heard: Heard) => void

let server: Listener
let foreign: Listener
let account: DavAccount
let client: DavClient
let calendar: string
const auth = { user: 'alice', password: 'secret' }
const clientOf = (options: { auth?: Auth; davHosts?: string[] } = {}): DavClient =>
  openClient(
    openTransport({
      io: account.io,
      auth: options.auth ?? auth,
      hosts: { urls: [server.url], davHosts: options.davHosts },
    }),
    'calendar',
  )

beforeAll(async () => {
  server = await openListener()
  foreign = await openListener()
  account = davAccount()
})
afterAll(async () => {
  await account[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await foreign[Symbol.asyncDispose]()
})
beforeEach(() => {
  server.heard.length = 0
  foreign.heard.length = 0
  client = clientOf()
  calendar = `${server.url}/cal/`
})

/** Replies in order; the last one repeats. */
const reply = (...replies: Reply[]): void => {
  let next = 0
  server.answer = (response, heard) => replies[Math.min(next++, replies.length - 1)]?.(response, heard)
}
const status =
  (code: number, body = '', headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(code, headers).end(body)
const multistatus = (inner: string, type = 'application/xml'): Reply =>
  status(207, `<D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${inner}</D:multistatus>`, {
    'content-type': type,
  })
const found = (href: string, props: string): string =>
  `<D:response><D:href>${href}</D:href><D:propstat><D:prop>${props}</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>`
const reported = (href: string, code: number): string =>
  `<D:response><D:href>${href}</D:href><D:status>HTTP/1.1 ${code} X</D:status></D:response>`
const etag = (value: string): string => `<D:getetag>${value}</D:getetag>`
const data = (text: string): string => `<C:calendar-data>${text}</C:calendar-data>`
const token = (text: string): string => `<D:sync-token>${text}</D:sync-token>`

const failureOf = async (work: Promise<unknown>): Promise<ApiError> => {
  const thrown = await work.then(
    () => new Error('it did not fail'),
    (cause: unknown) => cause,
  )
  if (thrown instanceof ApiError) return thrown
  throw thrown
}

describe('a sync token that a server no longer accepts', () => {
  test.each([400, 403, 409, 410, 415, 500, 501])('can be answered with %i', async (code) => {
    reply(status(code))
    expect(await client.sync(calendar, 'old')).toBe('expired')
    expect(server.heard).toHaveLength(1)
  })

  test('can be answered with a list and no token', async () => {
    reply(multistatus(found('/cal/a.ics', etag('"1"'))))
    expect(await client.sync(calendar, 'old')).toBe('expired')
  })

  test('is distinguished from a failing server, a missing collection and a refused login', async () => {
    reply(status(404))
    expect((await failureOf(client.sync(calendar, 'old'))).code).toBe('not_found')
    reply(status(401))
    expect((await failureOf(client.sync(calendar, 'old'))).code).toBe('grant_invalid')
    reply(status(503, '', { 'retry-after': '77' }))
    expect(await failureOf(client.sync(calendar, 'old'))).toMatchObject({
      code: 'provider_unavailable',
      details: { retryAfter: 77 },
    })
  })
})

describe('changes of a collection', () => {
  test('are paged: 507 means more, unless the token does not change', async () => {
    reply(multistatus(found('/cal/a.ics', etag('"1"')) + reported('/cal/', 507) + token('t2')))
    expect(await client.sync(calendar, 't1')).toEqual({
      changed: [{ href: `${calendar}a.ics`, etag: '"1"' }],
      removed: [],
      token: 't2',
      more: true,
    })
    expect(await client.sync(calendar, 't2')).toMatchObject({ more: false })
  })

  test('include only direct members, once, in any notation of their address', async () => {
    const names = ['a%2Eics', '/cal/a.ics', '/cal//a.ics', `${server.url}/cal/a.ics`, 'https://evil.test/cal/b.ics']
    const others = [
      found('/cal/', etag('"c"')),
      found('/other/c.ics', etag('"3"')),
      reported('/cal/gone%20one.ics', 404),
    ]
    const nested = found('/cal/inner/', '<D:resourcetype><D:collection/></D:resourcetype>')
    reply(multistatus(names.map((name) => found(name, etag('"1"'))).join('') + others.join('') + nested + token('t')))
    expect(await client.sync(calendar)).toEqual({
      changed: [{ href: `${calendar}a.ics`, etag: '"1"' }],
      removed: [`${calendar}gone%20one.ics`],
      token: 't',
      more: false,
    })
  })
})

describe('a response', () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]><D:multistatus xmlns:D="DAV:"><D:response>&b;</D:response></D:multistatus>`
  test.each<[string, Reply]>([
    ['with entities of its own', status(207, bomb)],
    ['that names a file of ours', status(207, '<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>')],
    [
      'that is a page',
      status(200, '<!DOCTYPE html><html><body>Welcome!<br></body></html>', { 'content-type': 'text/html' }),
    ],
    ['that is a page of XHTML', status(200, '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>')],
    ['that broke off', status(207, '<D:multistatus xmlns:D="DAV:"><D:response>')],
    ['that is empty', status(207)],
    ['that is zipped, and large', status(207, '', { 'content-encoding': 'gzip' })],
  ])('%s is an error, and is not requested again', async (name, answer) => {
    const zipped = gzipSync(Buffer.alloc(40 * 1024 * 1024))
    const large: Reply = (response) => response.writeHead(207, { 'content-encoding': 'gzip' }).end(zipped)
    reply(name.includes('zipped') ? large : answer)
    const { code, message } = await failureOf(client.propfind(calendar, { depth: 1, props: ['D:getetag'] }))
    expect(code).toBe('provider_unavailable')
    expect(message).not.toContain('xxx')
    expect(server.heard).toHaveLength(1)
  })

  test('that never ends is aborted', async () => {
    let sent = 0
    reply((response) => {
      response.writeHead(207, { 'content-type': 'application/xml' })
      const piece = Buffer.alloc(1024 * 1024, ' ')
      const more = (): void => {
        while (!response.destroyed && response.write(piece)) sent++
        sent++
      }
      response.on('drain', more)
      more()
    })
    expect((await failureOf(client.report(calendar, '<x/>'))).code).toBe('provider_unavailable')
    expect(sent).toBeLessThan(60)
    expect(server.heard).toHaveLength(1)
  })

  test.each(['text/plain', 'text/html', 'application/octet-stream', 'text/xml; charset=iso-8859-1'])(
    'with the type %s is read by its content',
    async (type) => {
      reply(multistatus(found('/cal/a.ics', etag('"1"')), type))
      expect([...(await client.etags(calendar))]).toEqual([[`${calendar}a.ics`, '"1"']])
    },
  )

  test('to a request for objects may contain others, and omit some', async () => {
    const requested = ['b', 'gone', 'a', 'empty'].map((name) => `${calendar}${name}.ics`)
    const object = (name: string, text: string): string => found(`/cal/${name}.ics`, etag(`"${name}"`) + data(text))
    reply(
      multistatus(
        object('a', 'A') +
          object('unasked', 'U') +
          reported('/cal/gone.ics', 404) +
          object('b', 'B') +
          object('empty', '') +
          found('/cal/', etag('"c"')),
      ),
    )
    expect(await client.multiget(calendar, requested)).toEqual([
      { href: requested[0], etag: '"b"', data: 'B' },
      { href: requested[2], etag: '"a"', data: 'A' },
    ])
  })

  test('that does not contain a whole time range is requested in halves', async () => {
    const object = (name: string): string => found(`/cal/${name}.ics`, etag('"1"') + data(name))
    reply(
      multistatus(object('a') + reported('/cal/', 507)),
      multistatus(object('a') + object('both')),
      multistatus(object('both') + object('b')),
    )
    const objects = await client.query(calendar, { range: { from: 0, to: 86_400 } })
    expect(objects.map((each) => each.data)).toEqual(['a', 'both', 'b'])
    const ranges = server.heard.map(({ body }) => /start="(\w+)" end="(\w+)"/.exec(body)?.slice(1))
    expect(ranges).toEqual([
      ['19700101T000000Z', '19700102T000000Z'],
      ['19700101T000000Z', '19700101T120000Z'],
      ['19700101T120000Z', '19700102T000000Z'],
    ])
  })
})

describe('a write', () => {
  const ics = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'
  const url = (): string => `${calendar}a.ics`

  test('with a weak ETag, which protects nothing, is made only if the object is still the same', async () => {
    reply(multistatus(found('/cal/a.ics', etag('W/"1"'))), status(204))
    await client.put(url(), ics, { ifMatch: 'W/"1"' })
    expect(server.heard.map(({ method }) => method)).toEqual(['PROPFIND', 'PUT'])
    expect(server.heard[1]?.headers['if-match']).toBeUndefined()
    reply(multistatus(found('/cal/a.ics', etag('W/"2"'))), status(204))
    server.heard.length = 0
    expect((await failureOf(client.put(url(), ics, { ifMatch: 'W/"1"' }))).code).toBe('conflict')
    expect(server.heard.map(({ method }) => method)).toEqual(['PROPFIND'])
  })

  test('that failed inside a response has failed', async () => {
    reply(multistatus(reported('/cal/a.ics', 412)))
    expect((await failureOf(client.put(url(), ics, { ifNoneMatch: '*' }))).code).toBe('conflict')
    const failed = (code: number): string =>
      `<D:propstat><D:prop><D:displayname/></D:prop><D:status>HTTP/1.1 ${code} X</D:status></D:propstat>`
    reply(multistatus(`<D:response><D:href>/cal/</D:href>${failed(424)}${failed(403)}</D:response>`))
    const refused = await failureOf(client.proppatch(calendar, { 'D:displayname': 'x' }))
    expect(refused).toMatchObject({ code: 'provider_refused', details: { providerError: { status: 403 } } })
    reply(multistatus(`<D:response><D:href>/cal/</D:href>${failed(200)}</D:response>`))
    await client.proppatch(calendar, { 'D:displayname': 'x', 'ICAL:calendar-color': undefined })
  })

  test('is not repeated if its outcome is unknown', async () => {
    reply((response) => response.destroy())
    expect((await failureOf(client.put(url(), ics, { ifNoneMatch: '*' }))).code).toBe('provider_unavailable')
    expect(server.heard).toHaveLength(1)
  })

  test.each([
    [403, 'provider_refused'],
    [404, 'not_found'],
    [409, 'conflict'],
    [412, 'conflict'],
    [423, 'provider_refused'],
    [507, 'provider_refused'],
    [502, 'provider_unavailable'],
  ])('that is refused with %i is %s', async (code, word) => {
    const precondition =
      '<D:error xmlns:D="DAV:"><C:no-uid-conflict xmlns:C="urn:ietf:params:xml:ns:caldav"/></D:error>'
    reply(status(code, precondition, { 'content-type': 'application/xml' }))
    const failed = await failureOf(client.delete(url(), { ifMatch: '"1"' }))
    expect(failed.code).toBe(word)
    expect(failed.details.providerError).toMatchObject({ status: code, reason: 'C:no-uid-conflict' })
  })

  test("returns the object's address, if the server moved it on its own host", async () => {
    reply(status(201, '', { location: '/cal/other.ics', etag: '"2"' }))
    expect(await client.put(url(), ics, { ifNoneMatch: '*' })).toEqual({ href: `${calendar}other.ics`, etag: '"2"' })
    reply(status(201, '', { location: 'https://evil.test/cal/other.ics' }))
    expect(await client.put(url(), ics, { ifNoneMatch: '*' })).toEqual({ href: url() })
  })
})

describe('a redirect', () => {
  const to =
    (location: string, code = 301): Reply =>
    (response) =>
      response.writeHead(code, { location }).end()

  test('is followed with the same method, body and credentials', async () => {
    reply(to('/dav/', 302), to('/dav/cal/', 308), multistatus(found('/dav/cal/', etag('"1"'))))
    const { responses } = await client.propfind(calendar, { depth: 0, props: ['D:getetag'] })
    expect(responses.map(({ href }) => href)).toEqual([`${server.url}/dav/cal/`])
    expect(
      new Set(server.heard.map(({ method, body, headers }) => `${method} ${headers.authorization} ${body}`)).size,
    ).toBe(1)
  })

  test.each([
    ['to itself', () => to(calendar), 2],
    [
      'in a circle',
      () =>
        (response: ServerResponse, { target }: Heard) =>
          to(target === '/x/' ? '/y/' : '/x/')(response, {} as Heard),
      6,
    ],
    [
      'without end',
      () =>
        (response: ServerResponse, { target }: Heard) =>
          to(`${target}a/`)(response, {} as Heard),
      6,
    ],
  ])('%s is not followed', async (_, answer, max) => {
    reply(answer())
    const { code } = await failureOf(client.put(`${calendar}a.ics`, 'BEGIN:VCALENDAR', { ifNoneMatch: '*' }))
    expect(code).toBe('provider_refused')
    expect(server.heard.length).toBeLessThanOrEqual(max)
  })

  test('to a foreign host gets nothing: no credentials, and not even a request', async () => {
    const elsewhere = foreign.url.replace('127.0.0.1', 'localhost')
    reply(to(`${elsewhere}/cal/`))
    const { code, message } = await failureOf(client.propfind(calendar, { depth: 0, props: ['D:getetag'] }))
    expect(code).toBe('provider_refused')
    expect(message).toContain('localhost')
    expect(foreign.heard).toEqual([])
    foreign.answer = multistatus(found('/cal/', etag('"1"')))
    const friendly = clientOf({ davHosts: ['localhost'] })
    await friendly.propfind(calendar, { depth: 0, props: ['D:getetag'] })
    expect(foreign.heard).toHaveLength(1)
  })

  test.each([
    ['https://dav.example.com/x', true],
    ['https://p1.dav.example.com/x', true],
    ['https://calendar.work.test/x', true],
    ['https://p42-caldav.icloud.com/x', true],
    ['https://icloud.com.evil.test/x', false],
    ['https://evilicloud.com/x', false],
    ['https://example.com/x', false],
    ['https://other.example.com/x', false],
    ['http://dav.example.com/x', false],
    ['http://127.0.0.1/x', false],
    ['https://127.0.0.1/x', false],
    ['https://CALENDAR.Work.Test./x', true],
    ['https://work.test.evil.org/x', false],
    ['https://evil.org/work.test', false],
    ['https://evil.org#.work.test', false],
  ])('credentials are sent to %s: %s', (url, allowed) => {
    const hosts = { urls: ['https://dav.example.com/start'], domain: 'work.test', davHosts: ['icloud.com'] }
    expect(ownAddressCheck(hosts)(url)).toBe(allowed)
  })
})

describe('an access token', () => {
  test('that is refused is replaced once by the next', async () => {
    const refused: (string | undefined)[] = []
    const tokens: Auth = {
      user: 'alice',
      async accessToken(_, old) {
        refused.push(old)
        return `token-${refused.length}`
      },
    }
    reply(status(401), multistatus(found('/cal/', etag('"1"'))))
    await clientOf({ auth: tokens }).propfind(calendar, { depth: 0, props: ['D:getetag'] })
    expect(refused).toEqual([undefined, 'token-1'])
    expect(server.heard.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
  })
})

describe('discovery', () => {
  const requested = async (options: {
    url?: string
    domain?: string
    srv?: { host: string; port: number }
    path?: string
  }) => {
    const urls: string[] = []
    const nothing = {
      propsOf: async (url: string) => {
        urls.push(url)
        throw new ApiError('not_found')
      },
    } as unknown as DavClient
    const work = discover({
      service: 'carddav',
      url: options.url,
      domain: options.domain,
      clientFor: () => nothing,
      signal: new AbortController().signal,
      names: { findService: async () => options.srv, findServicePath: async () => options.path },
    })
    expect((await failureOf(work)).code).toBe('not_found')
    return urls
  }

  test('checks the given address, the well-known one, and the root', async () => {
    expect(
      await requested({ url: 'https://dav.test/a/b/', domain: 'work.test', srv: { host: 'x.test', port: 1 } }),
    ).toEqual(['https://dav.test/a/b/', 'https://dav.test/.well-known/carddav', 'https://dav.test/'])
  })

  test("without an address checks the domain's records, then the domain", async () => {
    expect(await requested({ domain: 'work.test', srv: { host: 'dav.work.test', port: 8443 }, path: '/dav/' })).toEqual(
      [
        'https://dav.work.test:8443/dav/',
        'https://dav.work.test:8443/.well-known/carddav',
        'https://dav.work.test:8443/',
        'https://work.test/.well-known/carddav',
        'https://work.test/',
      ],
    )
    expect(await requested({ domain: 'work.test' })).toEqual([
      'https://work.test/.well-known/carddav',
      'https://work.test/',
    ])
  })

  test('stops when the login is refused, so that nobody is locked out', async () => {
    reply(status(401))
    const work = discover({ service: 'caldav', url: calendar, clientFor: () => client, signal: account.io.signal })
    expect((await failureOf(work)).code).toBe('grant_invalid')
    expect(server.heard).toHaveLength(1)
  })

  test('accepts a collection of a server without principals', async () => {
    const type = (inner: string): string => `<D:resourcetype><D:collection/>${inner}</D:resourcetype>`
    reply(multistatus(found('/odd/', type('<C:calendar/>'))))
    const options = { service: 'caldav', clientFor: () => client, signal: account.io.signal } as const
    expect((await discover({ ...options, url: `${server.url}/home/work/` })).home).toMatchObject({
      url: `${server.url}/home/`,
    })
    reply(
      multistatus(found('/home/', type(''))),
      multistatus(found('/home/', type('')) + found('/home/work/', type('<C:calendar/>'))),
    )
    expect((await discover({ ...options, url: `${server.url}/home/` })).home).toMatchObject({
      url: `${server.url}/home/`,
    })
  })
})
