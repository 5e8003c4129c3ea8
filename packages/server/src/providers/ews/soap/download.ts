/** Files within answers: read as they come, on a connection of their own, which is closed when the reader is done. */
import type { EgressStream } from '../../../lib/egress/egress.ts'
import { XmlError } from '../../../lib/xml/xml.ts'
import { unreachable } from '../../shared/exchange.ts'
import { malformedAnswer } from '../errors.ts'
import { beginElement, decodedElement } from './base64-element.ts'
import { refusalOf } from './envelope-stream.ts'

export interface Download {
  /** The first bytes of it, which are in the content, too. */
  begin: Buffer
  content: ReadableStream<Uint8Array>
}

/** The bytes in an element of an answer. Where it is not there, `read` says of the whole answer why; if it says nothing, it is empty. */
export async function downloadOf(
  answer: EgressStream,
  element: string,
  read: (body: Buffer) => Promise<void>,
): Promise<Download> {
  await using closing = new AsyncDisposableStack()
  closing.use(answer)
  const pieces = answer.body[Symbol.asyncIterator]()
  const reached = readingFrom(answer)
  const begun = await reached(() => beginElement(pieces, element))
  if (!begun.isFound) {
    await read(begun.answer)
    return { begin: Buffer.alloc(0), content: new Blob([]).stream() }
  }
  const bytes = decodedElement(pieces, begun.rest)
  const first = await reached(() => bytes.next())
  const held = closing.move()
  return {
    begin: first.done ? Buffer.alloc(0) : first.value,
    content: streamOf(first, () => reached(() => bytes.next()), held),
  }
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

/** What goes wrong on the way, or is not as it must be, as errors of the API. */
const readingFrom =
  (answer: EgressStream) =>
  async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw error instanceof XmlError
        ? malformedAnswer(error, refusalOf(answer)(Buffer.alloc(0)))
        : unreachable(error, 'Exchange')
    }
  }
