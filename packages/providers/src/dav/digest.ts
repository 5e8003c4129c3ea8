/** Digest access authentication (RFC 7616), which some servers require instead of Basic. */
import { createHash } from 'node:crypto'

/** A server's challenge to prove knowledge of the password. */
export interface DigestChallenge {
  realm: string
  nonce: string
  opaque: string | undefined
  algorithm: 'MD5' | 'SHA-256'
  /** Whether the server supports `qop=auth`; servers before RFC 2617 do not. */
  hasQop: boolean
  /** The nonce has expired, and the password was correct. */
  isStale: boolean
}

const challengeStarts = /(?:^|,)\s*(?=[\w-]+\s+[\w-]+\s*=)/g
const parameter = /([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g
const maxHeader = 8192

/** The strongest offered challenge that we support. */
export function digestChallenge(header: string | undefined): DigestChallenge | undefined {
  const known = (header ?? '').slice(0, maxHeader).split(challengeStarts).flatMap(readChallenge)
  return known.find(({ algorithm }) => algorithm === 'SHA-256') ?? known[0]
}

function readChallenge(text: string): DigestChallenge[] {
  const [, rest] = /^\s*Digest\s+(.*)$/is.exec(text) ?? []
  if (rest === undefined) return []
  const found = new Map<string, string>()
  for (const [, name = '', quoted, plain] of rest.matchAll(parameter)) {
    found.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '')
  }
  const algorithm = (found.get('algorithm') ?? 'MD5').toUpperCase()
  const qops = found
    .get('qop')
    ?.toLowerCase()
    .split(/[\s,]+/)
  const nonce = found.get('nonce')
  if (nonce === undefined || (algorithm !== 'MD5' && algorithm !== 'SHA-256')) return []
  if (qops && !qops.includes('auth')) return []
  return [
    {
      realm: found.get('realm') ?? '',
      nonce,
      opaque: found.get('opaque'),
      algorithm,
      hasQop: qops !== undefined,
      isStale: found.get('stale')?.toLowerCase() === 'true',
    },
  ]
}

export interface DigestRequest {
  method: string
  /** Path and query as in the request line. */
  uri: string
  /** How often the nonce was used, including this request. */
  count: number
  /** A random value that others cannot predict. */
  cnonce: string
}

/** The `Authorization` header of a request. */
export function digestAuthorization(
  { realm, nonce, opaque, algorithm, hasQop }: DigestChallenge,
  { user, password }: { user: string; password: string },
  { method, uri, count, cnonce }: DigestRequest,
): string {
  const hash = (text: string): string =>
    createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
      .update(text)
      .digest('hex')
  const nc = count.toString(16).padStart(8, '0')
  const [who, what] = [hash(`${user}:${realm}:${password}`), hash(`${method}:${uri}`)]
  const response = hash(hasQop ? `${who}:${nonce}:${nc}:${cnonce}:auth:${what}` : `${who}:${nonce}:${what}`)
  const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
  const parts = [
    `username=${quoted(user)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `response="${response}"`,
    `algorithm=${algorithm}`,
    ...(hasQop ? ['qop=auth', `nc=${nc}`, `cnonce="${cnonce}"`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
  ]
  return `Digest ${parts.join(', ')}`
}
