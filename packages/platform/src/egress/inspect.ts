/**
 * Reports the TLS settings of a server without enforcing any rule: old versions and bad certificates are reported,
 * not refused. Nothing confidential may be sent over such a connection.
 */
import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import { EgressError } from './error.ts'

export interface TlsReport {
  /** Such as `TLSv1.3`. */
  version: string
  /** Why the certificate is not trusted: an error code of OpenSSL or Node. Undefined if it is trusted. */
  distrust: string | undefined
  /** The host names in the certificate. */
  names: string[]
  issuer: string
  /** When the certificate expires, in milliseconds since 1970. */
  validTo: number
}

/** Starts TLS on a socket from `egress.connect`. */
export async function inspectTls(
  socket: net.Socket,
  { host, signal }: { host: string; signal: AbortSignal },
): Promise<{ socket: tls.TLSSocket; report: TlsReport }> {
  const servername = net.isIP(host) === 0 ? host : ''
  // Old versions have to be reported, and OpenSSL only negotiates them at this security level.
  const old = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  const secured = tls.connect({ ...old, socket, host, servername, rejectUnauthorized: false })
  secured.on('error', () => undefined)
  try {
    await once(secured, 'secureConnect', { signal })
  } catch (cause) {
    secured.destroy()
    signal.throwIfAborted()
    throw new EgressError('tls_failed', `${host} does not speak TLS here`, { cause })
  }
  return { socket: secured, report: reportOf(secured) }
}

function reportOf(socket: tls.TLSSocket): TlsReport {
  const { subject, issuer, subjectaltname = '', valid_to } = socket.getPeerCertificate()
  const named = Array.from(subjectaltname.matchAll(/(?:DNS|IP Address):([^,\s]+)/g), ([, name = '']) => name)
  const distrust: unknown = socket.authorizationError
  return {
    version: socket.getProtocol() ?? 'unknown',
    distrust: socket.authorized ? undefined : codeOf(distrust),
    names: named.length > 0 ? named : [subject?.CN ?? []].flat(),
    issuer: [issuer?.O ?? issuer?.CN ?? 'nobody'].flat().join(', '),
    validTo: Date.parse(valid_to),
  }
}

/** Node returns the code, or an error that has one. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error ?? 'unknown')
