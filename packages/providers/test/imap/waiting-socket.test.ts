/** Idle TLS connections: their underlying stream, and how they end. */
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import tls, { type TLSSocket } from 'node:tls'
import { createEgress, type Egress } from '@waypost/platform/egress/egress'
import { testCertificate } from '@waypost/testing/peers/certificates'
import type { ImapFlow } from 'imapflow'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { connect } from '../../src/imap/client/connect.ts'

let egress: Egress
let server: tls.Server
let port: number
const served = new Set<TLSSocket>()

beforeAll(async () => {
  const { cert, key, ca } = await testCertificate()
  egress = createEgress({ mode: 'private', ca: [ca] })
  server = tls.createServer({ cert, key }, (socket) => {
    served.add(socket)
    socket.on('close', () => served.delete(socket)).on('error', () => undefined)
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n')
    socket.on('data', (bytes) => {
      const [tag, command] = bytes.toString('latin1').split(' ')
      // A response of many characters arrives in several records.
      if (command?.startsWith('NOOP')) socket.write(`* OK ${'x'.repeat(100_000)}\r\n`)
      socket.write(`${tag} OK done\r\n`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterEach(() => {
  for (const socket of served) socket.destroy()
})
afterAll(async () => {
  server.close()
  await egress[Symbol.asyncDispose]()
})

const signalFor = (): AbortSignal => AbortSignal.timeout(20_000)

async function open(mostlyWaits: boolean, more: { port?: number; signal?: AbortSignal } = {}): Promise<ImapFlow> {
  const account = {
    ...{ host: 'localhost', port: more.port ?? port, security: 'tls' as const },
    auth: { user: 'ann', password: 'secret' },
  }
  const ways = { resolve: egress.resolvePublic, secure: egress.secure }
  const { client } = await connect(account, { ...ways, mostlyWaits, signal: more.signal ?? signalFor() })
  return client
}

interface Inside {
  socket: { _handle?: { _parentWrap?: object } }
}

/** Node's name for the stream under TLS, if it is a stream. With a handle of its own, TLS holds a buffer of 64 KB. */
const streamUnder = (client: ImapFlow): string | undefined =>
  (client as unknown as Inside).socket._handle?._parentWrap?.constructor.name

test('idle connections use a stream, and others use a handle', async () => {
  const [waiting, other] = [await open(true), await open(false)]
  expect(streamUnder(waiting)).toBe('JSStreamSocket')
  expect(streamUnder(other)).toBeUndefined()
  for (const client of [waiting, other]) {
    await client.noop()
    expect(client.usable).toBe(true)
    client.close()
  }
})

test('idle connections notice that the server is gone', async () => {
  const client = await open(true)
  const closed = once(client, 'close')
  for (const socket of served) socket.destroy()
  await closed
  expect(client.usable).toBe(false)
})

test('idle connections leave nothing open when they are closed', async () => {
  const client = await open(true)
  const [socket] = served
  const gone = socket && once(socket, 'close')
  client.close()
  await gone
  expect(served.size).toBe(0)
})

test('idle connections fail like others if nothing listens, and leave nothing open when abandoned', async () => {
  const unused = net.createServer().listen(0, '127.0.0.1')
  await once(unused, 'listening')
  const { port: free } = unused.address() as AddressInfo
  unused.close()
  const reasonOf = (opening: Promise<ImapFlow>): Promise<unknown> =>
    opening.then(
      () => undefined,
      ({ failure, message }) => ({ failure, message }),
    )
  const refused = await reasonOf(open(true, { port: free }))
  expect(refused).toBeDefined()
  expect(refused).toEqual(await reasonOf(open(false, { port: free })))

  const silent = net.createServer((socket) => void socket.on('error', () => undefined)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const giving = new AbortController()
  const given = reasonOf(open(true, { port: (silent.address() as AddressInfo).port, signal: giving.signal }))
  const [heard] = (await once(silent, 'connection')) as [net.Socket]
  const ended = once(heard, 'close')
  heard.resume()
  giving.abort()
  await ended
  expect(await given).toBeDefined()
  silent.close()
})
