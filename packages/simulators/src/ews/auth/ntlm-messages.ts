// The three messages of NTLM ([MS-NLMP] 2.2.1), as a server writes and parses them.

const signature = Buffer.from('NTLMSSP\0')

/** Unicode, sign, NTLM, extended session security, target info, version, 128 bits, key exchange, 56 bits. */
const FLAGS = 0xe2898205 | 0

export const av = {
  end: 0,
  computer: 1,
  domain: 2,
  dnsComputer: 3,
  dnsDomain: 4,
  flags: 6,
  time: 7,
  binding: 10,
} as const

export interface Authenticate {
  readonly user: string
  readonly domain: string
  readonly ntResponse: Buffer
  readonly sessionKey: Buffer
  readonly flags: number
  /** The message integrity code; undefined if the message has no room for one. */
  readonly mic: Buffer | undefined
}

/** 1, 2 or 3; undefined if this is not an NTLM message. */
export function messageType(message: Buffer): number | undefined {
  return message.length >= 12 && message.subarray(0, 8).equals(signature) ? message.readUInt32LE(8) : undefined
}

export function writeChallenge(challenge: Buffer, domain: string, host: string, now: number): Buffer {
  const name = Buffer.from(domain, 'utf16le')
  const time = Buffer.alloc(8)
  // Windows counts units of 100 ns since 1601.
  time.writeBigUInt64LE((BigInt(now) + 11_644_473_600_000n) * 10_000n)
  const info = Buffer.concat([
    pair(av.domain, name),
    pair(av.computer, Buffer.from('MAIL', 'utf16le')),
    pair(av.dnsDomain, Buffer.from(host.slice(host.indexOf('.') + 1), 'utf16le')),
    pair(av.dnsComputer, Buffer.from(host, 'utf16le')),
    pair(av.time, time),
    pair(av.end, Buffer.alloc(0)),
  ])
  const head = Buffer.alloc(56)
  signature.copy(head)
  head.writeUInt32LE(2, 8)
  writeField(head, 12, name.length, 56)
  head.writeInt32LE(FLAGS, 20)
  challenge.copy(head, 24)
  writeField(head, 40, info.length, 56 + name.length)
  // Windows 10.0, NTLM revision 15.
  Buffer.from([10, 0, 0x63, 0x45, 0, 0, 0, 15]).copy(head, 48)
  return Buffer.concat([head, name, info])
}

/** Undefined if malformed. */
export function readAuthenticate(message: Buffer): Authenticate | undefined {
  if (message.length < 64) return undefined
  const flags = message.readUInt32LE(60)
  const encoding = (flags & 1) === 1 ? 'utf16le' : 'latin1'
  const first = Math.min(...[12, 20, 28, 36, 44].map((at) => message.readUInt32LE(at + 4)))
  return {
    user: field(message, 36).toString(encoding),
    domain: field(message, 28).toString(encoding),
    ntResponse: field(message, 20),
    sessionKey: field(message, 52),
    flags,
    mic: first >= 88 && message.length >= 88 ? message.subarray(72, 88) : undefined,
  }
}

/** The values in the blob of an NTLMv2 response, keyed by id. */
export function readPairs(info: Buffer): ReadonlyMap<number, Buffer> {
  const pairs = new Map<number, Buffer>()
  for (let at = 0; at + 4 <= info.length; ) {
    const id = info.readUInt16LE(at)
    const length = info.readUInt16LE(at + 2)
    if (id === av.end) break
    pairs.set(id, info.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return pairs
}

function pair(id: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(value.length, 2)
  return Buffer.concat([head, value])
}

function writeField(message: Buffer, at: number, length: number, offset: number): void {
  message.writeUInt16LE(length, at)
  message.writeUInt16LE(length, at + 2)
  message.writeUInt32LE(offset, at + 4)
}

function field(message: Buffer, at: number): Buffer {
  const offset = message.readUInt32LE(at + 4)
  return message.subarray(offset, offset + message.readUInt16LE(at))
}
