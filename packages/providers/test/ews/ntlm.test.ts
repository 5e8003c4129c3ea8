import { createHash, createHmac, X509Certificate } from 'node:crypto'
import { certificate } from '@waypost/testing/peers/hostile-receivers'
import { describe, expect, test } from 'vitest'
import { md4 } from '../../src/ews/soap/ntlm/md4.ts'
import {
  authenticateMessage,
  type Credentials,
  credentialsOf,
  NtlmError,
  negotiateMessage,
  passwordKey,
  readChallenge,
  responseTo,
} from '../../src/ews/soap/ntlm/messages.ts'
import { avId, channelBindings, readTargetInfo, writeTargetInfo } from '../../src/ews/soap/ntlm/target-info.ts'

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')

test.each([
  ['', '31d6cfe0d16ae931b73c59d7e0c089c0'],
  ['a', 'bde52cb31de33e46245e05fbdbd6fb24'],
  ['abc', 'a448017aaf21d8525fc10ae87aa6729d'],
  ['message digest', 'd9130a8164549fe818874806e1c7014b'],
  ['abcdefghijklmnopqrstuvwxyz', 'd79e1c308aa5bbcdeea8ed63df412da9'],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', '043f8582f241db351ce627e153e7f0e4'],
  [
    '12345678901234567890123456789012345678901234567890123456789012345678901234567890',
    'e33b4ddc9c38f2199c3e7b164fcc0536',
  ],
])('MD4 of %j is as RFC 1320 says', (text, digest) => {
  expect(md4(Buffer.from(text)).toString('hex')).toBe(digest)
})

/** The values of MS-NLMP §4.2. */
const user: Credentials = { user: 'User', domain: 'Domain', password: 'Password' }
const serverChallenge = hex('0123456789abcdef')
const clientChallenge = hex('aaaaaaaaaaaaaaaa')
const targetInfo = hex('02000c0044006f006d00610069006e0001000c005300650072007600650072000000 0000')

describe('NTLM version 2', () => {
  test('derives the key from a password as MS-NLMP says (§4.2.2.1.2, §4.2.4.1.1)', () => {
    expect(md4(Buffer.from('Password', 'utf16le'))).toEqual(hex('a4f49c406510bdcab6824ee7c30fd852'))
    expect(passwordKey(user)).toEqual(hex('0c868a403bfd7a93a3001ef22ef02e3f'))
  })

  test('answers a challenge as MS-NLMP says (§4.2.4.2)', () => {
    const time = Buffer.alloc(8)
    const made = responseTo(passwordKey(user), { serverChallenge, clientChallenge, time, targetInfo })
    expect(made.lanManager).toEqual(hex('86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa'))
    expect(made.response.subarray(0, 16)).toEqual(hex('68cd0ab851e51c96aabc927bebef6a1c'))
    expect(made.response.subarray(16)).toEqual(
      Buffer.concat([hex('0101000000000000'), time, clientChallenge, hex('00000000'), targetInfo, hex('00000000')]),
    )
    expect(made.sessionKey).toEqual(hex('8de40ccadbc14a82f15cb0ad0de95ca3'))
  })

  test.each([
    ['CORP\\ada', { domain: 'CORP', user: 'ada' }],
    ['ada@corp.example', { domain: '', user: 'ada@corp.example' }],
    ['ada', { domain: '', user: 'ada' }],
    ['corp.example\\a\\b', { domain: 'corp.example', user: 'a\\b' }],
  ])('parses %s', (name, parts) => {
    expect(credentialsOf({ user: name, password: 'x' })).toEqual({ ...parts, password: 'x' })
  })

  test('changes the case of names as Windows does, one character for one', () => {
    const straße: Credentials = { user: 'straße', domain: 'D', password: 'p' }
    expect(passwordKey(straße)).toEqual(passwordKey({ ...straße, user: 'STRAßE' }))
    expect(passwordKey(straße)).not.toEqual(passwordKey({ ...straße, domain: 'd' }))
  })
})

/** A challenge as a server writes it. */
function challengeOf(pairs: [number, Buffer][], flags = 0xe2898235): Buffer {
  const info = writeTargetInfo(new Map(pairs))
  const name = Buffer.from('Domain', 'utf16le')
  const head = Buffer.alloc(56)
  head.write('NTLMSSP\0', 'latin1')
  head.writeUInt32LE(2, 8)
  head.writeUInt16LE(name.length, 12)
  head.writeUInt16LE(name.length, 14)
  head.writeUInt32LE(56, 16)
  head.writeUInt32LE(flags, 20)
  serverChallenge.copy(head, 24)
  head.writeUInt16LE(info.length, 40)
  head.writeUInt16LE(info.length, 42)
  head.writeUInt32LE(56 + name.length, 44)
  return Buffer.concat([head, name, info])
}

