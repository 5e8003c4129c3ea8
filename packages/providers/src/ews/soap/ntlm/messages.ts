/**
 * The three messages of NTLM version 2 (MS-NLMP): the client's abilities, the server's challenge, and the response.
 * Keys for signing and sealing are not exchanged, because HTTP uses TLS.
 */
import { createHmac } from 'node:crypto'
import { md4 } from './md4.ts'
import { answeredInfo, avId, readTargetInfo, type TargetInfo, writeTargetInfo } from './target-info.ts'

/** An invalid message of the server, or one that requires an unsupported feature. */
export class NtlmError extends Error {
  override readonly name = 'NtlmError'
}

const signature = Buffer.from('NTLMSSP\0', 'latin1')

const flag = {
  unicode: 0x1,
  requestTarget: 0x4,
  ntlm: 0x200,
  alwaysSign: 0x8000,
  extendedSecurity: 0x80000,
  targetInfo: 0x800000,
  version: 0x2000000,
  key128: 0x20000000,
  key56: 0x80000000,
}
const flags =
  (flag.unicode |
    flag.requestTarget |
    flag.ntlm |
    flag.alwaysSign |
    flag.extendedSecurity |
    flag.targetInfo |
    flag.version |
    flag.key128 |
    flag.key56) >>>
  0

/** Windows 10, NTLMSSP revision 15: servers require a version and accept any. */
const version = Buffer.from([10, 0, 0x61, 0x4a, 0, 0, 0, 15])

/** NEGOTIATE_MESSAGE (type 1). */
export function negotiateMessage(): Buffer {
  const message = Buffer.alloc(40)
  signature.copy(message)
  message.writeUInt32LE(1, 8)
  message.writeUInt32LE(flags, 12)
  version.copy(message, 32)
  return message
}

export interface Challenge {
  /** As received: the message integrity code covers it. */
  message: Buffer
  serverChallenge: Buffer
  flags: number
  targetInfo: TargetInfo
}

/** CHALLENGE_MESSAGE (type 2). Throws an `NtlmError`. */
export function readChallenge(message: Buffer): Challenge {
  const isChallenge = message.length >= 48 && message.subarray(0, 8).equals(signature) && message.readUInt32LE(8) === 2
  if (!isChallenge) throw new NtlmError('the challenge is none')
  const given = message.readUInt32LE(20)
  if (!(given & flag.unicode)) throw new NtlmError('the server does not take Unicode')
  const length = message.readUInt16LE(40)
  const offset = message.readUInt32LE(44)
  if (offset + length > message.length) throw new NtlmError('the challenge is cut off')
  const targetInfo = readTargetInfo(message.subarray(offset, offset + length))
  // Version 2 requires it, and version 1 is not offered because it is insecure.
  if (!targetInfo) throw new NtlmError('the challenge has no target information')
  return { message, serverChallenge: message.subarray(24, 32), flags: given, targetInfo }
}

export interface Credentials {
  domain: string
  user: string
  password: string
}

/** Splits `DOMAIN\\user`; a user principal name or an address is used as it is, without a domain. */
export function credentialsOf({ user, password }: { user: string; password: string }): Credentials {
  const backslash = user.indexOf('\\')
  return backslash < 0
    ? { domain: '', user, password }
    : { domain: user.slice(0, backslash), user: user.slice(backslash + 1), password }
}

const unicode = (text: string): Buffer => Buffer.from(text, 'utf16le')
const hmac = (key: Buffer, ...data: readonly Uint8Array[]): Buffer => {
  const made = createHmac('md5', key)
  for (const piece of data) made.update(piece)
  return made.digest()
}

/** Per character, as Windows does: `ß` stays one character. */
const upperCase = (text: string): string =>
  [...text]
    .map((character) => (character.toUpperCase().length === character.length ? character.toUpperCase() : character))
    .join('')

/** NTOWFv2. */
export const passwordKey = ({ domain, user, password }: Credentials): Buffer =>
  hmac(md4(unicode(password)), unicode(upperCase(user) + domain))

export interface ResponseParts {
  serverChallenge: Buffer
  clientChallenge: Buffer
  /** FILETIME, eight bytes. */
  time: Buffer
  targetInfo: Buffer
}

/** The response to a challenge (MS-NLMP §3.3.2), and the session key. */
export function responseTo(key: Buffer, { serverChallenge, clientChallenge, time, targetInfo }: ResponseParts) {
  const blank = Buffer.alloc(4)
  const head = Buffer.from([1, 1, 0, 0, 0, 0, 0, 0])
  const content = Buffer.concat([head, time, clientChallenge, blank, targetInfo, blank])
  const proof = hmac(key, serverChallenge, content)
  const lanManager = Buffer.concat([hmac(key, serverChallenge, clientChallenge), clientChallenge])
  return { response: Buffer.concat([proof, content]), lanManager, sessionKey: hmac(key, proof) }
}

export interface Answering {
  challenge: Challenge
  credentials: Credentials
  /** Eight random bytes. */
  clientChallenge: Buffer
  /** In milliseconds, used if the server names no time. */
  now: number
  host: string
  /** The server's certificate, if the connection uses TLS. */
  certificate: Buffer | undefined
}

const headBytes = 88
const micAt = 72

/** AUTHENTICATE_MESSAGE (type 3). */
export function authenticateMessage(answering: Answering): Buffer {
  const { challenge, credentials, clientChallenge, now, host, certificate } = answering
  const timestamp = challenge.targetInfo.get(avId.timestamp)
  const { response, lanManager, sessionKey } = responseTo(passwordKey(credentials), {
    serverChallenge: challenge.serverChallenge,
    clientChallenge,
    time: timestamp?.length === 8 ? timestamp : fileTime(now),
    targetInfo: writeTargetInfo(answeredInfo(challenge.targetInfo, { host, certificate })),
  })
  // If the server names the time, the LM response is empty and a message integrity code is required.
  const message = written(
    [
      timestamp ? Buffer.alloc(24) : lanManager,
      response,
      unicode(credentials.domain),
      unicode(credentials.user),
      Buffer.alloc(0),
      Buffer.alloc(0),
    ],
    challenge.flags & flags,
  )
  if (timestamp) hmac(sessionKey, negotiateMessage(), challenge.message, message).copy(message, micAt)
  return message
}

/** The fields in the order of their headers: LM, NT, domain, user, workstation, session key. */
function written(fields: readonly Buffer[], agreed: number): Buffer {
  const head = Buffer.alloc(headBytes)
  signature.copy(head)
  head.writeUInt32LE(3, 8)
  let offset = headBytes
  for (const [place, field] of fields.entries()) {
    const at = 12 + place * 8
    head.writeUInt16LE(field.length, at)
    head.writeUInt16LE(field.length, at + 2)
    head.writeUInt32LE(offset, at + 4)
    offset += field.length
  }
  head.writeUInt32LE(agreed >>> 0, 60)
  version.copy(head, 64)
  return Buffer.concat([head, ...fields])
}

/** Tenths of a microsecond since 1601. */
function fileTime(now: number): Buffer {
  const time = Buffer.alloc(8)
  time.writeBigUInt64LE((BigInt(Math.trunc(now)) + 11_644_473_600_000n) * 10_000n)
  return time
}
