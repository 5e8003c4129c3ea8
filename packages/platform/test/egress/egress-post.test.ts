import net from 'node:net'
import zlib from 'node:zlib'
import {
  certificate,
  hostileReceivers,
  startHostileReceivers,
  startReceiver,
  startRudeReceiver,
  startSecureReceiver,
} from '@waypost/testing/peers/hostile-receivers'
import { describe, expect, test, vi } from 'vitest'
import {
  type DestinationOptions,
  type Egress,
  EgressError,
  type EgressOptions,
  type EgressReason,
  type PostResult,
} from '../../src/egress/egress.ts'
import { failure, privateEgress, publicEgress, reasonOf } from './making-egress.ts'

const BRIEF: DestinationOptions = { deadlineMs: 200 }
const BODY = Buffer.from('{"a":1}')
const HEADERS = { 'content-type': 'application/json' }

const resolving =
  (address: string): EgressOptions['resolve'] =>
  async () => [{ address, family: 4 }]

/** The status, or the reason why there is none. */
const outcomeOf = (post: Promise<PostResult>): Promise<number | EgressReason> =>
  post.then(
    ({ status }) => status,
    (error: unknown) => {
      if (error instanceof EgressError) return error.reason
      throw error
    },
  )

/** Observes every socket that the egress opens. */
function watchSockets(see: (socket: net.Socket) => void): Disposable {
  const { connect } = net
  return vi.spyOn(net, 'connect').mockImplementation((options: unknown) => {
    const socket = connect(options as net.TcpNetConnectOpts)
    see(socket)
    return socket
  })
}

async function postTo(egress: Egress, url: string, options?: DestinationOptions): Promise<PostResult> {
  using way = egress.destination(url, options)
  return await way.post(HEADERS, BODY)
}

describe('a post', () => {
  test('sends headers and the exact bytes, and returns status, response and latency', async () => {
    await using receiver = await startReceiver((response) => response.writeHead(202).end('thanks'))
    await using egress = privateEgress({ resolve: resolving('127.0.0.1') })
    using way = egress.destination(`http://hooks.test:${receiver.port}/in?x=1#part`)
    const body = zlib.gzipSync('{"a":1}')
    const result = await way.post({ ...HEADERS, 'x-service-signature': 'ab' }, body)
    expect(result).toEqual({
      status: 202,
      retryAfter: null,
      latencyMs: expect.any(Number),
      answer: Buffer.from('thanks'),
      truncated: false,
    })
    const [arrival] = receiver.arrivals
    expect(arrival).toMatchObject({
      method: 'POST',
      path: '/in?x=1',
      headers: {
        host: `hooks.test:${receiver.port}`,
        'content-type': 'application/json',
        'content-length': String(body.length),
        'x-service-signature': 'ab',
      },
    })
    expect(arrival?.body.equals(body)).toBe(true)
  })

  test('must not have its own host header', async () => {
    await using receiver = await startReceiver()
    await using egress = privateEgress()
    using way = egress.destination(receiver.url)
    expect(await reasonOf(() => way.post({ Host: 'other.test' }, BODY))).toBe('refused_url')
    expect(receiver.connections).toBe(0)
  })

  test('with a header that cannot be sent fails alone', async () => {
    await using receiver = await startReceiver()
    await using egress = privateEgress()
    using way = egress.destination(receiver.url)
    expect(await reasonOf(() => way.post({ 'x-a': 'b\r\nc: d' }, BODY))).toBe('protocol_error')
    expect((await way.post(HEADERS, BODY)).status).toBe(200)
    expect(receiver.arrivals.length).toBe(1)
  })

  test('over https checks the name against the certificate', async () => {
    await using receiver = await startSecureReceiver()
    const resolve = resolving('127.0.0.1')
    await using trusting = privateEgress({ resolve, ca: [certificate] })
    await using stranger = privateEgress({ resolve })
    const url = (host: string) => `https://${host}:${receiver.port}/`
    expect((await postTo(trusting, url('mail.test'))).status).toBe(200)
    expect((await postTo(trusting, url('127.0.0.1'))).status).toBe(200)
    expect(await reasonOf(() => postTo(trusting, url('other.test')))).toBe('tls_failed')
    expect(await reasonOf(() => postTo(stranger, url('mail.test')))).toBe('tls_failed')
    expect(receiver.arrivals.length).toBe(2)
  })
})

