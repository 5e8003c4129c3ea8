/**
 * A connection to a NATS server that publishes to JetStream. Every publication names an inbox of its own below the
 * one inbox of the connection, where the stream confirms that it stored the message.
 */
import { randomBytes } from 'node:crypto'
import { type Egress, EgressError, type EgressSocket } from '@waypost/platform/egress/egress'
import { version } from '@waypost/platform/versions'
import { abandon, type BrokerConnection, BrokerRefusal, protocolError } from '../broker-session.ts'
import { Outstanding } from '../outstanding.ts'
import { type NatsCredentials, proof } from './credentials.ts'
import { encodePublication, NatsReader, parseInfo, type ServerInfo, type ServerLine, statusOf } from './protocol.ts'

export interface NatsServer {
  readonly host: string
  readonly port: number
  /** Whether the connection must be secure. Otherwise it is if the server wants it. */
  readonly tls: boolean
}

export interface NatsMessage {
  readonly subject: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: Buffer
}

/** What a stream answered. A status without text comes from the server, such as 503: no stream takes the subject. */
export interface NatsAnswer {
  readonly status: number | undefined
  readonly text: string
}

/** The user may not publish to the subject of this message. */
export class RefusedSubject extends BrokerRefusal {
  constructor(message: string) {
    super(403, message)
  }
}

interface Waiting {
  readonly subject: string
  readonly bytes: number
  readonly resolve: (answer: NatsAnswer) => void
  readonly reject: (error: Error) => void
}

export class NatsConnection implements BrokerConnection {
  readonly info: ServerInfo
  readonly #host: string
  readonly #socket: EgressSocket
  readonly #reader = new NatsReader()
  readonly #inbox = `_INBOX.${randomBytes(12).toString('hex')}`
  readonly #outstanding: Outstanding<Waiting>
  #isOpen = true