const timestamp = hex('00112233445566 01')
const domainName: [number, Buffer] = [2, Buffer.from('Domain', 'utf16le')]

function fieldsOf(message: Buffer): Record<string, Buffer> {
  const names = ['lm', 'nt', 'domain', 'user', 'workstation', 'key']
  return Object.fromEntries(
    names.map((name, place) => {
      const at = 12 + place * 8
      const offset = message.readUInt32LE(at + 4)
      return [name, message.subarray(offset, offset + message.readUInt16LE(at))]
    }),
  )
}

describe('the messages', () => {
  test("start with the client's capabilities", () => {
    const message = negotiateMessage()
    expect(message.subarray(0, 12)).toEqual(Buffer.concat([Buffer.from('NTLMSSP\0'), hex('01000000')]))
    // Unicode and extended security, and no key exchange, which nothing here would use.
    expect(message.readUInt32LE(12) & 0x80001).toBe(0x80001)
    expect(message.readUInt32LE(12) & 0x40000000).toBe(0)
  })

  test('end with an answer that the server can check, bound to the TLS connection, with a code over all three', () => {
    const challenge = readChallenge(challengeOf([domainName, [avId.timestamp, timestamp]]))
    const der = new X509Certificate(certificate).raw
    const message = authenticateMessage({
      challenge,
      credentials: { ...user, user: 'Ädä' },
      clientChallenge,
      now: 0,
      host: 'mail.example',
      certificate: der,
    })
    const fields = fieldsOf(message)
    expect(fields.user?.toString('utf16le')).toBe('Ädä')
    expect(fields.domain?.toString('utf16le')).toBe('Domain')
    expect(fields.lm).toEqual(Buffer.alloc(24))
    // As the server does it: the proof over its challenge and the rest of the response.
    const key = passwordKey({ ...user, user: 'Ädä' })
    const nt = fields.nt ?? Buffer.alloc(0)
    const proof = createHmac('md5', key).update(serverChallenge).update(nt.subarray(16)).digest()
    expect(nt.subarray(0, 16)).toEqual(proof)
    expect(nt.subarray(24, 32)).toEqual(timestamp)
    const pairs = readTargetInfo(nt.subarray(44, -4))
    expect(pairs?.get(2)?.toString('utf16le')).toBe('Domain')
    expect(pairs?.get(avId.flags)).toEqual(hex('02000000'))
    expect(pairs?.get(avId.targetName)?.toString('utf16le')).toBe('HTTP/mail.example')
    expect(pairs?.get(avId.channelBindings)).toEqual(channelBindings(der))
    const mic = message.subarray(72, 88)
    const without = Buffer.from(message)
    without.fill(0, 72, 88)
    const sessionKey = createHmac('md5', key).update(proof).digest()
    const code = createHmac('md5', sessionKey).update(negotiateMessage()).update(challenge.message).update(without)
    expect(mic).toEqual(code.digest())
  })

  test('have no code, and the older response, if the server sends no time', () => {
    const challenge = readChallenge(challengeOf([domainName]))
    const now = Date.UTC(2026, 10, 16)
    const message = authenticateMessage({
      challenge,
      credentials: user,
      clientChallenge,
      now,
      host: 'mail.example',
      certificate: undefined,
    })
    const { nt = Buffer.alloc(0), lm } = fieldsOf(message)
    expect(message.subarray(72, 88)).toEqual(Buffer.alloc(16))
    expect(lm).toEqual(hex('86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa'))
    expect(Number(nt.readBigUInt64LE(24) / 10_000n) - 11_644_473_600_000).toBe(now)
    expect(readTargetInfo(nt.subarray(44, -4))?.get(avId.channelBindings)).toEqual(Buffer.alloc(16))
  })

  test('bind to the certificate as RFC 5929 says', () => {
    const der = new X509Certificate(certificate).raw
    const data = Buffer.concat([Buffer.from('tls-server-end-point:'), createHash('sha256').update(der).digest()])
    const structure = Buffer.concat([Buffer.alloc(16), hex('35000000'), data])
    expect(channelBindings(der)).toEqual(createHash('md5').update(structure).digest())
  })

  const good = challengeOf([domainName])
  test.each<[string, Buffer]>([
    ['is empty', Buffer.alloc(0)],
    ['is of another protocol', Buffer.from('x'.repeat(100))],
    ['is a message of the client', negotiateMessage()],
    ['is cut off', good.subarray(0, 60)],
    ['has no target information', challengeOf([]).subarray(0, 56).fill(0, 40, 48)],
    ['takes no Unicode', challengeOf([domainName], 0xe2898234)],
    ['has pairs that are longer than it', Buffer.from(good).fill(0xff, good.length - 18, good.length - 16)],
  ])('are not answered if the challenge %s', (_, message) => {
    expect(() => readChallenge(message)).toThrow(NtlmError)
  })
})
