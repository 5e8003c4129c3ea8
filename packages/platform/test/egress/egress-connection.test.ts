import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { certificate, certificateKey } from '@waypost/testing/peers/hostile-receivers'
import { describe, expect, test, vi } from 'vitest'
import { privateEgress, publicEgress, reasonOf } from './making-egress.ts'

const BRIEF_MS = 300

interface Peer extends AsyncDisposable {
  url: string
  port: number
  /** Connections so far. */
  hits(): number
  /** Closes those that are open. */
  hangUp(): void
}

async function listen(server: net.Server, scheme = 'http'): Promise<Peer> {
  const sockets = new Set<net.Socket>()
  let hits = 0
  server.on('connection', (socket) => {
    hits += 1
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
  })
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `${scheme}://localhost:${port}`,
    port,
    hits: () => hits,
    hangUp,
    async [Symbol.asyncDispose]() {
      hangUp()
      server.close()
      await once(server, 'close')
    },
  }
}

const httpPeer = (handle: http.RequestListener) => listen(http.createServer(handle))

describe('a dedicated connection', () => {
  test('serves all requests, one after the other', async () => {
    const ports: (number | undefined)[] = []
    await using peer = await httpPeer((request, answer) => {
      ports.push(request.socket.remotePort)
      request.resume().on('end', () => answer.end(`${request.method} ${request.url}`))
    })
    await using egress = privateEgress()
    await using connection = egress.connection(peer.url)
    await using other = egress.connection(peer.url)
    for (const path of ['/a', '/b?c']) {
      const { status, body } = await connection.request({ url: `${peer.url}${path}`, method: 'POST', body: 'x' })
      expect([status, body.toString()]).toEqual([200, `POST ${path}`])
    }
    await other.request({ url: peer.url, method: 'GET' })
    expect(new Set(ports.slice(0, 2)).size).toBe(1)
    expect(ports[2]).not.toBe(ports[0])
    expect(connection.certificate).toBeUndefined()
  })

  test('serves one request at a time', async () => {
    const refused = Promise.withResolvers<void>()
    await using peer = await httpPeer((_, answer) => void refused.promise.then(() => answer.end('done')))
    await using egress = privateEgress()
    await using connection = egress.connection(peer.url)
    const first = connection.request({ url: peer.url, method: 'GET' })
    expect(await reasonOf(() => connection.request({ url: peer.url, method: 'GET' }))).toBe('overloaded')
    refused.resolve()
    expect((await first).body.toString()).toBe('done')
    expect(connection.isOpen).toBe(true)
  })

  test('is never opened a second time', async () => {
    await using peer = await httpPeer((_, answer) => answer.end('x'))
    await using egress = privateEgress()
    const connection = egress.connection(peer.url)
    await connection.request({ url: peer.url, method: 'GET' })
    peer.hangUp()
    await vi.waitFor(() => expect(connection.isOpen).toBe(false))
    expect(await reasonOf(() => connection.request({ url: peer.url, method: 'GET' }))).toBe('connect_failed')
    expect(peer.hits()).toBe(1)
  })

  test('is closed if the server says so', async () => {
    await using peer = await httpPeer((_, answer) => answer.setHeader('connection', 'Close').end('x'))
    await using egress = privateEgress()
    const connection = egress.connection(peer.url)
    expect((await connection.request({ url: peer.url, method: 'GET' })).body.toString()).toBe('x')
    expect(connection.isOpen).toBe(false)
  })

  test('is closed after it has been idle', async () => {
    await using peer = await httpPeer((_, answer) => answer.end('x'))
    await using egress = privateEgress()
    const connection = egress.connection(peer.url, { idleMs: 50 })
    await connection.request({ url: peer.url, method: 'GET' })
    await vi.waitFor(() => expect(connection.isOpen).toBe(false))
  })

  test.each<[string, (peer: { url: string }) => string]>([
    ['another origin', () => 'http://localhost:1/'],
    ['https in place of http', ({ url }) => url.replace('http:', 'https:')],
    ['a user in the URL', ({ url }) => url.replace('//', '//a:b@')],
  ])('refuses %s', async (_, urlOf) => {
    await using peer = await httpPeer((__, answer) => answer.end('x'))
    await using egress = privateEgress()
    await using connection = egress.connection(peer.url)
    expect(await reasonOf(() => connection.request({ url: urlOf(peer), method: 'GET' }))).toBe('refused_url')
    expect(peer.hits()).toBe(0)
  })

  test('is guarded like all egress', async () => {
    await using peer = await httpPeer((_, answer) => answer.end('x'))
    await using egress = publicEgress({
      httpPorts: [peer.port],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    expect(await reasonOf(() => egress.connection(peer.url))).toBe('refused_address')
    expect(await reasonOf(() => egress.connection(`http://127.0.0.1:${peer.port}`))).toBe('refused_address')
    expect(await reasonOf(() => egress.connection('http://mail.example:1'))).toBe('refused_port')
    const connection = egress.connection(`http://mail.example:${peer.port}`)
    const url = `http://mail.example:${peer.port}/`
    expect(await reasonOf(() => connection.request({ url, method: 'GET' }))).toBe('refused_address')
    expect(peer.hits()).toBe(0)
    expect(connection.isOpen).toBe(false)
  })

  test('has a deadline over connecting, head and body, and ends then', async () => {
    await using silent = await listen(net.createServer(() => {}))
    await using slow = await httpPeer((_, answer) => {
      const timer = setInterval(() => answer.write('x'), 10)
      answer.on('close', () => clearInterval(timer))
    })
    await using egress = privateEgress()
    for (const { url } of [silent, slow]) {
      const connection = egress.connection(url)
      expect(await reasonOf(() => connection.request({ url, method: 'GET', deadlineMs: BRIEF_MS }))).toBe('timeout')
      expect(connection.isOpen).toBe(false)
    }
  })

  test('reads no more than the limit', async () => {
    await using peer = await httpPeer((_, answer) => answer.end('x'.repeat(100_000)))
    await using egress = privateEgress()
    const cut = egress.connection(peer.url)
    const answer = await cut.request({ url: peer.url, method: 'GET', maxBytes: 10 })
    expect([answer.body.toString(), answer.truncated, cut.isOpen]).toEqual(['x'.repeat(10), true, false])
    const strict = { url: peer.url, method: 'GET' as const, maxBytes: 10, onOverflow: 'fail' as const }
    expect(await reasonOf(() => egress.connection(peer.url).request(strict))).toBe('too_large')
  })

  test('ends with the signal of a request, and when it is disposed of', async () => {
    await using peer = await listen(net.createServer(() => {}))
    await using egress = privateEgress()
    const controller = new AbortController()
    const aborted = egress.connection(peer.url)
    const first = reasonOf(() => aborted.request({ url: peer.url, method: 'GET', signal: controller.signal }))
    await vi.waitFor(() => expect(peer.hits()).toBe(1))
    controller.abort()
    expect(await first).toBe('aborted')
    expect(aborted.isOpen).toBe(false)
    const disposed = egress.connection(peer.url)
    const second = reasonOf(() => disposed.request({ url: peer.url, method: 'GET' }))
    await vi.waitFor(() => expect(peer.hits()).toBe(2))
    await disposed[Symbol.asyncDispose]()
    expect(await second).toBe('aborted')
  })

  test('ends when the egress is closed', async () => {
    await using peer = await listen(net.createServer(() => {}))
    const egress = privateEgress()
    const connection = egress.connection(peer.url)
    const reason = reasonOf(() => connection.request({ url: peer.url, method: 'GET' }))
    await vi.waitFor(() => expect(peer.hits()).toBe(1))
    await egress[Symbol.asyncDispose]()
    expect(await reason).toBe('aborted')
    expect(await reasonOf(() => egress.connection(peer.url))).toBe('aborted')
  })

  test('over TLS has the certificate of the peer, and accepts none of another name', async () => {
    await using peer = await listen(
      https.createServer({ key: certificateKey, cert: certificate }, (_, answer) => answer.end('x')),
      'https',
    )
    const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }]
    await using egress = privateEgress({ resolve, ca: [certificate] })
    const { subjectAltName = '', raw } = new X509Certificate(certificate)
    const name = /DNS:([\w.-]+)/.exec(subjectAltName)?.[1] ?? ''
    const url = `https://${name}:${peer.port}/`
    await using connection = egress.connection(url)
    expect((await connection.request({ url, method: 'GET' })).body.toString()).toBe('x')
    expect(connection.certificate?.equals(raw)).toBe(true)
    const foreign = `https://other.example:${peer.port}/`
    expect(await reasonOf(() => egress.connection(foreign).request({ url: foreign, method: 'GET' }))).toBe('tls_failed')
  })
})

