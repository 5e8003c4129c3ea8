import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import tls from 'node:tls'
import zlib from 'node:zlib'
import { certificate, certificateKey } from '@waypost/testing/peers/hostile-receivers'
import { describe, expect, test, vi } from 'vitest'
import { createEgress, type EgressOptions, type EgressReason, type EgressRequest } from '../../src/egress/egress.ts'
import { failure, privateEgress, publicEgress, reasonOf } from './making-egress.ts'

const PUBLIC_IP = '93.184.216.34'
const BRIEF_MS = 300

interface Peer extends AsyncDisposable {
  readonly port: number
  /** Connections so far. */
  hits: number
  /** Connections open now. */
  open(): number
}

async function listen(server: net.Server): Promise<Peer> {
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket) => {
    peer.hits += 1
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
  })
  server.on('tlsClientError', () => {})
  server.listen(0)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  const peer: Peer = {
    port: address.port,
    hits: 0,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return peer
}

/** A peer that misbehaves after the first bytes of a request. */
const rawPeer = (misbehave: (socket: net.Socket) => void) =>
  listen(net.createServer((socket) => socket.once('data', () => misbehave(socket))))

const httpPeer = (handle: http.RequestListener) => listen(http.createServer(handle))

/** The arguments of `net.connect` that matter for the guard. */
const isConnectOptions = (value: unknown): value is net.TcpNetConnectOpts => typeof value === 'object' && value !== null

function repeat(socket: net.Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 2)
  socket.on('close', () => clearInterval(timer))
}

const answering =
  (...addresses: string[]): EgressOptions['resolve'] =>
  async () =>
    addresses.map((address) => ({ address, family: net.isIP(address) === 6 ? 6 : 4 }))

const LOOPBACK_FORMS = [
  'http://127.1:PORT/',
  'http://0x7f.1:PORT/',
  'http://2130706433:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://017700000001:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://127。0。0。1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http:127.0.0.1:PORT',
  'http:///127.0.0.1:PORT',
  'http:\\\\127.0.0.1:PORT',
  'http://0:PORT/',
  'http://0.0.0.0:PORT/',
  'http://[::]:PORT/',
  'http://[::1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[64:ff9b::7f00:1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[2001:0:7f00:1::]:PORT/',
  'http://[::7f00:1]:PORT/',
  'http://localhost:PORT/',
  'http://LOCALHOST.:PORT/',
  'http://app.localhost:PORT/',
  'http://evil.com\\@127.0.0.1:PORT/',
]

const OTHER_FORMS: readonly (readonly [string, EgressReason])[] = [
  ['http://0xA9FEA9FE/', 'refused_address'],
  ['http://169.254.43518/', 'refused_address'],
  ['http://[::ffff:a9fe:a9fe]/', 'refused_address'],
  ['http://[fd00:ec2::254]/', 'refused_address'],
  ['http://100.100.100.200/', 'refused_address'],
  ['http://168.63.129.16/', 'refused_address'],
  ['http://[fd20:ce::254]/', 'refused_address'],
  ['http://[4000::1]/', 'refused_address'],
  ['http://[fe80::1]/', 'refused_address'],
  ['http://[fec0::1]/', 'refused_address'],
  ['http://[ff02::1]/', 'refused_address'],
  ['http://printer.local/', 'refused_address'],
  ['http://metadata.google.internal./', 'refused_address'],
  ['http://[fe80::1%25eth0]/', 'refused_url'],
  ['http://a:b@example.com/', 'refused_url'],
  ['http://@example.com/', 'refused_url'],
  ['http://127.0.0.1%2f@evil.com', 'refused_url'],
  ['https://exa\tmple.com/', 'refused_url'],
  ['https://example.com/\r\nx', 'refused_url'],
  [' https://example.com/', 'refused_url'],
  ['file:///etc/passwd', 'refused_url'],
  ['gopher://example.com/', 'refused_url'],
  ['javascript:alert(1)', 'refused_url'],
  ['ftp://example.com/', 'refused_url'],
  ['//example.com/', 'refused_url'],
  ['http://./', 'refused_url'],
  ['http://example.com../', 'refused_url'],
  ['http://', 'refused_url'],
  ['', 'refused_url'],
]

