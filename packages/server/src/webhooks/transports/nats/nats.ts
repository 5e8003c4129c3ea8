/**
 * NATS JetStream: a message is accepted when its stream has confirmed that it stored it. The id of the notification is
 * the `Nats-Msg-Id`, so that the stream recognizes a repetition within its duplicate window.
 */
import { limits } from '@waypost/contract'
import { EgressError } from '@waypost/platform/egress/egress'
import {
  answerOf,
  BrokerRefusal,
  BrokerSession,
  brokerAddress,
  connectMs,
  natsPorts,
  withinConnectMs,
} from '../broker-session.ts'
import type { ChannelCredentials, ChannelSettings } from '../channel-settings.ts'
import { fitted, isByType, named, noPlaceForType } from '../fitted.ts'
import {
  type Answer,
  type OutgoingMessage,
  type Transport,
  type TransportKind,
  TransportRefusal,
  type TransportTools,
} from '../transport.ts'
import { type NatsAnswer, type NatsConnection, type NatsServer, openNats, RefusedSubject } from './connection.ts'
import { parseCredentialsFile } from './credentials.ts'
import { bytesOfHeaders } from './protocol.ts'

type Settings = ChannelSettings['nats']
type Credentials = ChannelCredentials['nats']

/** `nats://host:4222`, or `tls://host:4222` if the connection must be secure. Undefined if the text is neither. */
export function natsServer(text: string): NatsServer | undefined {
  const address = brokerAddress(text, natsPorts)
  return address && { host: address.host, port: address.port, tls: address.protocol === 'tls:' }
}

/** Tries the servers in turn, from a different one after each failure. */
function opener({ servers }: Settings, credentials: Credentials, { egress }: Pick<TransportTools, 'egress'>) {
  const known = servers.map(natsServer).filter((server) => server !== undefined)
  let first = 0
  return async (signal: AbortSignal): Promise<NatsConnection> => {
    let failure: unknown = new EgressError('refused_url', 'The channel has no valid server; use nats://host:4222')
    for (let turn = 0; turn < known.length; turn++) {
      const server = known[first % known.length]
      if (!server) break
      try {
        return await withinConnectMs(server.host, { signal, ms: connectMs / known.length }, (limited) =>
          openNats({ server, credentials, egress, signal: limited }),
        )
      } catch (error) {
        failure = error
        first += 1
        if (signal.aborted) break
      }
    }
    throw failure
  }
}

class NatsTransport implements Transport {
  readonly #session: BrokerSession<NatsConnection>
  readonly #settings: Settings

  constructor(settings: Settings, credentials: Credentials, tools: TransportTools) {
    this.#settings = settings
    this.#session = new BrokerSession(hostsOf(settings), opener(settings, credentials, tools))
  }

