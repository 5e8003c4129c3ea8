/**
 * One connection to a broker that many sends share. It opens with the first send and closes when it is idle. It is
 * never reopened implicitly: if it breaks, everything on it fails as unreachable, and the next send opens a new one.
 * So nothing waits in a hidden buffer, and the queue of the store alone decides what is repeated, and when.
 */
import { startDeadline } from '@waypost/platform/egress/deadline'
import { EgressError, type EgressSocket } from '@waypost/platform/egress/egress'
import type { Answer } from './transport.ts'

/** The broker answered, and refused. The status is the HTTP status that says the same. */
export class BrokerRefusal extends Error {
  override readonly name = 'BrokerRefusal'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface BrokerConnection {
  /** False once it is broken or closed. It stays so. */
  readonly isOpen: boolean
  /** Whether a message waits for its confirmation, or the connection must stay open for another reason. */
  readonly isBusy: boolean
  /** Fails what waits with this error. */
  close(error: EgressError): void
}

/** An outcome in the words of HTTP. What a broker says is kept up to 4 KB. */
export const answerOf = (status: number, text: string): Answer => ({
  status,
  answer: Buffer.from(text.slice(0, 4_000)),
  retryAfter: null,
})

export const protocolError = (host: string, cause?: unknown): EgressError =>
  new EgressError('protocol_error', `The connection to ${host} ended before the broker confirmed`, { cause })

/** Closes a socket whose errors say nothing new. */
export function abandon(socket: EgressSocket): void {
  socket.on('error', () => undefined)
  socket.destroy()
}

/** Maximum time to connect and sign in. The rest of a send's time is for the confirmation. */
export const connectMs = 6_000

/** Runs `work` with a signal that aborts after `ms`, or with the given signal. */
export async function withinConnectMs<T>(
  host: string,
  { signal, ms = connectMs }: { signal: AbortSignal; ms?: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const message = `${host} did not complete the sign-in within ${Math.round(ms)} ms; check that it is healthy`
  using deadline = startDeadline({ ms, message, signals: [signal] })
  return await work(deadline.signal)
}

/** An idle connection is closed after this time. */
const idleMs = 60_000

export class BrokerSession<Connection extends BrokerConnection> implements Disposable {
  readonly #open: (signal: AbortSignal) => Promise<Connection>
  readonly #host: string
  readonly #closing = new AbortController()
  #opening: Promise<Connection> | undefined
  #connection: Connection | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(host: string, open: (signal: AbortSignal) => Promise<Connection>) {
    this.#host = host
    this.#open = open
  }

  /** The open connection, or a new one. Sends at the same time wait for the same one. */
  async connection(): Promise<Connection> {
    if (this.#closing.signal.aborted) throw this.#closing.signal.reason
    if (this.#connection?.isOpen) {
      this.#idle?.refresh()
      return this.#connection
    }
    this.#opening ??= this.#openNew().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #openNew(): Promise<Connection> {
    const connection = await this.#open(this.#closing.signal)
    if (this.#closing.signal.aborted) {
      connection.close(this.#closing.signal.reason)
      throw this.#closing.signal.reason
    }
    this.#connection = connection
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#closeIdle(connection), idleMs).unref()
    return connection
  }

  #closeIdle(connection: Connection): void {
    if (connection.isOpen && connection.isBusy) return void this.#idle?.refresh()
    connection.close(new EgressError('aborted', `The idle connection to ${this.#host} was closed`))
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#idle)
    const error = new EgressError('aborted', `The connection to ${this.#host} was closed before the broker confirmed`)
    this.#closing.abort(error)
    this.#connection?.close(error)
  }
}

/** The address of a broker, parsed from a URL of its protocol. Which hosts and ports may be reached is decided later. */
interface BrokerAddress {
  readonly protocol: string
  readonly host: string
  readonly port: number
  /** Everything after the authority, as given. */
  readonly path: string
}

/** The protocols of the brokers with their default ports. */
export const natsPorts = { 'nats:': 4222, 'tls:': 4222 }
export const amqpPorts = { 'amqp:': 5672, 'amqps:': 5671 }

const form = /^([a-z]+:)\/\/(\[[0-9a-f:.]+\]|[^\s\\/?#@:[\]]+)(?::(\d{1,5}))?(\/[^\s?#]*)?$/i

/**
 * Undefined if the text is not such a URL, or contains a user, which belongs into the credentials. `ports` are the
 * allowed protocols with their default ports.
 */
export function brokerAddress(text: string, ports: Readonly<Record<string, number>>): BrokerAddress | undefined {
  const [, scheme = '', host = '', port, path = ''] = form.exec(text) ?? []
  const protocol = scheme.toLowerCase()
  const usual = ports[protocol]
  if (usual === undefined || host === '') return undefined
  return { protocol, host, port: port === undefined ? usual : Number(port), path }
}