describe('in mode public, a URL', () => {
  test.each(LOOPBACK_FORMS)('that leads to loopback is refused and nothing is sent: %s', async (form) => {
    await using canary = await httpPeer((_, answer) => answer.end())
    await using egress = publicEgress({ httpPorts: [canary.port] })
    const url = form.replace('PORT', String(canary.port))
    expect(['refused_url', 'refused_address']).toContain(await reasonOf(() => egress.checkUrl(url)))
    expect(['refused_url', 'refused_address']).toContain(await reasonOf(() => egress.request({ url, method: 'GET' })))
    expect(canary.hits).toBe(0)
  })

  test.each(OTHER_FORMS)('is refused: %j with %s', async (url, reason) => {
    await using egress = publicEgress()
    expect(await reasonOf(() => egress.checkUrl(url))).toBe(reason)
    expect(await reasonOf(() => egress.request({ url, method: 'GET' }))).toBe(reason)
  })

  test.each([22, 25, 3306, 5432, 6379, 0, 65_535])('with port %i is refused', async (port) => {
    await using egress = publicEgress()
    expect(await reasonOf(() => egress.checkUrl(`https://example.com:${port}/`))).toBe('refused_port')
  })

  test.each([443, 80, 8443, 8843, 8080])('with port %i is accepted', async (port) => {
    await using egress = publicEgress()
    expect(egress.checkUrl(`https://example.com:${port}/`).hostname).toBe('example.com')
  })

  test('over http is refused unless the operator allows it', async () => {
    await using strict = createEgress({ mode: 'public' })
    await using lax = createEgress({ mode: 'public', allowHttp: true })
    expect(await reasonOf(() => strict.checkUrl('http://example.com/'))).toBe('refused_url')
    expect(lax.checkUrl('http://example.com/').href).toBe('http://example.com/')
  })

  test('over http is requested without TLS if the request has no secret, and is guarded too', async () => {
    await using strict = createEgress({ mode: 'public', resolve: async () => [{ address: '10.0.0.1', family: 4 }] })
    const url = 'http://example.com/'
    const ask = (request: Partial<EgressRequest>) =>
      reasonOf(() => strict.request({ url, method: 'GET', unprotected: true, ...request }))
    expect(await ask({})).toBe('refused_address')
    expect(await ask({ url: 'http://example.com:25/' })).toBe('refused_port')
    const secrets: Partial<EgressRequest>[] = [
      { method: 'POST' },
      { body: 'x' },
      { headers: { Authorization: 'Basic eA==' } },
      { headers: { cookie: 'a=b' } },
    ]
    for (const secret of secrets) expect(await ask(secret)).toBe('refused_url')
    expect(await reasonOf(() => strict.request({ url, method: 'GET' }))).toBe('refused_url')
  })

  test('at the edge of a special block is accepted', async () => {
    await using egress = publicEgress()
    for (const host of [
      '100.63.255.254',
      '100.128.0.1',
      '172.15.255.255',
      '172.32.0.0',
      '11.0.0.0',
      '223.255.255.255',
    ]) {
      expect(egress.checkUrl(`https://${host}/`).hostname).toBe(host)
    }
    expect(egress.checkUrl('https://[2001:4860:4860::8888]/').hostname).toBe('[2001:4860:4860::8888]')
  })

  test('has its trailing dot and its Unicode name normalized, and is not changed in place', async () => {
    await using egress = publicEgress()
    const given = new URL('https://Bücher.example./a?b#c')
    expect(egress.checkUrl(given).href).toBe('https://xn--bcher-kva.example/a?b#c')
    expect(given.hostname).toBe('xn--bcher-kva.example.')
  })

  test('is never quoted beyond its host', async () => {
    await using egress = publicEgress({ resolve: answering('10.0.0.7') })
    const urls = ['https://user:hunter2@example.com/s3cret?t=s3cret', 'https://example.com/s3cret?t=s3cret']
    for (const url of [...urls, 'https://example.com:22/s3cret', 'http://127.0.0.1/s3cret']) {
      const { message } = await failure(() => egress.request({ url, method: 'GET', headers: { 'x-key': 'hunter2' } }))
      expect(message).toMatch(/example\.com|127\.0\.0\.1/)
      expect(message).not.toMatch(/s3cret|hunter2|user:|10\.0\.0\.7/)
    }
  })
})