  /** `socket` is past the handshake. */
  constructor(host: string, socket: EgressSocket, info: ServerInfo) {
    this.info = info
    this.#host = host
    this.#socket = socket
    this.#outstanding = new Outstanding(host, (error) => this.close(error))
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('error', (error) => this.close(protocolError(host, error)))
    socket.on('close', () => this.close(protocolError(host)))
    // The handshake paused it.
    socket.resume()
    socket.write(`SUB ${this.#inbox}.* 1\r\n`)
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  get isBusy(): boolean {
    return this.#outstanding.size > 0
  }

  /** Publishes a message and resolves with the answer of its stream. `until` is a time of `performance.now`. */
  publish({ subject, headers, payload }: NatsMessage, until: number): Promise<NatsAnswer> {
    if (!this.#isOpen) return Promise.reject(protocolError(this.#host))
    return new Promise((resolve, reject) => {
      const number = this.#outstanding.add({ subject, bytes: payload.length, resolve, reject }, until)
      this.#socket.cork()
      for (const piece of encodePublication({ subject, reply: `${this.#inbox}.${number}`, headers, payload })) {
        this.#socket.write(piece)
      }
      process.nextTick(() => this.#socket.uncork())
    })
  }

  close(error: EgressError): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#socket.destroy()
    for (const { reject } of this.#outstanding.takeAll()) reject(error)
  }

  #read(chunk: Buffer): void {
    let wantsPong = false
    try {
      for (const line of this.#reader.read(chunk)) {
        if (line.kind === 'ping') wantsPong = true
        else if (line.kind === 'message') this.#answered(line)
        else if (line.kind === 'error') this.#refused(line.text)
        if (!this.#isOpen) return
      }
    } catch (error) {
      this.close(protocolError(this.#host, error))
      return
    }
    // One for all of a chunk, so that a flood of them costs no memory.
    if (wantsPong) this.#socket.write('PONG\r\n')
  }

  #answered({ subject, headers, payload }: Extract<ServerLine, { kind: 'message' }>): void {
    const number = Number(subject.slice(this.#inbox.length + 1))
    this.#outstanding.take(number)?.resolve({ status: statusOf(headers), text: payload.toString() })
  }

  /** The server closes the connection after most errors, but not after refused permissions, which name the subject. */
  #refused(text: string): void {
    const permission = /^Permissions Violation for Publish to "(.*)"$/i.exec(text)
    if (permission) {
      for (const waiting of this.#outstanding.takeIf(({ subject }) => subject === permission[1])) {
        waiting.reject(new RefusedSubject(text))
      }
      return
    }
    // An account may be allowed less than the server announces. The error names no message, but the largest one is too
    // large in any case. The others are sent again, one at a time.
    if (/^Maximum Payload/i.test(text)) {
      const max = this.#outstanding.maxBytes
      for (const { reject } of this.#outstanding.takeIf(({ bytes }) => bytes === max)) {
        reject(new BrokerRefusal(413, `The server answered: ${text}`))
      }
    } else if (isRefusal(text)) {
      for (const { reject } of this.#outstanding.takeAll()) reject(new BrokerRefusal(403, text))
    }
    this.close(protocolError(this.#host, new Error(text)))
  }
}

const isRefusal = (text: string): boolean => /permission|auth|expired|revoked/i.test(text)

export interface NatsOpening {
  readonly server: NatsServer
  readonly credentials: NatsCredentials
  readonly egress: Egress
  /** Aborts with an `EgressError`. */
  readonly signal: AbortSignal
}

/** Connects and signs in. Rejects with a `BrokerRefusal` or an `EgressError`. */
export async function openNats({ server, credentials, egress, signal }: NatsOpening): Promise<NatsConnection> {
  const { host, port } = server
  let socket = await egress.connect({ host, port, broker: { tls: server.tls ? 'later' : 'none' }, signal })
  try {
    const greeting = await nextLine(socket, host, signal)
    if (greeting.kind !== 'info') throw protocolError(host)
    const info = parseInfo(greeting.text)
    // A server without TLS would read the first bytes of a handshake as a command.
    if (server.tls && !info.tlsOffered) {
      throw new EgressError('tls_failed', `${host} offers no TLS; configure it, or use a URL that starts with nats:`)
    }
    if (server.tls || info.tlsRequired) socket = await egress.startTls(socket, { host, signal })
    if (!info.headers) throw new BrokerRefusal(404, `${host} is older than NATS 2.2, which JetStream needs`)
    socket.write(`CONNECT ${JSON.stringify(connectOptions(credentials, info, server))}\r\nPING\r\n`)
    const answer = await nextLine(socket, host, signal)
    if (answer.kind === 'error') throw new BrokerRefusal(403, `${host} answered: ${answer.text}`)
    if (answer.kind !== 'pong') throw protocolError(host)
    return new NatsConnection(host, socket, info)
  } catch (error) {
    abandon(socket)
    if (error instanceof EgressError || error instanceof BrokerRefusal) throw error
    throw protocolError(host, error)
  }
}

function connectOptions(credentials: NatsCredentials, info: ServerInfo, { tls }: NatsServer): object {
  return {
    verbose: false,
    pedantic: false,
    tls_required: tls || info.tlsRequired,
    name: 'waypost',
    lang: 'node',
    version,
    protocol: 0,
    echo: false,
    headers: true,
    no_responders: true,
    ...proof(credentials, info.nonce),
  }
}

/** The next line of the handshake. Nothing may follow it yet. */
function nextLine(socket: EgressSocket, host: string, signal: AbortSignal): Promise<ServerLine> {
  const reader = new NatsReader()
  return new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      socket.off('data', read).off('error', fail).off('close', fail).pause()
      signal.removeEventListener('abort', stop)
      end()
    }
    const fail = (cause?: unknown): void => settle(() => reject(protocolError(host, cause)))
    const stop = (): void => settle(() => reject(signal.reason))
    const read = (chunk: Buffer): void => {
      try {
        const [line, ...others] = reader.read(chunk)
        if (line === undefined) return
        // After an error the server may say more. Before TLS, more could be put there by somebody else.
        if (line.kind !== 'error' && (others.length > 0 || reader.pending > 0)) throw new Error('more than one line')
        settle(() => resolve(line))
      } catch (error) {
        fail(error)
      }
    }
    socket.on('data', read).on('error', fail).on('close', fail).resume()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
}
