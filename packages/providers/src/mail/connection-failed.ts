/** Reasons why a mail server cannot be used, for all protocols. */
import { EgressError } from '@waypost/platform/egress/error'

export type Failure =
  | 'host'
  | 'address'
  | 'port'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'credentials'
  /** The server supports no login method that Waypost supports. */
  | 'method'
  | 'limit'
  /** The server reports a temporary failure. */
  | 'unavailable'
  | 'protocol'

/** A connection that failed or was lost. The message contains no secrets. */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed'
  readonly failure: Failure
  /** The server's own words about a refused login; empty if there are none. Logs do not contain them. */
  readonly said: string

  constructor(failure: Failure, message: string, cause?: unknown, said = '') {
    super(message, { cause: cause instanceof Error ? new Error(`${codeOf(cause)} ${cause.name}`.trim()) : undefined })
    this.failure = failure
    this.said = said
  }
}

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const byEgress: Partial<Record<EgressError['reason'], Failure>> = {
  refused_url: 'host',
  refused_address: 'address',
  refused_port: 'port',
  dns_failed: 'host',
  connect_failed: 'connect',
  tls_failed: 'tls',
  timeout: 'timeout',
}

const timeouts = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT', 'ETIMEOUT', 'ETIMEDOUT'])
const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET', 'EPIPE', 'EADDRNOTAVAIL'])

export function isTlsError(error: unknown): boolean {
  if (error instanceof Error && 'tlsFailed' in error && error.tlsFailed) return true
  const code = codeOf(error)
  return /^ERR_(TLS|SSL)|CERT|^EPROTO$|SELF_SIGNED|UNABLE_TO_|^ClosedAfterConnectTLS$/.test(code)
}

/** The error for a network failure; undefined for any other failure. */
export function networkFailed(
  error: unknown,
  { host, port }: { host: string; port: number },
): ConnectionFailed | undefined {
  if (error instanceof ConnectionFailed) return error
  if (error instanceof EgressError) {
    return new ConnectionFailed(byEgress[error.reason] ?? 'connect', error.message, error)
  }
  const where = `${host} port ${port}`
  const code = codeOf(error)
  if (timeouts.has(code)) return new ConnectionFailed('timeout', `${where} did not respond in time`, error)
  if (isTlsError(error)) {
    const remedy = 'it needs TLS 1.2 or newer and a trusted certificate for that name'
    return new ConnectionFailed('tls', `no secure connection to ${where} is possible; ${remedy}`, error)
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new ConnectionFailed('host', `${host} has no address`, error)
  if (unreachable.has(code)) {
    return new ConnectionFailed('connect', `could not connect to ${where}; check that it is running`, error)
  }
  return undefined
}

/** The server responds, but not with a mail protocol. */
export const notMail = ({ host, port }: { host: string; port: number }, error: unknown): ConnectionFailed =>
  new ConnectionFailed('protocol', `${host} port ${port} does not respond like a mail server`, error)