describe('in mode private, a URL', () => {
  test('may lead to loopback on any port', async () => {
    await using egress = privateEgress()
    expect(egress.checkUrl('http://localhost:1/').href).toBe('http://localhost:1/')
    expect(egress.checkUrl('http://127.1:6379/').href).toBe('http://127.0.0.1:6379/')
    expect(egress.checkUrl('http://[::1]:9/').href).toBe('http://[::1]:9/')
    expect(egress.checkUrl('http://192.168.1.1/').href).toBe('http://192.168.1.1/')
  })

  test.each(['169.254.169.254', '100.100.100.200', '168.63.129.16', '[fd00:ec2::254]', '[fe80::1]', '0.0.0.0', '[::]'])(
    'may not lead to %s',
    async (host) => {
      await using egress = privateEgress()
      expect(await reasonOf(() => egress.checkUrl(`http://${host}/`))).toBe('refused_address')
    },
  )

  test('that no setting allows is refused without the advice to change the setting', async () => {
    await using open = publicEgress()
    await using inside = privateEgress()
    const said = async (egress: typeof open, host: string) =>
      (await failure(() => egress.checkUrl(`https://${host}/`))).message
    expect(await said(open, '10.0.0.7')).toContain('WAYPOST_EGRESS=private')
    expect(await said(open, '169.254.169.254')).not.toContain('WAYPOST_EGRESS')
    expect(await said(inside, '169.254.169.254')).not.toContain('WAYPOST_EGRESS')
  })

  test('may not have userinfo or another scheme', async () => {
    await using egress = privateEgress()
    expect(await reasonOf(() => egress.checkUrl('http://a:b@localhost/'))).toBe('refused_url')
    expect(await reasonOf(() => egress.checkUrl('file:///etc/passwd'))).toBe('refused_url')
  })
})

