// Handwritten NTLM messages of a client, including attacks that the simulator must detect.
import { createHash, createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { md4 } from '../src/ews/auth/md4.ts'
import { envelope, openExchange, PASSWORD } from './ews-account.ts'
import { getFolder, standard } from './ews-requests.ts'

const binding = createHash('md5').update('tls-server-end-point:certificate').digest()
const { exchange, ...opened } = await openExchange({ ntlm: { channelBinding: binding } })
afterAll(() => opened[Symbol.asyncDispose]())

const hmac = (key: Buffer, ...parts: Buffer[]) => createHmac('md5', key).update(Buffer.concat(parts)).digest()
const negotiate = Buffer.concat([
  Buffer.from('NTLMSSP\0'),
  Buffer.from([1, 0, 0, 0, 0x05, 0x82, 0x08, 0xa2]),
  Buffer.alloc(16),
])

function pair(id: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(value.length, 2)
  return Buffer.concat([head, value])
}

interface Wish {
  readonly binding?: Buffer
  /** Whether the message integrity code is right or wrong. */
  readonly mic?: 'right' | 'wrong'
  readonly isV1?: boolean
}

/** The third message ([MS-NLMP] 2.2.1.3), without a session key of its own. */
function authenticate(challenge: Buffer, { binding: bound, mic = 'right', isV1 = false }: Wish): Buffer {
  const key = hmac(md4(Buffer.from(PASSWORD, 'utf16le')), Buffer.from('ADAEXCHANGE', 'utf16le'))
  const flags = Buffer.from([2, 0, 0, 0])
  const pairs = [pair(6, flags), ...(bound === undefined ? [] : [pair(10, bound)]), pair(0, Buffer.alloc(0))]
  const blob = Buffer.concat([Buffer.from([1, 1, 0, 0, 0, 0, 0, 0]), Buffer.alloc(20), ...pairs, Buffer.alloc(4)])
  const proof = hmac(key, challenge.subarray(24, 32), blob)
  const fields = [
    Buffer.alloc(24),
    isV1 ? Buffer.alloc(24, 1) : Buffer.concat([proof, blob]),
    Buffer.from('EXCHANGE', 'utf16le'),
    Buffer.from('ada', 'utf16le'),
    Buffer.alloc(0),
    Buffer.alloc(0),
  ]
  const head = Buffer.alloc(88)
  Buffer.from('NTLMSSP\0').copy(head)
  head.writeUInt32LE(3, 8)
  let offset = 88
  for (const [index, { length }] of fields.entries()) {
    head.writeUInt16LE(length, 12 + index * 8)
    head.writeUInt16LE(length, 14 + index * 8)
    head.writeUInt32LE(offset, 16 + index * 8)
    offset += length
  }
  head.writeUInt32LE(0xa2888205, 60)
  const message = Buffer.concat([head, ...fields])
  const code = hmac(hmac(key, proof), negotiate, challenge, message)
  if (mic === 'right') code.copy(message, 72)
  return message
}

/** Signs in over one connection, or over another one for the third message; returns the last status. */
async function signIn(wish: Wish, { isSplit = false } = {}): Promise<number> {
  const agents = [new Agent({ keepAlive: true, maxSockets: 1 }), new Agent({ keepAlive: true, maxSockets: 1 })] as const
  const send = (message: Buffer, agent: Agent) =>
    new Promise<{ status: number; header: string }>((resolve, reject) => {
      const headers = { authorization: `NTLM ${message.toString('base64')}`, 'content-type': 'text/xml' }
      const sent = request(exchange.ewsUrl, { method: 'POST', agent, headers }, (answer) => {
        answer
          .resume()
          .on('end', () =>
            resolve({ status: answer.statusCode ?? 0, header: answer.headers['www-authenticate'] ?? '' }),
          )
      })
      sent.on('error', reject).end(envelope(getFolder(standard('inbox'))))
    })
  try {
    const { header } = await send(negotiate, agents[0])
    const challenge = Buffer.from(header.replace('NTLM ', ''), 'base64')
    return (await send(authenticate(challenge, wish), agents[isSplit ? 1 : 0])).status
  } finally {
    for (const agent of agents) agent.destroy()
  }
}

test('a client with channel binding signs in over the challenged connection', async () => {
  expect(await signIn({ binding })).toBe(200)
  expect(await signIn({ binding }, { isSplit: true })).toBe(401)
})

test('a client without the binding, with another one or with a wrong code is refused', async () => {
  expect(await signIn({})).toBe(401)
  expect(await signIn({ binding: Buffer.alloc(16) })).toBe(401)
  expect(await signIn({ binding, mic: 'wrong' })).toBe(401)
  expect(await signIn({ binding, isV1: true })).toBe(401)
})