describe('the guard', () => {
  test.each([
    'http://127.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://0.0.0.0:PORT/',
    'http://localhost:PORT/',
    'http://a:b@127.0.0.1:PORT/',
    'http://169.254.169.254/',
    'http://10.0.0.1/',
    'file:///etc/passwd',
  ])('refuses %s before any packet', async (form) => {
    await using canary = await startReceiver()
    const resolve = vi.fn(resolving('127.0.0.1'))
    await using egress = publicEgress({ httpPorts: [canary.port, 80], resolve })
    const url = form.replace('PORT', String(canary.port))
    expect(['refused_url', 'refused_address']).toContain(await reasonOf(() => egress.destination(url)))
    expect(canary.connections).toBe(0)
    expect(resolve).not.toHaveBeenCalled()
  })

  test('refuses a name that resolves to an internal address, checked at every connection', async () => {
    await using canary = await startReceiver()
    const resolve = vi.fn(resolving('127.0.0.1'))
    await using egress = publicEgress({ resolve, httpPorts: [canary.port] })
    using way = egress.destination(`http://rebind.example.com:${canary.port}/`)
    expect(await reasonOf(() => way.post(HEADERS, BODY))).toBe('refused_address')
    expect(await reasonOf(() => way.post(HEADERS, BODY))).toBe('refused_address')
    expect(resolve).toHaveBeenCalledTimes(2)
    expect(canary.connections).toBe(0)
  })

  test('gives the socket the checked address list, and resolves once for concurrent connections', async () => {
    const resolve = vi.fn(resolving('93.184.216.34'))
    await using egress = publicEgress({ resolve })
    const seen: unknown[] = []
    using _connect = vi.spyOn(net, 'connect').mockImplementation((options: unknown) => {
      const { lookup } = options as net.TcpNetConnectOpts
      lookup?.('', { all: true }, (_error, addresses) => seen.push(addresses))
      const socket = new net.Socket()
      setImmediate(() => socket.destroy(new Error('no network here')))
      return socket
    })
    using way = egress.destination('http://rebind.example.com/')
    const posts = [1, 2, 3].map(() => reasonOf(() => way.post(HEADERS, BODY)))
    expect(await Promise.all(posts)).toEqual(['connect_failed', 'connect_failed', 'connect_failed'])
    expect(seen).toEqual(Array(3).fill([{ address: '93.184.216.34', family: 4 }]))
    expect(resolve).toHaveBeenCalledTimes(1)
  })

  test('closes a socket that is connected to a refused peer before a byte is sent', async () => {
    await using canary = await startReceiver()
    await using egress = publicEgress({ resolve: resolving('93.184.216.34') })
    const { connect } = net
    using _connect = vi
      .spyOn(net, 'connect')
      .mockImplementation(() => connect({ host: '127.0.0.1', port: canary.port }))
    for (const url of ['http://example.com/', 'https://example.com/']) {
      expect(await reasonOf(() => postTo(egress, url))).toBe('refused_address')
    }
    expect(canary.received).toBe(0)
  })

  test('reveals neither path nor secrets in errors', async () => {
    await using egress = publicEgress({ resolve: resolving('10.0.0.7') })
    const { message } = await failure(() => postTo(egress, 'https://example.com/s3cret?t=s3cret'))
    expect(message).toContain('example.com')
    expect(message).not.toMatch(/s3cret|10\.0\.0\.7/)
  })
})

