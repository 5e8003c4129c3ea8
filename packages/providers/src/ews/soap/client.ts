/** Calls operations at an Exchange server for an account. */
import type { Io } from '../../io.ts'
import { mayRetry } from '../../shared/exchange.ts'
import type { FileStream } from '../../shared/file-stream.ts'
import { withRetry } from '../../shared/retry.ts'
import { isRetryable } from '../../shared/retryable.ts'
import { EwsError } from '../errors.ts'
import type { EwsAccount } from '../login.ts'
import { inBatches } from './batches.ts'
import { type CallOptions, openCaller, type RequestFor, type StreamOptions } from './caller.ts'
import { downloadOf } from './download.ts'
import { envelopesIn, refusalOf } from './envelope-stream.ts'
import type { Server } from './known-servers.ts'
import type { Operation } from './operation.ts'
import { isUnsent, type Transport } from './transport.ts'

export type { CallOptions, RequestFor, StreamOptions } from './caller.ts'

export interface EwsClient {
  /** The detected version of the server. */
  readonly server: Server
  /** Makes a call with one response message and returns its content. Throws an ApiError. */
  call<Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    request: RequestFor<Request>,
    options?: CallOptions,
  ): Promise<Answer>
  /**
   * Makes a call about several objects, with a response message for each, in their order. Throws if there are none.
   */
  each<Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    request: RequestFor<Request>,
    options?: CallOptions,
  ): Promise<(Answer | EwsError)[]>
  /**
   * The same for many objects, in several calls of `size` each (default 100). Objects that the server left undone
   * because the call was too large are repeated in smaller calls. The answers are in the order of the objects.
   */
  inBatches<Thing, Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    things: readonly Thing[],
    request: (things: Thing[], server: Server) => Request,
    options?: CallOptions & { size?: number },
  ): Promise<(Answer | EwsError)[]>
  /**
   * Makes a call with a long answer (GetStreamingEvents), on a connection of its own, and yields its response
   * messages as they arrive. Leaving the loop closes the connection. Throws an ApiError.
   */
  stream<Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    request: RequestFor<Request>,
    options: StreamOptions,
  ): AsyncIterable<Answer | EwsError>
  /**
   * Makes a call whose answer contains a file in base64, in the first element of a name; returns its bytes as a
   * stream.
   */
  download<Request extends object>(
    operation: Operation<Request, unknown>,
    request: RequestFor<Request>,
    options: StreamOptions & { element: string },
  ): Promise<FileStream>
}

/** Larger calls take a server longer than its proxies wait. */
const batchSize = 100

export function openClient(io: Io, account: EwsAccount, transport: Transport, context: object = {}): EwsClient {
  const caller = openCaller(io, account, transport, context)

  /** Retries temporary failures: a reading call always, a changing one only if nothing was done. */
  const retrying = <T>({ reads }: { reads: boolean }, { retries = true }: CallOptions, once: () => Promise<T>) => {
    const mayPass = mayRetry(reads)
    return withRetry(io, once, (error) => retries && (mayPass(error) || isUnsent(error)))
  }

  async function responsesOf<Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    request: RequestFor<Request>,
    options: CallOptions,
  ): Promise<(Answer | EwsError)[]> {
    const responses = await caller.once(operation, request, options)
    // If every object failed temporarily, the mailbox is unavailable.
    if (operation.reads && responses.every(isTransient)) throw responses[0]
    return responses
  }

  return {
    server: caller.server,
    each: (operation, request, options = {}) =>
      retrying(operation, options, () => responsesOf(operation, request, options)),
    call: (operation, request, options = {}) =>
      retrying(operation, options, async () => {
        const [first] = await caller.once(operation, request, options)
        if (first === undefined || first instanceof EwsError) throw first
        return first
      }),
    inBatches: (operation, things, request, { size = batchSize, ...options } = {}) =>
      inBatches(things, {
        size,
        reads: operation.reads,
        retrying: (once) => retrying(operation, options, once),
        ask: (some) => responsesOf(operation, (known) => request(some, known), options),
      }),
    async download(operation, request, { element, ...options }) {
      const { answer, read } = await caller.open(operation, request, options)
      const whole = refusalOf(answer)
      return downloadOf(answer, element, async (body) => {
        for (const said of await read(whole(body))) if (said instanceof EwsError) throw said
      })
    },
    async *stream(operation, request, options) {
      const { answer, read } = await caller.open(operation, request, options)
      await using _ = answer
      for await (const envelope of envelopesIn(answer)) yield* await read(envelope)
    },
  }
}

/** Whether a response message is a temporary failure. */
const isTransient = (response: unknown): boolean => response instanceof EwsError && isRetryable(response)
