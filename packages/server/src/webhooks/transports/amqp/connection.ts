/**
 * A connection to an AMQP 0-9-1 broker with one channel in confirm mode. A message is accepted when the broker has
 * confirmed it. Messages are `mandatory`: the broker returns one that no queue takes, just before it confirms it.
 *
 * An error of the channel or the connection fails everything that waits, and closes the connection. A broker that is
 * short of memory or disk blocks the connection instead. Then it stays open and takes nothing more: each new connection
 * would leave a message in a socket that the broker reads later, so that every retry would become a duplicate.
 */
import { EgressError, type EgressSocket } from '@waypost/platform/egress/egress'
import { type BrokerConnection, BrokerRefusal, protocolError } from '../broker-session.ts'
import { Outstanding } from '../outstanding.ts'
import { type Frame, type FrameReader, frameTypes, heartbeatFrame } from './frames.ts'
import {
  type BrokerMethod,
  closeConnection,
  closeConnectionOk,
  decodeMethod,
  decodeProperties,
  encodePublication,
  flowOk,
  type Publication,
} from './methods.ts'

/** No queue takes messages with the routing key of this one. */
export class NoRoute extends BrokerRefusal {
  constructor(message: string) {
    super(404, message)
  }
}

interface Waiting {
  readonly id: string
  readonly bytes: number
  readonly resolve: () => void
  readonly reject: (error: Error) => void
  /** Why the broker returned the message. */
  returned: string | undefined
}

/** A broker that reads no answers must not fill the memory with them. */
const maxUnreadAnswers = 64

export interface AmqpLink {
  readonly host: string
  readonly socket: EgressSocket
  readonly reader: FrameReader
  readonly frameMax: number
  /** In seconds. 0: none. */
  readonly heartbeat: number
}

const goodbyeMs = 1_000

/** The broker said something that is not in the protocol, or not at this point. */
export const strangeError = (host: string, cause: unknown): EgressError =>
  new EgressError('protocol_error', `${host} does not respond like a broker of AMQP 0-9-1${reasonOf(cause)}`, { cause })

const reasonOf = (cause: unknown): string => (cause instanceof Error ? `: ${cause.message}` : '')

export class AmqpConnection implements BrokerConnection {
  readonly #link: AmqpLink
  readonly #outstanding: Outstanding<Waiting>
  readonly #heartbeats: NodeJS.Timeout | undefined
  #heardAt = performance.now()
  #isOpen = true
  /** Why the broker takes nothing at the moment. */
  #blocked: string | undefined
  /** A returned message: its properties, and the rest of its body, follow. */
  #returning: { readonly why: string; left: number | undefined } | undefined
  /** Answers to `channel.flow` that are still in this process. */
  #unreadAnswers = 0

  /** The channel of `link` is open and confirms. `early`: what the broker said since. */
  constructor(link: AmqpLink, early: readonly BrokerMethod[]) {
    const { host, socket, heartbeat } = link
    this.#link = link
    this.#outstanding = new Outstanding(host, (error) => this.close(error))
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('error', (error) => this.close(protocolError(host, error)))
    socket.on('close', () => this.close(protocolError(host)))
    // The handshake paused it.
    socket.resume()
    if (heartbeat > 0) this.#heartbeats = setInterval(() => this.#beat(), heartbeat * 500).unref()
    this.#obeyAll(early)
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  get isBusy(): boolean {
    return this.#outstanding.size > 0 || this.#blocked !== undefined
  }

  /** Publishes a message and resolves when the broker has confirmed it. `until` is a time of `performance.now`. */
  publish(message: Publication, until: number): Promise<void> {
    const { host, socket, frameMax } = this.#link
    if (!this.#isOpen) return Promise.reject(protocolError(host))
    if (this.#blocked !== undefined) return Promise.reject(this.#blockedError(this.#blocked))
    const pieces = encodePublication(message, frameMax)
    return new Promise((resolve, reject) => {
      const { messageId: id, body } = message
      this.#outstanding.add({ id, bytes: body.length, resolve, reject, returned: undefined }, until)
      socket.cork()
      for (const piece of pieces) socket.write(piece)
      process.nextTick(() => socket.uncork())
    })
  }

  close(error: EgressError): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    clearInterval(this.#heartbeats)
    const { socket } = this.#link
    if (error.reason === 'aborted' && !socket.destroyed) {
      // A broker that hangs does not read the goodbye.
      socket.setTimeout(goodbyeMs, () => socket.destroy())
      socket.end(closeConnection(), () => socket.destroy())
    } else socket.destroy()
    for (const { reject } of this.#outstanding.takeAll()) reject(error)
  }

  #blockedError(why: string): BrokerRefusal {
    return new BrokerRefusal(503, `${this.#link.host} takes no messages at the moment (${why})`)
  }

  /** Both sides send something in every interval; a side that hears nothing for two gives up (§4.2.7). */
  #beat(): void {
    const { host, socket, heartbeat } = this.#link
    if (performance.now() - this.#heardAt > heartbeat * 2_000) {
      this.close(new EgressError('timeout', `${host} stopped sending heartbeats; check that it is up`))
    } else socket.write(heartbeatFrame)
  }

  #read(chunk: Buffer): void {
    this.#heardAt = performance.now()
    try {
      for (const frame of this.#link.reader.read(chunk)) {
        if (!this.#isOpen) return
        this.#take(frame)
      }
    } catch (error) {
      this.close(strangeError(this.#link.host, error))
    }
  }

  #take({ type, payload }: Frame): void {
    if (type === frameTypes.method) this.#obey(decodeMethod(payload))
    else if (type === frameTypes.header) this.#returnedProperties(payload)
    else if (type === frameTypes.body) this.#returnedBody(payload)
    else if (type !== frameTypes.heartbeat) throw new Error('the type of a frame is unknown')
  }

  #obeyAll(methods: readonly BrokerMethod[]): void {
    try {
      for (const method of methods) if (this.#isOpen) this.#obey(method)
    } catch (error) {
      this.close(strangeError(this.#link.host, error))
    }
  }

  #obey(method: BrokerMethod): void {
    switch (method.name) {
      case 'basic.ack':
        this.#confirmed(method, ({ returned, resolve, reject }) =>
          returned === undefined ? resolve() : reject(new NoRoute(returned)),
        )
        break
      case 'basic.nack':
        this.#confirmed(method, ({ reject }) =>
          reject(new BrokerRefusal(503, 'The broker could not store the message (basic.nack)')),
        )
        break
      case 'basic.return':
        this.#returning = { why: returnedWords(method), left: undefined }
        break
      case 'connection.blocked':
        this.#block(method.text)
        break
      case 'connection.unblocked':
        this.#blocked = undefined
        break
      case 'channel.flow':
        this.#answer(flowOk(method.active))
        if (method.active) this.#blocked = undefined
        else this.#block('channel.flow')
        break
      case 'channel.close':
      case 'connection.close':
        this.#refused(method)
        break
      default:
        throw new Error(`${method.name} was not expected`)
    }
  }

  #answer(bytes: Buffer): void {
    if (this.#unreadAnswers === maxUnreadAnswers) throw new Error('the broker reads no answers')
    this.#unreadAnswers += 1
    this.#link.socket.write(bytes, () => {
      this.#unreadAnswers -= 1
    })
  }

