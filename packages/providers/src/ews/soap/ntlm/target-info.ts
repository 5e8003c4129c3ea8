/** The server's description of itself in its challenge, as pairs of an id and a value (MS-NLMP §2.2.2.1). */
import { createHash, X509Certificate } from 'node:crypto'

export const avId = {
  end: 0,
  flags: 6,
  timestamp: 7,
  targetName: 9,
  channelBindings: 10,
} as const

/** The client sends a message integrity code. */
const micPresent = 2

export type TargetInfo = ReadonlyMap<number, Buffer>

/** Undefined if the bytes are not valid pairs. */
export function readTargetInfo(bytes: Buffer): TargetInfo | undefined {
  const pairs = new Map<number, Buffer>()
  for (let at = 0; at + 4 <= bytes.length; ) {
    const id = bytes.readUInt16LE(at)
    const end = at + 4 + bytes.readUInt16LE(at + 2)
    if (id === avId.end) return pairs
    if (end > bytes.length) return undefined
    pairs.set(id, bytes.subarray(at + 4, end))
    at = end
  }
  return undefined
}

export function writeTargetInfo(pairs: TargetInfo): Buffer {
  const written = [...pairs].flatMap(([id, value]) => [pairHead(id, value.length), value])
  return Buffer.concat([...written, pairHead(avId.end, 0)])
}

function pairHead(id: number, length: number): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(length, 2)
  return head
}

/** The pairs of the response: the server's own, the intended target, and the TLS channel. */
export function answeredInfo(
  given: TargetInfo,
  { host, certificate }: { host: string; certificate: Buffer | undefined },
): TargetInfo {
  const pairs = new Map(given)
  if (given.has(avId.timestamp)) {
    const flags = Buffer.alloc(4)
    flags.writeUInt32LE(
      ((given.get(avId.flags)?.length === 4 && given.get(avId.flags)?.readUInt32LE()) || 0) | micPresent,
    )
    pairs.set(avId.flags, flags)
  }
  pairs.set(avId.targetName, Buffer.from(`HTTP/${host}`, 'utf16le'))
  pairs.set(avId.channelBindings, channelBindings(certificate))
  return pairs
}

/**
 * The connection's own mark (RFC 5929 `tls-server-end-point`, as MD5 of the structure of RFC 2744 §3.11): a server with
 * Extended Protection takes no answer that was given on another connection. Without TLS it is zeros.
 */
export function channelBindings(certificate: Buffer | undefined): Buffer {
  if (certificate === undefined) return Buffer.alloc(16)
  const data = Buffer.concat([Buffer.from('tls-server-end-point:'), certificateHash(certificate)])
  const structure = Buffer.alloc(20)
  structure.writeUInt32LE(data.length, 16)
  return createHash('md5').update(structure).update(data).digest()
}

/** Uses the hash of the certificate's signature; MD5 and SHA-1 count as SHA-256 (RFC 5929 §4.1). */
function certificateHash(certificate: Buffer): Buffer {
  const { signatureAlgorithm = '' } = new X509Certificate(certificate)
  const [, bits = '256'] = /sha-?(384|512)/i.exec(signatureAlgorithm) ?? []
  return createHash(`sha${bits}`).update(certificate).digest()
}
