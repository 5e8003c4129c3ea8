/** NATS JetStream as a transport, against a real nats-server and against scripted ones. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { createEgress } from '@waypost/platform/egress/egress'
import { type NatsPeer, startNats } from '@waypost/testing/peers/nats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openNats } from '../../../src/webhooks/transports/nats/connection.ts'
import { nats, natsServer } from '../../../src/webhooks/transports/nats/nats.ts'
import { brokerTools, message, outcomeOf, scriptedBroker } from './broker-setup.ts'

const users = `authorization { users: [
  { user: all, password: secret }
  { user: narrow, password: secret, permissions: { publish: ["waypost.>"], subscribe: ["_INBOX.>"] } }
  { user: other, password: secret, permissions: { publish: ["elsewhere.>"], subscribe: ["_INBOX.>"] } }
] }`
const all = { username: 'all', password: 'secret' }

let server: NatsPeer
let manager: Awaited<ReturnType<typeof jetstreamManager>>
const resources = new AsyncDisposableStack()
const { tools } = resources.use(brokerTools())
const settings = (change: object = {}) => ({
  servers: [server.url],
  subject: 'waypost.{type}',
  stream: null,
  ...change,
})

beforeAll(async () => {
  server = resources.use(await startNats({ authorization: users }))
  const connection = await connect({ servers: `127.0.0.1:${server.port}`, user: 'all', pass: 'secret' })
  resources.defer(() => connection.close())
  manager = await jetstreamManager(connection)
  await manager.streams.add({ name: 'WAYPOST', subjects: ['waypost.>'] })
})
afterAll(() => resources.disposeAsync())

const stored = async (): Promise<number> => (await manager.streams.info('WAYPOST')).state.messages

describe('verification', () => {
  test('accepts a stream with the subject, with only the right to publish, and stores nothing', async () => {
    await nats.verify(settings(), all, tools)
    await nats.verify(settings({ stream: 'WAYPOST' }), { username: 'narrow', password: 'secret' }, tools)
    expect(await stored()).toBe(0)
  })

  test.each([
    ['a subject that no stream takes', { subject: 'elsewhere' }, all, 'subject', /No stream takes/],
    ['another stream', { stream: 'OTHER' }, all, 'stream', /expected stream/],
    ['a wrong password', {}, { username: 'all', password: 'wrong' }, 'username', /Authorization Violation/],
    ['a missing right', {}, { username: 'other', password: 'secret' }, 'subject', /Permissions Violation/],
    ['a text that is not a .creds file', {}, { credentials: 'x' }, 'credentials', /\.creds/],
    ['a URL with a password', { servers: ['nats://a:b@127.0.0.1:4222'] }, all, 'servers', /nats:\/\/host/],
  ])('names the field of %s', async (_, change, credentials, field, words) => {
    await expect(nats.verify(settings(change), credentials, tools)).rejects.toMatchObject({ field, message: words })
  })
})

describe('a message', () => {
  test('is stored once under its id, with its type, grant and encoding, below the subject of its type', async () => {
    using transport = nats.open(settings({ stream: 'WAYPOST' }), all, tools)
    const body = gzipSync('{"id":"n-1"}')
    const sent = message('n-1', { type: 'event.created', body, compressed: true })
    const before = await stored()
    expect((await transport.send(sent)).status).toBe(200)
    const again = await transport.send({ ...sent, attempt: 2 })
    expect([again.status, `${again.answer}`]).toEqual([200, expect.stringContaining('"duplicate": true')])
    expect(await stored()).toBe(before + 1)
    const found = await manager.streams.getMessage('WAYPOST', { last_by_subj: 'waypost.event.created' })
    expect(gunzipSync(found?.data ?? '').toString()).toBe('{"id":"n-1"}')
    expect(Object.fromEntries([...(found?.header ?? [])].map(([name, values]) => [name, values[0]]))).toMatchObject({
      'Nats-Msg-Id': 'n-1',
      'Content-Encoding': 'gzip',
      'Waypost-Type': 'event.created',
      'Waypost-Grant-Id': 'grant-1',
    })
  })

  test.each([
    ['no stream takes its subject', { subject: 'elsewhere' }, all, 404],
    ['no stream takes the subject of its type', { subject: 'elsewhere.{type}' }, all, 410],
    ['no stream of that name takes the subject of its type', { stream: 'OTHER' }, all, 410],
    ['the user may not publish the subject of its type', {}, { username: 'other', password: 'secret' }, 410],
    ['the credentials are refused', {}, { username: 'all', password: 'wrong' }, 403],
    ['the user may not publish', { subject: 'waypost.all' }, { username: 'other', password: 'secret' }, 403],
  ])('is refused if %s', async (_, change, credentials, status) => {
    using transport = nats.open(settings(change), credentials, tools)
    expect(await outcomeOf(transport.send(message('refused')))).toBe(status)
  })

  const bodyOf = (data: object) => Buffer.from(JSON.stringify({ type: 'message.created', data }))

  test('that exceeds the limit of the server loses its largest fields, compressed or not', async () => {
    using transport = nats.open(settings(), all, tools)
    // Random text, so that gzip cannot make it smaller than the server's limit.
    const large = { id: 'm-1', subject: 'Hello', body: randomBytes(1_500_000).toString('base64') }
    const body = bodyOf({ application_id: 'a', object: large })
    for (const compressed of [false, true]) {
      const id = `large-${compressed}`
      const sent = message(id, { body: compressed ? gzipSync(body) : body, compressed })
      expect((await transport.send(sent)).status).toBe(200)
      const found = await manager.streams.getMessage('WAYPOST', { last_by_subj: 'waypost.message.created' })
      const data = found?.data ?? Buffer.alloc(0)
      expect(JSON.parse(`${compressed ? gunzipSync(data) : Buffer.from(data)}`)).toEqual({
        type: 'message.created.truncated',
        data: { application_id: 'a', object: { id: 'm-1', subject: 'Hello' } },
      })
      expect([found?.header.get('Nats-Msg-Id'), found?.header.get('Waypost-Type')]).toEqual([
        ...[id, 'message.created.truncated'],
      ])
    }
  })

  test('that is too large even without its large fields is refused with the remedy', async () => {
    using transport = nats.open(settings(), all, tools)
    const body = bodyOf({ application_id: 'a', object: { id: 'x'.repeat(1_048_500) } })
    const { status, answer } = await transport.send(message('large', { body }))
    expect([status, `${answer}`]).toEqual([413, expect.stringContaining('max_payload')])
  })

  test('goes to another server of the list if one is down', async () => {
    using transport = nats.open(settings({ servers: ['nats://127.0.0.1:1', server.url] }), all, tools)
    expect(await outcomeOf(transport.send(message('second')))).toBe(200)
  })

  test('in progress fails as unreachable when the server is killed, and the next one finds the new server', async () => {
    using transport = nats.open(settings(), all, tools)
    expect(await outcomeOf(transport.send(message('before')))).toBe(200)
    await server.kill()
    // The first send may still use the previous connection.
    await expect.poll(() => outcomeOf(transport.send(message('down')))).toBe('connect_failed')
    await server.start()
    expect(await outcomeOf(transport.send(message('after')))).toBe(200)
  })
})

test('signs in with a .creds file, over TLS', async () => {
  const { operator, systemAccount, account, credentials } = makeOperator()
  await using secure = await startNats({
    tls: true,
    authorization: `operator: ${operator.jwt}
      system_account: ${systemAccount.id}
      resolver: MEMORY
      resolver_preload: { ${systemAccount.id}: ${systemAccount.jwt}, ${account.id}: ${account.jwt} }`,
  })
  await using trusting = brokerTools(secure.ca)
  const there = { servers: [secure.url], subject: 'waypost', stream: null }
  await expect(nats.verify(there, { credentials }, trusting.tools)).rejects.toMatchObject({ field: 'subject' })
  await expect(nats.verify(there, { token: 'x' }, trusting.tools)).rejects.toMatchObject({ field: 'token' })
  // Without the certificate authority.
  await expect(nats.verify(there, { credentials }, tools)).rejects.toMatchObject({ reason: 'tls_failed' })
})

describe('a server that a client named', () => {
  const hello = 'INFO {"headers":true,"max_payload":1048576,"jetstream":true}\r\n'
  /** Accepts every login, and then handles everything it receives with the test's script. */
  const answering = (onPublished: (text: string, say: (text: string) => void, end: () => void) => void) =>
    scriptedBroker((socket) => {
      socket.write(hello)
      socket.on('data', (chunk) => {
        const text = chunk.toString()
        if (text.includes('PING')) socket.write('PONG\r\n')
        if (text.includes('HPUB'))
          onPublished(
            text,
            (words) => socket.write(words),
            () => socket.destroy(),
          )
      })
    })
  const at = (port: number) => ({ servers: [`nats://127.0.0.1:${port}`], subject: 'x', stream: null })

  test('with a lower limit gets messages within that limit, headers included', async () => {
    const sizes: number[][] = []
    await using broker = await scriptedBroker((socket) => {
      socket.write('INFO {"headers":true,"max_payload":2048,"jetstream":true}\r\n')
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString()
        if (text.includes('PING')) socket.write('PONG\r\n')
        const [all, inbox, headers, total] = /HPUB \S+ (\S+) (\d+) (\d+)\r\n/.exec(text) ?? []
        if (all === undefined || text.length < text.indexOf(all) + all.length + Number(total)) return
        text = ''
        sizes.push([Number(headers), Number(total)])
        socket.write(`MSG ${inbox} 1 22\r\n{"stream":"X","seq":1}\r\n`)
      })
    })
    const stream = 's'.repeat(256)
    using transport = nats.open({ ...at(broker.port), stream }, {}, tools)
    for (let length = 1_200; length < 2_100; length += 100) {
      const object = { id: 'm-1', snippet: 'x'.repeat(900), body: 'y'.repeat(length - 900) }
      const body = Buffer.from(JSON.stringify({ type: 'message.created', data: { application_id: 'a', object } }))
      expect(await outcomeOf(transport.send(message(`n-${length}`, { body })))).toBe(200)
    }
    expect(sizes).toHaveLength(9)
    expect(Math.max(...sizes.map(([, total = 0]) => total))).toBeLessThanOrEqual(2_048)
    expect(Math.min(...sizes.map(([headers = 0]) => headers))).toBeGreaterThan(256)
  })

  test('that allows an account less than it announces refuses only the largest message', async () => {
    await using broker = await answering((_, say, end) => {
      say("-ERR 'Maximum Payload Violation'\r\n")
      end()
    })
    using transport = nats.open(at(broker.port), {}, tools)
    const both = ['small', 'the larger one'].map((id) => outcomeOf(transport.send(message(id))))
    expect(await Promise.all(both)).toEqual(['protocol_error', 413])
  })

  test('that disconnects between publish and confirm fails all messages in progress, and the next send connects again', async () => {
    let isUp = false
    await using broker = await answering((text, say, end) => {
      if (!isUp) return end()
      const inbox = /HPUB x (\S+)/.exec(text)?.[1]
      const confirmation = '{"stream":"X","seq":1}'
      say(`MSG ${inbox} 1 ${confirmation.length}\r\n${confirmation}\r\n`)
    })
    using transport = nats.open(at(broker.port), {}, tools)
    const both = ['a', 'b'].map((id) => outcomeOf(transport.send(message(id))))
    expect(await Promise.all(both)).toEqual(['protocol_error', 'protocol_error'])
    isUp = true
    expect(await outcomeOf(transport.send(message('a')))).toBe(200)
    expect(broker.connections).toBe(2)
  })

  test('that never confirms fails the messages in progress at their deadline', async () => {
    await using broker = await answering(() => undefined)
    const target = natsServer(`nats://127.0.0.1:${broker.port}`)
    if (!target) throw new Error('no server')
    const connection = await openNats({ server: target, credentials: {}, ...tools })
    const publishing = connection.publish({ subject: 'x', headers: {}, payload: Buffer.alloc(0) }, performance.now())
    await expect(publishing).rejects.toMatchObject({ reason: 'timeout' })
    expect(connection.isOpen).toBe(false)
  })

  test.each([
    ['a message of gigabytes', 'MSG x 1 4000000000\r\n'],
    ['an endless line', 'INFO '.padEnd(70_000, 'x')],
    ['another protocol', 'HTTP/1.1 200 OK\r\n\r\n'],
  ])('that sends %s is disconnected', async (_, words) => {
    await using broker = await answering((_text, say) => say(words))
    using transport = nats.open(at(broker.port), {}, tools)
    expect(await outcomeOf(transport.send(message('a')))).toBe('protocol_error')
  })

  test('that sends more than its greeting before TLS is not trusted', async () => {
    await using broker = await scriptedBroker((socket) => socket.write(`${hello}+OK\r\n`))
    using transport = nats.open({ ...at(broker.port), servers: [`tls://127.0.0.1:${broker.port}`] }, {}, tools)
    expect(await outcomeOf(transport.send(message('a')))).toBe('protocol_error')
  })

  test('needs TLS, a public address and a port of brokers in mode public', async () => {
    await using egress = createEgress({
      mode: 'public',
      resolve: async () => [{ address: '93.184.216.34', family: 4 }],
    })
    const send = (url: string) =>
      outcomeOf(nats.open({ servers: [url], subject: 'x', stream: null }, {}, { ...tools, egress }).send(message('a')))
    expect(await send('nats://broker.example.com')).toBe('refused_url')
    expect(await send('tls://broker.example.com:22')).toBe('refused_port')
    expect(await send('tls://127.0.0.1')).toBe('refused_address')
  })
})