  /** What waits may have been stored. It is sent again under the same id, once the broker takes messages again. */
  #block(why: string): void {
    this.#blocked = why === '' ? 'connection.blocked' : why
    const error = this.#blockedError(this.#blocked)
    for (const { reject } of this.#outstanding.takeAll()) reject(error)
  }

  #confirmed({ tag, multiple }: { tag: number; multiple: boolean }, settle: (waiting: Waiting) => void): void {
    if (multiple) {
      // 0 means all.
      for (const waiting of this.#outstanding.takeUpTo(tag === 0 ? Number.POSITIVE_INFINITY : tag)) settle(waiting)
      return
    }
    const waiting = this.#outstanding.take(tag)
    if (waiting) settle(waiting)
  }

  #returnedProperties(payload: Buffer): void {
    if (this.#returning?.left !== undefined || !this.#returning) throw new Error('properties were not expected')
    const { length, messageId } = decodeProperties(payload)
    const why = this.#returning.why
    for (const waiting of this.#outstanding.each()) if (waiting.id === messageId) waiting.returned = why
    this.#returning = length === 0 ? undefined : { why, left: length }
  }

  #returnedBody(payload: Buffer): void {
    if (this.#returning?.left === undefined) throw new Error('a body was not expected')
    this.#returning.left -= payload.length
    if (this.#returning.left <= 0) this.#returning = undefined
  }

  #refused({ name, code, text }: BrokerClose) {
    const { host, socket } = this.#link
    const refusal = refusalOf(code, text)
    if (refusal) for (const { reject } of this.#outstanding.takeIf(this.#isMeant(refusal))) reject(refusal)
    if (name === 'connection.close') socket.write(closeConnectionOk())
    this.close(protocolError(host, new Error(`${code} ${text}`)))
  }

  /**
   * Which messages a refusal means. The broker does not name them. If it refuses a message for its size, the largest one
   * is too large in any case. Another refusal of a message is only certain if one waits alone: then the others are sent
   * again, one at a time.
   */
  #isMeant({ status }: BrokerRefusal): (waiting: Waiting) => boolean {
    if (status === 413) {
      const max = this.#outstanding.maxBytes
      return ({ bytes }) => bytes === max
    }
    const isCertain = status !== 400 || this.#outstanding.size === 1
    return () => isCertain
  }
}

type BrokerClose = Extract<BrokerMethod, { name: 'connection.close' | 'channel.close' | 'basic.return' }>

const returnedWords = ({ code, text }: BrokerClose): string =>
  `No queue takes messages with this routing key (${code} ${text}); bind a queue to the exchange`

/** The refusal behind a code of the broker (§1.2 of the specification). Undefined if the broker itself has failed. */
export function refusalOf(code: number, text: string): BrokerRefusal | undefined {
  const words = `The broker answered: ${code} ${text}`
  if (code === 404) return new BrokerRefusal(404, words)
  // A virtual host that does not exist, or that the user may not use.
  if (code === 530) return new BrokerRefusal(/not found/i.test(text) ? 404 : 403, words)
  if (code === 403 || code === 402 || code === 405) return new BrokerRefusal(403, words)
  if (code === 311) return new BrokerRefusal(413, words)
  if (code === 406) return new BrokerRefusal(/size|large/i.test(text) ? 413 : 400, words)
  return undefined
}
