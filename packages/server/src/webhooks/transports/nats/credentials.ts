/**
 * How a NATS client proves who it is: by token, by user and password, or by a `.creds` file. Such a file contains a
 * token of the account (JWT) and the seed of an Ed25519 key, with which the client signs the server's nonce.
 */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { fromBase32 } from '@waypost/platform/crypto/base32'

export interface NatsCredentials {
  readonly token?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** The content of a `.creds` file. */
  readonly credentials?: string | undefined
}

/** A `.creds` file, parsed. */
export interface CredentialsFile {
  readonly jwt: string
  readonly key: KeyObject
}

const block = (name: string): RegExp =>
  new RegExp(`-{3,}BEGIN ${name}-{3,}\\s+([A-Za-z0-9._=-]+)\\s+-{3,}END ${name}-{3,}`)
const jwtBlock = block('NATS USER JWT')
const seedBlock = block('USER NKEY SEED')
const maxFile = 16_384

/** Undefined if the text is not a `.creds` file. */
export function parseCredentialsFile(text: string): CredentialsFile | undefined {
  if (text.length > maxFile) return undefined
  const jwt = jwtBlock.exec(text)?.[1]
  const seed = seedBlock.exec(text)?.[1]
  const key = seed === undefined ? undefined : keyOfSeed(seed)
  return jwt === undefined || key === undefined ? undefined : { jwt, key }
}

/** The DER form of an Ed25519 private key up to its 32 bytes (RFC 8410 §7). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
/** Two bytes say that it is the seed of a user; the last two are a checksum. */
const seedBytes = 2 + 32 + 2

function keyOfSeed(seed: string): KeyObject | undefined {
  const bytes = fromBase32(seed)
  if (!seed.startsWith('SU') || bytes?.length !== seedBytes) return undefined
  if (bytes.readUInt16LE(seedBytes - 2) !== crc16(bytes.subarray(0, -2))) return undefined
  const der = Buffer.concat([pkcs8, bytes.subarray(2, 34)])
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
}

/** CRC-16/XMODEM. */
function crc16(bytes: Buffer): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  }
  return crc
}

/** The fields of `CONNECT` that prove who the client is. */
export function proof(given: NatsCredentials, nonce: string | undefined): Record<string, string> {
  if (given.credentials !== undefined) {
    const file = parseCredentialsFile(given.credentials)
    if (!file) return {}
    return { jwt: file.jwt, sig: sign(null, Buffer.from(nonce ?? ''), file.key).toString('base64url') }
  }
  if (given.token !== undefined) return { auth_token: given.token }
  if (given.username !== undefined) return { user: given.username, pass: given.password ?? '' }
  return {}
}
