/** One call of an operation: its envelope, the schema version that the server accepts, and the parsed answer. */
import type { EgressStream, StreamedBody } from '@waypost/platform/egress/egress'
import { XmlError } from '@waypost/platform/xml/xml'
import type { Io } from '../../io.ts'
import { type InsertedFile, wireBytes, wireLength } from '../../mail/large-files.ts'
import type { Refusal } from '../../shared/refusal.ts'
import { namedWait } from '../../shared/retry.ts'
import { EwsError, malformedAnswer, responseError } from '../errors.ts'
import { httpError } from '../http-errors.ts'
import type { EwsAccount } from '../login.ts'
import { type UnreadableElement, writeElement } from './description.ts'
import { type AnswerOf, readEnvelope, readResponses, writeEnvelope } from './envelope.ts'
import { KnownServers, mayBeTooNew, type Server } from './known-servers.ts'
import type { Operation } from './operation.ts'
import type { Transport } from './transport.ts'

export interface CallOptions {
  /** The maximum size of an answer. Default 32 MB. */
  maxBytes?: number
  /** Default 60 s. */
  deadlineMs?: number
  /** The Windows name of the zone of times in the answer. Default UTC. */
  timeZone?: string
  /** The address of the requested mailbox, if it is not the account's own. */
  mailbox?: string | undefined
  /** Whether temporary failures are retried. Default yes. */
  retries?: boolean
  /** Files whose markers are in the request. They are streamed in place of the markers, in lines of base64. */
  files?: readonly InsertedFile[]
}

export interface StreamOptions extends CallOptions {
  /** The maximum time between two pieces of the answer. */
  silenceMs: number
  /** The maximum duration of the answer. */
  lifetimeMs: number
}

/**
 * A request; a function if it depends on the server's version. It is called again if the version turns out to be
 * another.
 */
export type RequestFor<Request> = Request | ((server: Server) => Request)

export interface Caller {
  readonly server: Server
  /** One request with one schema version, and with older ones if the server rejects it. */
  once<Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    request: RequestFor<Request>,
    options: CallOptions,
  ): Promise<(Answer | EwsError)[]>
  /** An answer that is read as a stream. */
  open<Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    request: RequestFor<Request>,
    options: StreamOptions,
  ): Promise<OpenAnswer<Answer>>
}

export interface OpenAnswer<Answer> {
  answer: EgressStream
  /** The response messages of an envelope. */
  read(envelope: Refusal): Promise<(Answer | EwsError)[]>
}

const megabyte = 1024 * 1024
const callBytes = 32 * megabyte
const callDeadlineMs = 60_000

/** `context` is added to log entries. */
export function openCaller(io: Io, account: EwsAccount, transport: Transport, context: object): Caller {
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
    const { files = [] } = options
    const { version } = server
    const impersonated = account.isImpersonated ? account.address : undefined
    const requested = typeof request === 'function' ? request(server) : request
    const element = writeElement('m', operation.element, operation.request, requested)
    const envelope = writeEnvelope({ version, impersonated, timeZone }, element)
    const body = files.length === 0 ? envelope : withFiles(envelope, files)
    return { version, maxBytes, deadlineMs, mailbox, body }
  }

  /** The response messages of an answer. A busy server gets a pause. */
  const responsesOf = <Answer>(operation: AnswerOf<Answer>, answer: Refusal): Promise<(Answer | EwsError)[]> =>
    understood(answer, async () => {
      const envelope = await readEnvelope(answer.body, io)
      if (!envelope) throw httpError(answer)
      if (envelope.fault) throw noted(responseError(envelope.fault, answer.status))
      const responses = readResponses(operation, envelope.answer, onDropped)
      for (const response of responses) if (response instanceof EwsError) noted(response)
      return responses
    })

  function noted(error: EwsError): EwsError {
    if (error.code === 'provider_rate_limited') transport.pauseFor(namedWait(error))
    return error
  }

  const caller: Caller = {
    server,
    async once(operation, request, options) {
      const { version, ...post } = posted(operation, request, options)
      try {
        const responses = await responsesOf(operation, await transport.post(post))
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
        return caller.once(operation, request, options)
      }
    },
    async open(operation, request, { silenceMs, lifetimeMs, ...options }) {
      const { version: _, ...post } = posted(operation, request, options)
      const answer = await transport.stream({ ...post, silenceMs, lifetimeMs })
      return { answer, read: (from) => responsesOf(operation, from) }
    },
  }
  return caller
}

function withFiles(envelope: string, largeFiles: readonly InsertedFile[]): StreamedBody {
  const message = { source: Buffer.from(envelope), largeFiles }
  return { length: wireLength(message), read: () => wireBytes(message) }
}

/** Reads an answer; one that is not XML is judged by its status and type. */
async function understood<T>(answer: Refusal, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw error instanceof XmlError ? malformedAnswer(error, answer) : error
  }
}
