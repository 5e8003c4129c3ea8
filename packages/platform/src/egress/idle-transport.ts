/**
 * The transport under a TLS connection that is mostly idle, such as IMAP IDLE. On a connected socket, Node gives TLS
 * a 64 KB read buffer for the lifetime of the connection. On any other stream the buffer is only as large as the
 * largest chunk. TLS treats a socket that is not yet connected as such a stream. The price is one extra step per
 * chunk, which matters only to connections that read whole folders.
 */
import net, { type LookupFunction } from 'node:net'

export interface IdleTransport {
  /** Pass to `tls.connect` before it is connected. */
  readonly socket: net.Socket
  connect(): void
}

/** TCP keep-alive starts after this much silence. */
const keepAliveMs = 5_000

export function idleTransport(host: string, port: number, lookup: LookupFunction): IdleTransport {
  const socket = new net.Socket()
  const keepAlive = { keepAlive: true, keepAliveInitialDelay: keepAliveMs }
  return { socket, connect: () => void socket.connect({ host, port, lookup, ...keepAlive }) }
}
