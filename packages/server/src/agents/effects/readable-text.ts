/** Texts that may be HTML, as a person can read them before a decision. */
import type { ReadableHtml } from '@waypost/formats/html/readable'
import { invalidField } from '@waypost/platform/api-error'
import type { ParsePool } from '@waypost/platform/parsing/pool'

/** The threads that read texts for a request. */
export interface TextReading {
  parse: ParsePool
  signal: AbortSignal
}

const looksLikeHtml = (text: string): boolean =>
  /<(?:!doctype|html|head|body|p|div|br|span|table|a|b|i|u|ul|ol|li|h[1-6]|img|font|strong|em|blockquote|pre|hr|style|svg)\b/i.test(
    text,
  )

/** Reads HTML in a worker thread. */
export async function readHtmlOf({ parse, signal }: TextReading, html: string): Promise<ReadableHtml> {
  const [outcome] = await parse.run<{ html: string }, ReadableHtml>('readable', [{ html }], { signal })
  if (!outcome?.ok) throw invalidField('body', 'cannot be read as HTML, so nobody could approve it')
  return outcome.value
}

/** A text that may be HTML, as a person can read it. */
export async function readableOf(
  reading: TextReading,
  body: string,
): Promise<{ text: string; readable: ReadableHtml | undefined }> {
  if (!looksLikeHtml(body)) return { text: body, readable: undefined }
  const readable = await readHtmlOf(reading, body)
  return { text: readable.text, readable }
}
