/** Files in answers: read as a stream on a connection of their own, which is closed after reading. */
import type { EgressStream } from '@waypost/platform/egress/egress'
import { XmlError } from '@waypost/platform/xml/xml'
import { unreachable } from '../../shared/exchange.ts'
import { type FileStream, startFileStream } from '../../shared/file-stream.ts'
import { malformedAnswer } from '../errors.ts'
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

/** Only a short part of the envelope precedes the element. */
const maxHead = 1024 * 1024

/** The longest opening tag that is recognized. */
const maxTag = 1_200

/** The content read up to the element; or the whole answer, if the element is missing or empty. */
export type ElementStart = { isFound: true; rest: string } | { isFound: false; answer: Buffer }

/** Reads an answer up to the text of the first element of a name. */
export async function beginElement(pieces: AsyncIterator<Uint8Array>, name: string): Promise<ElementStart> {
  const opening = new RegExp(`<(?:[A-Za-z_][\\w.-]{0,80}:)?${name}(?:\\s[^<>]{0,1000})?>`)
  const read: Uint8Array[] = []
  let length = 0
  /** The end of the searched text, in which a tag may have begun; each piece is searched once. */
  let tail = ''
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    read.push(next.value)
    length += next.value.length
    const text = tail + Buffer.from(next.value).toString('latin1')
    const found = opening.exec(text)
    if (found && !found[0].endsWith('/>')) return { isFound: true, rest: text.slice(found.index + found[0].length) }
    tail = text.slice(-maxTag)
    if (length > maxHead) throw new XmlError('what stands before a file is too long')
  }
  return { isFound: false, answer: Buffer.concat(read) }
}

/** The bytes of the element, starting with its text that was already read. */
export async function* decodedElement(pieces: AsyncIterator<Uint8Array>, rest: string): AsyncGenerator<Buffer> {
  let pending = ''
  for (let text: string | undefined = rest; text !== undefined; text = await nextText(pieces)) {
    const end = text.indexOf('<')
    pending += (end === -1 ? text : text.slice(0, end)).replaceAll(/\s+/g, '')
    const whole = end === -1 ? pending.length - (pending.length % 4) : pending.length
    if (whole > 0) yield decoded(pending.slice(0, whole))
    if (end !== -1) return
    pending = pending.slice(whole)
  }
  throw new XmlError('a file is cut off')
}

async function nextText(pieces: AsyncIterator<Uint8Array>): Promise<string | undefined> {
  const next = await pieces.next()
  return next.done ? undefined : Buffer.from(next.value).toString('latin1')
}

function decoded(text: string): Buffer {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new XmlError('a file is no base64')
  return Buffer.from(text, 'base64')
}
