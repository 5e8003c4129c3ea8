/** Calls of operations at an Exchange server in an account's name. */
import { XmlError } from '../../../lib/xml.ts'
import type { Io } from '../../io.ts'
import { mayRetry } from '../../shared/exchange.ts'
import { namedWait, withRetry } from '../../shared/retry.ts'
import type { EwsAccount } from '../account.ts'
import { EwsError, httpError, malformedAnswer, responseError } from '../errors.ts'
import { inBatches } from './batches.ts'
import { type UnreadableElement, writeElement } from './description.ts'
import { type Download, downloadOf } from './download.ts'
import { type Envelope, readEnvelope, writeEnvelope } from './envelope.ts'
import { envelopesIn, refusalOf } from './envelope-stream.ts'
import { KnownServers, mayBeTooNew, type Server } from './known-servers.ts'
import type { Operation } from './operation.ts'
import { type AnswerOf, readResponses } from './response.ts'
import { isUnsent, type Transport } from './transport.ts'

export interface CallOptions {
  /** The most that may be answered. Default 32 MB. */
  maxBytes?: number
  /** Default 60 s. */
  deadlineMs?: number
  /** The Windows name of the zone that times are answered in. Default UTC. */
  timeZone?: string
  /** The address of the mailbox that is asked for, where it is not the account's own. */
  mailbox?: string | undefined
  /** Whether passing failures are waited for. Default yes. */
  retries?: boolean
}

export interface StreamOptions extends CallOptions {
  /** The longest time between two pieces of the answer. */
  silenceMs: number
  /** The longest time that the answer may take. */
  lifetimeMs: number
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
  /**
   * The same for so many things that they are asked for in several calls, `size` in each (default 100). What the server
   * left undone because it was too much is asked for again, less at a time. Answers in the order of the things.
   */
  inBatches<Thing, Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    things: readonly Thing[],
    request: (things: Thing[], server: Server) => Request,
    options?: CallOptions & { size?: number },
  ): Promise<(Answer | EwsError)[]>
  /**
   * Makes a call whose answer does not end soon (GetStreamingEvents), on a connection of its own: its response messages as
   * they come. Leaving the loop closes the connection. Throws an ApiError.
   */
  stream<Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    request: RequestFor<Request>,
    options: StreamOptions,
  ): AsyncIterable<Answer | EwsError>
  /** Makes a call whose answer holds a file in base64, in the first element of a name: its bytes as they come. */
  download<Request extends object>(
    operation: Operation<Request, unknown>,
    request: RequestFor<Request>,
    options: StreamOptions & { element: string },
  ): Promise<Download>
}

const megabyte = 1024 * 1024
const callBytes = 32 * megabyte
const callDeadlineMs = 60_000
/** Larger ones take a server longer than its proxies wait. */
const batchSize = 100

export function openClient(io: Io, account: EwsAccount, transport: Transport, context: object = {}): EwsClient {
  const servers = io.shared('servers', () => new KnownServers())
  const { origin } = new URL(account.url)
  const server = servers.server(origin)
  const onDropped = (problem: UnreadableElement): void =>
    io.log.warn({ ...context, problem: problem.message }, 'something that Exchange answered with cannot be read')

  function posted<Request extends object>(
    operation: Operation<Request, unknown>,
    request: RequestFor<Request>,
    options: CallOptions,
  ) {
    const { maxBytes = callBytes, deadlineMs = callDeadlineMs, timeZone = 'UTC', mailbox = account.address } = options
    const { version } = server
    const impersonated = account.isImpersonated ? account.address : undefined
    const asked = typeof request === 'function' ? request(server) : request
    const element = writeElement('m', operation.element, operation.request, asked)
    return { version, maxBytes, deadlineMs, mailbox, body: writeEnvelope({ version, impersonated, timeZone }, element) }
  }

  /** The response messages of an envelope. Where the server is busy, it is left alone. */
  function responsesIn<Answer>(operation: AnswerOf<Answer>, envelope: Envelope, status: number) {
    if (envelope.fault) throw noted(responseError(envelope.fault, status))
    const responses = readResponses(operation, envelope.answer, onDropped)
    for (const response of responses) if (response instanceof EwsError) noted(response)
    return responses
  }

  function noted(error: EwsError): EwsError {
    if (error.code === 'provider_rate_limited') transport.pauseFor(namedWait(error))
    return error
  }

  /** One exchange with one version of the schema; with an older one, where the server does not take it. */
  async function negotiated<Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    request: RequestFor<Request>,
    options: CallOptions,
  ): Promise<(Answer | EwsError)[]> {
    const { version, ...post } = posted(operation, request, options)
    try {
      const answer = await transport.post(post)
      const responses = await understood(answer, async () => {
        const envelope = await readEnvelope(answer.body)
        if (!envelope) throw httpError(answer)
        return responsesIn(operation, envelope, answer.status)
      })
      const [first] = responses
      if (first instanceof EwsError && mayBeTooNew(first, { isConfirmed: true, reads: false })) throw first
      servers.confirm(origin, version)
      return responses
    } catch (error) {
      const isConfirmed = servers.isConfirmed(origin)
      if (!mayBeTooNew(error, { isConfirmed, reads: operation.reads })) throw error
      if (!servers.stepDown(origin, version)) {
        servers.forget(origin)
        throw error
      }
      return negotiated(operation, request, options)
    }
  }

  const each = <Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    request: RequestFor<Request>,
    options: CallOptions = {},
  ): Promise<(Answer | EwsError)[]> => {
    const mayPass = mayRetry(operation.reads)
    const isWorthAnother = (error: unknown): boolean => (options.retries ?? true) && (mayPass(error) || isUnsent(error))
    return withRetry(io, () => negotiated(operation, request, options), isWorthAnother)
  }

  return {
    server,
    each,
    async call(operation, request, options) {
      const [first] = await each(operation, request, options)
      if (first === undefined || first instanceof EwsError) throw first
      return first
    },
    inBatches: (operation, things, request, { size = batchSize, ...options } = {}) =>
      inBatches(things, {
        size,
        reads: operation.reads,
        ask: (some) => each(operation, (known) => request(some, known), options),
      }),
    async download(operation, request, { element, silenceMs, lifetimeMs, ...options }) {
      const { version: _, ...post } = posted(operation, request, options)
      const answer = await transport.stream({ ...post, silenceMs, lifetimeMs })
      const whole = refusalOf(answer)
      return downloadOf(answer, element, (body) =>
        understood(whole(body), async () => {
          const envelope = await readEnvelope(body)
          if (!envelope) throw httpError(whole(body))
          for (const said of responsesIn(operation, envelope, answer.status)) if (said instanceof EwsError) throw said
        }),
      )
    },
    async *stream(operation, request, { silenceMs, lifetimeMs, ...options }) {
      const { version: _, ...post } = posted(operation, request, options)
      await using answer = await transport.stream({ ...post, silenceMs, lifetimeMs })
      for await (const envelope of envelopesIn(answer)) {
        yield* await understood(envelope, async () => {
          const read = await readEnvelope(envelope.body)
          if (!read) throw httpError(envelope)
          return responsesIn(operation, read, answer.status)
        })
      }
    },
  }
}

/** Reads an answer; what is no XML is judged by its status and type. */
async function understood<T>(answer: Parameters<typeof httpError>[0], read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof XmlError ? malformedAnswer(error, answer) : error
  }
}
