/**
 * A look at the TLS of a server that judges nothing: what it shows is told, old versions and bad certificates included.
 * Nothing secret may go over such a connection.
 */
import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import { EgressError } from './error.ts'

export interface TlsReport {
  /** Such as `TLSv1.3`. */
  version: string
  /** Why the certificate is not believed: a code of OpenSSL or Node; undefined where it is. */
  distrust: string | undefined
  /** Whom the certificate is for, by its names. */
  names: string[]
  issuer: string
  /** The end of the certificate, in milliseconds since 1970. */
  validTo: number
}

/** Begins TLS on a socket of `egress.connect`. */
export async function inspectTls(
  socket: net.Socket,
  { host, signal }: { host: string; signal: AbortSignal },
): Promise<{ socket: tls.TLSSocket; report: TlsReport }> {
  const servername = net.isIP(host) === 0 ? host : ''
  // Versions that are too old are to be told, and OpenSSL speaks them at this level alone.
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

/** Node gives the code, or an error that has one. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error ?? 'unknown')
