/** Files in answers: read as a stream on a connection of their own, which is closed after reading. */
import type { EgressStream } from '@waypost/platform/egress/egress'
import { XmlError } from '@waypost/platform/xml/xml'
import { unreachable } from '../../shared/exchange.ts'
import { type FileStream, startFileStream } from '../../shared/file-stream.ts'
import { malformedAnswer } from '../errors.ts'
import { beginElement, decodedElement } from './base64-element.ts'
import { refusalOf } from './envelope-stream.ts'

/**
 * The bytes of an element of an answer. If the element is missing, `read` finds the error in the whole answer;
 * without an error, the file is empty.
 */
export async function downloadOf(
  answer: EgressStream,
  element: string,
  read: (body: Buffer) => Promise<void>,
): Promise<FileStream> {
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
  return startFileStream(() => reached(() => bytes.next()), closing.move())
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