describe('a hostile receiver', () => {
  test.each(hostileReceivers)('that $what ends a post with $ends', async ({ start, ends }) => {
    await using receiver = await start()
    const sockets: net.Socket[] = []
    using _connect = watchSockets((socket) => sockets.push(socket))
    await using egress = privateEgress()
    using way = egress.destination(receiver.url, ends === 'timeout' ? BRIEF : { deadlineMs: 20_000 })
    // More than a socket buffer holds, for the one that does not read.
    const posts = [BODY, Buffer.alloc(1_000_000)].map((body) => outcomeOf(way.post(HEADERS, body)))
    expect((await Promise.all(posts))[0]).toBe(ends)
    const again = await way.post(HEADERS, BODY).catch((error: unknown) => error)
    expect(again).toMatchObject(typeof ends === 'number' ? { status: ends } : { reason: ends })
    if (again instanceof EgressError) {
      expect(again.message).toContain('127.0.0.1')
      expect(JSON.stringify({ ...again, cause: again.cause, message: again.message })).not.toContain('s3cret')
    }
    await egress[Symbol.asyncDispose]()
    expect(sockets.length).toBeGreaterThan(0)
    expect(sockets.filter(({ destroyed }) => !destroyed)).toEqual([])
  })

  test('with a long response has 4 KB of it stored, and at most 64 KB read', async () => {
    for (const [length, connections] of [
      [4_096, 1],
      [4_097, 1],
      [65_536, 1],
      [65_537, 2],
      [10_000_000, 2],
    ] as const) {
      await using receiver = await startReceiver((response) => response.end(Buffer.alloc(length, 'x')))
      await using egress = privateEgress()
      using way = egress.destination(receiver.url)
      for (let count = 0; count < 2; count += 1) {
        const result = await way.post(HEADERS, BODY)
        expect(result).toMatchObject({ status: 200, truncated: length > 4_096 })
        expect(result.answer.equals(Buffer.alloc(4_096, 'x'))).toBe(true)
      }
      // A response that is read to its end leaves the connection for the next.
      expect(receiver.connections).toBe(connections)
    }
  })

  test('that sends a chunk for every byte is disconnected after a thousand', async () => {
    const chunks = '1\r\nx\r\n'.repeat(3_000)
    await using receiver = await startRudeReceiver((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`),
    )
    await using egress = privateEgress()
    const { answer, truncated } = await postTo(egress, receiver.url)
    expect(answer.toString()).toMatch(/^x{1000,1100}$/)
    expect(truncated).toBe(true)
  })

  test('that sends its response in chunks has them joined', async () => {
    await using receiver = await startReceiver(async (response) => {
      for (const piece of ['one ', 'two ', 'three']) {
        response.write(piece)
        await new Promise(setImmediate)
      }
      response.end()
    })
    await using egress = privateEgress()
    expect((await postTo(egress, receiver.url)).answer.toString()).toBe('one two three')
  })

  test('that sends a brotli bomb has it returned compressed', async () => {
    const bomb = zlib.brotliCompressSync(Buffer.alloc(5_000_000))
    await using receiver = await startReceiver((response) =>
      response.writeHead(200, { 'content-encoding': 'br' }).end(bomb),
    )
    await using egress = privateEgress()
    const { answer, truncated } = await postTo(egress, receiver.url)
    expect(answer.equals(bomb)).toBe(true)
    expect(truncated).toBe(false)
  })

  test.each([301, 302, 303, 307, 308])('that answers %i is not followed', async (status) => {
    await using target = await startReceiver()
    await using receiver = await startReceiver((response) =>
      response.writeHead(status, { location: target.url, refresh: `0;url=${target.url}` }).end(),
    )
    await using egress = privateEgress()
    expect((await postTo(egress, receiver.url)).status).toBe(status)
    expect(receiver.arrivals.length).toBe(1)
    expect(target.connections).toBe(0)
  })

  test('that sends Retry-After has it returned', async () => {
    await using egress = privateEgress()
    for (const sent of ['7', 'Fri, 31 Dec 1999 23:59:59 GMT', 'soon']) {
      await using receiver = await startReceiver((response) => response.writeHead(429, { 'retry-after': sent }).end())
      expect(await postTo(egress, receiver.url)).toMatchObject({ status: 429, retryAfter: sent })
    }
  })

  test('whose name does not resolve in time costs only its deadline', async () => {
    await using egress = privateEgress({ resolve: () => new Promise<never>(() => {}) })
    expect(await reasonOf(() => postTo(egress, 'http://slow.test/', BRIEF))).toBe('timeout')
  })

  test('does not delay good ones: 20 bad, 5 good', async () => {
    await using bad = await startHostileReceivers()
    expect(bad.receivers.length).toBeGreaterThanOrEqual(20)
    await using stack = new AsyncDisposableStack()
    const good = await Promise.all(Array.from({ length: 5 }, async () => stack.use(await startReceiver())))
    const egress = stack.use(privateEgress())
    const worse = bad.receivers.flatMap(({ url }) => {
      const way = egress.destination(url, BRIEF)
      return Array.from({ length: 20 }, () => outcomeOf(way.post(HEADERS, BODY)))
    })
    const better = good.flatMap(({ url }) => {
      const way = egress.destination(url, { deadlineMs: 20_000 })
      return Array.from({ length: 40 }, () => outcomeOf(way.post(HEADERS, BODY)))
    })
    expect(await Promise.all(better)).toEqual(better.map(() => 200))
    expect(good.map(({ arrivals }) => arrivals.length)).toEqual([40, 40, 40, 40, 40])
    const ended = await Promise.all(worse)
    const known = new Set<number | EgressReason>([...hostileReceivers.map(({ ends }) => ends), 'overloaded'])
    expect(ended.filter((outcome) => !known.has(outcome))).toEqual([])
  })
})

describe('connections', () => {
  test('are kept alive and used again', async () => {
    await using receiver = await startReceiver()
    await using egress = privateEgress()
    using way = egress.destination(receiver.url)
    for (let count = 0; count < 20; count += 1) await way.post(HEADERS, BODY)
    expect(receiver.connections).toBe(1)
    await Promise.all(Array.from({ length: 8 }, () => way.post(HEADERS, BODY)))
    expect(receiver.connections).toBe(8)
  })

  test('are limited for a destination, and further requests wait', async () => {
    await using receiver = await startReceiver()
    await using egress = privateEgress()
    using way = egress.destination(receiver.url, { connections: 3 })
    const results = await Promise.all(Array.from({ length: 50 }, () => way.post(HEADERS, BODY)))
    expect(results.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(receiver.connections).toBe(3)
    expect(receiver.arrivals.length).toBe(50)
  })

  test('that never become free end the wait as overload, with nothing sent', async () => {
    await using receiver = await startRudeReceiver(() => {})
    await using egress = privateEgress({ postSockets: 1 })
    const holder = egress.destination(receiver.url)
    const held = outcomeOf(holder.post(HEADERS, BODY))
    await expect.poll(() => receiver.connections).toBe(1)
    using way = egress.destination(receiver.url, BRIEF)
    const outcomes = await Promise.all([1, 2].map(() => outcomeOf(way.post(HEADERS, BODY))))
    expect(outcomes).toEqual(['overloaded', 'overloaded'])
    expect(receiver.connections).toBe(1)
    holder[Symbol.dispose]()
    expect(await held).toBe('aborted')
  })

  test('are limited in total: idle ones make room', async () => {
    await using receiver = await startReceiver()
    await using egress = privateEgress({ postSockets: 4, resolve: resolving('127.0.0.1') })
    for (let count = 0; count < 12; count += 1) {
      const way = egress.destination(`http://host${count}.test:${receiver.port}/`)
      expect((await way.post(HEADERS, BODY)).status).toBe(200)
    }
    expect(receiver.connections).toBe(12)
    await expect.poll(() => receiver.open).toBeLessThanOrEqual(4)
  })

  test('are limited in total under load, and every request gets a turn', async () => {
    const sockets = new Set<net.Socket>()
    let max = 0
    using _connect = watchSockets((socket) => {
      sockets.add(socket)
      max = Math.max(max, [...sockets].filter(({ destroyed }) => !destroyed).length)
    })
    await using receiver = await startReceiver((response) => setImmediate(() => response.end('ok')))
    await using egress = privateEgress({ postSockets: 4, resolve: resolving('127.0.0.1') })
    const ways = Array.from({ length: 10 }, (_, index) => egress.destination(`http://h${index}.test:${receiver.port}/`))
    const posts = ways.flatMap((way) => Array.from({ length: 10 }, () => way.post(HEADERS, BODY)))
    const results = await Promise.all(posts)
    expect(results.map(({ status }) => status)).toEqual(Array(100).fill(200))
    expect(max).toBeLessThanOrEqual(4)
    expect(sockets.size).toBeGreaterThan(4)
  })

  test('are not all taken by destinations that hang', async () => {
    await using hanging = await startRudeReceiver(() => {})
    await using good = await startReceiver()
    await using egress = privateEgress({ postSockets: 64, resolve: resolving('127.0.0.1') })
    const stuck = Array.from({ length: 20 }, (_, index) => {
      const way = egress.destination(`http://h${index}.test:${hanging.port}/`, { deadlineMs: 60_000 })
      return Array.from({ length: 32 }, () => outcomeOf(way.post(HEADERS, BODY)))
    }).flat()
    using way = egress.destination(good.url)
    expect((await way.post(HEADERS, BODY)).status).toBe(200)
    await egress[Symbol.asyncDispose]()
    expect(new Set(await Promise.all(stuck))).toEqual(new Set(['aborted']))
  })

  test('that the peer closed while they were idle cost no attempt', async () => {
    await using receiver = await startReceiver()
    await using egress = privateEgress()
    using way = egress.destination(receiver.url)
    for (let count = 0; count < 5; count += 1) {
      expect((await way.post(HEADERS, BODY)).status).toBe(200)
      receiver.hangUp()
    }
    expect((await way.post(HEADERS, BODY)).status).toBe(200)
    expect(receiver.arrivals.length).toBe(6)
  })

  test('that the peer closes on a second request are opened again, once', async () => {
    let requests = 0
    await using receiver = await startRudeReceiver((socket) => {
      requests += 1
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      socket.once('data', () => {
        requests += 1
        socket.destroy()
      })
    })
    await using egress = privateEgress()
    using way = egress.destination(receiver.url)
    expect((await way.post(HEADERS, BODY)).status).toBe(200)
    expect((await way.post(HEADERS, BODY)).status).toBe(200)
    expect(receiver.connections).toBe(2)
    expect(requests).toBe(3)
  })

  test('that the peer closes on a second request and on the fresh one fail', async () => {
    let connections = 0
    let requests = 0
    await using receiver = await startRudeReceiver((socket) => {
      connections += 1
      requests += 1
      if (connections > 1) return socket.destroy()
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      return socket.once('data', () => {
        requests += 1
        socket.destroy()
      })
    })
    await using egress = privateEgress()
    using way = egress.destination(receiver.url)
    expect((await way.post(HEADERS, BODY)).status).toBe(200)
    expect(await reasonOf(() => way.post(HEADERS, BODY))).toBe('protocol_error')
    expect(requests).toBe(3)
  })

  test('that the peer closes after a byte of its response are not opened again', async () => {
    await using receiver = await startRudeReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      socket.once('data', () => socket.end('H'))
    })
    await using egress = privateEgress()
    using way = egress.destination(receiver.url)
    expect((await way.post(HEADERS, BODY)).status).toBe(200)
    expect(await reasonOf(() => way.post(HEADERS, BODY))).toBe('protocol_error')
    expect(receiver.connections).toBe(1)
  })

  test('that the peer does not keep alive are opened again without harm', async () => {
    await using receiver = await startReceiver((response) => response.writeHead(200, { connection: 'close' }).end())
    await using egress = privateEgress()
    using way = egress.destination(receiver.url)
    for (let count = 0; count < 5; count += 1) expect((await way.post(HEADERS, BODY)).status).toBe(200)
    const results = await Promise.all(Array.from({ length: 20 }, () => way.post(HEADERS, BODY)))
    expect(results.map(({ status }) => status)).toEqual(Array(20).fill(200))
  })

  test('that are idle are closed', async () => {
    await using receiver = await startReceiver()
    await using egress = privateEgress()
    using way = egress.destination(receiver.url)
    await Promise.all(Array.from({ length: 5 }, () => way.post(HEADERS, BODY)))
    expect(receiver.open).toBe(5)
    await expect.poll(() => receiver.open).toBe(0)
    expect((await way.post(HEADERS, BODY)).status).toBe(200)
  })
})

