/** Files in answers: their bytes are read at the pace of the client, on a connection of their own. */
import { ApiError } from '@waypost/platform/api-error'
import type { EgressRequest, EgressResponse, EgressStream } from '@waypost/platform/egress/egress'
import type { SessionIo } from '../io.ts'
import { accepted, type ExchangeRequest, type ExchangeRules, unreachable } from './exchange.ts'

export interface FileStream {
  /** Its first bytes, which the content also contains. */
  begin: Buffer
  content: ReadableStream<Uint8Array>
}

export interface ProviderFile extends FileStream {
  /** In bytes, if the provider named it. */
  size: number | undefined
}

/** Waits for the first bytes of a file. `held` is disposed of at its end, and when it is canceled or fails. */
export async function startFileStream(
  read: () => Promise<IteratorResult<Buffer>>,
  held: AsyncDisposableStack,
): Promise<FileStream> {
  await using closing = held.move()
  const first = await read()
  const retained = closing.move()
  return { begin: first.done ? Buffer.alloc(0) : first.value, content: streamOf(first, read, retained) }
}

function streamOf(
  first: IteratorResult<Buffer>,
  read: () => Promise<IteratorResult<Buffer>>,
  held: AsyncDisposableStack,
): ReadableStream<Uint8Array> {
  let next: IteratorResult<Buffer> | undefined = first
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          next ??= await read()
          if (next.done) {
            await held.disposeAsync()
            controller.close()
          } else controller.enqueue(next.value)
          next = undefined
        } catch (error) {
          await held.disposeAsync()
          throw error
        }
      },
      cancel: () => held.disposeAsync(),
    },
    { highWaterMark: 0 },
  )
}

/** The maximum time between two pieces of a file, and for all of it. */
const silenceMs = 60_000
const lifetimeMs = 600_000

interface FileReading {
  scopes?: readonly string[] | undefined
  /** Finds the bytes of the file in the answer. Default: all of the answer. */
  decode?: ((answer: AsyncIterable<Buffer>) => AsyncIterator<Buffer>) | undefined
}

/**
 * Requests a file with the account's token. A refusal is read and retried as by `accepted`. The turn at the mailbox
 * ends when the file begins, because a slow client must not hold up other requests.
 */
export async function acceptedFile(
  io: SessionIo,
  request: ExchangeRequest,
  rules: ExchangeRules,
  { scopes, decode }: FileReading,
): Promise<ProviderFile> {
  let opened: OpenedFile | undefined
  const begin = async (requested: EgressRequest): Promise<EgressResponse> => {
    const outcome = await openFile(io, requested)
    if ('answer' in outcome) return outcome.answer
    opened = outcome
    const { status, headers } = outcome.stream
    return { status, headers, body: Buffer.alloc(0), truncated: false }
  }
  // A file cannot be compressed: its size is that of its bytes.
  const plain = { ...request, headers: { ...request.headers, 'accept-encoding': 'identity' } }
  const { header } = await accepted({ ...io, request: begin }, plain, rules, { take: (answer) => answer, scopes })
  if (!opened) throw new Error(`${rules.name}: an accepted answer has no file`)
  const { stream, held } = opened
  if ((header('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    await held.disposeAsync()
    throw new ApiError('provider_refused', `${rules.name} compressed the file, which was not requested`)
  }
  const pieces = decode ? decode(stream.body) : stream.body[Symbol.asyncIterator]()
  const read = async (): Promise<IteratorResult<Buffer>> => {
    try {
      return await pieces.next()
    } catch (error) {
      io.signal.throwIfAborted()
      throw unreachable(error, rules.name)
    }
  }
  const size = decode ? undefined : lengthIn(header('content-length'))
  return { ...(await startFileStream(read, held)), size }
}

interface OpenedFile {
  stream: EgressStream
  held: AsyncDisposableStack
}

/** Begins to read a file. An answer without a file is read completely. */
async function openFile(
  io: SessionIo,
  { onOverflow: _, ...request }: EgressRequest,
): Promise<OpenedFile | { answer: EgressResponse }> {
  await using closing = new AsyncDisposableStack()
  const connection = closing.use(io.connection(request.url))
  const stream = closing.use(await connection.stream({ ...request, silenceMs, lifetimeMs }))
  if (stream.status < 300) return { stream, held: closing.move() }
  const { status, headers } = stream
  const body = Buffer.concat(await Array.fromAsync(stream.body))
  return { answer: { status, headers, body, truncated: false } }
}

const lengthIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
