/**
 * Which URLs and hosts may be requested, decided from the text alone. The addresses behind a name are checked later,
 * in `socket.ts`, on the same records that the socket connects to.
 */
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { type AddressMode, addressVerdict } from './addresses.ts'
import { type AllowList, checkAllowed } from './allow.ts'
import { EgressError } from './error.ts'

const REMEDY = 'use a public host, or have the operator allow private addresses (WAYPOST_EGRESS=private)'

/** The remedy for a refused address. Addresses refused in mode `private` are refused under every setting. */
export const remedyIn = (mode: AddressMode): string => (mode === 'public' ? REMEDY : 'use a public host')

export interface UrlPolicy {
  readonly mode: AddressMode
  readonly allowHttp: boolean
  /** Undefined allows every port. */
  readonly ports: readonly number[] | undefined
  /** Undefined allows every host. */
  readonly allow: AllowList | undefined
}

// The URL parser silently drops tabs and newlines, reads backslashes as slashes and repairs a missing authority. Each
// can make two parsers see two different hosts, and none appears in a legitimate URL.
const MISLEADING = /[\p{Cc}\s\\]/u
// `domainToASCII` uses the URL parser's host parser, which stops at a delimiter and decodes percent signs.
const NOT_A_HOST = /[\p{Cc}\s\\/?#@:%]/u
const AUTHORITY = /^https?:\/\/([^/?#]+)/i
const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`)
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal)$/

/** Parses a URL the server is to call, or throws an `EgressError`. Returns a copy with a normalized host. */
export function parseUrl(text: string | URL, { mode, allowHttp, ports, allow }: UrlPolicy): URL {
  const raw = typeof text === 'string' ? text : text.href
  const authority = MISLEADING.test(raw) ? undefined : AUTHORITY.exec(raw)?.[1]
  const url = authority === undefined ? null : URL.parse(raw)
  if (authority === undefined || url === null) {
    throw new EgressError('refused_url', 'The URL is not valid; give an absolute URL such as https://example.com/hook')
  }
  if (authority.includes('@')) {
    throw new EgressError('refused_url', `The URL for ${url.hostname} has a user name; send credentials in a header`)
  }
  if (url.protocol === 'http:' && !allowHttp) {
    throw new EgressError('refused_url', `${url.hostname} may only be reached over https; use an https URL`)
  }
  url.hostname = bracketed(parseHost(url.hostname, mode))
  checkPort(url.hostname, portOf(url), ports)
  checkAllowed(allow, url.hostname, portOf(url))
  return url
}

/** Normalizes a host name or IP literal (no brackets, no trailing dot, ASCII), or throws an `EgressError`. */
export function parseHost(text: string, mode: AddressMode): string {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) !== 0) return checkLiteral(bare, mode)

  const ascii = NOT_A_HOST.test(text) ? '' : domainToASCII(text).replace(/\.$/, '')
  if (isIP(ascii) !== 0) return checkLiteral(ascii, mode)
  if (ascii.length > 253 || !NAME.test(ascii)) {
    throw new EgressError('refused_url', 'The host is not a valid name; give a DNS name such as mail.example.com')
  }
  if (mode === 'public' && LOCAL_NAME.test(ascii)) {
    throw new EgressError('refused_address', `${ascii} is a local name; ${REMEDY}`)
  }
  return ascii
}

/** Throws unless `port` is one of `ports`. */
export function checkPort(host: string, port: number, ports: readonly number[] | undefined): void {
  const allowed = ports === undefined ? Number.isInteger(port) && port > 0 && port < 65_536 : ports.includes(port)
  if (allowed) return
  const remedy = ports === undefined ? 'use one from 1 to 65535' : `use one of ${ports.join(', ')}`
  throw new EgressError('refused_port', `Port ${port} of ${host} is not allowed; ${remedy}`)
}

/** The port of a URL, including default ports. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

function checkLiteral(ip: string, mode: AddressMode): string {
  const verdict = addressVerdict(ip, { mode })
  if (verdict.allowed) return ip
  const remedy = remedyIn(addressVerdict(ip, { mode: 'private' }).allowed ? mode : 'private')
  throw new EgressError('refused_address', `${ip} may not be reached (${verdict.reason}); ${remedy}`)
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host
}
