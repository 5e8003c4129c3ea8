/** Decodes the answer with the content of an attachment, `{"data": "…"}`, while it arrives. */
import { createDecoder } from '@waypost/formats/mime/mime'
import { ApiError } from '@waypost/platform/api-error'

/** Only a short text precedes the content. */
const maxHead = 1024 * 1024

/** The content ends with the string, or with its padding, which JSON may escape (RFC 8259 §7). */
const ending = /["\\=]/

export async function* decodedData(answer: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const decoder = createDecoder('base64')
  let head: string | undefined = ''
  for await (const piece of answer) {
    let text = piece.toString('latin1')
    if (head !== undefined) {
      head += text
      const begin = /"data"\s*:\s*"/.exec(head)
      if (!begin && head.length > maxHead) break
      if (!begin) continue
      text = head.slice(begin.index + begin[0].length)
      head = undefined
    }
    const end = text.search(ending)
    const decoded = decoder.push(Buffer.from(end === -1 ? text : text.slice(0, end), 'latin1'))
    if (decoded.length > 0) yield decoded
    if (end === -1) continue
    const rest = decoder.end()
    if (rest.length > 0) yield rest
    return
  }
  throw new ApiError('provider_unavailable', 'Google answered with a file that cannot be read; try again')
}