describe('a stream', () => {
  /** A server that sends a word on request. */
  async function talker() {
    const answers: http.ServerResponse[] = []
    const peer = await httpPeer((_, answer) => {
      answers.push(answer)
      answer.flushHeaders()
    })
    return Object.assign(peer, {
      say: (words: string) => answers.at(-1)?.write(words),
      finish: () => answers.at(-1)?.end(),
    })
  }

  test('is read as it arrives, and leaves the connection open', async () => {
    await using peer = await talker()
    await using egress = privateEgress()
    await using connection = egress.connection(peer.url)
    const { status, body } = await connection.stream({ url: peer.url, method: 'POST', body: 'x' })
    expect(status).toBe(200)
    const heard: string[] = []
    peer.say('one')
    for await (const piece of body) {
      heard.push(piece.toString())
      if (heard.length === 1) peer.say('two')
      else peer.finish()
    }
    expect(heard).toEqual(['one', 'two'])
    expect(connection.isOpen).toBe(true)
    const next = connection.stream({ url: peer.url, method: 'GET' })
    await using again = await next
    expect(again.status).toBe(200)
    expect(peer.hits()).toBe(1)
  })

  test('that is not read to its end closes the connection', async () => {
    await using peer = await talker()
    await using egress = privateEgress()
    const connection = egress.connection(peer.url)
    const { body } = await connection.stream({ url: peer.url, method: 'GET' })
    peer.say('one')
    for await (const _ of body) break
    expect(connection.isOpen).toBe(false)
  })

  const drain = async (body: AsyncIterable<Buffer>): Promise<void> => {
    for await (const _ of body);
  }

  test('ends if nothing arrives for too long, if it lasts too long, and if too much arrives', async () => {
    await using peer = await talker()
    await using egress = privateEgress()
    const open = (limits: { silenceMs?: number; lifetimeMs?: number; maxBytes?: number }) =>
      egress.connection(peer.url).stream({ url: peer.url, method: 'GET', ...limits })
    const silent = await open({ silenceMs: 500 })
    expect(await reasonOf(() => drain(silent.body))).toBe('timeout')
    const long = await open({ lifetimeMs: 1_000 })
    expect(await reasonOf(() => drain(long.body))).toBe('timeout')
    const large = await open({ maxBytes: 5 })
    peer.say('0123456789')
    expect(await reasonOf(() => drain(large.body))).toBe('too_large')
  })

  test('has a deadline for its head, and ends with its signal', async () => {
    await using silent = await listen(net.createServer(() => {}))
    await using peer = await talker()
    await using egress = privateEgress()
    const late = { url: silent.url, method: 'GET' as const, deadlineMs: BRIEF_MS }
    expect(await reasonOf(() => egress.connection(silent.url).stream(late))).toBe('timeout')
    const controller = new AbortController()
    const connection = egress.connection(peer.url)
    const { body } = await connection.stream({ url: peer.url, method: 'GET', signal: controller.signal })
    const reason = reasonOf(() => drain(body))
    controller.abort()
    expect(await reason).toBe('aborted')
    expect(connection.isOpen).toBe(false)
  })
})
