/** Calls of operations at an Exchange server in an account's name. */
import { ApiError } from '../../../lib/api-error.ts'
import { XmlError } from '../../../lib/xml.ts'
import type { Io } from '../../io.ts'
import { mayRetry } from '../../shared/exchange.ts'
import { withRetry } from '../../shared/retry.ts'
import type { EwsAccount } from '../account.ts'
import { EwsError, hasCode, httpError, malformedAnswer, responseError } from '../errors.ts'
import { type UnreadableElement, writeElement } from './description.ts'
import { readEnvelope, writeEnvelope } from './envelope.ts'
import { KnownServers, type Server } from './known-servers.ts'
import type { Operation } from './operation.ts'
import { readResponses } from './response.ts'
import type { Transport } from './transport.ts'
import type { SchemaVersion } from './versions.ts'

export interface CallOptions {
  /** The most that may be answered. Default 32 MB. */
  maxBytes?: number
  /** Default 60 s. */
  deadlineMs?: number
  /** The Windows name of the zone that times are answered in. Default UTC. */
  timeZone?: string
}

/** What is asked; a function where it depends on what the server knows: it is called again where that turns out otherwise. */
export type RequestFor<Request> = Request | ((server: Server) => Request)

export interface EwsClient {
  /** What the server is known to take. */
  readonly server: Server
  /** Makes a call that has one response message: answers what it holds. Throws an ApiError. */
  call<Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    request: RequestFor<Request>,
    options?: CallOptions,
  ): Promise<Answer>
  /** Makes a call about several things, which has a response message for each, in their order. Throws where it has none. */
  each<Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    request: RequestFor<Request>,
    options?: CallOptions,
  ): Promise<(Answer | EwsError)[]>
  /** The same for so many things that they are asked for in several calls, `size` in each. Answers in their order. */
  inBatches<Thing, Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    things: readonly Thing[],
    request: (things: Thing[], server: Server) => Request,
    options?: CallOptions & { size?: number },
  ): Promise<(Answer | EwsError)[]>
}

export interface ClientOptions {
  io: Io
  account: EwsAccount
  transport: Transport
}

const megabyte = 1024 * 1024
const callBytes = 32 * megabyte
const callDeadlineMs = 60_000
/** Larger ones take a server longer than its proxies wait. */
const batchSize = 100

const tooNew = [
  'ErrorInvalidServerVersion',
  'ErrorIncorrectSchemaVersion',
  'ErrorInvalidSchemaVersionForMailboxVersion',
] as const

export function openClient({ io, account, transport }: ClientOptions): EwsClient {
  const servers = io.shared('servers', () => new KnownServers())
  const { origin } = new URL(account.url)
  const server = servers.server(origin)
  const onDropped = (problem: UnreadableElement): void =>
    io.log.warn({ problem: problem.message }, 'something that Exchange answered with cannot be read')

  /** One exchange with one version of the schema. */
  async function exchangeOnce<Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    request: RequestFor<Request>,
    { maxBytes = callBytes, deadlineMs = callDeadlineMs, timeZone = 'UTC' }: CallOptions,
  ): Promise<(Answer | EwsError)[]> {
    const { version } = server
    const impersonated = account.isImpersonated ? account.address : undefined
    const asked = typeof request === 'function' ? request(server) : request
    const element = writeElement('m', operation.name, operation.request, asked)
    const body = writeEnvelope({ version, impersonated, timeZone }, element)
    const answer = await transport.post({ body, maxBytes, deadlineMs })
    const responses = await understood(async () => {
      const envelope = await readEnvelope(answer.body)
      if (envelope?.fault) throw responseError(envelope.fault, answer.status)
      if (!envelope?.answer) throw httpError(answer)
      return readResponses(operation, envelope.answer, onDropped)
    }, answer)
    const [first] = responses
    if (first instanceof EwsError && hasCode(first, ...tooNew)) throw first
    servers.confirm(origin, version)
    return responses
  }

  /** The same with an older version, where the server does not take the first one. */
  async function negotiated<Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    request: RequestFor<Request>,
    options: CallOptions,
  ): Promise<(Answer | EwsError)[]> {
    const { version } = server
    try {
      return await exchangeOnce(operation, request, options)
    } catch (error) {
      if (!isTooNew(error, version)) throw error
      return negotiated(operation, request, options)
    }
  }

  const isTooNew = (error: unknown, version: SchemaVersion): boolean =>
    hasCode(error, ...tooNew) && servers.stepDown(origin, version)

  const each = <Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    request: RequestFor<Request>,
    options: CallOptions = {},
  ): Promise<(Answer | EwsError)[]> =>
    withRetry(io, () => negotiated(operation, request, options), mayRetry(operation.reads))

  return {
    server,
    each,
    async call(operation, request, options) {
      const [first] = await each(operation, request, options)
      if (first === undefined || first instanceof EwsError) throw first
      return first
    },
    async inBatches(operation, things, request, { size = batchSize, ...options } = {}) {
      const ask = (batch: typeof things) => each(operation, (known) => request([...batch], known), options)
      const answers: Awaited<ReturnType<typeof ask>> = []
      for (let from = 0; from < things.length; from += size) {
        answers.push(...(await ask(things.slice(from, from + size))))
      }
      return answers
    },
  }
}

/** What reads an answer; one that is no XML is judged by its status and type. */
async function understood<T>(read: () => Promise<T>, answer: Parameters<typeof httpError>[0]): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (error instanceof XmlError) throw malformedAnswer(error, answer)
    throw error
  }
}
