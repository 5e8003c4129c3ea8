/** Files in answers: read as a stream on a connection of their own, which is closed after reading. */
import type { EgressStream } from '../../../lib/egress/egress.ts'
import { XmlError } from '../../../lib/xml/xml.ts'
import { unreachable } from '../../shared/exchange.ts'
import { malformedAnswer } from '../errors.ts'
import { beginElement, decodedElement } from './base64-element.ts'
import { refusalOf } from './envelope-stream.ts'

export interface Download {
  /** Its first bytes, which the content also contains. */
  begin: Buffer
  content: ReadableStream<Uint8Array>
}

/**
 * The bytes of an element of an answer. If the element is missing, `read` finds the error in the whole answer;
 * without an error, the file is empty.
 */
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

/** Maps failures during reading to errors of the API. */
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