  async send(message: OutgoingMessage): Promise<Answer> {
    const until = performance.now() + limits.webhookAnswerMs
    try {
      const connection = await this.#session.connection()
      const { maxPayload } = connection.info
      const max = maxPayload - bytesOfHeaders(this.#headersOf({ ...message, type: `${message.type}.truncated` }))
      const sent = fitted(message, max)
      if (!sent) return answerOf(413, tooLarge(message.body.length, maxPayload))
      const subject = named(this.#settings.subject, message.type)
      const headers = this.#headersOf(sent)
      return this.#judged(outcome(await connection.publish({ subject, headers, payload: sent.body }, until), subject))
    } catch (error) {
      if (!(error instanceof BrokerRefusal)) throw error
      const answer = answerOf(error.status, error.message)
      return error instanceof RefusedSubject ? this.#judged(answer) : answer
    }
  }

  #headersOf(message: OutgoingMessage): Record<string, string> {
    return { ...headersOf(message), ...expectedStream(this.#settings) }
  }

  /** Where each type has its own subject, a subject that cannot be used says nothing about the others. */
  #judged(answer: Answer): Answer {
    const isAboutSubject = answer.status === 404 || answer.status === 403
    return isAboutSubject && isByType(this.#settings.subject) ? { ...answer, status: noPlaceForType } : answer
  }

  [Symbol.dispose](): void {
    this.#session[Symbol.dispose]()
  }
}

const hostsOf = ({ servers }: Settings): string => natsServer(servers[0] ?? '')?.host ?? 'the broker'

const tooLarge = (bytes: number, max: number): string =>
  `The message has ${bytes} bytes and the server takes ${max}, which is not enough even without its large fields; set max_payload to 2MB`

const expectedStream = ({ stream }: Settings): Record<string, string> =>
  stream === null ? {} : { 'Nats-Expected-Stream': stream }

/** Ids and types consist of letters, digits, dots, dashes and underscores, so they need no encoding. */
const headersOf = ({ id, type, grantId, attempt, compressed }: OutgoingMessage): Record<string, string> => ({
  'Nats-Msg-Id': id,
  'Content-Type': 'application/json',
  ...(compressed ? { 'Content-Encoding': 'gzip' } : {}),
  'Waypost-Type': type,
  'Waypost-Grant-Id': grantId,
  'Waypost-Attempt': String(attempt),
})

interface StreamError {
  readonly code: number
  readonly errCode: number
  readonly description: string
}

/** The error in an answer of JetStream, if it is one. Undefined for a confirmation. */
function errorIn(text: string): StreamError | undefined {
  const answer: { error?: unknown; stream?: unknown; seq?: unknown } = JSON.parse(text)
  if (answer.error === undefined && typeof answer.stream === 'string' && typeof answer.seq === 'number')
    return undefined
  const { code, err_code: errCode, description } = Object(answer.error) as Record<string, unknown>
  return {
    code: typeof code === 'number' ? code : 500,
    errCode: typeof errCode === 'number' ? errCode : 0,
    description: typeof description === 'string' ? description : 'the answer is not a confirmation',
  }
}

/** Error codes of JetStream (`err_code`) whose status does not say what is at fault. */
const wrongStream = 10_060
const wrongLastId = 10_070
const tooLargeForStream = 10_054

const noStream = (subject: string): string =>
  `No stream takes the subject ${subject}; create one with \`nats stream add\`, or correct the subject`

/** The outcome of a publication in the words of HTTP. */
function outcome({ status, text }: NatsAnswer, subject: string): Answer {
  if (status === 503) return answerOf(404, noStream(subject))
  if (status !== undefined) return answerOf(status >= 400 ? status : 502, `The server answered with status ${status}`)
  try {
    const error = errorIn(text)
    if (!error) return answerOf(200, text)
    const words = `JetStream answered: ${error.description} (${error.errCode})`
    if (error.errCode === wrongStream) return answerOf(404, words)
    if (error.errCode === tooLargeForStream) return answerOf(413, words)
    return answerOf(error.code >= 400 && error.code < 600 ? error.code : 500, words)
  } catch {
    return answerOf(502, 'The answer is not from JetStream: it is not JSON')
  }
}

/** Where each type has its own subject, streams must take that of one trigger of the channel at least. */
async function verifySubjects(connection: NatsConnection, settings: Settings, types: readonly string[]): Promise<void> {
  const [first = 'grant.created', ...others] = types
  const subjects = new Set([first, ...others].map((type) => named(settings.subject, type)))
  const until = performance.now() + connectMs / 2
  let refusal: unknown
  for (const subject of subjects) {
    try {
      return await verifyStream(connection, settings, { subject, until })
    } catch (error) {
      if (!(error instanceof TransportRefusal || error instanceof RefusedSubject)) throw error
      refusal ??= error
    }
  }
  throw refusal
}

/**
 * Asks the stream to store a message only if its last message has an id that no message has. So the stream refuses it,
 * which shows that the stream exists, takes the subject, and accepts messages of this user, without storing one.
 */
async function verifyStream(
  connection: NatsConnection,
  settings: Settings,
  { subject, until }: { subject: string; until: number },
): Promise<void> {
  const headers = { 'Nats-Expected-Last-Msg-Id': 'waypost-verification', ...expectedStream(settings) }
  const given = await connection.publish({ subject, headers, payload: Buffer.alloc(0) }, until)
  if (given.status === undefined && isRefusedOnPurpose(given.text)) return
  const { status, answer } = outcome(given, subject)
  if (status === 200)
    throw new TransportRefusal('subject', `The stream of ${subject} ignores expected ids; use JetStream`)
  throw new TransportRefusal(settings.stream !== null && given.status === undefined ? 'stream' : 'subject', `${answer}`)
}

function isRefusedOnPurpose(text: string): boolean {
  try {
    return errorIn(text)?.errCode === wrongLastId
  } catch {
    return false
  }
}

const fieldOf = (credentials: Credentials): string =>
  (['credentials', 'token', 'username'] as const).find((name) => credentials[name] !== undefined) ?? 'token'

export const nats: TransportKind<Settings, Credentials> = {
  open: (settings, credentials, tools) => new NatsTransport(settings, credentials, tools),
  async verify(settings, credentials, tools) {
    if (credentials.credentials !== undefined && !parseCredentialsFile(credentials.credentials)) {
      throw new TransportRefusal('credentials', 'The text is not a .creds file with a JWT and the seed of a user')
    }
    const wrong = settings.servers.find((server) => natsServer(server) === undefined)
    if (wrong !== undefined) {
      throw new TransportRefusal('servers', 'A server is a URL such as nats://host:4222 or tls://host:4222')
    }
    try {
      const connection = await opener(settings, credentials, tools)(tools.signal)
      try {
        await verifySubjects(connection, settings, tools.types ?? [])
      } finally {
        connection.close(new EgressError('aborted', 'The verification has ended'))
      }
    } catch (error) {
      if (!(error instanceof BrokerRefusal)) throw error
      const isPermission = /^Permissions/i.test(error.message)
      throw new TransportRefusal(isPermission ? 'subject' : fieldOf(credentials), error.message, { cause: error })
    }
  },
}
