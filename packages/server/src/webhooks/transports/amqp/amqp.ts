/**
 * AMQP 0-9-1: persistent messages to an exchange, with publisher confirms. The id of the notification is the
 * `message-id`, by which consumers recognize a repetition.
 */
import { limits } from '@waypost/contract'
import { seconds } from '@waypost/platform/clock'
import { EgressError } from '@waypost/platform/egress/egress'
import {
  abandon,
  amqpPorts,
  answerOf,
  BrokerRefusal,
  BrokerSession,
  brokerAddress,
  withinConnectMs,
} from '../broker-session.ts'
import type { ChannelCredentials, ChannelSettings } from '../channel-settings.ts'
import { isByType, named, noPlaceForType } from '../fitted.ts'
import {
  type Answer,
  type OutgoingMessage,
  type Transport,
  type TransportKind,
  TransportRefusal,
  type TransportTools,
} from '../transport.ts'
import { AmqpConnection, NoRoute } from './connection.ts'
import { type AmqpServer, type Dialogue, openLink } from './handshake.ts'
import {
  declarePassively,
  declareQueuePassively,
  encodePublication,
  type Publication,
  rollback,
  selectConfirms,
  selectTransactions,
} from './methods.ts'

type Settings = ChannelSettings['amqp']
type Credentials = ChannelCredentials['amqp']

/**
 * `amqp://host:5672/vhost`, or `amqps://host:5671/vhost` with TLS. Without a virtual host, it is `/`. Undefined if the
 * text is neither, or contains a user.
 */
export function amqpServer(text: string): AmqpServer | undefined {
  const address = brokerAddress(text, amqpPorts)
  if (!address) return undefined
  const { host, port, protocol, path } = address
  try {
    const vhost = path === '' || path === '/' ? '/' : decodeURIComponent(path.slice(1))
    return Buffer.byteLength(vhost) > 255 ? undefined : { host, port, tls: protocol === 'amqps:', vhost }
  } catch {
    return undefined
  }
}

/** Opens a link to the broker of a channel, and then does `work` on it. */
async function opened<T>(
  { url }: Settings,
  { username = 'guest', password = 'guest' }: Credentials,
  { egress, signal }: Pick<TransportTools, 'egress'> & { signal: AbortSignal },
  work: (dialogue: Dialogue) => Promise<T>,
): Promise<T> {
  const server = amqpServer(url)
  if (!server) throw new EgressError('refused_url', 'The URL is not valid; use amqps://host/vhost')
  return withinConnectMs(server.host, { signal }, async (limited) => {
    const dialogue = await openLink({ server, username, password, egress, signal: limited })
    try {
      return await work(dialogue)
    } catch (error) {
      abandon(dialogue.link.socket)
      throw error
    } finally {
      dialogue.end()
    }
  })
}

class AmqpTransport implements Transport {
  readonly #session: BrokerSession<AmqpConnection>
  readonly #settings: Settings

  constructor(settings: Settings, credentials: Credentials, { egress }: TransportTools) {
    this.#settings = settings
    this.#session = new BrokerSession(amqpServer(settings.url)?.host ?? 'the broker', (signal) =>
      opened(settings, credentials, { egress, signal }, async (dialogue) => {
        await dialogue.ask(selectConfirms(), 'confirm.select-ok')
        const early = dialogue.end()
        return new AmqpConnection(dialogue.link, early)
      }),
    )
  }

  async send(message: OutgoingMessage): Promise<Answer> {
    const until = performance.now() + limits.webhookAnswerMs
    try {
      const connection = await this.#session.connection()
      await connection.publish(publicationOf(this.#settings, message), until)
      return confirmed
    } catch (error) {
      if (!(error instanceof BrokerRefusal)) throw error
      // Where each type has its own routing key, one without a queue says nothing about the others.
      const isOfType = error instanceof NoRoute && isByType(this.#settings.routing_key)
      return answerOf(isOfType ? noPlaceForType : error.status, error.message)
    }
  }

  [Symbol.dispose](): void {
    this.#session[Symbol.dispose]()
  }
}

const confirmed = answerOf(200, 'confirmed')

const publicationOf = (
  { exchange, routing_key: routingKey }: Settings,
  { id, type, grantId, attempt, at, body, compressed }: OutgoingMessage,
): Publication => ({
  exchange,
  routingKey: named(routingKey, type),
  messageId: id,
  type,
  timestamp: seconds(at),
  contentEncoding: compressed ? 'gzip' : undefined,
  headers: { 'waypost-grant-id': grantId, 'waypost-attempt': attempt },
  body,
})

/** What a name may have (§4.2.5.3), and what no trigger exceeds. */
const maxName = 255
const maxType = 64

/** Limits are in bytes, and the routing key grows with the type of a notification. */
function checkNames({ exchange, routing_key: routingKey }: Settings): void {
  const words = `has more than ${maxName} bytes`
  if (Buffer.byteLength(exchange) > maxName) throw new TransportRefusal('exchange', `The name ${words}; use another`)
  if (Buffer.byteLength(named(routingKey, 'x'.repeat(maxType))) > maxName) {
    throw new TransportRefusal('routing_key', `The key ${words} ({type} counts as ${maxType}); make it shorter`)
  }
}

/** The field that a refusal is about. */
function fieldOf({ status, message }: BrokerRefusal, isSignedIn: boolean): string {
  if (status === 503) return 'url'
  if (!isSignedIn) return status === 404 || /vhost/i.test(message) ? 'url' : 'password'
  return /queue/i.test(message) ? 'routing_key' : 'exchange'
}

/**
 * Checks that the exchange exists (or for the default exchange the queue), and that the user may publish to it: it
 * publishes a message in a transaction and rolls back, so that nobody receives it.
 */
async function verifyExchange(dialogue: Dialogue, settings: Settings): Promise<void> {
  const { exchange, routing_key: routingKey } = settings
  if (exchange !== '') await dialogue.ask(declarePassively(exchange), 'exchange.declare-ok')
  else if (!routingKey.includes('{type}')) await dialogue.ask(declareQueuePassively(routingKey), 'queue.declare-ok')
  await dialogue.ask(selectTransactions(), 'tx.select-ok')
  const probe = { id: 'verification', type: 'grant.created', grantId: '', attempt: 0, compressed: false }
  const message = publicationOf(settings, { ...probe, at: 0, body: Buffer.from('{}') })
  const bytes = Buffer.concat([...encodePublication(message, dialogue.link.frameMax), rollback()])
  await dialogue.ask(bytes, 'tx.rollback-ok')
}

export const amqp: TransportKind<Settings, Credentials> = {
  open: (settings, credentials, tools) => new AmqpTransport(settings, credentials, tools),
  async verify(settings, credentials, tools) {
    if (!amqpServer(settings.url)) throw new TransportRefusal('url', 'The URL is not valid; use amqps://host/vhost')
    checkNames(settings)
    let isSignedIn = false
    try {
      await opened(settings, credentials, tools, async (dialogue) => {
        isSignedIn = true
        await verifyExchange(dialogue, settings)
        abandon(dialogue.link.socket)
      })
    } catch (error) {
      if (!(error instanceof BrokerRefusal)) throw error
      throw new TransportRefusal(fieldOf(error, isSignedIn), error.message, { cause: error })
    }
  },
}