describe('a name', () => {
  test.each([
    ['has a good and a loopback A record', [PUBLIC_IP, '127.0.0.1']],
    ['has a good A and a loopback AAAA record', [PUBLIC_IP, '::1']],
    ['is an alias of localhost', ['127.0.0.1']],
    ['has an IPv4-mapped AAAA record', ['::ffff:127.0.0.1']],
    ['has a link-local record with a zone', ['fe80::1%lo']],
    ['has a record that is no address', ['127.1']],
    ['is this machine', ['93.184.216.99']],
  ])('that %s is refused and nothing is sent', async (_what, addresses) => {
    await using canary = await httpPeer((_, answer) => answer.end())
    const ports = [canary.port]
    await using egress = publicEgress({
      resolve: answering(...addresses),
      httpPorts: ports,
      mailPorts: ports,
      ownAddresses: () => ['93.184.216.99'],
    })
    const host = 'rebind.example.com'
    const url = `http://${host}:${canary.port}/`
    expect(await reasonOf(() => egress.resolvePublic(host))).toBe('refused_address')
    expect(await reasonOf(() => egress.request({ url, method: 'GET' }))).toBe('refused_address')
    expect(await reasonOf(() => egress.connect({ host, port: canary.port }))).toBe('refused_address')
    expect(canary.hits).toBe(0)
  })

  test('that changes to loopback between two calls is refused the second time', async () => {
    const answers = [PUBLIC_IP, '127.0.0.1']
    await using egress = publicEgress({ resolve: async () => [{ address: answers.shift() ?? '', family: 4 }] })
    expect(await egress.resolvePublic('rebind.example.com')).toEqual([{ address: PUBLIC_IP, family: 4 }])
    expect(await reasonOf(() => egress.resolvePublic('rebind.example.com'))).toBe('refused_address')
  })

  test('is resolved once, and the socket gets the checked address list', async () => {
    const resolve = vi.fn(answering(PUBLIC_IP, '2606:4700::1111'))
    await using egress = publicEgress({ resolve })
    const seen = Promise.withResolvers<unknown>()
    using _connect = vi.spyOn(net, 'connect').mockImplementation((options: unknown) => {
      if (isConnectOptions(options)) options.lookup?.('', { all: true }, (_error, addresses) => seen.resolve(addresses))
      const socket = new net.Socket()
      setImmediate(() => socket.destroy(new Error('no network here')))
      return socket
    })
    const url = 'http://rebind.example.com/'
    expect(await reasonOf(() => egress.request({ url, method: 'GET' }))).toBe('connect_failed')
    expect(await seen.promise).toEqual([
      { address: PUBLIC_IP, family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
    expect(resolve).toHaveBeenCalledTimes(1)
  })

  test('whose socket is connected to a refused peer is disconnected before a byte is sent', async () => {
    let received = 0
    const server = net.createServer((socket) => {
      socket.on('data', (bytes) => {
        received += bytes.length
      })
    })
    await using canary = await listen(server)
    await using egress = publicEgress({ resolve: answering(PUBLIC_IP) })
    const { connect } = net
    using _connect = vi
      .spyOn(net, 'connect')
      .mockImplementation(() => connect({ host: '127.0.0.1', port: canary.port }))
    for (const url of ['http://example.com/', 'https://example.com/']) {
      expect(await reasonOf(() => egress.request({ url, method: 'GET' }))).toBe('refused_address')
    }
    expect(await reasonOf(() => egress.connect({ host: 'example.com', port: 25 }))).toBe('refused_address')
    expect(received).toBe(0)
  })

  test('without an address is refused like an internal one; if those are allowed, it is a DNS failure', async () => {
    const missing = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
    }
    await using nowhere = publicEgress({ resolve: missing })
    await using empty = publicEgress({ resolve: answering() })
    for (const egress of [nowhere, empty]) {
      const error = await failure(() => egress.request({ url: 'https://gone.example.com/x', method: 'GET' }))
      expect(error.reason).toBe('refused_address')
      expect(error.message).toContain('gone.example.com')
      expect(await reasonOf(() => egress.resolvePublic('gone.example.com'))).toBe('refused_address')
    }
    await using inside = privateEgress({ resolve: missing })
    expect(await reasonOf(() => inside.resolvePublic('gone.example.com'))).toBe('dns_failed')
  })

  test('with 500 addresses is refused', async () => {
    const many = Array.from({ length: 500 }, (_, index) => `93.184.${index % 250}.1`)
    await using egress = publicEgress({ resolve: answering(...many) })
    expect(await reasonOf(() => egress.resolvePublic('many.example.com'))).toBe('dns_failed')
  })

  test('whose resolver hangs ends with a timeout', async () => {
    const resolve = () => new Promise<never>(() => {})
    const url = 'https://slow.example.com/'
    await using patient = publicEgress({ resolve })
    await using hasty = publicEgress({ resolve, dnsTimeoutMs: 50 })
    expect(await reasonOf(() => patient.request({ url, method: 'GET', deadlineMs: 50 }))).toBe('timeout')
    expect(await reasonOf(() => patient.connect({ host: 'slow.example.com', port: 25, timeoutMs: 50 }))).toBe('timeout')
    const signal = AbortSignal.timeout(50)
    expect(await reasonOf(() => patient.resolvePublic('slow.example.com', { signal }))).toBe('timeout')
    expect(await reasonOf(() => hasty.resolvePublic('slow.example.com'))).toBe('timeout')
    expect(await reasonOf(() => hasty.request({ url, method: 'GET' }))).toBe('timeout')
  })

  test('that resolves after the deadline gets no request', async () => {
    let requests = 0
    await using peer = await httpPeer((_, answer) => {
      requests += 1
      answer.end()
    })
    const release = Promise.withResolvers<{ address: string; family: 4 }[]>()
    await using egress = privateEgress({ resolve: () => release.promise })
    const url = `http://late.test:${peer.port}/`
    expect(await reasonOf(() => egress.request({ url, method: 'POST', body: 'x', deadlineMs: 50 }))).toBe('timeout')
    release.resolve([{ address: '127.0.0.1', family: 4 }])
    expect((await egress.request({ url, method: 'GET' })).status).toBe(200)
    expect(requests).toBe(1)
  })

  test('is resolved by the system when nothing else is given', async () => {
    await using egress = privateEgress()
    const addresses = await egress.resolvePublic('localhost')
    expect(addresses.map(({ address }) => address)).toSatisfy((found: string[]) =>
      found.every((address) => ['127.0.0.1', '::1'].includes(address)),
    )
    expect(await egress.resolvePublic('[::1]')).toEqual([{ address: '::1', family: 6 }])
  })
})

describe('a request', () => {
  test('sends method, headers and body, and returns status, headers and body', async () => {
    await using peer = await httpPeer(async (request, answer) => {
      const body = Buffer.concat(await request.toArray())
      answer.writeHead(201, { 'x-method': String(request.method), 'set-cookie': ['a=1', 'b=2'] }).end(body)
    })
    await using egress = privateEgress({ resolve: answering('127.0.0.1') })
    const url = `http://hooks.test:${peer.port}/in?x=1`
    const answer = await egress.request({ url, method: 'POST', headers: { 'x-a': 'b' }, body: Buffer.from('hello') })
    expect(answer.status).toBe(201)
    expect(answer.headers).toMatchObject({ 'x-method': 'POST', 'set-cookie': ['a=1', 'b=2'] })
    expect(answer.body.toString()).toBe('hello')
    expect(answer.truncated).toBe(false)
  })

  test('reuses connections', async () => {
    await using peer = await httpPeer((_, answer) => answer.end('ok'))
    await using egress = privateEgress()
    for (let count = 0; count < 10; count += 1) {
      await egress.request({ url: `http://127.0.0.1:${peer.port}/`, method: 'GET' })
    }
    expect(peer.hits).toBeLessThan(5)
  })

  test.each(['REPORT', 'MKCALENDAR', 'MKCOL'])(
    'with the method %s leaves its connection for the next',
    async (name) => {
      await using peer = await httpPeer((request, answer) => void request.resume().on('end', () => answer.end('ok')))
      await using egress = privateEgress()
      // Types of HTTP methods do not include WebDAV.
      const request = { url: `http://127.0.0.1:${peer.port}/`, method: name as 'POST', body: '<x/>' }
      for (let count = 0; count < 10; count += 1) await egress.request(request)
      expect(peer.hits).toBeLessThan(5)
    },
  )

  test('to ever more hosts leaves at most 200 connections open', async () => {
    await using peer = await httpPeer((_, answer) => answer.end('ok'))
    await using egress = privateEgress({ resolve: answering('127.0.0.1') })
    for (let count = 0; count < 230; count += 1) {
      await egress.request({ url: `http://host${count}.test:${peer.port}/`, method: 'GET' })
    }
    expect(peer.hits).toBe(230)
    await expect.poll(() => peer.open()).toBeLessThanOrEqual(200)
  })

  test.each([301, 302, 303, 307, 308])('answered with %i returns the redirect and does not follow it', async (code) => {
    await using target = await httpPeer((_, answer) => answer.end())
    const locations = [`http://127.0.0.1:${target.port}/`, 'file:///etc/passwd', '/again']
    let requests = 0
    await using peer = await httpPeer((request, answer) => {
      requests += 1
      const location = locations[Number(request.url?.slice(1))]
      answer.writeHead(code, { location, refresh: `0;url=http://127.0.0.1:${target.port}/` }).end()
    })
    await using egress = privateEgress()
    for (const [index, location] of locations.entries()) {
      const url = `http://127.0.0.1:${peer.port}/${index}`
      const answer = await egress.request({ url, method: 'POST', body: 'x' })
      expect(answer.status).toBe(code)
      expect(answer.headers.location).toBe(location)
    }
    expect(requests).toBe(locations.length)
    expect(target.hits).toBe(0)
  })

  test('must not have its own host header', async () => {
    await using egress = privateEgress()
    const request = { url: 'http://127.0.0.1:9/', method: 'GET', headers: { Host: 'other.test' } } as const
    expect(await reasonOf(() => egress.request(request))).toBe('refused_url')
  })

  test('that its caller aborts ends, before and during the call', async () => {
    await using peer = await rawPeer(() => {})
    await using egress = privateEgress()
    const url = `http://127.0.0.1:${peer.port}/`
    expect(await reasonOf(() => egress.request({ url, method: 'GET', signal: AbortSignal.abort() }))).toBe('aborted')
    expect(peer.hits).toBe(0)
    const controller = new AbortController()
    const request = reasonOf(() => egress.request({ url, method: 'GET', signal: controller.signal }))
    await vi.waitFor(() => expect(peer.hits).toBe(1))
    controller.abort()
    expect(await request).toBe('aborted')
  })

  test('in progress ends when the egress is closed', async () => {
    await using peer = await rawPeer(() => {})
    const egress = privateEgress({ resolve: () => new Promise<never>(() => {}) })
    const waiting = [`http://127.0.0.1:${peer.port}/`, 'http://slow.test/'].map((url) =>
      reasonOf(() => egress.request({ url, method: 'GET' })),
    )
    await vi.waitFor(() => expect(peer.hits).toBe(1))
    await egress[Symbol.asyncDispose]()
    expect(await Promise.all(waiting)).toEqual(['aborted', 'aborted'])
  })

  test('to a closed port fails to connect', async () => {
    const peer = await httpPeer(() => {})
    await peer[Symbol.asyncDispose]()
    await using egress = privateEgress()
    const url = `http://127.0.0.1:${peer.port}/`
    expect(await reasonOf(() => egress.request({ url, method: 'GET' }))).toBe('connect_failed')
  })

  test('over https checks the name against the certificate', async () => {
    await using peer = await listen(
      tls.createServer({ key: certificateKey, cert: certificate }, (socket) => {
        socket.on('error', () => {}).once('data', () => socket.end('HTTP/1.1 204 \r\n\r\n'))
      }),
    )
    const resolve = answering('127.0.0.1')
    await using trusting = privateEgress({ resolve, ca: [certificate] })
    await using stranger = privateEgress({ resolve })
    const get = (egress: typeof trusting, host: string) =>
      egress.request({ url: `https://${host}:${peer.port}/`, method: 'GET' })
    expect((await get(trusting, 'mail.test')).status).toBe(204)
    expect((await get(trusting, '127.0.0.1')).status).toBe(204)
    expect(await reasonOf(() => get(trusting, 'other.test'))).toBe('tls_failed')
    expect(await reasonOf(() => get(stranger, 'mail.test'))).toBe('tls_failed')
  })
})

describe('a hostile peer', () => {
  const misbehaviours: readonly (readonly [string, EgressReason, (socket: net.Socket) => void])[] = [
    ['hangs before its head', 'timeout', () => {}],
    [
      'drips its body byte by byte',
      'timeout',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n')
        repeat(socket, 'x')
      },
    ],
    [
      'drips its head byte by byte',
      'timeout',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nX: ')
        repeat(socket, 'x')
      },
    ],
    ['sends 103 without end', 'timeout', (socket) => repeat(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')],
    ['sends garbage', 'protocol_error', (socket) => socket.write('-ERR unknown command s3cret\r\n')],
    ['resets the connection', 'protocol_error', (socket) => socket.resetAndDestroy()],
    ['closes without an answer', 'protocol_error', (socket) => socket.end()],
    ['closes in the middle of its head', 'protocol_error', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-')],
    [
      'closes in the middle of its body',
      'protocol_error',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'),
    ],
    [
      'sends two content lengths',
      'protocol_error',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 7\r\n\r\nokokoko'),
    ],
    [
      'sends a content length and chunks',
      'protocol_error',
      (socket) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'),
    ],
    [
      'sends one huge header',
      'too_large',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Big: ${'a'.repeat(20_000)}\r\n\r\n`),
    ],
    [
      'sends headers without end',
      'too_large',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        repeat(socket, `X-More: ${'a'.repeat(1_000)}\r\n`)
      },
    ],
  ]

  test.each(misbehaviours)('that %s ends the request with %s', async (_what, reason, misbehave) => {
    await using peer = await rawPeer(misbehave)
    await using egress = privateEgress()
    const url = `http://127.0.0.1:${peer.port}/`
    // Only what is expected to end at the deadline has a brief one.
    const deadlineMs = reason === 'timeout' ? BRIEF_MS : 60_000
    const error = await failure(() => egress.request({ url, method: 'POST', body: 'x', deadlineMs }))
    expect(error.reason).toBe(reason)
    expect(error.message).toContain('127.0.0.1')
    expect(JSON.stringify({ ...error, cause: error.cause, message: error.message })).not.toContain('s3cret')
  })

  const endless = (socket: net.Socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    repeat(socket, `4000\r\n${'x'.repeat(0x4000)}\r\n`)
  }

  test('that sends an endless body is disconnected at the limit', async () => {
    await using peer = await rawPeer(endless)
    await using egress = privateEgress()
    const answer = await egress.request({ url: `http://127.0.0.1:${peer.port}/`, method: 'GET', maxBytes: 50_000 })
    expect(answer).toMatchObject({ status: 200, truncated: true })
    expect(answer.body.length).toBe(50_000)
  })

  test('that sends an endless body fails the request if the caller needs all of it', async () => {
    await using peer = await rawPeer(endless)
    await using egress = privateEgress()
    const url = `http://127.0.0.1:${peer.port}/`
    expect(await reasonOf(() => egress.request({ url, method: 'GET', onOverflow: 'fail' }))).toBe('too_large')
  })

  test('that sends exactly the limit is not disconnected', async () => {
    await using peer = await httpPeer((_, answer) => answer.end('x'.repeat(1_000)))
    await using egress = privateEgress()
    const url = `http://127.0.0.1:${peer.port}/`
    const answer = await egress.request({ url, method: 'GET', maxBytes: 1_000, onOverflow: 'fail' })
    expect(answer.body.length).toBe(1_000)
    expect(answer.truncated).toBe(false)
  })

  test('that sends a brotli bomb has it returned compressed', async () => {
    const bomb = zlib.brotliCompressSync(Buffer.alloc(5_000_000))
    await using peer = await httpPeer((_, answer) => answer.writeHead(200, { 'content-encoding': 'br' }).end(bomb))
    await using egress = privateEgress()
    const answer = await egress.request({ url: `http://127.0.0.1:${peer.port}/`, method: 'GET' })
    expect(answer.body.equals(bomb)).toBe(true)
  })

  test('that accepts TLS connections and says nothing ends the request with a timeout', async () => {
    await using peer = await listen(net.createServer())
    await using egress = privateEgress()
    const url = `https://127.0.0.1:${peer.port}/`
    expect(await reasonOf(() => egress.request({ url, method: 'GET', deadlineMs: BRIEF_MS }))).toBe('timeout')
  })
})

describe('a connection for mail', () => {
  const HOSTS = [
    '127.0.0.1',
    '[::1]',
    '::1',
    '127.1',
    '2130706433',
    '::ffff:a9fe:a9fe',
    'fe80::1%lo',
    'localhost.',
    '0',
  ]

  test.each(HOSTS)('to %s is refused in mode public and nothing is sent', async (host) => {
    await using canary = await listen(net.createServer())
    await using egress = publicEgress({ mailPorts: [canary.port] })
    expect(await reasonOf(() => egress.connect({ host, port: canary.port }))).toBe('refused_address')
    expect(canary.hits).toBe(0)
  })

  test.each([
    'smtp.x.test\r\nEHLO',
    'a b.test',
    '',
    '.',
    'a..b',
    'user@mail.test',
    'mail.test/x',
    'mail.test:25',
    'mail%2etest',
    `${'a'.repeat(64)}.test`,
  ])('to the malformed host %j is refused', async (host) => {
    await using egress = privateEgress({ resolve: answering('127.0.0.1') })
    const error = await failure(() => egress.connect({ host, port: 25 }))
    expect(error.reason).toBe('refused_url')
    expect(error.message).not.toContain('EHLO')
  })

  test.each([22, 6379, 5432, 110, 0, -1, 1.5, 70_000])('to port %d is refused in mode public', async (port) => {
    await using egress = publicEgress({ resolve: answering(PUBLIC_IP) })
    expect(await reasonOf(() => egress.connect({ host: 'mail.example.com', port }))).toBe('refused_port')
  })

  test('in clear text returns an open socket', async () => {
    await using peer = await listen(net.createServer((socket) => socket.write('* OK\r\n')))
    await using egress = privateEgress({ resolve: answering('127.0.0.1') })
    const socket = await egress.connect({ host: 'Mail.Test.', port: peer.port })
    const [greeting] = await once(socket, 'data')
    socket.destroy()
    expect(String(greeting)).toBe('* OK\r\n')
  })

  test('over TLS sends the host name and always checks the certificate', async () => {
    const names: (string | false | null)[] = []
    const server = tls.createServer({ key: certificateKey, cert: certificate }, (socket) => {
      names.push(socket.servername)
      socket.on('error', () => {}).end('* OK\r\n')
    })
    await using peer = await listen(server)
    await using egress = privateEgress({ resolve: answering('127.0.0.1') })
    const port = peer.port
    const socket = await egress.connect({ host: 'mail.test', port, tls: { ca: certificate } })
    const [greeting] = await once(socket, 'data')
    socket.destroy()
    expect(String(greeting)).toBe('* OK\r\n')
    expect(names).toEqual(['mail.test'])

    const unchecked = { rejectUnauthorized: false, checkServerIdentity: () => undefined, servername: 'mail.test' }
    expect(await reasonOf(() => egress.connect({ host: 'mail.test', port, tls: true }))).toBe('tls_failed')
    expect(await reasonOf(() => egress.connect({ host: 'mail.test', port, tls: unchecked }))).toBe('tls_failed')
    const otherName = { ...unchecked, ca: certificate }
    expect(await reasonOf(() => egress.connect({ host: 'other.test', port, tls: otherName }))).toBe('tls_failed')
  })

  test('over TLS 1.1 is refused', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const
    await using peer = await listen(tls.createServer({ key: certificateKey, cert: certificate, ...old }))
    await using egress = privateEgress()
    const weak = { ca: certificate, minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' } as const
    expect(await reasonOf(() => egress.connect({ host: '127.0.0.1', port: peer.port, tls: weak }))).toBe('tls_failed')
  })

  test('over TLS to a peer that speaks clear text is a TLS failure that does not quote the peer', async () => {
    await using peer = await listen(net.createServer((socket) => socket.write('+PONG s3cret\r\n')))
    await using egress = privateEgress()
    const error = await failure(() => egress.connect({ host: '127.0.0.1', port: peer.port, tls: true }))
    expect(error.reason).toBe('tls_failed')
    expect(error.message).not.toContain('s3cret')
  })

  test('that its caller aborts, or that takes too long, leaves no socket behind', async () => {
    const closed = Promise.withResolvers<void>()
    await using peer = await listen(net.createServer((socket) => socket.resume().on('close', () => closed.resolve())))
    await using egress = privateEgress()
    const target = { host: '127.0.0.1', port: peer.port, tls: true }
    expect(await reasonOf(() => egress.connect({ ...target, timeoutMs: 50 }))).toBe('timeout')
    await closed.promise
    expect(await reasonOf(() => egress.connect({ ...target, signal: AbortSignal.abort() }))).toBe('aborted')
  })
})