describe('a closed destination', () => {
  test('ends requests in progress or waiting, closes its sockets and accepts no more', async () => {
    await using hanging = await startRudeReceiver(() => {})
    await using good = await startReceiver()
    await using egress = privateEgress()
    using other = egress.destination(good.url)
    await other.post(HEADERS, BODY)
    const way = egress.destination(hanging.url, { connections: 2 })
    const posts = Array.from({ length: 4 }, () => outcomeOf(way.post(HEADERS, BODY)))
    await expect.poll(() => hanging.open).toBe(2)
    way[Symbol.dispose]()
    expect(await Promise.all(posts)).toEqual(Array(4).fill('aborted'))
    expect(await reasonOf(() => way.post(HEADERS, BODY))).toBe('aborted')
    await expect.poll(() => hanging.open).toBe(0)
    expect(good.open).toBe(1)
    expect((await other.post(HEADERS, BODY)).status).toBe(200)
  })

  test('with the whole egress ends everything, in every phase', async () => {
    await using hanging = await startRudeReceiver(() => {})
    await using silent = await startRudeReceiver(() => {})
    await using good = await startReceiver()
    const resolve: EgressOptions['resolve'] = () => new Promise<never>(() => {})
    const egress = privateEgress({ resolve })
    using way = egress.destination(good.url)
    await way.post(HEADERS, BODY)
    const urls = [hanging.url, `https://127.0.0.1:${silent.port}/`, 'http://slow.test/']
    const posts = urls.map((url) => outcomeOf(egress.destination(url).post(HEADERS, BODY)))
    await expect.poll(() => hanging.open + silent.open).toBe(2)
    await egress[Symbol.asyncDispose]()
    expect(await Promise.all(posts)).toEqual(['aborted', 'aborted', 'aborted'])
    await expect.poll(() => hanging.open + silent.open + good.open).toBe(0)
    expect(await reasonOf(() => egress.destination(good.url))).toBe('aborted')
  })
})
