/** Why a server of mail could not be reached or used, whatever it speaks. */
import { EgressError } from '../../lib/egress/error.ts'

/** Why a server could not be used. */
export type Failure =
  | 'host'
  | 'address'
  | 'port'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'credentials'
  /** The server takes neither passwords nor tokens in any way that we know. */
  | 'method'
  | 'limit'
  /** The server says that it cannot do now what it does at other times. */
  | 'unavailable'
  | 'protocol'

/** A connection that could not be made, or was lost. The message is ours and holds no secret. */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed'
  readonly failure: Failure

  constructor(failure: Failure, message: string, cause?: unknown) {
    super(message, { cause: cause instanceof Error ? new Error(`${codeOf(cause)} ${cause.name}`.trim()) : undefined })
    this.failure = failure
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

/** What failed on the way to a server; undefined where it is nothing of the network. */
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
  if (timeouts.has(code)) return new ConnectionFailed('timeout', `${where} did not answer in time`, error)
  if (isTlsError(error)) {
    const remedy = 'it needs TLS 1.2 or newer and a trusted certificate for that name'
    return new ConnectionFailed('tls', `no secure connection to ${where} was possible; ${remedy}`, error)
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new ConnectionFailed('host', `${host} has no address`, error)
  if (unreachable.has(code)) {
    return new ConnectionFailed('connect', `could not connect to ${where}; check that it is up`, error)
  }
  return undefined
}

/** The server speaks, but not as one of mail does. */
export const notMail = ({ host, port }: { host: string; port: number }, error: unknown): ConnectionFailed =>
  new ConnectionFailed('protocol', `${host} port ${port} does not answer as a mail server does`, error)
