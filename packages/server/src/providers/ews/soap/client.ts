/** Calls of operations at an Exchange server in an account's name. */
import type { Io } from '../../io.ts'
import { mayRetry } from '../../shared/exchange.ts'
import { withRetry } from '../../shared/retry.ts'
import { isRetryable } from '../../shared/retryable.ts'
import type { EwsAccount } from '../account.ts'
import { EwsError } from '../errors.ts'
import { inBatches } from './batches.ts'
import { type CallOptions, openCaller, type RequestFor, type StreamOptions } from './caller.ts'
import { type Download, downloadOf } from './download.ts'
import { envelopesIn, refusalOf } from './envelope-stream.ts'
import type { Server } from './known-servers.ts'
import type { Operation } from './operation.ts'
import { isUnsent, type Transport } from './transport.ts'

export type { CallOptions, RequestFor, StreamOptions } from './caller.ts'

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

/** Larger ones take a server longer than its proxies wait. */
const batchSize = 100

export function openClient(io: Io, account: EwsAccount, transport: Transport, context: object = {}): EwsClient {
  const caller = openCaller(io, account, transport, context)

  /** Tries again what passes: what reads always, what changes only where nothing was done. */
  const patiently = <T>({ reads }: { reads: boolean }, { retries = true }: CallOptions, once: () => Promise<T>) => {
    const mayPass = mayRetry(reads)
    return withRetry(io, once, (error) => retries && (mayPass(error) || isUnsent(error)))
  }

  async function responsesOf<Request extends object, Answer>(
    operation: Operation<Request, Answer>,
    request: RequestFor<Request>,
    options: CallOptions,
  ): Promise<(Answer | EwsError)[]> {
    const responses = await caller.once(operation, request, options)
    // Where nothing at all was read, the mailbox is out of order, and not what was asked for.
    if (operation.reads && responses.every(isPassing)) throw responses[0]
    return responses
  }

  return {
    server: caller.server,
    each: (operation, request, options = {}) =>
      patiently(operation, options, () => responsesOf(operation, request, options)),
    call: (operation, request, options = {}) =>
      patiently(operation, options, async () => {
        const [first] = await caller.once(operation, request, options)
        if (first === undefined || first instanceof EwsError) throw first
        return first
      }),
    inBatches: (operation, things, request, { size = batchSize, ...options } = {}) =>
      inBatches(things, {
        size,
        reads: operation.reads,
        patiently: (once) => patiently(operation, options, once),
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

/** Whether a response message says what may be over soon. */
const isPassing = (response: unknown): boolean => response instanceof EwsError && isRetryable(response)
