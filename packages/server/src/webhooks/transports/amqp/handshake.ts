/** Opens an AMQP 0-9-1 connection: sign-in, limits, virtual host, and one channel (§2.2.4 of the specification). */
import { type Egress, EgressError, type EgressSocket } from '@waypost/platform/egress/egress'
import { version } from '@waypost/platform/versions'
import { abandon, BrokerRefusal, protocolError } from '../broker-session.ts'
import { type AmqpLink, refusalOf, strangeError } from './connection.ts'
import { FrameReader, frameTypes, maxFrame, minFrame } from './frames.ts'
import {
  type BrokerMethod,
  decodeMethod,
  openChannel,
  openConnection,
  protocolHeader,
  startOk,
  tuneOk,
} from './methods.ts'

export interface AmqpServer {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly vhost: string
}

export interface AmqpOpening {
  readonly server: AmqpServer
  readonly username: string
  readonly password: string
  readonly egress: Egress
  /** Aborts with an `EgressError`. */
  readonly signal: AbortSignal
}

/** A link during the handshake, in which both sides speak in turn. */
export interface Dialogue {
  readonly link: AmqpLink
  /** Sends a method and waits for the named answer. Rejects with a `BrokerRefusal` or an `EgressError`. */
  ask<Name extends BrokerMethod['name']>(bytes: Buffer, name: Name): Promise<Extract<BrokerMethod, { name: Name }>>
  /** Ends the dialogue, so that somebody else may read from the socket. Returns what the broker has said besides. */
  end(): readonly BrokerMethod[]
}

/** In seconds. */
const heartbeat = 20
/** No broker says more than this in a handshake. */
const maxMethods = 16

const properties = {
  product: 'Waypost',
  version,
  platform: 'Node.js',
  connection_name: 'waypost',
  capabilities: {
    publisher_confirms: true,
    'basic.nack': true,
    'connection.blocked': true,
    authentication_failure_close: true,
  },
}

/** Connects, signs in and opens a channel. Rejects with a `BrokerRefusal` or an `EgressError`. */
export async function openLink({ server, username, password, egress, signal }: AmqpOpening): Promise<Dialogue> {
  const { host, port, tls, vhost } = server
  const socket = await egress.connect({ host, port, broker: { tls: tls ? 'now' : 'none' }, signal })
  const dialogue = new SocketDialogue(socket, host, signal)
  try {
    const { mechanisms } = await dialogue.ask(protocolHeader, 'connection.start')
    if (!mechanisms.includes('PLAIN')) throw new BrokerRefusal(403, `${host} allows no sign-in with a password (PLAIN)`)
    const offered = await dialogue.signIn(startOk(properties, username, password))
    // 0 means that the broker has no limit.
    const frameMax = offered.frameMax === 0 ? maxFrame : Math.min(offered.frameMax, maxFrame)
    if (frameMax < minFrame) throw strangeError(host, new Error(`frames of ${frameMax} bytes are too small`))
    const beat = offered.heartbeat === 0 ? heartbeat : Math.min(offered.heartbeat, heartbeat)
    socket.write(tuneOk({ frameMax, heartbeat: beat }))
    await dialogue.ask(openConnection(vhost), 'connection.open-ok')
    await dialogue.ask(openChannel(), 'channel.open-ok')
    dialogue.link = { ...dialogue.link, frameMax, heartbeat: beat }
    return dialogue
  } catch (error) {
    dialogue.end()
    abandon(socket)
    throw error
  }
}

class SocketDialogue implements Dialogue {
  link: AmqpLink
  readonly #signal: AbortSignal
  readonly #methods: BrokerMethod[] = []
  #failure: Error | undefined
  #hasEnded = false
  #hasClosed = false
  #wake: () => void = () => undefined

  constructor(socket: EgressSocket, host: string, signal: AbortSignal) {
    this.link = { host, socket, reader: new FrameReader(), frameMax: maxFrame, heartbeat: 0 }
    this.#signal = signal
    socket.on('data', this.#read).on('error', this.#broken).on('close', this.#broken)
    signal.addEventListener('abort', this.#stop, { once: true })
    if (signal.aborted) this.#stop()
  }

  readonly #read = (chunk: Buffer): void => {
    try {
      for (const { type, payload } of this.link.reader.read(chunk)) {
        if (type !== frameTypes.method) continue
        this.#methods.push(decodeMethod(payload))
        if (this.#methods.length > maxMethods) throw new Error('the broker says too much')
      }
    } catch (error) {
      this.#failure ??= strangeError(this.link.host, error)
    }
    this.#wake()
  }
  readonly #broken = (cause?: unknown): void => {
    this.#hasClosed = true
    this.#failure ??= protocolError(this.link.host, cause)
    this.#wake()
  }
  readonly #stop = (): void => {
    this.#failure = this.#signal.reason
    this.#wake()
  }

  end(): readonly BrokerMethod[] {
    if (this.#hasEnded) return []
    this.#hasEnded = true
    this.link.socket.off('data', this.#read).off('error', this.#broken).off('close', this.#broken).pause()
    this.#signal.removeEventListener('abort', this.#stop)
    return this.#methods.splice(0)
  }

  async ask<Name extends BrokerMethod['name']>(bytes: Buffer, name: Name) {
    if (!this.#failure) this.link.socket.write(bytes)
    const method = await this.#next()
    if (isNamed(method, name)) return method
    if (method.name === 'connection.close' || method.name === 'channel.close') {
      throw refusalOf(method.code, method.text) ?? protocolError(this.link.host, new Error(method.text))
    }
    if (method.name === 'connection.blocked') {
      throw new BrokerRefusal(503, `${this.link.host} takes no messages at the moment (${method.text})`)
    }
    throw strangeError(this.link.host, new Error(`${method.name} instead of ${name}`))
  }

  /** Without an extension of RabbitMQ, a broker shows that it refuses a password by closing the connection. */
  async signIn(bytes: Buffer): Promise<Extract<BrokerMethod, { name: 'connection.tune' }>> {
    try {
      return await this.ask(bytes, 'connection.tune')
    } catch (error) {
      if (!this.#hasClosed || !(error instanceof EgressError) || error.reason !== 'protocol_error') throw error
      const words = `${this.link.host} closed the connection at the sign-in; check username and password`
      throw new BrokerRefusal(403, words)
    }
  }

  async #next(): Promise<BrokerMethod> {
    for (;;) {
      const method = this.#methods.shift()
      if (method) return method
      if (this.#failure) throw this.#failure
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

const isNamed = <Name extends BrokerMethod['name']>(
  method: BrokerMethod,
  name: Name,
): method is Extract<BrokerMethod, { name: Name }> => method.name === name