/** The keys and tokens of an operator with one account and one user, in the format of the tool `nsc`. */
function makeOperator() {
  const [operator, systemAccount, account, user] = [key(14), key(0), key(0), key(20)] as const
  const limits = { subs: -1, conn: -1, leaf: -1, imports: -1, exports: -1, data: -1, payload: -1, wildcards: true }
  const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 }
  const accountClaims = { type: 'account', version: 2, limits: { ...limits, ...storage } }
  const signed = (by: Key, of: Key, nats: object) => ({ id: of.id, jwt: token(by, of.id, nats) })
  const userToken = token(account, user.id, { type: 'user', version: 2, subs: -1, data: -1, payload: -1 })
  return {
    operator: signed(operator, operator, { type: 'operator', version: 2, system_account: systemAccount.id }),
    systemAccount: signed(operator, systemAccount, { ...accountClaims, limits }),
    account: signed(operator, account, accountClaims),
    credentials: `-----BEGIN NATS USER JWT-----\n${userToken}\n------END NATS USER JWT------\n
-----BEGIN USER NKEY SEED-----\n${user.seed}\n------END USER NKEY SEED------\n`,
  }
}

type Key = ReturnType<typeof key>

/**
 * An Ed25519 key with its text forms: base32 of its kind, bytes and checksum. Kinds: 0 account, 14 operator, 20 user.
 */
function key(kind: number) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const bytes = (name: 'd' | 'x') => Buffer.from(privateKey.export({ format: 'jwk' })[name] ?? '', 'base64url')
  const prefix = kind << 3
  const seedPrefix = 18 << 3
  const two = Buffer.from([seedPrefix | (prefix >> 5), (prefix & 31) << 3])
  return {
    privateKey,
    publicKey,
    id: base32(Buffer.concat([Buffer.from([prefix]), bytes('x')])),
    seed: base32(Buffer.concat([two, bytes('d')])),
  }
}

function base32(bytes: Buffer): string {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  }
  const all = Buffer.concat([bytes, Buffer.from([crc & 255, crc >> 8])])
  const bits = [...all].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}

function token(by: Key, subject: string, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const head = part({ typ: 'JWT', alg: 'ed25519-nkey' })
  const body = part({ jti: subject, iat: now, iss: by.id, name: 'waypost', sub: subject, nats: claims })
  return `${head}.${body}.${sign(null, Buffer.from(`${head}.${body}`), by.privateKey).toString('base64url')}`
}
