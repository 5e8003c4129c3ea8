/** The text of a message for a result, and the rest of a long one by offset. */
import { looksLikeHtml, type PlainInput, type PlainText, plainText } from '@waypost/formats/html/plain-text'
import { ApiError } from '@waypost/platform/api-error'
import type { ParsePool } from '@waypost/platform/parsing/pool'
import { cutBytes } from './neutralize.ts'

/** Characters from which a body is converted in a thread, because its sender decides how much work it is. */
const long = 8_192

/** The text that people see in a body. */
export async function readableText(
  pool: ParsePool | undefined,
  input: PlainInput,
  signal: AbortSignal,
): Promise<PlainText> {
  const isLight = input.body.length < long && !/<style/i.test(input.body)
  if (!pool || isLight || !looksLikeHtml(input.body)) return plainText(input)
  const [outcome] = await pool.run<PlainInput, PlainText>('plain', [input], { signal })
  if (outcome?.ok) return outcome.value
  throw new ApiError('internal_error', 'the text of the message cannot be read')
}

export interface TextPart {
  text: string
  /** Where the rest begins; undefined at the end. */
  nextOffset: number | undefined
}

/** A part of a text from an offset on, with at most so many bytes. */
export function partOf(text: string, offset: number, max: number): TextPart {
  const rest = text.slice(offset).replace(/^[\udc00-\udfff]/, '')
  const part = cutBytes(rest, max)
  const end = text.length - rest.length + part.length
  return { text: part, nextOffset: end < text.length ? end : undefined }
}
